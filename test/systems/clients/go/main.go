// sno with Go: a ten-byte type through database/sql, and what pgx.go adds, where that is
// compiled, too.
//
// test/systems/clients/run runs it.
package main

import (
	"encoding/json"
	"fmt"
	"reflect"
)

var (
	ids = []ID{{}, {0x3e, 0x0b, 0x1c, 0x50, 0x86, 0x03, 0x25, 0xa1}, {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}
	texts = []string{"2222222222222222", "9q7jqm682eks4222", "xxxxxxxxxxxxxxxx"}
	more  = func() {}
)

func same(what string, err error, got, expected interface{}) {
	if err != nil || !reflect.DeepEqual(got, expected) {
		panic(fmt.Sprintf("%s: %v, not %v, error %v", what, got, expected, err))
	}
	fmt.Println("ok -", what)
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

func class() {
	var id ID
	quoted, err := json.Marshal(ids[1])
	same("JSON has the text", err, string(quoted), `"9q7jqm682eks4222"`)
	same("and gives the ID", json.Unmarshal(quoted, &id), id, ids[1])
	same("no ID of other texts", nil, json.Unmarshal([]byte(`"9Q7JQM682EKS4222"`), &id) != nil, true)
	same("IDs compare like bytes", nil, []int{ids[0].Compare(ids[1]), ids[2].Compare(ids[1])}, []int{-1, 1})
}

func main() {
	class()
	for _, m := range modes {
		databaseSQL(m)
	}
	more()
	newRows()
}
