// sno with Go: a ten-byte type through database/sql, with lib/pq and with pgx,
// and through pgx by itself.
//
// test/systems/clients/run runs it.  Prints TAP.
package main

import (
	"fmt"
	"os"

	_ "github.com/jackc/pgx/v4/stdlib"
	_ "github.com/lib/pq"
)

func main() {
	for _, m := range modes {
		databaseSQL(m)
	}
	for _, simple := range []bool{false, true} {
		for _, registered := range []bool{false, true} {
			native(simple, registered)
		}
	}
	pool()
	fmt.Printf("1..%d\n", count)
	if failed {
		os.Exit(1)
	}
}
