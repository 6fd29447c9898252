package main

import (
	"database/sql"
	"fmt"
	"reflect"
	"time"

	"github.com/lib/pq"
)

// How the driver sends a []byte for a sno, and what it makes of one: a string,
// or the characters in a []byte
type mode struct {
	driver, options string
	bytesAsSno      bool
	snoAsString     bool
}

var modes = []mode{
	{"postgres", "", false, false},
	{"postgres", "binary_parameters=yes", true, false},
	{"pgx", "", true, true},
	{"pgx", "prefer_simple_protocol=true", true, true},
}

// What follows is right with each of them

func insert(db *sql.DB, id ID, payload string) error {
	_, err := db.Exec("INSERT INTO event (id, payload) VALUES ($1::bytea, $2)", id, payload)
	return err
}

func generate(db *sql.DB, payload string) (id ID, err error) {
	err = db.QueryRow("INSERT INTO event (payload) VALUES ($1) RETURNING id::bytea", payload).Scan(&id)
	return id, err
}

func payloadOf(db *sql.DB, id ID) (payload string, err error) {
	err = db.QueryRow("SELECT payload FROM event WHERE id = $1::bytea::sno", id).Scan(&payload)
	return payload, err
}

func since(db *sql.DB, t time.Time) ([]ID, error) {
	return column(db, "SELECT id::bytea FROM event WHERE id >= $1::timestamptz ORDER BY event.id", t)
}

func payloadsOf(db *sql.DB, ids []ID) (*sql.Rows, error) {
	texts := pq.StringArray{}
	for _, id := range ids {
		texts = append(texts, id.String())
	}
	return db.Query("SELECT payload FROM event WHERE id = ANY ($1) ORDER BY id", texts)
}

// All rows of a query of one column
func column(db *sql.DB, query string, args ...interface{}) ([]ID, error) {
	rows, err := db.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return collect(rows)
}

// The error has this SQLSTATE, and the connection lives on
func refused(db *sql.DB, what, expected, query string, args ...interface{}) {
	var one int
	_, err := db.Exec(query, args...)
	alive := db.QueryRow("SELECT 1").Scan(&one)
	same(what, alive, sqlstate(err), expected)
}

func databaseSQL(m mode) {
	db, err := sql.Open(m.driver, m.options+" sslmode=disable")
	must(err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	name := func(what string) string {
		return fmt.Sprintf("%s, %s %s", what, m.driver, m.options)
	}

	_, err = db.Exec("TRUNCATE event")
	must(err)
	for _, id := range ids {
		must(insert(db, id, id.String()))
	}
	found, err := column(db, "SELECT id::bytea FROM event WHERE payload = id::text ORDER BY event.id")
	same(name("an ID to insert, through bytea, and from id::bytea"), err, found, ids)
	found, err = column(db, "SELECT id::text FROM event ORDER BY event.id")
	same(name("an ID from id::text"), err, found, ids)
	found, err = column(db, "SELECT id FROM event ORDER BY id")
	if m.snoAsString {
		same(name("an ID from id"), err, found, ids)
	} else {
		same(name("no ID from id"), nil, err != nil, true)
	}

	payload, err := payloadOf(db, ids[1])
	same(name("an ID to compare with, through bytea"), err, payload, texts[1])
	if m.bytesAsSno {
		_, err = db.Exec("DELETE FROM event WHERE id = $1", ids[0])
		same(name("an ID to compare with, as it is"), err, nil, nil)
		_, err = db.Exec("INSERT INTO event (id, payload) VALUES ($1, $2)", ids[0], "again")
		same(name("an ID to insert, as it is"), err, nil, nil)
	} else {
		refused(db, name("an ID needs bytea"), "22021", "DELETE FROM event WHERE id = $1", ids[2])
		refused(db, name("an ID of letters needs bytea"), "22P02", "DELETE FROM event WHERE id = $1", []byte("0123456789"))
	}
	found, err = column(db, "SELECT id::bytea FROM event WHERE id = $1", Text(ids[2]))
	same(name("a Text to compare with"), err, found, ids[2:])
	found, err = column(db, "SELECT id::bytea FROM event WHERE id = $1", texts[0])
	same(name("a string to compare with"), err, found, ids[:1])

	prepared, err := db.Prepare("SELECT id::bytea FROM event WHERE id = $1::bytea::sno")
	must(err)
	for i := range ids {
		var id ID
		err = prepared.QueryRow(ids[i]).Scan(&id)
		same(name("a prepared comparison"), err, id, ids[i])
	}
	prepared.Close()

	rows, err := payloadsOf(db, ids[1:])
	payloads := []string{}
	for err == nil && rows.Next() {
		err = rows.Scan(&payload)
		payloads = append(payloads, payload)
	}
	same(name("an array of strings to compare with"), err, payloads, texts[1:])
	bytes := pq.ByteaArray{}
	for i := range ids {
		bytes = append(bytes, ids[i][:])
	}
	found, err = column(db, "SELECT id::bytea FROM event WHERE id = ANY ($1) ORDER BY event.id", bytes)
	same(name("an array of bytes to compare with"), err, found, ids)
	refused(db, name("an array of IDs"), "22021", "SELECT $1::sno[]", pq.Array(ids[2:]))
	var array pq.StringArray
	err = db.QueryRow("SELECT array_agg(id ORDER BY id) FROM event").Scan(&array)
	same(name("an array, into strings"), err, []string(array), texts)
	var byteas pq.ByteaArray
	err = db.QueryRow("SELECT array_agg(id::bytea ORDER BY id) FROM event").Scan(&byteas)
	same(name("an array, into bytes"), err, reflect.DeepEqual(bytes, byteas), true)

	var nothing, pointer *ID
	err = db.QueryRow("SELECT $1::bytea::sno::bytea", nothing).Scan(&pointer)
	same(name("a nil pointer is NULL, and back"), err, pointer == nil, true)

	refused(db, name("a text that is no sno"), "22P02", "INSERT INTO event (id) VALUES ($1)", "9Q7JQM682EKS4222")
	refused(db, name("nine bytes"), "22P03", "INSERT INTO event (id) VALUES ($1::bytea)", ids[2][:9])

	_, err = db.Exec("TRUNCATE event")
	must(err)
	id, err := generate(db, "hello")
	same(name("a generated id has the metabyte of the default"), err, id[5], byte(3))
	hourAgo := time.Now().Add(-time.Hour)
	found, err = since(db, hourAgo)
	same(name("a range of time"), err, found, []ID{id})
	found, err = since(db, time.Now().Add(time.Hour))
	same(name("a range of time without it"), err, found, []ID{})
	var at time.Time
	err = db.QueryRow("SELECT id::timestamptz FROM event").Scan(&at)
	same(name("the time of an id"), err, at.After(hourAgo) && at.Before(time.Now().Add(time.Minute)), true)

	if m.driver == "postgres" {
		tx, err := db.Begin()
		must(err)
		stmt, err := tx.Prepare(pq.CopyIn("event", "id", "payload"))
		must(err)
		for _, id := range ids {
			_, err = stmt.Exec(id, id.String())
			must(err)
		}
		_, err = stmt.Exec()
		must(err)
		must(tx.Commit())
		found, err = column(db, "SELECT id::bytea FROM event WHERE payload = id::text ORDER BY event.id")
		same(name("COPY in"), err, found, ids)
	}
}
