package across

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/send"
	"sortkey.dev/design/internal/verify/internal/state"
)

// read calls a read of the caller many times.
func (w *world) read(ctx context.Context, c *program.Call) error {
	for n := range w.o.Reads {
		if err := ctx.Err(); err != nil {
			return err
		}
		a := w.caller.arranger.ReadArguments(c, n)
		if len(c.Parts) > 0 {
			w.readSnapshot(ctx, c, a)
			continue
		}
		w.readOnce(ctx, c, a)
	}
	return nil
}

// readOnce makes one call and compares the answer with what the oracle finds.
func (w *world) readOnce(ctx context.Context, c *program.Call, a *bind.Arguments) {
	j := &judge.Read{Tables: w.oracle, Call: c, Arguments: a}
	seen := w.callOf(c, a)
	request, err := bind.ReadCall(c, bind.ReadPattern(c, 0), a)
	if err != nil || request.Empty || j.TooWide() {
		return // nothing is sent
	}
	r := &reading{decoder: w.caller.decoder, tables: w.oracle, call: c, arguments: a, values: map[string]decoded{}}
	if request.Get != nil {
		r.key = request.Get.Key
	}
	got, err := send.Read(ctx, w.client, c, request, r.item)
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		w.failed(seen, err)
		return
	}
	if request.Gets != nil {
		got = once(c.Read.Entry.Path.Table, got)
	}
	w.compare(seen, j, r, got)
}

// once returns items without those that the caller names twice.
func once(t *model.Table, items []access.Item) []access.Item {
	seen := map[string]bool{}
	return slices.DeleteFunc(items, func(item access.Item) bool {
		at := state.Address(t, item)
		defer func() { seen[at] = true }()
		return seen[at]
	})
}

// readSnapshot makes one call of a snapshot and compares the item of each part.
func (w *world) readSnapshot(ctx context.Context, c *program.Call, a *bind.Arguments) {
	seen := w.callOf(c, a)
	readings := make([]*reading, len(c.Parts))
	answers := make([][]access.Item, len(c.Parts))
	for i, part := range c.Parts {
		readings[i] = &reading{decoder: w.caller.decoder, tables: w.oracle, call: part, arguments: a, values: map[string]decoded{}}
	}
	s, requests, err := send.Snapshot(c, 0, a, func(i int, item access.Item) error {
		if item == nil {
			return nil
		}
		item, err := readings[i].item(item)
		if err == nil {
			answers[i] = append(answers[i], item)
		}
		if errors.Is(err, skip) {
			return nil
		}
		return err
	})
	if err != nil {
		return
	}
	for i, request := range requests {
		readings[i].key = request.Get.Key
	}
	err = call.ReadSnapshot(ctx, w.client, s)
	switch {
	case errors.Is(err, access.ErrTwice):
		return
	case err != nil:
		w.failed(seen, err)
		return
	}
	for i, part := range c.Parts {
		w.compare(seen, &judge.Read{Tables: w.oracle, Call: part, Arguments: a}, readings[i], answers[i])
	}
}

// compare compares the items of an answer with the rows that the read must find.
func (w *world) compare(seen *sighting, j *judge.Read, r *reading, got []access.Item) {
	table := j.Call.Read.Entry.Path.Table
	j.Differs = func(want *state.Row, item access.Item) string {
		w.compareValues(seen, j.Call, want, r.values[state.Address(table, item)])
		return ""
	}
	result := judge.NewResult(j.Call, j.Arguments)
	j.JudgePart(result, got)
	for _, d := range result.Differences {
		switch d.Kind {
		case "missing":
			w.missing(seen, j, got, d.Detail)
		case "surplus":
			w.surplus(seen, j, got)
		case "order":
			w.note(seen, "order", "answers in another order: "+d.Detail)
		default:
			w.note(seen, "order", "answers: "+d.Detail)
		}
	}
}

