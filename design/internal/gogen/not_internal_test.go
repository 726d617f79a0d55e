package gogen

import "testing"

func TestOppositeOfACondition(t *testing.T) {
	for condition, want := range map[string]string{
		"keyHash != nil":              "keyHash == nil",
		"kind == KindOpen":            "kind != KindOpen",
		"x != nil && *x == y":         "!(x != nil && *x == y)",
		"a < b":                       "!(a < b)",
		"isShard(key)":                "!isShard(key)",
		`a.Cmp("0") != 0 || n != 0`:   `!(a.Cmp("0") != 0 || n != 0)`,
		`textAt(item, "type") == "A"`: `textAt(item, "type") != "A"`,
	} {
		if got := not(condition); got != want {
			t.Errorf("not %s is %s, and should be %s", condition, got, want)
		}
	}
}
