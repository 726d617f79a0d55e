package check_test

import (
	"strings"
	"testing"

	"sortkey.dev/design/internal/check"
)

// promises is a design in which a list of active promises filters all promises of a user.
const promises = `
design: Promises
entities:
  Promise:
    id: promise_id
    attributes: { promise_id: ulid, user_id: ulid, status: "enum(active, done)", archived_at: timestamp? }
    size: 400B
    count: 100000
    per: { user_id: 800 }
tables:
  promises:
    pk: PK
    sk: SK
    indexes: { active: { pk: P1, sk: SK } }
    items:
      Promise: { PK: "U#{user_id}", SK: "{promise_id}", P1: { value: "A#{user_id}", when: WHEN } }
patterns:
  AddPromise: { create: Promise, rate: 1/day }
  ListActive: { list: Promise, where: { user_id: $ }, filter: FILTER, limit: 40, rate: 200/day }
`

// TestFilterThatAnIndexServes checks that a filter is no finding where an index holds only what
// the filter leaves, as C302 advises.
func TestFilterThatAnIndexServes(t *testing.T) {
	for _, c := range []struct {
		when, filter string
		found        bool
	}{
		{"status = active", "status = active", false},
		{"archived_at missing", "archived_at missing", false},
		{"status = active and archived_at missing", "archived_at missing and status = active", false},
		{"status = active", "archived_at missing and status = active", true},
		{"status = done", "status = active", true},
	} {
		text := strings.NewReplacer("WHEN", c.when, "FILTER", c.filter).Replace(promises)
		found := false
		for _, f := range checked(t, text, check.Options{}) {
			found = found || f.Code == "C302"
		}
		if found != c.found {
			t.Errorf("an index of items with %s, filter %s: C302 reported: %v, want %v", c.when, c.filter, found, c.found)
		}
	}
}

// TestFilterOfOneItem checks that a filter of a list that reads at most one item is no finding.
func TestFilterOfOneItem(t *testing.T) {
	text := strings.NewReplacer("WHEN", "status = active", "400B", "40KB",
		"where: { user_id: $ }, filter: FILTER, limit: 40", "where: { user_id: $, promise_id: $, status: $ }").Replace(promises)
	for _, f := range checked(t, text, check.Options{}) {
		if f.Code == "C302" {
			t.Errorf("%s: %s", f.Code, f.Message)
		}
	}
}
