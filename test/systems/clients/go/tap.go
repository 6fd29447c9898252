package main

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/jackc/pgconn"
	"github.com/lib/pq"
)

var (
	count  int
	failed bool

	ids = []ID{{}, {0x3e, 0x0b, 0x1c, 0x50, 0x86, 0x03, 0x25, 0xa1}, {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}
	texts = []string{"2222222222222222", "9q7jqm682eks4222", "xxxxxxxxxxxxxxxx"}
)

func same(what string, err error, got, expected interface{}) {
	count++
	if err == nil && reflect.DeepEqual(got, expected) {
		fmt.Printf("ok %d - %s\n", count, what)
		return
	}
	failed = true
	fmt.Printf("not ok %d - %s\n# error    %v\n# got      %v\n# expected %v\n",
		count, what, err, got, expected)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// The ids that are left, of either driver's rows
func collect(rows interface {
	Next() bool
	Scan(...interface{}) error
	Err() error
}) ([]ID, error) {
	found := []ID{}
	for rows.Next() {
		var id ID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		found = append(found, id)
	}
	return found, rows.Err()
}

// The SQLSTATE of an error of either driver, or ""
func sqlstate(err error) string {
	var ofPq *pq.Error
	var ofPgx *pgconn.PgError

	if errors.As(err, &ofPq) {
		return string(ofPq.Code)
	}
	if errors.As(err, &ofPgx) {
		return ofPgx.Code
	}
	return ""
}
