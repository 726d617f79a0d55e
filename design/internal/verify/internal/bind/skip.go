package bind

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/state"
)

// TouchedTwice returns an item that two writes of a call touch, or "". DynamoDB always refuses
// such a call.
func TouchedTwice(writes []call.Action) string {
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

// withoutKept merges the writes of a guard row that a call both deletes and creates: such a unique
// value stays taken. If another item has it afterwards, its row replaces the one that is there.
func withoutKept(writes []call.Action) []call.Action {
	var left []call.Action
	for _, w := range writes {
		other := slices.IndexFunc(writes, func(other call.Action) bool {
			return w.Taken != nil && other.Taken != nil && w.Kind != other.Kind && w.Table == other.Table && w.Name == other.Name &&
				state.SameItem(rowKey(w), rowKey(other))
		})
		switch {
		case other < 0:
			left = append(left, w)
		case w.Kind == call.Put && !state.SameItem(marshal.Owner(w.Item), writer(writes[:other])):
			w.Condition, w.Names, w.Values, w.Expects = "", nil, nil, call.Anything
			left = append(left, w)
		}
	}
	return left
}

// writer returns the primary key of the last item that is no guard row.
func writer(writes []call.Action) access.Item {
	for _, w := range slices.Backward(writes) {
		if w.Taken == nil {
			return rowKey(w)
		}
	}
	return nil
}

// rowKey returns the primary key of the item that a write touches.
func rowKey(w call.Action) access.Item {
	item := w.Key
	if w.Kind == call.Put {
		item = w.Item
	}
	key := access.Item{}
	for _, name := range w.KeyNames {
		key[name] = item[name]
	}
	return key
}

// lacksKey reports whether the caller leaves out an optional part of the key of a write: an
// item without it is counted nowhere.
func (b *boundWrite) lacksKey() bool {
	if b.w.Given != nil {
		return false
	}
	for _, k := range b.w.Key {
		for _, part := range k.Low {
			if part.Value == nil || part.Shards > 0 || part.Value.Param == "" {
				continue
			}
			ref := b.c.Ref(b.w, part.Value.Param, part.Attribute)
			if _, given := b.a.At(ref, b.i); !ref.IsZero() && ref.Optional() && !given {
				return true
			}
		}
	}
	return false
}

// addsNothing reports whether a write only changes counters, and changes them by 0: the
// changes themselves are 0, or another write of the call cancels them.
func (b *boundWrite) addsNothing() bool {
	if b.w.Origin == nil || b.w.Guard != nil || b.w.Operation != resolve.UpdateItem {
		return false
	}
	if other := backAndForth(b.c, b.w); other != nil {
		from, errFrom := b.key()
		to, errTo := (&boundWrite{b.a, b.c, other, b.i}).key()
		if errFrom == nil && errTo == nil && state.SameItem(from, to) {
			return true
		}
	}
	for _, clause := range b.w.Statement.Update {
		if clause.Word != "ADD" {
			continue
		}
		v, ok, err := b.value(clause.Values[0])
		if err != nil || !ok || state.NumberOf(v).Sign() != 0 {
			return false
		}
	}
	return true
}

// backAndForth returns the only write of a call that cancels another one if both change the
// same counter, or nil. Writes to sharded counters never cancel: they change different rows.
func backAndForth(c *program.Call, w *program.WriteStep) *program.WriteStep {
	var others []*program.WriteStep
	for _, other := range c.Writes {
		if other != w && other.Item == w.Item && other.Implied == w.Implied {
			others = append(others, other)
		}
	}
	if len(others) != 1 || w.Shards > 1 || !resolve.Cancels(w.Statement, others[0].Statement) {
		return nil
	}
	return others[0]
}
