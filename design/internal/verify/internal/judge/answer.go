package judge

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// Judge compares the items that a call returned with the rows it must find, and its units with
// those of the cost model.
func (j *Read) Judge(r *Result, request bind.ReadRequest, want []*state.Row, got []access.Item) {
	r.Expected = j.Units(request)
	if j.Call.Read.Operation == resolve.Scan {
		j.judgeScan(r)
	} else if !j.racesQueries(request) {
		r.CompareUnits()
	}
	r.Items = len(got)
	if len(got) > 0 {
		r.Found = 1
	}
	j.compareAnswer(r, want, got)
}

// JudgePart compares the item that a part of a snapshot returned with the row it must find.
func (j *Read) JudgePart(r *Result, got []access.Item) {
	r.Items += len(got)
	if len(got) > 0 {
		r.Found = 1
	}
	j.compareAnswer(r, j.Matching(), got)
}

// racesQueries reports whether a read ends as soon as one of several queries finds an item that
// passes: how far the others are by then is undefined.
func (j *Read) racesQueries(request bind.ReadRequest) bool {
	return j.Call.Pattern.Verb == model.Get && len(j.Call.Read.Checks) > 0 && request.Query != nil && len(request.Query.Requests) > 1
}

// ComparePages compares the addresses of items returned in pages with those of items returned
// at once: they must be the same.
func ComparePages(r *Result, size int, keys, want []string) {
	if len(keys) < len(want) || !slices.Equal(keys[:len(want)], want) {
		r.Differ("page", fmt.Sprintf("pages of %d give other items or another order than all at once", size))
	}
}

// compareAnswer compares the items that a call returned with the rows it must find.
func (j *Read) compareAnswer(r *Result, want []*state.Row, got []access.Item) {
	table := j.Call.Read.Entry.Path.Table
	wanted := map[string]*state.Row{}
	for _, w := range want {
		wanted[state.Address(table, w.Item)] = w
	}
	var found []*state.Row
	seen := map[string]bool{}
	for _, item := range got {
		key := state.Address(table, item)
		w := wanted[key]
		switch {
		case seen[key]:
			r.Differ("content", key+" came twice")
		case w == nil:
			r.Differ("surplus", key+" came back and does not match")
		default:
			found = append(found, w)
			j.compareItem(r, w, item)
		}
		seen[key] = true
	}
	j.compareCount(r, want, found)
	j.compareOrder(r, want, found)
}

// compareCount reports rows that are missing from the answer, up to the limit.
func (j *Read) compareCount(r *Result, want, found []*state.Row) {
	most := len(want)
	switch {
	case j.Call.Read.Operation == resolve.BatchGetItem:
	case j.Call.Pattern.Verb == model.Get:
		most = min(most, 1)
	case j.Call.Pattern.Limit > 0:
		most = min(most, int(j.Call.Pattern.Limit))
	}
	if len(found) >= most {
		return
	}
	var missing []string
	for _, w := range want {
		if !slices.Contains(found, w) && len(missing) < 3 {
			missing = append(missing, state.DescribeItem(state.KeyOf(w.Table, w.Item)))
		}
	}
	r.Differ("missing", fmt.Sprintf("%d of %d came back; missing for example %s", len(found), most, strings.Join(missing, "; ")))
}

// compareOrder reports rows that are not in the order of the pattern, and with a limit rows that
// should have come first.
func (j *Read) compareOrder(r *Result, want, found []*state.Row) {
	order := j.Call.Pattern.Order
	if order == nil || len(found) == 0 {
		return
	}
	var loose *model.Part
	if key, i := j.Call.Read.SortsLoosely(); key != nil {
		loose = &key.Parts()[i]
	}
	compare := func(a, b *state.Row) int {
		n := ordered(a, order.Attribute, loose).Compare(ordered(b, order.Attribute, loose))
		if order.Descending {
			return -n
		}
		return n
	}
	if !slices.IsSortedFunc(found, compare) {
		r.Differ("order", "not ordered by "+order.Attribute.Name+": "+listOf(found, order.Attribute))
		return
	}
	slices.SortStableFunc(want, compare)
	for i, f := range found {
		if compare(f, want[i]) != 0 {
			r.Differ("order", fmt.Sprintf("place %d has %s %s, and %s should come first", i+1, order.Attribute.Name,
				f.Values[order.Attribute], want[i].Values[order.Attribute]))
			return
		}
	}
}

// ordered returns the value that a row is ordered by. A text that is followed by a delimiter in
// the key sorts as if it ended with the delimiter; loose is the part of the key, or nil.
func ordered(r *state.Row, a *model.Attribute, loose *model.Part) sample.Value {
	value := r.Values[r.Entity.Attribute(a.Name)]
	if loose == nil {
		return value
	}
	if _, escaped := loose.Filter(model.Escape); escaped {
		var k marshal.KeyText
		value.Text = k.Of(r.Entity.Name).By(loose.Delimiter.String()).Escape(a.Name, value.Text).Done()
	}
	value.Text += loose.Delimiter.String()
	return value
}

// listOf returns the values of an attribute in the first rows, as text.
func listOf(rows []*state.Row, a *model.Attribute) string {
	var all []string
	for _, r := range rows[:min(len(rows), 6)] {
		all = append(all, r.Values[r.Entity.Attribute(a.Name)].String())
	}
	return strings.Join(all, ", ")
}

// compareItem compares a returned item with its row: all attributes, or the selected ones.
func (j *Read) compareItem(r *Result, want *state.Row, got access.Item) {
	if j.Differs != nil {
		if detail := j.Differs(want, got); detail != "" {
			r.Differ("content", detail)
		}
		return
	}
	for name, value := range got {
		if !state.Same(value, want.Item[name]) {
			r.Differ("content", state.Difference(access.Item{name: want.Item[name]}, access.Item{name: value}))
			return
		}
	}
	expected := want.Item
	if path := j.Call.Read.Entry.Path; !j.Call.Read.Statement.All {
		expected = state.EntryOf(path, want.Item)
	}
	if j.Call.Read.Rows != nil {
		expected = access.Item{}
		for _, held := range j.Call.Read.Rows[want.Entity] {
			if value, ok := want.Item[held.Name]; ok {
				expected[held.Name] = value
			}
		}
	}
	for name, value := range expected {
		if got[name] == nil {
			r.Differ("content", fmt.Sprintf("%s is missing; it should be %s", name, state.Describe(value)))
			return
		}
	}
}
