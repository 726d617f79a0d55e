package call_test

import (
	"context"
	"errors"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

// A caller that reads many items must learn which of them is broken, and nothing else of it.
func TestDecodeErrorsNameTheItem(t *testing.T) {
	api := openNotes(t, note{PK: "A", SK: "01", Kind: "secret", Rank: "5"})
	putNotes(t, api, "NotesN", note{PK: "A", SK: "7"})
	putNotes(t, api, "NotesB", note{PK: "A", SK: "\x01\xff"})
	c := notesClient(api)
	broken := func(access.Item) (note, error) {
		return note{}, &access.DecodeError{Entity: "Note", Attribute: "kind", Reason: "holds S, not N"}
	}
	other := errors.New("other")
	const rest = ": access: kind of a stored Note cannot be read: it holds S, not N"
	in := func(table, index string, keys ...string) call.Query {
		q := notesOf("A")
		q.Pattern = &access.Pattern{Name: "P", Table: table, Index: index, Keys: keys}
		return q
	}
	list := func(q call.Query) error { _, err := call.List(c, q, broken).Slice(t.Context()); return err }
	first := func(q call.Query) error { _, err := call.QueryOne(t.Context(), c, &q, broken); return err }
	scan := func(p *access.Pattern) error {
		return call.Scan(c, call.Sweep{Pattern: p}, broken).Each(t.Context(), func(context.Context, note) error { return nil })
	}
	_, batch := call.BatchGet(t.Context(), c, &access.Pattern{Name: "P", Table: "Notes"}, noteKeys("Notes", "A", "01"), false, broken)
	plain := notesOf("A")
	for _, test := range []struct {
		got  error
		want string
	}{
		{list(in("Notes", "", "PK", "SK")), `P: the item with PK = "A", SK = "01"` + rest},
		{list(in("Notes", "Pair", "PK", "kind", "rank", "SK")), `P: the item with PK = "A", kind = "secret", rank = 5, SK = "01"` + rest},
		{list(in("NotesN", "", "PK", "SK")), `P: the item with PK = "A", SK = 7` + rest},
		{list(in("NotesB", "", "PK", "SK")), `P: the item with PK = "A", SK = 01ff` + rest},
		{first(in("Notes", "", "PK", "SK")), `P: the item with PK = "A", SK = "01"` + rest},
		{batch, `P: the item with PK = "A", SK = "01"` + rest},
		{scan(&access.Pattern{Name: "P", Table: "Notes", Keys: []string{"PK", "SK"}}), `P: the item with PK = "A", SK = "01"` + rest},
		{scan(&access.Pattern{Name: "P", Table: "Notes"}), `P` + rest},
		{call.CollectAll(t.Context(), c, &plain, func(item access.Item) error { _, err := broken(item); return err }), `ListNotes: the item with PK = "A", SK = "01"` + rest},
		{call.CollectAll(t.Context(), c, &plain, func(access.Item) error { return other }), "ListNotes: other"},
	} {
		var wrong *access.DecodeError
		if test.got == nil || test.got.Error() != test.want || errors.As(test.got, &wrong) == errors.Is(test.got, other) {
			t.Errorf("got  %v\nwant %s", test.got, test.want)
		}
	}
}
