package state

import "testing"

func TestNumberSize(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 1, "7": 2, "10": 2, "42": 2, "460": 2, "461": 3, "1000000": 2, "1234567": 5,
		"-7": 3, "0.5": 2, "0.05": 2, "12.5": 3, "123.45": 4, "-0.001": 3, "100.50": 4,
	} {
		if got := numberSize(text); got != want {
			t.Errorf("the size of %s is %d, want %d", text, got, want)
		}
	}
}
