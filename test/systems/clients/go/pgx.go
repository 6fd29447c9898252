package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgtype"
	"github.com/jackc/pgx/v4"
	"github.com/jackc/pgx/v4/pgxpool"
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

// Each connection of a pool knows the type
func pool() {
	ctx := context.Background()
	config, err := pgxpool.ParseConfig("sslmode=disable")
	must(err)
	config.AfterConnect = registerSno
	pool, err := pgxpool.ConnectConfig(ctx, config)
	must(err)
	defer pool.Close()
	var found []ID
	err = pool.QueryRow(ctx, "SELECT $1::sno[]", ids).Scan(&found)
	same("an array, through a pool of pgx", err, found, ids)
}

func native(simple, registered bool) {
	ctx := context.Background()
	config, err := pgx.ParseConfig("sslmode=disable")
	must(err)
	config.PreferSimpleProtocol = simple
	conn, err := pgx.ConnectConfig(ctx, config)
	must(err)
	defer conn.Close(ctx)
	if registered {
		must(registerSno(ctx, conn))
	}
	name := func(what string) string {
		return fmt.Sprintf("%s, pgx by itself, simple protocol %v, registered %v", what, simple, registered)
	}
	column := func(query string, args ...interface{}) ([]ID, error) {
		rows, err := conn.Query(ctx, query, args...)
		must(err)
		defer rows.Close()
		return collect(rows)
	}

	_, err = conn.Exec(ctx, "TRUNCATE event")
	must(err)
	batch := &pgx.Batch{}
	for _, id := range ids {
		batch.Queue("INSERT INTO event (id, payload) VALUES ($1, $2)", id, id.String())
	}
	must(conn.SendBatch(ctx, batch).Close())
	found, err := column("SELECT id FROM event WHERE payload = id::text ORDER BY id")
	same(name("a batch of inserts, and IDs"), err, found, ids)
	found, err = column("SELECT id FROM event WHERE id = $1", ids[2])
	same(name("an ID to compare with"), err, found, ids[2:])
	found, err = column("SELECT id FROM event WHERE id = $1", texts[1])
	same(name("a string to compare with"), err, found, ids[1:2])
	found, err = column("SELECT id FROM event WHERE id = ANY ($1) ORDER BY id", texts[1:])
	same(name("an array of strings to compare with"), err, found, ids[1:])
	var pointer *ID
	err = conn.QueryRow(ctx, "SELECT $1::sno", pointer).Scan(&pointer)
	same(name("a nil pointer is NULL, and back"), err, pointer == nil, true)
	if !registered {
		return
	}

	var array []ID
	err = conn.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM event").Scan(&array)
	same(name("an array"), err, array, ids)
	// The simple protocol knows no type of a parameter, and so not how to send this
	if !simple {
		var pointers []*ID
		err = conn.QueryRow(ctx, "SELECT $1::sno[]", []*ID{nil, &ids[1]}).Scan(&pointers)
		same(name("an array with a NULL"), err, pointers, []*ID{nil, &ids[1]})
	}

	_, err = conn.Exec(ctx, "TRUNCATE event")
	must(err)
	rows := [][]interface{}{}
	for _, id := range ids {
		rows = append(rows, []interface{}{id, id.String()})
	}
	_, err = conn.CopyFrom(ctx, pgx.Identifier{"event"}, []string{"id", "payload"}, pgx.CopyFromRows(rows))
	must(err)
	found, err = column("SELECT id FROM event WHERE payload = id::text ORDER BY id")
	same(name("COPY in, binary"), err, found, ids)
}
