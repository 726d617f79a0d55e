package resolve

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
)

// Key attributes with a condition, and those made from attributes that may be absent:
// whether they are there before a write and after it, and so what the write does.

// entryExists is whether an item has an entry before a write and after it. Only what the
// request itself makes sure of counts: a lifecycle refuses nothing.
func entryExists(step *model.Step, entry *Entry) (before, after answer) {
	before, after = yes, yes
	for _, key := range slices.Concat(entry.PK, entry.SK) {
		b, a := keyExists(step, key)
		before, after = min(before, b), min(after, a)
	}
	return before, after
}

// keyExists is whether an item has a key attribute before a write and after it.
func keyExists(step *model.Step, key *model.Key) (before, after answer) {
	before, after = yes, yes
	for _, c := range key.When {
		before, after = min(before, surelyBefore(step, c)), min(after, surelyAfter(step, c))
	}
	for _, a := range key.Attributes() {
		exists := &model.Condition{Attribute: a, Op: model.Exists}
		before, after = min(before, surelyBefore(step, exists)), min(after, surelyAfter(step, exists))
	}
	switch step.Verb {
	case model.Create:
		before = no
	case model.Put:
		before = min(before, maybe) // there may be no item
	case model.Delete:
		after = no
	}
	return before, after
}

// surelyBefore is whether the request makes sure of a condition on the item as it finds it.
func surelyBefore(step *model.Step, c *model.Condition) answer {
	known := beforehand(step)
	switch {
	case implied(known, c):
		return yes
	case contradicted(known, c):
		return no
	}
	left, _ := StatesLeft(c.Attribute, known)
	if left == nil {
		return maybe
	}
	var values []string
	for _, v := range domain(c.Attribute) {
		if left[v] {
			values = append(values, v)
		}
	}
	return judged(c, values, false)
}

// surelyAfter is whether the request makes sure of a condition on the item as it leaves it.
func surelyAfter(step *model.Step, c *model.Condition) answer {
	a := c.Attribute
	switch {
	case alwaysHolds(c):
		return yes
	case step.Verb == model.Update && !touches(comparedBy(c), changedBy(step)):
		return surelyBefore(step, c)
	case !comparesConstants(c):
		return maybe
	case c.Op != model.Exists && c.Op != model.Missing || slices.Contains(step.Remove, a):
		return holdsAfter(step, c)
	case assigned(step, a) == nil && addition(step, a) == nil || mayClear(step, a):
		return maybe
	case c.Op == model.Exists:
		return yes
	}
	return no
}

// mayClear reports whether an update sets an attribute to what the caller gives or, if the
// caller gives nothing, takes it away: one that may be absent anyway.
func mayClear(step *model.Step, a *model.Attribute) bool {
	v := assigned(step, a)
	return step.Verb == model.Update && a.Type.Optional && v != nil && v.Param != ""
}

// comparedBy are all attributes of a condition.
func comparedBy(c *model.Condition) []*model.Attribute {
	all := []*model.Attribute{c.Attribute}
	for _, v := range c.Values {
		if v.Attribute != nil {
			all = append(all, v.Attribute)
		}
	}
	return all
}

// A keyUpdate is what an update does to one key attribute.
type keyUpdate struct {
	change keyChange
	moves  bool               // the value it has may change
	unless []*model.Condition // what decides, if the design does not: it is there only if all hold
	stale  []*model.Attribute // what the update would have to know besides
}

// A keyChange is what becomes of a key attribute.
type keyChange int

const (
	keyKept      keyChange = iota // as it was
	keySet                        // it is written, if what decides holds
	keySetOrGone                  // it is written if what decides holds, and removed if not
	keyGone                       // it is removed, unless what decides holds
)

func updateKey(step *model.Step, key *model.Key) keyUpdate {
	changed := changedBy(step)
	touched := touches(key.Attributes(), changed)
	borders := slices.ContainsFunc(key.When, func(c *model.Condition) bool { return touches(comparedBy(c), changed) })
	before, after := keyExists(step, key)
	switch {
	case !touched && !borders, before == no && after == no, !touched && before == yes && after == yes:
		return keyUpdate{}
	case after == no:
		return keyUpdate{change: keyGone}
	}
	u := keyUpdate{change: keySet, moves: touched && before != no, unless: undecided(step, key)}
	if len(u.unless) > 0 && before != no {
		u.change = keySetOrGone
	}
	if !touched && before == yes {
		u.change = keyGone
	} else {
		u.stale = staleParts(step, key)
	}
	for _, c := range u.unless {
		for _, a := range comparedBy(c) {
			if !knows(step, a) && !slices.Contains(u.stale, a) {
				u.stale = append(u.stale, a)
			}
		}
	}
	return u
}

// undecided are the conditions of a key attribute that the write leaves open. Those of a
// natural key are no concern of the writer.
func undecided(step *model.Step, key *model.Key) []*model.Condition {
	var all []*model.Condition
	for _, c := range key.When {
		if surelyAfter(step, c) == maybe {
			all = append(all, c)
		}
	}
	for _, a := range key.Attributes() {
		exists := &model.Condition{Attribute: a, Op: model.Exists}
		if surelyAfter(step, exists) == maybe && key.Template != nil {
			all = append(all, exists)
		}
	}
	return all
}

// onlyIf is a list of conditions as a design writes it.
func onlyIf(conditions []*model.Condition) string {
	texts := make([]string, len(conditions))
	for i, c := range conditions {
		texts[i] = c.String()
	}
	return strings.Join(texts, " and ")
}
