package main

import (
	"database/sql"
	"errors"
)

// new_rows.go reads each row once, also one whose transaction commits late.
func newRows() {
	db, err := sql.Open("postgres", "sslmode=disable")
	must(err)
	defer db.Close()
	_, err = db.Exec(`TRUNCATE event;
		ALTER TABLE event ADD kind text;
		CREATE TABLE reader (name text PRIMARY KEY, since sno NOT NULL DEFAULT sno_min(), upto sno NOT NULL DEFAULT sno_min());
		INSERT INTO reader VALUES ('mailer')`)
	must(err)
	seen := []string{}
	late := errors.New("late")
	see := func(_ ID, kind string) error {
		seen = append(seen, kind)
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
	for err == nil {
		err = poll(db, "mailer", func(ID, string) error { return late })
	}
	same("what could not be handled is an error", nil, err, late)
	for len(seen) < 2 {
		must(poll(db, "mailer", see))
	}
	same("and all is read then, in the order of the ids", nil, seen, []string{"late", "early"})

	same("a reader that there is not is an error", nil, poll(db, "nobody", see) != nil, true)
}
