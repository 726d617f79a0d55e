package faults

import (
	"testing"

	"example.com/faults/inner"
)

func TestFaults(t *testing.T) {
	usedByTests()
	t.Errorf("%d", "text")    // want printf
	go func() { t.Fatal() }() // want SA2002 testinggoroutine
}

func TestOld(*testing.T) { inner.Old() } // want SA1019
