package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"
)

func init() {
	modes = append(modes, mode{"pgx", "", true, true},
		mode{"pgx", "default_query_exec_mode=simple_protocol", true, true})
	more = func() {
		for _, options := range []string{"", " default_query_exec_mode=simple_protocol"} {
			for _, registered := range []bool{false, true} {
				native(options, registered)
			}
		}
	}
}

func native(options string, registered bool) {
	ctx := context.Background()
	config, err := pgxpool.ParseConfig("sslmode=disable" + options)
	must(err)
	if registered {
		config.AfterConnect = registerSno
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	must(err)
	defer pool.Close()
	name := func(what string) string {
		return fmt.Sprintf("%s, pgx by itself%s, registered %v", what, options, registered)
	}
	column := func(query string, args ...interface{}) ([]ID, error) {
		rows, err := pool.Query(ctx, query, args...)
		must(err)
		defer rows.Close()
		return collect(rows)
	}

	_, err = pool.Exec(ctx, "TRUNCATE event")
	must(err)
	batch := &pgx.Batch{}
	for _, id := range ids[:2] {
		batch.Queue("INSERT INTO event (id, payload) VALUES ($1, $2)", id, id.String())
	}
	must(pool.SendBatch(ctx, batch).Close())
	_, err = pool.CopyFrom(ctx, pgx.Identifier{"event"}, []string{"id", "payload"},
		pgx.CopyFromRows([][]interface{}{{ids[2], texts[2]}}))
	must(err)
	found, err := column("SELECT id FROM event WHERE payload = id::text ORDER BY id")
	same(name("a batch of inserts, binary COPY, and IDs"), err, found, ids)
	found, err = column("SELECT id FROM event WHERE id IN ($1, $2) ORDER BY id", texts[0], ids[2])
	same(name("a string and an ID to compare with"), err, found, []ID{ids[0], ids[2]})
	found, err = column("SELECT id FROM event WHERE id = ANY ($1) ORDER BY id", texts[1:])
	same(name("an array of strings to compare with"), err, found, ids[1:])
	var pointer *ID
	err = pool.QueryRow(ctx, "SELECT $1::sno", pointer).Scan(&pointer)
	same(name("a nil pointer is NULL, and back"), err, pointer == nil, true)
	if !registered {
		var array []string
		err = pool.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM event").Scan(&array)
		same(name("an array, into strings"), err, array, texts)
		return
	}

	var array []ID
	err = pool.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM event").Scan(&array)
	same(name("an array"), err, array, ids)
	// The simple protocol knows no type of a parameter, and so not how to send this
	if options == "" {
		var pointers []*ID
		err = pool.QueryRow(ctx, "SELECT $1::sno[]", []*ID{nil, &ids[1]}).Scan(&pointers)
		same(name("an array with a NULL"), err, pointers, []*ID{nil, &ids[1]})
	}
}
