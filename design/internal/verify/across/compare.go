package across

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// looks returns how the code of the caller sees the rows that a call changes, by address, before it.
func (w *world) looks(ctx context.Context, d *judge.Verdict) (map[string]decoded, error) {
	all := map[string]decoded{}
	for _, ch := range d.Changes {
		if ch.Old == nil || ch.Old.Entity == nil {
			continue
		}
		item, err := w.fetch(ctx, ch.Table, ch.Key)
		if err != nil {
			return nil, err
		}
		if item != nil {
			values, _ := w.caller.decoder.whole(ch.Old.Entity, item)
			all[ch.Old.Address()] = values
		}
	}
	return all, nil
}

// compareOwn compares the rows that a call changed with what the code of the caller must find.
func (w *world) compareOwn(ctx context.Context, seen *sighting, d *judge.Verdict, before map[string]decoded) error {
	for _, ch := range d.Changes {
		want := d.Wanted(ch)
		if want == nil || want.Entity == nil {
			continue
		}
		item, err := w.fetch(ctx, ch.Table, ch.Key)
		if err != nil {
			return err
		}
		if item == nil {
			w.note(seen, "missing", "does not find "+article(want.Entity.Name)+" afterwards", want.Entity)
			continue
		}
		got, _ := w.caller.decoder.whole(want.Entity, item)
		for _, a := range want.Entity.Attributes {
			v, has := want.Values[a]
			if sharded(want.Entity, a) || same(a, v, has, got[a]) {
				continue
			}
			if was, ok := before[want.Address()]; ok && ch.Old != nil && unchanged(ch.Old, want, a, was[a], got[a]) {
				continue // it was wrong before the call
			}
			if counterOf(want.Entity, a) != nil {
				w.note(seen, "counter", fmt.Sprintf("counts from nothing: %s.%s is %s, and should be %s", want.Entity.Name, a.Name, state.Describe(got[a]), described(a, v, has)), counterSubjects(want.Entity, a)...)
				continue
			}
			w.note(seen, "content", fmt.Sprintf("leaves %s.%s as %s, and it should be %s", want.Entity.Name, a.Name, state.Describe(got[a]), described(a, v, has)), a)
		}
	}
	return nil
}

// unchanged reports whether a call left an attribute as it was, and as it should.
func unchanged(before, want *state.Row, a *model.Attribute, was, is types.AttributeValue) bool {
	v, has := before.Values[a]
	w, had := want.Values[a]
	return has == had && v.Compare(w) == 0 && state.Same(was, is)
}

// A theirs is an item of the maker that a call of the caller changed: what it was and what it must
// be; nil: no item.
type theirs struct{ was, is *state.Row }

// compareTheirs compares what a call of the caller left with what the design of the maker says about
// the items.
func (w *world) compareTheirs(ctx context.Context, seen *sighting, st *staging, d *judge.Verdict) error {
	for _, one := range w.expected(st, d) {
		if one.is == nil {
			if err := w.compareGone(ctx, seen, one.was); err != nil {
				return err
			}
			continue
		}
		if err := w.compareItem(ctx, seen, one); err != nil {
			return err
		}
	}
	return nil
}

// expected returns the items of the maker that a call of the caller changes.
func (w *world) expected(st *staging, d *judge.Verdict) []*theirs {
	var all []*theirs
	for _, ch := range d.Changes {
		row := ch.Old
		if row == nil {
			row = d.Wanted(ch)
		}
		if row == nil || row.Entity == nil || w.same.entities[row.Entity] == nil || w.maker.layout.Home(w.same.entities[row.Entity]) == nil {
			continue
		}
		one := &theirs{}
		if ch.Old != nil {
			one.was = w.source(st, ch.Old.Address())
		}
		if want := d.Wanted(ch); want != nil {
			one.is = w.theirRow(ch.Old, want, one.was)
		}
		if one.was != nil || one.is != nil {
			all = append(all, one)
		}
	}
	return w.counted(st, all)
}

// theirRow returns an item after a call as the maker must find it.
func (w *world) theirRow(old, want, was *state.Row) *state.Row {
	e := w.same.entities[want.Entity]
	values := w.same.translated(want.Values, e)
	changed := old == nil
	for _, a := range e.Attributes {
		from := w.same.attributes[a]
		if from == nil {
			if was == nil {
				delete(values, a) // a default is not stored
				continue
			}
			v, is := was.Values[a]
			state.Assign(values, a, v, is)
			continue
		}
		if old == nil || was == nil {
			continue
		}
		v, is := want.Values[from]
		if w, had := old.Values[from]; had == is && v.Compare(w) == 0 {
			v, is := was.Values[a]
			state.Assign(values, a, v, is)
		} else if counterOf(e, a) == nil { // counting counts no version up
			changed = true
		}
	}
	if version := e.Version; version != nil && changed && was != nil && !w.versions(e) {
		values[version] = state.Plus(was.Values[version], exact.One)
	}
	return w.maker.tables.RowOf(e, values)
}

