package gogen

import (
	"strings"
	"testing"
)

func TestPackageNames(t *testing.T) {
	for name, want := range map[string]bool{
		"shopdb": true, "shop2": true, "shop_db": true,
		"Shop": false, "shop-db": false, "2shop": false, "type": false, "main": false, "access": false, "time": false, "": false, "_": false,
	} {
		if got := FitsPackage(name); got != want {
			t.Errorf("FitsPackage(%q) = %v", name, got)
		}
	}
}

// small is a design with a key and an attribute to change.
const small = `design: Small
entities:
  Note:
    id: note_id
    doc: A note
    attributes: { note_id: ulid, owner: string, state: "enum(open, done)", tags: list<string>, secret: string? }
    size: 100B
    count: 10
tables:
  notes:
    pk: PK
    indexes: { by_owner: { pk: owned } }
    items:
      Note: { PK: "NOTE#{note_id}", owned: { value: "OWNER#{owner}", when: state = open } }
patterns:
  AddNote: { create: Note, rate: 1/day }
`

func hashOf(t *testing.T, text string) string {
	t.Helper()
	return hash(layoutOf(t, "small.design.yaml", []byte(text)).Design())
}

func TestHashChangesWithWhatCursorsDependOn(t *testing.T) {
	before := hashOf(t, small)
	for _, test := range []struct {
		old, new string
		changes  bool
	}{
		{"A note", "Another doc", false},
		{"rate: 1/day", "rate: 5/day", false},
		{"count: 10", "count: 11", false},
		{"OWNER#", "BY#", true},
		{"state = open", "state = done", true},
		{"owner: string", "owner: ulid", true},
		{"pk: owned", "pk: owned, project: keys", true},
		{"  notes:", "  other-notes:", true},
	} {
		changed := strings.Replace(small, test.old, test.new, 1)
		if changed == small {
			t.Fatalf("%s is not in the design", test.old)
		}
		if got := hashOf(t, changed) != before; got != test.changes {
			t.Errorf("%s for %s: the hash changes: %v", test.new, test.old, got)
		}
	}
}

func TestWhatHasNoGoIsRefused(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"when: state = open", "when: state = $state", "compared with the parameter $state"},
		{"size: 100B", "encrypt: [owner]\n    size: 100B", "owner of Note is encrypted, so it cannot be part of the key owned"},
		{"size: 100B", "encrypt: [tags]\n    size: 100B", "only values that have a text can be encrypted"},
		{"NOTE#{note_id}", "NOTE#{secret}", "secret of Note is part of the primary key, so it cannot be absent"},
		{`PK: "NOTE#{note_id}"`, `PK: { value: "NOTE#{note_id}", when: state = open }`, "PK of Note is part of the primary key, so it has no when"},
		{"    pk: PK", "    pk: PK\n    type: owner", "owner of Note is stored as owner, where table notes keeps what an item is"},
	} {
		text := strings.Replace(small, test.old, test.new, 1)
		_, err := Generate(layoutOf(t, "small.design.yaml", []byte(text)), Options{Package: "smalldb"})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, not %s", test.new, err, test.want)
		}
	}
}
