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
	w := &IndexWrite{Entry: entry, Change: Written}
	switch step.Verb {
	case model.Create:
		if slices.ContainsFunc(entry.When(), func(c *model.Condition) bool { return contradicted(afterwards(step), c) }) {
			w.Change = Untouched
		}
	case model.Put:
		if !keyedByIdentity(entry) {
			w.Change = Moved // the item it replaces may lie elsewhere
		}
	case model.Update:
		return indexUpdate(step, entry)
	}
	return w
}

// keyedByIdentity reports whether two versions of an item always have the same key.
func keyedByIdentity(entry *Entry) bool {
	fixed := append(primaryAttributes(entry.Item), entry.Item.Entity.ID...)
	for _, key := range slices.Concat(entry.PK, entry.SK) {
		for _, a := range key.Attributes() {
			if !slices.Contains(fixed, a) {
				return false
			}
		}
	}
	return true
}

// indexUpdate is what an update does to an entry.
func indexUpdate(step *model.Step, entry *Entry) *IndexWrite {
	w := &IndexWrite{Entry: entry, Change: Untouched}
	changed := changedBy(step)
	if slices.ContainsFunc(changed, func(a *model.Attribute) bool { return projected(entry.Path, a.Stored) }) {
		w.Change = Written
	}
	before, after := beforehand(step), afterwards(step)
	for _, key := range slices.Concat(entry.PK, entry.SK) {
		change, stale := keyUpdate(step, key, before, after)
		switch {
		case change == Moved && w.Change != gone:
			w.Change = Moved
		case change == Written && w.Change == Untouched:
			w.Change = Written
		case change == gone:
			w.Change = gone // no entry is left to move
		}
		for _, a := range stale {
			if !slices.Contains(w.Stale, a) {
				w.Stale = append(w.Stale, a)
			}
		}
	}
	if w.Change == gone {
		w.Change, w.Stale = Written, nil
	}
	return w
}

// gone is a change to one key attribute: it is taken away, and the entry with it.
const gone IndexChange = "gone"

// keyUpdate is what an update does to one key attribute of an index, and what it would
// have to know besides to write it.
func keyUpdate(step *model.Step, key *model.Key, before, after []*model.Condition) (IndexChange, []*model.Attribute) {
	changed := changedBy(step)
	attributes := key.Attributes()
	if slices.ContainsFunc(attributes, func(a *model.Attribute) bool { return slices.Contains(step.Remove, a) }) {
		return gone, nil
	}
	change := Untouched
	if slices.ContainsFunc(attributes, func(a *model.Attribute) bool { return slices.Contains(changed, a) }) {
		change = Moved
		if slices.ContainsFunc(attributes, func(a *model.Attribute) bool { return contradictedExistence(before, a) }) {
			change = Written // it had none before
		}
	}
	mayEnter := false
	for _, c := range key.When {
		if !slices.Contains(changed, c.Attribute) {
			continue
		}
		if contradicted(after, c) {
			return gone, nil
		}
		mayEnter = mayEnter || !implied(before, c)
		if change == Untouched {
			change = Written
		}
	}
	if change != Moved && !mayEnter && !(change == Written && touches(attributes, changed)) {
		return change, nil
	}
	return change, staleParts(step, key)
}

func touches(attributes, changed []*model.Attribute) bool {
	return slices.ContainsFunc(attributes, func(a *model.Attribute) bool { return slices.Contains(changed, a) })
}

// contradictedExistence reports whether the attribute is known to be absent.
func contradictedExistence(before []*model.Condition, a *model.Attribute) bool {
	return slices.ContainsFunc(before, func(c *model.Condition) bool { return c.Attribute == a && c.Op == model.Missing })
}

// staleParts are the attributes a composed key needs that the update does not know. A
// natural key is written by DynamoDB itself.
func staleParts(step *model.Step, key *model.Key) []*model.Attribute {
	if key.Template == nil {
		return nil
	}
	var unknown []*model.Attribute
	for _, a := range key.Attributes() {
		known := assigned(step, a) != nil || equality(step.Where, a) != nil || equality(step.If, a) != nil
		added := slices.ContainsFunc(step.Add, func(s *model.Addition) bool { return s.Attribute == a })
		if added || !known {
			unknown = append(unknown, a)
		}
	}
	return unknown
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

// beforehand is what is known of the item before the write.
func beforehand(step *model.Step) []*model.Condition { return slices.Concat(step.Where, step.If) }

// afterwards is what is known of the item after the write: what it sets.
func afterwards(step *model.Step) []*model.Condition {
	var all []*model.Condition
	for _, s := range step.Set {
		if s.Value != nil {
			all = append(all, &model.Condition{Attribute: s.Attribute, Op: model.Eq, Values: []model.Operand{*s.Value}})
		}
	}
	for _, a := range step.Remove {
		all = append(all, &model.Condition{Attribute: a, Op: model.Missing})
	}
	return all
}
