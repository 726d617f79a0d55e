package write

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/logic"
)

// Key attributes with a condition, and those made from attributes that may be absent:
// whether an item has them before a write and after it, and so the effect of the write.

// entryExists returns whether an item has an entry before a write and after it. It relies
// only on the request itself: a lifecycle refuses nothing.
func entryExists(step *model.Step, entry *layout.Entry) (before, after action.Answer) {
	before, after = action.Yes, action.Yes
	for _, key := range entry.Keys() {
		b, a := keyExists(step, key)
		before, after = min(before, b), min(after, a)
	}
	return before, after
}

// keyExists returns whether an item has a key attribute before a write and after it.
func keyExists(step *model.Step, key *model.Key) (before, after action.Answer) {
	before, after = action.Yes, action.Yes
	for _, c := range needs(key) {
		before, after = min(before, action.SurelyBefore(step, c)), min(after, action.SurelyAfter(step, c))
	}
	switch step.Verb {
	case model.Create:
		before = action.No
	case model.Put, model.Upsert:
		if action.NeedsAbsence(step) {
			return action.No, after
		}
		before = min(before, action.Maybe) // there may be no item
	case model.Delete:
		after = action.No
	}
	return before, after
}

// needs returns all conditions under which an item has a key attribute.
func needs(key *model.Key) []*model.Condition {
	all := slices.Clone(key.When)
	for _, a := range key.Attributes() {
		all = append(all, logic.Exists(a))
	}
	return all
}

// A keyUpdate is the effect of an update on one key attribute.
type keyUpdate struct {
	change keyChange
	moves  bool               // the value it has may change
	unless []*model.Condition // the conditions that the design leaves open: it is there only if all hold
	stale  []*model.Attribute // the attributes that the update would have to know besides
	same   bool               // an upsert sets it again to the value that an item with this id always has
}

// A keyChange is the fate of a key attribute.
type keyChange int

const (
	keyKept        keyChange = iota // it stays as it was
	keySet                          // it is set, if the open conditions hold
	keySetOrRemove                  // it is set if the open conditions hold, and removed if not
	keyRemoved                      // it is removed, unless the open conditions hold
)

// updateKey returns the effect of an update on a key attribute.
func updateKey(step *model.Step, key *model.Key) keyUpdate {
	touched := action.Touches(step, key.Attributes())
	decides := slices.ContainsFunc(key.When, func(c *model.Condition) bool { return action.Touches(step, logic.Compared(c)) })
	before, after := keyExists(step, key)
	switch {
	case step.Verb == model.Upsert: // the key of an item that it makes is not there yet
	case !touched && !decides, before == action.No && after == action.No, !touched && before == action.Yes && after == action.Yes:
		return keyUpdate{}
	}
	if after == action.No {
		return keyUpdate{change: keyRemoved, same: before == action.No}
	}
	u := keyUpdate{same: step.Verb == model.Upsert && !touched && !decides, change: keySet, moves: touched && before != action.No, unless: undecided(step, key)}
	if len(u.unless) > 0 && before != action.No {
		u.change = keySetOrRemove
	}
	if !touched && before == action.Yes {
		u.change = keyRemoved
	} else {
		u.stale = staleParts(step, key)
	}
	u.stale = addUnknown(u.stale, step, u.unless)
	return u
}

// addUnknown adds the attributes of conditions that the caller of an update does not know.
func addUnknown(stale []*model.Attribute, step *model.Step, conditions []*model.Condition) []*model.Attribute {
	for _, c := range conditions {
		for _, a := range logic.Compared(c) {
			if !action.KnowsNew(step, a) && !slices.Contains(stale, a) {
				stale = append(stale, a)
			}
		}
	}
	return stale
}

// staleParts returns the attributes that a composed key needs and that the update does not
// know. DynamoDB writes natural keys itself.
func staleParts(step *model.Step, key *model.Key) []*model.Attribute {
	if key.Template == nil {
		return nil
	}
	var unknown []*model.Attribute
	for _, a := range key.Attributes() {
		if !action.KnowsNew(step, a) {
			unknown = append(unknown, a)
		}
	}
	return unknown
}

// undecided returns the conditions of a key attribute that the write leaves open. Whether
// an attribute that is a key itself exists does not concern the writer.
func undecided(step *model.Step, key *model.Key) []*model.Condition {
	conditions := key.When
	if key.Template != nil {
		conditions = needs(key)
	}
	var all []*model.Condition
	for _, c := range conditions {
		if action.SurelyAfter(step, c) == action.Maybe {
			all = append(all, c)
		}
	}
	return all
}
