// sno with database/sql: this is right with lib/pq and with pgx.
package main

import (
	"database/sql"
	"time"

	"github.com/lib/pq"
)

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
