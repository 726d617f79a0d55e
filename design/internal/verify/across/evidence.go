package across

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

const skip = marshal.Skip

// A Version is one of the two versions of a design.
type Version string

// The versions.
const (
	Old Version = "old"
	New Version = "new"
)

// Evidence is a call of the code of one version on items of the other that went wrong.
type Evidence struct {
	Code    Version // whose code was called
	Items   Version // whose items it was called on
	Pattern *model.Pattern
	Call    string // the pattern with its arguments
	Saw     string // what went wrong
	Kind    string // error, done, unreadable, missing, surplus, order, content, unknown, outcome, lost, unseen, stale, guard, leftover, counter, version, cursor, refused
	// Subjects hold what the evidence is about, as far as the call tells: *model.Entity, *model.Attribute,
	// *model.Index, *model.Table, *model.Guard and *model.Pattern of either version, and *KeyOf.
	Subjects []any

	size int
}

// A KeyOf is a key attribute of the items of an entity.
type KeyOf struct {
	Entity *model.Entity
	Name   string             // in DynamoDB
	Holds  []*model.Attribute // what it is made of, and what decides whether it is there
}

// keyOf returns a key attribute of an item.
func keyOf(item *model.Item, name string) *KeyOf {
	key := &KeyOf{Entity: item.Entity, Name: name}
	if k := item.Key(name); k != nil {
		key.Holds = slices.Clone(k.Attributes())
		for _, c := range model.Comparisons(k.When) {
			key.Holds = append(key.Holds, c.Attribute)
		}
	}
	return key
}

// String returns the evidence as a sentence.
func (e *Evidence) String() string {
	if e.Call == "" {
		return fmt.Sprintf("%s items: %s", e.Items, e.Saw)
	}
	return fmt.Sprintf("%s code on %s items: %s %s", e.Code, e.Items, e.Call, e.Saw)
}

// A sighting is a call that is being made.
type sighting struct {
	call    *program.Call
	text    string
	size    int
	general []any // what every evidence of the call is about
}

// A finder keeps the smallest evidence of each kind about each subject.
type finder struct {
	best map[string]*Evidence
}

// callOf describes a call.
func (w *world) callOf(c *program.Call, a *bind.Arguments) *sighting {
	s := &sighting{call: c, text: c.Pattern.Name + "(" + bind.Describe(c, a) + ")"}
	s.size = len(a.Values) + len(a.Lists) + 1000*len(c.Writes)
	for _, items := range a.Items {
		s.size += 10 * len(items)
	}
	for _, groups := range a.Groups {
		s.size += 10 * len(groups)
	}
	for _, r := range c.Reads() {
		s.general = append(s.general, r.Read.Entry.Path.Table)
		if x := r.Read.Entry.Path.Index; x != nil {
			s.general = append(s.general, x)
		}
		for _, e := range r.Read.Entities {
			s.general = append(s.general, e)
		}
	}
	for _, write := range c.Writes {
		s.general = append(s.general, write.Item.Entity, write.Item.Table)
	}
	return s
}

// note keeps evidence, if it is the smallest of its kind about its subjects.
func (w *world) note(seen *sighting, kind, saw string, subjects ...any) {
	e := &Evidence{
		Code: w.caller.version, Items: w.maker.version, Pattern: seen.call.Pattern,
		Call: seen.text, Saw: saw, Kind: kind, Subjects: subjects, size: seen.size + slices.Index([]string{"surplus", "order"}, kind) + 1,
	}
	if len(subjects) == 0 {
		e.Subjects = seen.general
	}
	w.found.keep(e)
}

// keep keeps evidence, if it is the smallest of its kind about its subjects.
func (f *finder) keep(e *Evidence) {
	key := fmt.Sprintf("%s %s %s %p", e.Code, e.Items, e.Kind, first(e.Subjects))
	if k, ok := first(e.Subjects).(*KeyOf); ok {
		key = fmt.Sprintf("%s %s %s %s %s", e.Code, e.Items, e.Kind, k.Entity.Name, k.Name)
	}
	if have := f.best[key]; have == nil || e.smaller(have) {
		f.best[key] = e
	}
}

func first(all []any) any {
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// smaller reports whether evidence is easier to read than other evidence.
func (e *Evidence) smaller(other *Evidence) bool {
	return cmp.Or(cmp.Compare(e.size, other.size), cmp.Compare(len(e.Call)+len(e.Saw), len(other.Call)+len(other.Saw))) < 0
}

// all returns the evidence, the smallest first.
func (f *finder) all() []*Evidence {
	return slices.SortedFunc(maps.Values(f.best), func(a, b *Evidence) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.String(), b.String()))
	})
}

// failed notes a call that ended with an error. A range of which one end is a constant may be
// inverted, whatever the items are.
func (w *world) failed(seen *sighting, err error) {
	text, subjects := w.explain(seen, err)
	if strings.Contains(text, "BETWEEN operator requires upper bound") {
		return
	}
	kind := "error"
	if _, done := errors.AsType[*access.DoneError](err); done {
		kind = "done"
	}
	w.note(seen, kind, "fails: "+text, subjects...)
}

// refused notes an item that cannot be stored.
func (w *world) refused(r *state.Row, err error) {
	w.maker.remove(r)
	for _, tables := range []*state.Tables{w.oracle, w.caller.tables} {
		if e := w.same.entities[r.Entity]; r.Entity != nil && e != nil {
			if row := tables.Rows[w.mirrors[r.Address()]]; row != nil {
				tables.Remove(row)
			}
		}
	}
	e := &Evidence{Code: w.maker.version, Items: w.maker.version, Saw: "an item cannot be stored once the tables are as the other design says: " + message(err), Kind: "refused", size: 1}
	if r.Entity != nil {
		e.Saw = article(r.Entity.Name) + strings.TrimPrefix(e.Saw, "an item")
		e.Subjects = []any{r.Entity}
	}
	w.found.keep(e)
}

// described returns a value of a row as a sentence shows it.
func described(a *model.Attribute, v sample.Value, has bool) string {
	switch {
	case has:
		return state.Describe(state.AttributeValue(v))
	case a.Default != nil:
		return *a.Default
	}
	return "nothing"
}

// plural returns the name of the items of a read.
func plural(entities []*model.Entity) string {
	if len(entities) == 1 {
		return entities[0].Name + " items"
	}
	return "items"
}

func article(name string) string {
	spoken := func(start string) bool { return strings.HasPrefix(strings.ToLower(name), start) } // as with a consonant
	if strings.ContainsAny(name[:1], "AEIOUaeiou") && !slices.ContainsFunc([]string{"us", "uni", "ut", "ur", "uu", "eu", "one"}, spoken) {
		return "an " + name
	}
	return "a " + name
}

// attributeOf returns the attribute of an entity that an error names by its stored name, or nil.
func attributeOf(e *model.Entity, stored string) *model.Attribute {
	if a := e.Stored(stored); a != nil {
		return a
	}
	return e.Attribute(stored)
}
