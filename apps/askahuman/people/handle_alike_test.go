package people

import (
	"fmt"
	"testing"
)

func TestHandlesOfManyPeopleAreNotAlike(t *testing.T) {
	var hashes []string
	for i := range 5000 { // far more than there are names
		hashes = append(hashes, fmt.Sprint("person ", i))
	}
	names := handlesOf(hashes, nil)
	seen := make(map[string]string)
	for i, name := range names {
		if other, twice := seen[name]; twice {
			t.Fatalf("%s and %s are both %q", hashes[i], other, name)
		}
		seen[name] = hashes[i]
	}
	if len(handleFirst) != 64 || len(handleSecond) != 64 {
		t.Errorf("%d and %d words: names are not equally likely", len(handleFirst), len(handleSecond))
	}
}
