package bind

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/state"
)

// TouchedTwice is an item that two writes of a call are about, or "". DynamoDB refuses such
// a call whatever the items are like.
func TouchedTwice(writes []access.Write) string {
	seen := map[string]bool{}
	for _, w := range writes {
		item := w.Table + " " + state.DescribeItem(rowKey(w))
		if seen[item] {
			return item
		}
		seen[item] = true
	}
	return ""
}

// settled leaves out the rows of unique values that a call both frees and takes: such a
// value stays.
func settled(writes []access.Write) []access.Write {
	stays := func(w access.Write) bool {
		return slices.ContainsFunc(writes, func(other access.Write) bool {
			if w.Taken == nil || other.Taken == nil || w.Action == other.Action || w.Table != other.Table || w.Name != other.Name {
				return false
			}
			return state.DescribeItem(rowKey(w)) == state.DescribeItem(rowKey(other))
		})
	}
	var left []access.Write
	for _, w := range writes {
		if !stays(w) {
			left = append(left, w)
		}
	}
	return left
}

// rowKey is the primary key of what a write writes.
func rowKey(w access.Write) access.Item {
	item := w.Key
	if w.Action == access.Put {
		item = w.Item
	}
	key := access.Item{}
	for _, name := range w.KeyNames {
		key[name] = item[name]
	}
	return key
}

// lacksKey reports whether the caller leaves out what the key of a write is made of: an
// item without it is counted nowhere.
func (a *Arguments) lacksKey(c *program.Call, w *program.Write, i int) bool {
	if w.Given != nil {
		return false
	}
	for _, k := range w.Key {
		for _, part := range k.Low {
			if part.Value == nil || part.Shards > 0 || part.Value.Param == "" {
				continue
			}
			ref := c.Ref(w, part.Value.Param, part.Attribute)
			if _, given := a.At(ref, i); !ref.IsZero() && ref.Optional() && !given {
				return true
			}
		}
	}
	return false
}

// addsNothing reports whether a write only changes counters, by nothing: their numbers
// are 0, or what one item loses it gets back.
func (a *Arguments) addsNothing(c *program.Call, w *program.Write, i int) bool {
	if w.Origin == nil || w.Guard != nil || w.Operation != resolve.UpdateItem {
		return false
	}
	if other := backAndForth(c, w); other != nil {
		from, errFrom := a.key(c, w, i)
		to, errTo := a.key(c, other, i)
		if errFrom == nil && errTo == nil && state.DescribeItem(from) == state.DescribeItem(to) {
			return true
		}
	}
	for _, clause := range w.Statement.Update {
		if clause.Word != "ADD" || clause.Values[0].Attribute == w.Item.Entity.Version {
			continue
		}
		v, ok, err := a.value(c, w, clause.Values[0], i)
		if err != nil || !ok || state.NumberOf(v).Sign() != 0 {
			return false
		}
	}
	return true
}

// backAndForth is the only write that gives a counter what another takes from one, or nil.
// A counter that is spread is written for both, in different rows.
func backAndForth(c *program.Call, w *program.Write) *program.Write {
	var others []*program.Write
	for _, other := range c.Writes {
		if other != w && other.Item == w.Item && other.Implied == w.Implied {
			others = append(others, other)
		}
	}
	if len(others) != 1 || w.Shards > 1 || !resolve.Cancels(w.Statement, others[0].Statement, w.Item.Entity.Version) {
		return nil
	}
	return others[0]
}
