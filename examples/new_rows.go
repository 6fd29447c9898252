// Reads every new row of the table event once, in order, as doc/reading-new-rows.md says.
package main

import (
	"database/sql"
	"fmt"
)

// poll passes each new row to handle.  If that fails, they are read again.
func poll(db *sql.DB, reader string, handle func(id ID, kind string) error) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Two statements: the second one sees all rows up to the bound
	result, err := tx.Exec("UPDATE reader SET upto = sno_resolved(upto) WHERE name = $1", reader)
	if err != nil {
		return err
	}
	if moved, err := result.RowsAffected(); err != nil || moved != 1 {
		return fmt.Errorf("there is no reader %s (%v)", reader, err)
	}
	rows, err := tx.Query(`
		SELECT id::bytea, kind FROM event
		WHERE id > (SELECT since FROM reader WHERE name = $1) AND id <= (SELECT upto FROM reader WHERE name = $1)
		ORDER BY id LIMIT 1000`, reader)
	if err != nil {
		return err
	}
	defer rows.Close()
	var id ID
	found := false
	for rows.Next() {
		var kind string
		if err := rows.Scan(&id, &kind); err != nil {
			return err
		}
		if err := handle(id, kind); err != nil {
			return err
		}
		found = true
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if found {
		if _, err := tx.Exec("UPDATE reader SET since = $2::text::sno WHERE name = $1", reader, id.String()); err != nil {
			return err
		}
	}
	return tx.Commit()
}
