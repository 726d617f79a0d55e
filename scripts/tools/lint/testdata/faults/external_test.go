package faults_test

import (
	"strings"
	"testing"

	"example.com/faults"
)

func TestOutside(*testing.T) {
	faults.Facts("")
	strings.ToLower("A") // want SA4017
}
