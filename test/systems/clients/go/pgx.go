package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v4"
	"github.com/jackc/pgx/v4/pgxpool"
)

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
