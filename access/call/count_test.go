package call_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access/call"
)

func TestCount(t *testing.T) {
	notes := append(numbered("A", 9), numbered("B", 4)...)
	for i := range notes {
		notes[i].Keep = i%2 == 0
	}
	api := openNotes(t, notes...)
	projected := keptOf("A")
	projected.KeyCondition, projected.Filter, projected.Projection = "#p = :PK", "#keep = :keep", "#p, #s, #k"
	projected.Names = map[string]string{"#p": "PK", "#s": "SK", "#keep": "keep", "#k": "kind"}
	limited := notesOf("A")
	limited.Limit = 6
	tests := []struct {
		name  string
		query call.Query
		limit int // -1: as it is
		want  int64
	}{
		{"one partition", notesOf("A"), -1, 9},
		{"several", notesOf("A", "B"), -1, 13},
		{"filtered", keptOf("A", "B"), -1, 7},
		{"up to the pattern's limit", limited, -1, 6},
		{"up to no limit", limited, 0, 9},
		{"of several up to a limit", notesOf("A", "B"), 11, 11},
		{"filtered up to a limit", keptOf("A", "B"), 3, 3},
		{"with a projection", projected, -1, 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list := call.List(notesClient(&tap{API: api, cut: 2}), test.query, decodeNote)
			if test.limit >= 0 {
				list = list.Limit(test.limit)
			}
			if got, err := list.Count(t.Context()); got != test.want || err != nil {
				t.Errorf("got %d, %v, want %d", got, err, test.want)
			}
		})
	}
	seen := &tap{API: api}
	if _, err := call.List(notesClient(seen), notesOf("A"), decodeNote).Limit(6).PageSize(4).Count(t.Context()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"2", "4"}, seen.limits()); diff != "" {
		t.Error("asked for:", diff)
	}
}
