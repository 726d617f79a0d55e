package cost

import (
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// An inventory knows the entries of entities, their sizes and the number of stored items
// under one workload. It computes each of them once.
type inventory struct {
	layout   plans
	options  Options
	byEntity map[*model.Entity][]*resolve.Entry
	sizes    map[*resolve.Entry]model.Size
	counts   map[*model.Entity]exact.Number
	replaced map[*model.Entity]exact.Number
}

func newInventory(l plans, o Options) *inventory {
	return &inventory{
		layout: l, options: o,
		byEntity: map[*model.Entity][]*resolve.Entry{},
		sizes:    map[*resolve.Entry]model.Size{},
		counts:   map[*model.Entity]exact.Number{},
		replaced: map[*model.Entity]exact.Number{},
	}
}

// entries returns the entries of an entity on all paths.
func (v *inventory) entries(e *model.Entity) []*resolve.Entry {
	all, ok := v.byEntity[e]
	if !ok {
		all = v.layout.Entries(e)
		v.byEntity[e] = all
	}
	return all
}

// entryOn returns the entry of an entity on a path, or nil.
func (v *inventory) entryOn(e *model.Entity, path resolve.Path) *resolve.Entry {
	for _, entry := range v.entries(e) {
		if entry.Path == path {
			return entry
		}
	}
	return nil
}

// size returns the size of an entry.
func (v *inventory) size(e *resolve.Entry) model.Size {
	size, ok := v.sizes[e]
	if !ok {
		size = EntrySize(e)
		v.sizes[e] = size
	}
	return size
}

// count returns the number of stored items of an entity.
func (v *inventory) count(e *model.Entity) exact.Number {
	n, ok := v.counts[e]
	if !ok {
		n = Stored(e, v.options)
		v.counts[e] = n
	}
	return n
}

// replacing returns the share of the puts of an entity that replace an item. The others write
// the new items that growth states and no create makes; without growth all puts replace one. A put
// that succeeds only if there is no such item is a create.
func (v *inventory) replacing(e *model.Entity) exact.Number {
	share, ok := v.replaced[e]
	if !ok {
		share = exact.One
		if growth := e.Volume.Growth; growth != nil {
			fresh := growth.PerMonth.Mul(v.options.factor()).Sub(v.written(e, true)).Max(exact.Zero)
			if part, known := fresh.Div(v.written(e, false)); known {
				share = exact.One.Sub(part.Min(exact.One))
			}
		}
		v.replaced[e] = share
	}
	return share
}

// written returns the number of items of an entity that are written whole in a month: those that
// must be new, or those that may replace one.
func (v *inventory) written(e *model.Entity, fresh bool) exact.Number {
	sum := exact.Zero
	for _, p := range v.layout.Design().Patterns {
		for _, step := range p.Actions() {
			whole := step.Verb == model.Create || step.Verb == model.Put
			if step.Entity == e && whole && resolve.NeedsAbsence(step) == fresh {
				sum = sum.Add(Calls(p, v.options).Times(max(step.Each, 1)))
			}
		}
	}
	return sum
}

// isFixed reports whether the entry of an item is the same as long as its id is: a put that
// replaces the item does not write it.
func isFixed(entry *resolve.Entry) bool {
	e := entry.Item.Entity
	inID := func(a *model.Attribute) bool { return slices.Contains(e.ID, a) }
	for _, key := range entry.Keys() {
		if len(key.When) > 0 || slices.ContainsFunc(key.Attributes(), func(a *model.Attribute) bool { return !inID(a) }) {
			return false
		}
	}
	return !slices.ContainsFunc(e.Beside(), func(a *model.Attribute) bool { return !inID(a) && entry.Path.Projects(a.Stored) })
}

// indexUnits returns the write units of one action on an index: for the entries that go and for
// those that come. An entry that moves is deleted under its old key and put under the new one.
func (v *inventory) indexUnits(w *resolve.PlannedWrite, x *resolve.IndexWrite) (gone, came exact.Number) {
	if x.Change == resolve.Untouched {
		return exact.Zero, exact.Zero
	}
	came = exact.Int(WriteUnits(v.size(x.Entry).Avg) * repeated(w))
	if x.Change != resolve.Moved {
		if w.Step != nil && w.Step.Verb == model.Put && isFixed(x.Entry) {
			came = came.Mul(exact.One.Sub(v.replacing(w.Item.Entity)))
		}
		return exact.Zero, came
	}
	if w.Step != nil && w.Step.Verb == model.Put {
		return came.Mul(v.replacing(w.Item.Entity)), came
	}
	return came, came
}
