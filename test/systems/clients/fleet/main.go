// A program that makes ids by itself, in a range that it acquires from the
// registry for a limited time, and inserts them; test/systems/clients/fleet/run
// starts many of it, and kills them.
//
// Its clock is the machine's, plus Ahead, which the run adds to Go's package time.
// Each row that it is told to be there already is a line: "twice".
package main

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"log"
	"time"

	"github.com/lib/pq"
	"github.com/muyo/sno"
)

// A batch is made over some time, so that programs which should not have made ids
// at the same time are found to have
const batch, perTick = 1000, 50

var (
	owner  = flag.String("owner", "", "name in the registry")
	ttl    = flag.Duration("ttl", time.Second, "for which to acquire")
	margin = flag.Duration("margin", time.Second, "of the registry")
	ahead  = flag.Duration("ahead", 0, "of the machine's clock")
	late   = flag.Duration("late", 0, "for which to use the range after it expired, without renewing it")
	hasty  = flag.Bool("hasty", false, "look at the clock before a batch, not at each id, and do not wait for usable_from")
)

// What the registry gave
type grant struct {
	partition       int
	usable, expires time.Time
}

func (g grant) renewAt() time.Time {
	if *late > 0 {
		return g.expires
	}
	return g.expires.Add(-*ttl * 2 / 3)
}

func refused(err error, code string) bool {
	var e *pq.Error
	return errors.As(err, &e) && string(e.Code) == code
}

func ask(db *sql.DB, query string, args ...interface{}) (g grant, err error) {
	err = db.QueryRow("SELECT partition, usable_from, expires FROM "+query, args...).Scan(&g.partition, &g.usable, &g.expires)
	return g, err
}

// The range of that name, as soon as there is one, and a generator for it
func acquire(db *sql.DB) (grant, *sno.Generator) {
	g, err := ask(db, "sno_registry_acquire($1, 1, $2, $3)", *owner, ttl.String(), margin.String())
	for refused(err, "54000") {
		time.Sleep(50 * time.Millisecond)
		g, err = ask(db, "sno_registry_acquire($1, 1, $2, $3)", *owner, ttl.String(), margin.String())
	}
	if err != nil {
		log.Fatal(err)
	}
	var snapshot sno.GeneratorSnapshot
	snapshot.Partition.PutUint16(uint16(g.partition))
	generator, err := sno.NewGenerator(&snapshot, nil)
	if err != nil {
		log.Fatal(err)
	}
	g.expires = g.expires.Add(*late)
	time.Sleep(sno.TimeUnit)
	if wait := g.usable.UnixNano() - time.Now().UnixNano(); !*hasty && wait > 0 {
		time.Sleep(time.Duration(wait))
	}
	return g, generator
}

// Ids that may be used: fewer than a batch if the time is over
func makeIDs(g grant, generator *sno.Generator) (ids []sno.ID) {
	if *hasty && time.Now().UnixNano() >= g.expires.UnixNano() {
		return nil
	}
	for i := 0; i < batch; i++ {
		if i%perTick == 0 {
			time.Sleep(sno.TimeUnit)
		}
		id := generator.New(0)
		at := id.Time()
		if !*hasty && !at.Before(g.expires) {
			break
		}
		if *hasty || !at.Before(g.usable) {
			ids = append(ids, id)
		}
	}
	return ids
}

func insert(db *sql.DB, ids []sno.ID) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	stmt, err := tx.Prepare(pq.CopyIn("made", "id", "owner"))
	if err != nil {
		return err
	}
	for i := range ids {
		if _, err = stmt.Exec(ids[i].String(), *owner); err != nil {
			return err
		}
	}
	if _, err = stmt.Exec(); err != nil {
		return err
	}
	return tx.Commit()
}

func main() {
	flag.Parse()
	time.Ahead = int64(*ahead)
	db, err := sql.Open("postgres", "sslmode=disable")
	if err != nil {
		log.Fatal(err)
	}
	g, generator := acquire(db)
	renewAt := g.renewAt()
	for {
		if ids := makeIDs(g, generator); len(ids) > 0 {
			if err := insert(db, ids); refused(err, "23505") {
				fmt.Println("twice")
			} else if err != nil {
				log.Fatal(err)
			}
		}
		if time.Now().UnixNano() < renewAt.UnixNano() {
			continue
		}
		renewed, err := ask(db, "sno_registry_renew($1, $2)", *owner, ttl.String())
		if refused(err, "55000") {
			g, generator = acquire(db)
		} else if err != nil {
			log.Fatal(err)
		} else if renewed.partition != g.partition {
			log.Fatal("it is another range")
		} else {
			g = renewed
		}
		renewAt = g.renewAt()
	}
}
