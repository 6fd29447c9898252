// sno with pgx 5: single IDs need no setup; this is for arrays of them.
package main

import (
	"context"
	"database/sql/driver"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// snoCodec sends and receives ten bytes.  With the simple protocol, the sixteen
// characters arrive instead.
type snoCodec struct {
	pgtype.ByteaCodec
}

func (c snoCodec) DecodeDatabaseSQLValue(m *pgtype.Map, oid uint32, format int16, src []byte) (driver.Value, error) {
	if format == pgtype.TextFormatCode && src != nil {
		return string(src), nil
	}
	return c.ByteaCodec.DecodeDatabaseSQLValue(m, oid, format, src)
}

func registerSno(ctx context.Context, conn *pgx.Conn) error {
	var oid uint32
	if err := conn.QueryRow(ctx, "SELECT 'sno'::regtype::oid").Scan(&oid); err != nil {
		return err
	}
	conn.TypeMap().RegisterType(&pgtype.Type{Name: "sno", OID: oid, Codec: snoCodec{}})
	array, err := conn.LoadType(ctx, "sno[]")
	if err != nil {
		return err
	}
	conn.TypeMap().RegisterType(array)
	return nil
}