// versions reports whether the caller counts up the version of an entity of the maker.
func (w *world) versions(e *model.Entity) bool {
	other := w.same.entities[e]
	return other != nil && other.Version != nil && w.same.attributes[e.Version] == other.Version
}

// counted changes the counters that only the maker keeps by what the items of a call contribute.
func (w *world) counted(st *staging, all []*theirs) []*theirs {
	for _, e := range w.maker.layout.Design().Entities {
		for _, c := range e.Counters {
			if c.Shards > 1 || w.same.sameCounter(e, c) {
				continue
			}
			all = w.countedBy(st, e, c, all)
		}
	}
	return all
}

// countedBy changes one counter.
func (w *world) countedBy(st *staging, e *model.Entity, c *model.Counter, all []*theirs) []*theirs {
	shifts := map[string]exact.Number{}
	for _, one := range all {
		for _, side := range []struct {
			row  *state.Row
			sign int64
		}{{one.was, -1}, {one.is, 1}} {
			if side.row == nil || side.row.Entity != c.Of {
				continue
			}
			if at, by := w.counts(e, c, side.row); at != "" {
				shifts[at] = shifts[at].Add(by.Times(side.sign))
			}
		}
	}
	for _, at := range slices.Sorted(maps.Keys(shifts)) {
		i := slices.IndexFunc(all, func(one *theirs) bool { return one.is != nil && one.is.Address() == at })
		if i < 0 {
			have := st.maker.AtAddress(at)
			if have == nil || shifts[at].IsZero() {
				continue
			}
			i, all = len(all), append(all, &theirs{have, have})
		}
		is := all[i].is
		all[i].is = st.maker.Changed(is, c.Attribute, state.Plus(is.Values[c.Attribute], shifts[at]), true)
	}
	return all
}

// counts returns the address of the item that counts a row, and what the row contributes.
func (w *world) counts(e *model.Entity, c *model.Counter, r *state.Row) (string, exact.Number) {
	by := exact.Zero
	switch {
	case !r.Values.Holds(c.Where):
	case c.Sum == nil:
		by = exact.One
	default:
		by = state.NumberOf(r.Values[c.Sum])
	}
	mine := sample.Values{}
	for _, m := range c.Match {
		if v, ok := r.Values[m.Theirs]; ok {
			mine[m.Mine] = v
		}
	}
	key, ok := w.maker.tables.KeyOf(e, mine)
	if !ok || by.IsZero() {
		return "", by
	}
	return state.Address(w.maker.layout.Home(e).Table, key), by
}

// compareGone notes what is left of an item that was deleted.
func (w *world) compareGone(ctx context.Context, seen *sighting, was *state.Row) error {
	item, err := w.fetch(ctx, was.Table, was.Item)
	if err != nil {
		return err
	}
	if item != nil {
		w.note(seen, "lost", fmt.Sprintf("deletes %s, and %s code still finds it", article(was.Entity.Name), w.maker.version), was.Entity)
	}
	return w.compareGuards(ctx, seen, &theirs{was: was})
}

// compareItem compares an item with what the design of the maker says about it.
func (w *world) compareItem(ctx context.Context, seen *sighting, one *theirs) error {
	e := one.is.Entity
	item, err := w.fetch(ctx, one.is.Table, one.is.Item)
	if err != nil {
		return err
	}
	if item == nil {
		w.note(seen, "lost", fmt.Sprintf("writes %s that %s code does not find: there is no %s", article(e.Name), w.maker.version, state.DescribeItem(state.KeyOf(one.is.Table, one.is.Item))), e)
		return nil
	}
	got, err := w.maker.decoder.whole(e, item)
	if err != nil {
		text, subjects := explained(w.maker, seen, err)
		w.note(seen, "unreadable", fmt.Sprintf("leaves %s that %s code cannot read: %s", article(e.Name), w.maker.version, text), subjects...)
	}
	for _, a := range e.Attributes {
		said := err != nil && got[a] == nil && (w.same.attributes[a] != nil || item[a.Stored] != nil) // by the error, or by another attribute
		if !said {
			w.compareAttribute(seen, one, a, got)
		}
	}
	w.compareKeys(seen, one, item)
	return w.compareGuards(ctx, seen, one)
}