// compareValues compares the values that were decoded with those that the item has.
func (w *world) compareValues(seen *sighting, c *program.Call, want *state.Row, got decoded) {
	attributes := want.Entity.Attributes
	if rows := c.Read.Rows; rows != nil {
		attributes = nil
		for _, h := range rows[want.Entity] {
			attributes = append(attributes, h.Attribute)
		}
	}
	for _, a := range attributes {
		if sharded(want.Entity, a) {
			continue
		}
		v, has := want.Values[a]
		name := want.Entity.Name + "." + a.Name
		switch {
		case !same(a, v, has, got[a]):
			w.note(seen, "content", fmt.Sprintf("reads %s %s, and it is %s", name, state.Describe(got[a]), described(a, v, has)), a)
		case got[a] != nil && unknown(a.Type, got[a]) != "":
			w.note(seen, "unknown", fmt.Sprintf("reads %s %q, which the %s design does not have", name, unknown(a.Type, got[a]), w.caller.version), a)
		}
	}
}

// sharded reports whether an attribute is a counter that other rows hold.
func sharded(e *model.Entity, a *model.Attribute) bool {
	c := counterOf(e, a)
	return c != nil && c.Shards > 1
}

// missing notes that an answer lacks items, and what of their keys is not as the caller expects it.
func (w *world) missing(seen *sighting, j *judge.Read, got []access.Item, detail string) {
	found := map[string]bool{}
	for _, item := range got {
		found[state.Address(j.Call.Read.Entry.Path.Table, item)] = true
	}
	text, _, _ := strings.Cut(detail, " came back")
	text = "finds " + text + " " + plural(j.Call.Read.Entities)
	for _, row := range j.Matching() {
		if found[row.Address()] {
			continue
		}
		why, subjects := w.unlike(j.Call, row)
		if why != "" {
			text += ": " + why
		}
		w.note(seen, "missing", text, subjects...)
		return
	}
	w.note(seen, "missing", text)
}

// unlike says which attributes that a read finds items by are not stored as the caller expects them.
func (w *world) unlike(c *program.Call, row *state.Row) (string, []any) {
	source := w.maker.tables.Rows[w.sources[row.Address()]]
	if source == nil {
		return "", nil
	}
	path := c.Read.Entry.Path
	partition, sort := state.PathKeys(path)
	names := slices.Concat(partition, sort)
	for _, condition := range model.Comparisons(slices.Concat(c.Pattern.Where, c.Pattern.Filter)) {
		if a := row.Entity.Attribute(condition.Attribute.Name); a != nil && !a.InKey {
			names = append(names, a.Stored)
		}
	}
	if t := path.Table; t.Type != "" {
		names = append(names, t.Type)
	}
	if source.Table.Name != path.Table.Name {
		return fmt.Sprintf("they lie in table %s", source.Table.Name), []any{row.Entity, source.Table, path.Table}
	}
	var texts []string
	var subjects []any
	stored := slices.Compact(names)
	for i, name := range stored {
		want, have := row.Item[name], source.Item[name]
		if slices.Contains(stored[:i], name) || state.Same(want, have) {
			continue
		}
		subjects = append(subjects, w.subjectsOf(row.Entity, path, name)...)
		switch {
		case have == nil:
			texts = append(texts, "no "+name)
		default:
			texts = append(texts, fmt.Sprintf("%s %s in place of %s", name, state.Describe(have), state.Describe(want)))
		}
	}
	if len(texts) == 0 {
		return "", nil
	}
	return "stored with " + strings.Join(texts, " and "), subjects
}

// subjectsOf returns what a stored attribute of the caller's items is: a key in an index, or an
// attribute.
func (w *world) subjectsOf(e *model.Entity, path resolve.Path, name string) []any {
	if a := e.Stored(name); a != nil {
		return []any{a}
	}
	all := []any{keyOf(path.Table.Item(e), name)}
	if path.Index != nil {
		all = append(all, path.Index)
	}
	return all
}

// surplus notes that an answer has items that the call must not find.
func (w *world) surplus(seen *sighting, j *judge.Read, got []access.Item) {
	table := j.Call.Read.Entry.Path.Table
	wanted := map[string]bool{}
	for _, row := range j.Matching() {
		wanted[row.Address()] = true
	}
	for _, item := range got {
		at := state.Address(table, item)
		if wanted[at] {
			continue
		}
		what, subjects := "an item", []any(nil)
		if source := w.maker.tables.Rows[at]; source != nil && source.Entity != nil {
			what, subjects = article(source.Entity.Name), []any{source.Entity}
		} else if source != nil {
			what = "a row that keeps a value unique"
		}
		w.note(seen, "surplus", fmt.Sprintf("also answers %s: %s", what, state.DescribeItem(state.KeyOf(table, item))), subjects...)
		return
	}
}
