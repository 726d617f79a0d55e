package keytext

import "testing"

func TestBeforeIsTheLastTextBelow(t *testing.T) {
	for _, x := range []string{"a", "b0", "2026-01-10", "é", "\ue000", "x\x00"} {
		if !(Before(x) < x) {
			t.Errorf("Before(%q) = %q does not sort before it", x, Before(x))
		}
		for _, v := range []string{"", "a", "aé", "b/", "b/~\U0010FFFE", "2026-01-09", "2026-01-1", "2026-01-0~~", "\ud7ff\U0010FFFE", "x"} {
			if v < x && v > Before(x) {
				t.Errorf("%q lies between Before(%q) and it", v, x)
			}
		}
	}
}
