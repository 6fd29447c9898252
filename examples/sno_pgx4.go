// sno with pgx 4: IDs, arrays of them and CopyFrom, in binary.
package main

import (
	"context"

	"github.com/jackc/pgtype"
	"github.com/jackc/pgx/v4"
)

// snoValue makes pgx send and receive IDs, and arrays of them, in binary
type snoValue struct {
	pgtype.Bytea
}

func (v *snoValue) Set(src interface{}) error {
	switch id := src.(type) {
	case ID:
		return v.Bytea.Set(id[:])
	case *ID:
		if id == nil {
			return v.Bytea.Set(nil)
		}
		return v.Bytea.Set(id[:])
	case string:
		return v.DecodeText(nil, []byte(id))
	}
	return v.Bytea.Set(src)
}

func (v *snoValue) AssignTo(dst interface{}) error {
	if v.Status == pgtype.Present {
		if id, ok := dst.(*ID); ok {
			return id.Scan(v.Bytes)
		}
		if next, ok := pgtype.GetAssignToDstType(dst); ok {
			return v.AssignTo(next)
		}
	}
	return v.Bytea.AssignTo(dst)
}

func (v *snoValue) DecodeText(ci *pgtype.ConnInfo, src []byte) error {
	if src == nil {
		return v.Bytea.Set(nil)
	}
	var id ID
	if err := id.Scan(string(src)); err != nil {
		return err
	}
	return v.Bytea.Set(id[:])
}

func registerSno(ctx context.Context, conn *pgx.Conn) error {
	var oid, arrayOID uint32
	err := conn.QueryRow(ctx, "SELECT 'sno'::regtype::oid, 'sno[]'::regtype::oid").Scan(&oid, &arrayOID)
	if err != nil {
		return err
	}
	element := func() pgtype.ValueTranscoder { return &snoValue{} }
	conn.ConnInfo().RegisterDataType(pgtype.DataType{Value: &snoValue{}, Name: "sno", OID: oid})
	conn.ConnInfo().RegisterDataType(pgtype.DataType{
		Value: pgtype.NewArrayType("sno[]", oid, element), Name: "sno[]", OID: arrayOID})
	return nil
}
