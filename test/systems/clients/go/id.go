package main

import (
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

// Text is an ID that gives itself as the sixteen characters
type Text ID

func (id Text) Value() (driver.Value, error) {
	return ID(id).String(), nil
}
