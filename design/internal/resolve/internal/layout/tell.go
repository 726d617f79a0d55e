package layout

import (
	"cmp"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
)

// A Tell is a test of one primary key attribute, by which the items of an entity are told from the
// other rows of their table where no attribute names the entity. Generated code and verification
// run the same tests.
type Tell struct {
	Key   *model.Key
	Form  string // the regular expression that the key matches
	Exact bool   // another row has keys of the same template, so that only the characters of values differ
	// Counters are the sharded counters whose rows have keys that go on behind the one of the item.
	Counters []*model.Counter
}

// Tells returns the tests of the primary key of an item, none if every key passes.
func Tells(item *model.Item) []Tell {
	doubles := doublesOf(item)
	keys := PrimaryKeys(item)
	var all []Tell
	for i, key := range keys {
		tell := Tell{Key: key, Exact: slices.ContainsFunc(doubles, func(other []*model.Key) bool { return !keytext.CanEqual(key, other[i]) })}
		if i == len(keys)-1 && key.Kind() == "S" && key.Template == nil {
			tell.Counters = Sharded(item.Entity)
		}
		switch {
		case tell.Exact:
			tell.Form = keytext.Form(key)
		case key.Template != nil:
			tell.Form = keytext.LooseForm(key)
		case len(tell.Counters) == 0:
			continue
		}
		all = append(all, tell)
	}
	return all
}

// doublesOf returns the keys of the other rows of the table that have the literals and widths of
// those of the item.
func doublesOf(item *model.Item) [][]*model.Key {
	keys := PrimaryKeys(item)
	var all [][]*model.Key
	add := func(other *model.Item) {
		if others := PrimaryKeys(other); other != item && slices.EqualFunc(keys, others, keytext.Alike) {
			all = append(all, others)
		}
	}
	for _, other := range item.Table.Items {
		add(other)
	}
	for _, g := range item.Table.Guards {
		add(guardItem(item.Table, g))
	}
	return all
}

// ToldApart reports whether code that knows only the first of two items tells the other from it by the literals
// and widths of its primary key.
func ToldApart(known, other *model.Item) bool {
	return !slices.EqualFunc(PrimaryKeys(known), PrimaryKeys(other), keytext.Alike)
}

// Sharded returns the counters of an entity that are spread over rows of their own.
func Sharded(e *model.Entity) []*model.Counter {
	var all []*model.Counter
	for _, c := range e.Counters {
		if c.Shards > 1 {
			all = append(all, c)
		}
	}
	return all
}

// NarrowestFirst returns the items of a table, those first whose keys leave the least open: they
// have the most literal text, then the fewest values of any text.
func NarrowestFirst(t *model.Table) []*model.Item {
	all := slices.Clone(t.Items)
	slices.SortStableFunc(all, func(a, b *model.Item) int {
		literalsA, openA := openness(a)
		literalsB, openB := openness(b)
		return cmp.Or(cmp.Compare(literalsB, literalsA), cmp.Compare(openA, openB))
	})
	return all
}

// openness returns the number of literal characters of the keys of an item, and how many values of
// any width they have.
func openness(item *model.Item) (literals, open int) {
	for _, key := range PrimaryKeys(item) {
		for _, part := range key.Parts() {
			literals += len(part.Literal)
			if part.IsHole() && part.Width() == 0 {
				open++
			}
		}
	}
	return literals, open
}
