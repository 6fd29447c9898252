// sno in Go: a type of ten bytes, for database/sql, JSON, maps and sorting.
package main

import (
	"bytes"
	"database/sql/driver"
	"encoding/base32"
	"fmt"
)

// ID is what Go programs keep a sno in: ten bytes.  To a database it gives
// itself as a []byte.  From one it takes a []byte of ten, or a string of the
// sixteen characters, and nothing else.
type ID [10]byte

var text = base32.NewEncoding("23456789abcdefghijklmnopqrstuvwx").WithPadding(base32.NoPadding)

func (id ID) String() string {
	return text.EncodeToString(id[:])
}

func (id ID) Value() (driver.Value, error) {
	return id[:], nil
}

func (id *ID) Scan(src interface{}) error {
	switch v := src.(type) {
	case nil:
		*id = ID{}
		return nil
	case []byte:
		if len(v) == len(id) {
			copy(id[:], v)
			return nil
		}
	case string:
		if b, err := text.DecodeString(v); err == nil && len(v) == 16 {
			copy(id[:], b)
			return nil
		}
	}
	return fmt.Errorf("no sno: %v", src)
}

// Compare is for slices.SortFunc
func (id ID) Compare(other ID) int {
	return bytes.Compare(id[:], other[:])
}

// MarshalText and UnmarshalText make JSON of it
func (id ID) MarshalText() ([]byte, error) {
	return []byte(id.String()), nil
}

func (id *ID) UnmarshalText(text []byte) error {
	return id.Scan(string(text))
}

// Text is an ID that gives itself as the sixteen characters
type Text ID

func (id Text) Value() (driver.Value, error) {
	return ID(id).String(), nil
}
