package handle

import (
	"fmt"
	"testing"
)

func TestNamesOfManyPeopleAreNotAlike(t *testing.T) {
	var hashes []string
	for i := range 5000 { // far more than there are names
		hashes = append(hashes, fmt.Sprint("person ", i))
	}
	names := OfAll(hashes, nil)
	seen := make(map[string]string)
	for i, name := range names {
		if other, twice := seen[name]; twice {
			t.Fatalf("%s and %s are both %q", hashes[i], other, name)
		}
		seen[name] = hashes[i]
	}
	if len(first) != 64 || len(second) != 64 {
		t.Errorf("%d and %d words: names are not equally likely", len(first), len(second))
	}
}
