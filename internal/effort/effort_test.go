package effort

import "testing"

func TestRounds(t *testing.T) {
	for text, want := range map[string]int{"": 7, "1": 7, "10": 70} {
		t.Setenv(Variable, text)
		if got := Rounds(7); got != want {
			t.Errorf("%s=%s: %d rounds, want %d", Variable, text, got, want)
		}
	}
}

func TestInvalidFactorPanics(t *testing.T) {
	for _, text := range []string{"0", "-1", "much", "1h"} {
		t.Run(text, func(t *testing.T) {
			t.Setenv(Variable, text)
			defer func() {
				if recover() == nil {
					t.Errorf("%s=%s is accepted", Variable, text)
				}
			}()
			Rounds(1)
		})
	}
}
