package shape_test

import (
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/shape"
)

// TestAttributesThatAreKeys: a time may be stored in many ways, and a key is found in one of them.
func TestAttributesThatAreKeys(t *testing.T) {
	table := &shape.Table{PK: "day", SK: "at", Entities: []shape.Entity{{
		Name: "Visit", Attributes: []shape.Attribute{{Name: "day", Type: "int"}, {Name: "at", Type: "timestamp"}, {Name: "seen", Type: "timestamp?"}},
	}}}
	reader := shape.NewReader(table)
	for at, want := range map[string]string{
		"2026-01-01T00:00:00.000Z":      "",
		"2026-01-01T00:00:00Z":          "Visit: at is written otherwise than keys are, so that a read by its value misses it",
		"2026-01-01T02:00:00.000+02:00": "Visit: at is written otherwise than keys are, so that a read by its value misses it",
	} {
		got := ""
		if wrong := reader.Check(access.Item{"day": marshal.N(7), "at": marshal.S(at), "seen": marshal.S("2026-01-01T00:00:00Z")}); wrong != nil {
			got = wrong.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
	}
	item := access.Item{"day": marshal.N(7), "at": marshal.S("2026-01-01T00:00:00.000Z"), "seen": marshal.S("2026-01-01T00:00:00Z")}
	if wrong := shape.NewReader(table, "seen").Check(item); wrong == nil {
		t.Error("the key of an index is written otherwise, and fits")
	}
	delete(item, "seen")
	if wrong := shape.NewReader(table, "seen").Check(item); wrong != nil {
		t.Errorf("an item that is not in the index: %v", wrong)
	}
}
