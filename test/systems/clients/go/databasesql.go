package main

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"
)

// Whether the driver sends a []byte for a sno, and makes a string of one, not the
// characters in a []byte
type mode struct {
	driver, options string
	bytesAsSno      bool
	snoAsString     bool
}

var modes = []mode{
	{"postgres", "", false, false},
	{"postgres", "binary_parameters=yes", true, false},
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

func databaseSQL(m mode) {
	db, err := sql.Open(m.driver, m.options+" sslmode=disable")
	must(err)
	defer db.Close()
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
	_, err = column(db, "SELECT id FROM event")
	same(name("an ID from id, as far as the page says"), nil, err == nil, m.snoAsString)
	payload, err := payloadOf(db, ids[1])
	same(name("an ID to compare with, through bytea"), err, payload, texts[1])
	_, err = db.Exec("SELECT FROM event WHERE id = $1", ids[2])
	same(name("an ID to compare with, as far as the page says"), nil, err == nil, m.bytesAsSno)
	found, err = column(db, "SELECT id::bytea FROM event WHERE id IN ($1, $2) ORDER BY event.id", texts[0], Text(ids[2]))
	same(name("a string and a Text to compare with"), err, found, []ID{ids[0], ids[2]})

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
	var array pq.StringArray
	var byteas pq.ByteaArray
	err = db.QueryRow("SELECT array_agg(id ORDER BY id), array_agg(id::bytea ORDER BY id) FROM event WHERE id = ANY ($1)", bytes).
		Scan(&array, &byteas)
	same(name("an array of bytes to compare with, and one into strings"), err, []string(array), texts)
	same(name("an array, into bytes"), nil, byteas, bytes)

	_, err = db.Exec("TRUNCATE event")
	must(err)
	id, err := generate(db, "hello")
	must(err)
	found, err = since(db, time.Now().Add(-time.Hour))
	same(name("a generated id, and a range of time"), err, found, []ID{id})

	if m.driver == "postgres" {
		tx, err := db.Begin()
		must(err)
		stmt, err := tx.Prepare(pq.CopyIn("event", "id"))
		must(err)
		for _, id := range ids {
			_, err = stmt.Exec(id)
			must(err)
		}
		_, err = stmt.Exec()
		must(err)
		must(tx.Commit())
		found, err = column(db, "SELECT id::bytea FROM event WHERE payload IS NULL ORDER BY event.id")
		same(name("COPY in"), err, found, ids)
	}
}

// new_rows.go reads each row once, also one whose transaction commits late, and again what
// could not be handled
func newRows() {
	db, err := sql.Open("postgres", "sslmode=disable")
	must(err)
	defer db.Close()
	_, err = db.Exec("TRUNCATE event")
	must(err)
	seen := []string{}
	see := func(_ ID, kind string) error {
		seen = append(seen, kind)
		if len(seen) == 1 {
			return errors.New("not handled")
		}
		return nil
	}

	slow, err := db.Begin()
	must(err)
	_, err = slow.Exec("INSERT INTO event (kind) VALUES ('late')")
	must(err)
	_, err = db.Exec("INSERT INTO event (kind) VALUES ('early')")
	must(err)
	must(poll(db, "mailer", see))
	same("nothing is read past a transaction that is open", nil, seen, []string{})
	must(slow.Commit())
	failures := []string{}
	for len(seen) < 3 {
		if err = poll(db, "mailer", see); err != nil {
			failures = append(failures, err.Error())
		}
	}
	same("what could not be handled is an error", nil, failures, []string{"not handled"})
	same("and all is read then, in the order of the ids", nil, seen, []string{"late", "late", "early"})
	same("a reader that there is not is an error", nil, poll(db, "nobody", see) != nil, true)
}
