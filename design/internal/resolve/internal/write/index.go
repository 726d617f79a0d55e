package write

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// indexWrites returns the effect of an action on each index that the entity has an entry
// in.
func (l *Planner) indexWrites(step *model.Step, item *model.Item) []*plan.IndexWrite {
	if step.Verb == model.Check {
		return nil
	}
	var all []*plan.IndexWrite
	for _, entry := range l.Entries(item.Entity) {
		if !entry.Path.IsTable() && entry.Item == item {
			all = append(all, indexWrite(step, entry))
		}
	}
	return all
}

// indexWrite returns the effect of an action on one index entry.
func indexWrite(step *model.Step, entry *layout.Entry) *plan.IndexWrite {
	if step.Verb.InPlace() {
		return indexUpdate(step, entry)
	}
	w := &plan.IndexWrite{Entry: entry, Change: plan.Written}
	before, after := entryExists(step, entry)
	switch {
	case before == action.No && after == action.No:
		w.Change = plan.Untouched
	case step.Verb == model.Put && before != action.No && after != action.No && !keyedByIdentity(entry):
		w.Change = plan.Moved // the item it replaces may lie elsewhere
	}
	return w
}

// keyedByIdentity reports whether two versions of an item always have the same key.
func keyedByIdentity(entry *layout.Entry) bool {
	fixed := append(layout.PrimaryAttributes(entry.Item), entry.Item.Entity.ID...)
	for _, key := range entry.Keys() {
		for _, a := range key.Attributes() {
			if !slices.Contains(fixed, a) {
				return false
			}
		}
	}
	return true
}

// indexUpdate returns the effect of an update or upsert on an entry. Key attributes are kept right
// even where another key attribute is missing and there is no entry, so that one can
// appear.
func indexUpdate(step *model.Step, entry *layout.Entry) *plan.IndexWrite {
	w := &plan.IndexWrite{Entry: entry, Change: plan.Untouched}
	if slices.ContainsFunc(action.Changed(step), func(a *model.Attribute) bool { return entry.Path.Projects(a.Stored) }) {
		w.Change = plan.Written
	}
	for _, key := range entry.Keys() {
		u := updateKey(step, key)
		switch {
		case u.moves:
			w.Change = plan.Moved
		case u.change != keyKept && !u.same && w.Change == plan.Untouched:
			w.Change = plan.Written
		}
		for _, a := range u.stale {
			if !slices.Contains(w.Stale, a) {
				w.Stale = append(w.Stale, a)
			}
		}
	}
	switch before, after := entryExists(step, entry); {
	case before == action.No && after == action.No:
		w.Change = plan.Untouched
	case (before == action.No || after == action.No) && w.Change == plan.Moved:
		w.Change = plan.Written // it appears, or goes
	}
	return w
}
