package resolve

import (
	"slices"

	"sortkey.dev/design/internal/model"
)

// indexWrites is what an action does to each index the entity has an entry in.
func (l *Layout) indexWrites(step *model.Step, item *model.Item) []*IndexWrite {
	if step.Verb == model.Check {
		return nil
	}
	var all []*IndexWrite
	for _, entry := range l.entries[item.Entity] {
		if !entry.Path.IsTable() && entry.Item == item {
			all = append(all, indexWrite(step, entry))
		}
	}
	return all
}

func indexWrite(step *model.Step, entry *Entry) *IndexWrite {
	if step.Verb == model.Update {
		return indexUpdate(step, entry)
	}
	w := &IndexWrite{Entry: entry, Change: Written}
	before, after := entryExists(step, entry)
	switch {
	case before == no && after == no:
		w.Change = Untouched
	case step.Verb == model.Put && before != no && after != no && !keyedByIdentity(entry):
		w.Change = Moved // the item it replaces may lie elsewhere
	}
	return w
}

// keyedByIdentity reports whether two versions of an item always have the same key.
func keyedByIdentity(entry *Entry) bool {
	fixed := append(PrimaryAttributes(entry.Item), entry.Item.Entity.ID...)
	for _, key := range slices.Concat(entry.PK, entry.SK) {
		for _, a := range key.Attributes() {
			if !slices.Contains(fixed, a) {
				return false
			}
		}
	}
	return true
}

// indexUpdate is what an update does to an entry. Key attributes are kept right even
// where there is no entry, for want of another key attribute, so that one can appear.
func indexUpdate(step *model.Step, entry *Entry) *IndexWrite {
	w := &IndexWrite{Entry: entry, Change: Untouched}
	if slices.ContainsFunc(changedBy(step), func(a *model.Attribute) bool { return projected(entry.Path, a.Stored) }) {
		w.Change = Written
	}
	for _, key := range slices.Concat(entry.PK, entry.SK) {
		u := updateKey(step, key)
		switch {
		case u.moves:
			w.Change = Moved
		case u.change != keyKept && w.Change == Untouched:
			w.Change = Written
		}
		for _, a := range u.stale {
			if !slices.Contains(w.Stale, a) {
				w.Stale = append(w.Stale, a)
			}
		}
	}
	switch before, after := entryExists(step, entry); {
	case before == no && after == no:
		w.Change = Untouched
	case (before == no || after == no) && w.Change == Moved:
		w.Change = Written // it appears, or goes
	}
	return w
}

func touches(attributes, changed []*model.Attribute) bool {
	return slices.ContainsFunc(attributes, func(a *model.Attribute) bool { return slices.Contains(changed, a) })
}

// staleParts are the attributes a composed key needs that the update does not know. A
// natural key is written by DynamoDB itself.
func staleParts(step *model.Step, key *model.Key) []*model.Attribute {
	if key.Template == nil {
		return nil
	}
	var unknown []*model.Attribute
	for _, a := range key.Attributes() {
		if !knows(step, a) {
			unknown = append(unknown, a)
		}
	}
	return unknown
}

// knows reports whether whoever runs an update knows an attribute as it is afterwards.
func knows(step *model.Step, a *model.Attribute) bool {
	return assigned(step, a) != nil || equality(beforehand(step), a) != nil && !slices.Contains(changedBy(step), a)
}

// changedBy are the attributes an update changes; the optimistic lock always does.
func changedBy(step *model.Step) []*model.Attribute {
	var all []*model.Attribute
	for _, s := range step.Set {
		all = append(all, s.Attribute)
	}
	for _, s := range step.Add {
		all = append(all, s.Attribute)
	}
	all = append(all, step.Remove...)
	if v := step.Entity.Version; v != nil && !slices.Contains(all, v) {
		all = append(all, v)
	}
	return all
}

// beforehand is what is known of the item before the write. Where of an item that is
// written whole speaks of the new one.
func beforehand(step *model.Step) []*model.Condition {
	if writesWhole(step.Verb) {
		return step.If
	}
	return slices.Concat(step.Where, step.If)
}
