package main

import (
	"testing"

	"example.com/dead/inner"
)

func TestCalls(t *testing.T) {
	inner.OnlyForTests()
	arrange()
}

func arrange() {}

func Testing() { forgotten() } // want dead

func forgotten() {} // want dead