// compareAttribute notes an attribute that a call of the caller lost or left as it was.
func (w *world) compareAttribute(seen *sighting, one *theirs, a *model.Attribute, got decoded) {
	e := one.is.Entity
	v, has := one.is.Values[a]
	name := e.Name + "." + a.Name
	other := w.same.attributes[a]
	switch {
	case sharded(e, a):
	case other != nil && counterOf(w.same.entities[e], other) != nil && counterOf(e, a) == nil:
		// only the caller counts
	case !same(a, v, has, got[a]):
		should := described(a, v, has)
		switch {
		case counterOf(e, a) != nil && w.same.attributes[a] == nil || counterOf(e, a) != nil && !w.same.sameCounter(e, counterOf(e, a)):
			w.note(seen, "counter", fmt.Sprintf("does not count: %s is %s, and should be %s", name, state.Describe(got[a]), should), counterSubjects(e, a)...)
		case a == e.Version && one.was != nil && !w.versions(e) && got[a] != nil:
			w.note(seen, "version", fmt.Sprintf("does not count up %s: it is %s, and should be %s", name, state.Describe(got[a]), should), a)
		case one.was == nil:
			w.note(seen, "unseen", fmt.Sprintf("stores %s where %s code reads %s: it should be %s", name, w.maker.version, state.Describe(got[a]), should), a)
		case got[a] == nil || a.Default != nil && w.same.attributes[a] == nil:
			w.note(seen, "lost", fmt.Sprintf("drops %s, which was %s", name, should), a)
		default:
			w.note(seen, "stale", fmt.Sprintf("leaves %s as %s, and it should be %s", name, state.Describe(got[a]), should), counterSubjects(e, a)...)
		}
	case got[a] != nil && unknown(a.Type, got[a]) != "":
		w.note(seen, "unknown", fmt.Sprintf("stores %s %q, which the %s design does not have", name, unknown(a.Type, got[a]), w.maker.version), a)
	}
}

// counterSubjects returns an attribute, and if it is a counter those that decide its number.
func counterSubjects(e *model.Entity, a *model.Attribute) []any {
	all := []any{a}
	c := counterOf(e, a)
	if c == nil {
		return all
	}
	for _, condition := range model.Comparisons(c.Where) {
		all = append(all, condition.Attribute)
	}
	if c.Sum != nil {
		all = append(all, c.Sum)
	}
	for _, m := range c.Match {
		all = append(all, m.Mine, m.Theirs)
	}
	return all
}

// compareKeys notes keys that a call of the caller dropped or left stale.
func (w *world) compareKeys(seen *sighting, one *theirs, item access.Item) {
	home := w.maker.layout.Home(one.is.Entity)
	var names []string
	for _, c := range home.Computed {
		names = append(names, c.Name)
	}
	if home.Table.Type != "" {
		names = append(names, home.Table.Type)
	}
	var dropped []string
	var subjects []any
	for _, name := range names {
		want, have := one.is.Item[name], item[name]
		switch {
		case state.Same(want, have):
		case want == nil:
			w.note(seen, "stale", fmt.Sprintf("leaves %s as %s, which should be gone", name, state.Describe(have)), keySubjects(home, name)...)
		case have != nil && one.was == nil:
			w.note(seen, "stale", fmt.Sprintf("writes %s as %s, and %s code looks for %s", name, state.Describe(have), w.maker.version, state.Describe(want)), keySubjects(home, name)...)
		case have != nil:
			w.note(seen, "stale", fmt.Sprintf("leaves %s stale: it is %s, and should be %s", name, state.Describe(have), state.Describe(want)), keySubjects(home, name)...)
		default:
			dropped = append(dropped, name)
			subjects = append(subjects, keySubjects(home, name)...)
		}
	}
	if len(dropped) > 0 {
		words := "drops"
		if one.was == nil {
			words = "writes no"
		}
		w.note(seen, "lost", words+" "+strings.Join(dropped, " and "), subjects...)
	}
}

// keySubjects returns what a key attribute is: a key of an entity, in indexes.
func keySubjects(home *model.Item, name string) []any {
	all := []any{keyOf(home, name)}
	for _, x := range home.Table.Indexes {
		if slices.ContainsFunc(slices.Concat(x.PK, x.SK), func(k model.KeyName) bool { return k.Name == name }) {
			all = append(all, x)
		}
	}
	return all
}

// compareGuards notes rows that keep values unique and that a call of the caller did not write or
// delete.
func (w *world) compareGuards(ctx context.Context, seen *sighting, one *theirs) error {
	row := one.is
	if row == nil {
		row = one.was
	}
	for _, t := range w.maker.layout.Design().Tables {
		for _, g := range t.Guards {
			if g.Entity != row.Entity {
				continue
			}
			var was, is *state.Row
			if one.was != nil {
				was = w.maker.tables.GuardRow(t, g, one.was.Values)
			}
			if one.is != nil {
				is = w.maker.tables.GuardRow(t, g, one.is.Values)
			}
			if err := w.compareGuard(ctx, seen, g, was, is); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareGuard compares the row that keeps a value unique.
func (w *world) compareGuard(ctx context.Context, seen *sighting, g *model.Guard, was, is *state.Row) error {
	name := g.Entity.Name + "." + names(g.Attributes)
	if is != nil {
		item, err := w.fetch(ctx, is.Table, is.Item)
		if err != nil {
			return err
		}
		if item == nil {
			w.note(seen, "guard", fmt.Sprintf("writes no row that keeps %s unique", name), g, g.Entity)
		}
	}
	if was == nil || is != nil && is.Address() == was.Address() {
		return nil
	}
	item, err := w.fetch(ctx, was.Table, was.Item)
	if err == nil && item != nil {
		w.note(seen, "leftover", fmt.Sprintf("leaves the row that keeps the old %s unique", name), g, g.Entity)
	}
	return err
}
