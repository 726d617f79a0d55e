// Package faults has a fault on each line whose comment says so.
package faults

import (
	"errors"
	"log"
	"strings"

	"example.com/faults/inner"
)

// A Thing has a field.
type Thing struct{ field int }

// Facts has faults that show only to those who know what other packages do.
func Facts(s string) {
	strings.ToLower(s)     // want SA4017
	inner.Wrap("%d", s)    // want printf
	log.Printf("%d", s)    // want printf
	errors.New("no error") // want SA4017 unusedresult
}

// Quits is correct: Quit does not return.
func Quits(t *Thing) int {
	if t == nil {
		inner.Quit()
	}
	return t.field
}

// Ignores has a fault that is ignored, and one with another that is.
func Ignores(s string) {
	//lint:ignore SA4017 for the test
	strings.ToLower(s)
	//lint:ignore SA4006 for the test // want ignore
	strings.ToLower(s) // want SA4017
}

// Capital returns an error that the settings allow.
func Capital() error { return errors.New("Capital letter") }

func usedByTests() {}

func usedByNone() {} // want U1000
