package server

import "testing"

func TestReadParts(t *testing.T) {
	for given, want := range map[string]int{"": 1, "1": 1, "256": 256, "1000": 1000} {
		if got, err := readParts(given); err != nil || got != want {
			t.Errorf("%q: %d (%v), want %d", given, got, err, want)
		}
	}
	for _, given := range []string{"0", "-1", "1001", "many", "1.5"} {
		if _, err := readParts(given); err == nil {
			t.Errorf("%q is accepted", given)
		}
	}
}
