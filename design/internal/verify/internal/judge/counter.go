package judge

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// count changes every counter by what the items of the call contribute after it less what they
// contributed before.
func (s *Scenario) count(d *Verdict) {
	for _, e := range s.Layout.Design().Entities {
		for _, counter := range e.Counters {
			s.begin(d, e, counter)
			if s.leftToCaller(e, counter) {
				continue
			}
			for _, one := range s.shifts(d, e, counter) {
				d.Counted = append(d.Counted, one)
				s.countOne(d, one)
			}
		}
	}
}

// begin sets a counter of an item that is created to 0, whatever the caller gives, unless the
// pattern itself sets it.
func (s *Scenario) begin(d *Verdict, e *model.Entity, counter *model.Counter) {
	if counter.Shards > 1 {
		return
	}
	for _, ch := range d.Changes {
		if ch.Action != nil && ch.Action.Step.Entity == e && ch.Action.Step.Verb == model.Create && ch.New != nil && ch.Action.Assigned(counter.Attribute) == nil {
			ch.New = s.Changed(ch.New, counter.Attribute, state.Int(0), true)
		}
	}
}

// leftToCaller reports whether the pattern itself changes a counter, or the design is known not
// to maintain it.
func (s *Scenario) leftToCaller(e *model.Entity, counter *model.Counter) bool {
	for _, count := range s.Call.Plan.Counts {
		if count.Counter == counter && !count.Kept {
			return true
		}
	}
	return slices.ContainsFunc(s.Actions, func(act *Action) bool {
		return act.Step.Entity == e && (act.Assigned(counter.Attribute) != nil || act.adds(counter.Attribute) != nil)
	})
}

// shifts returns by how much a counter changes on each item that has it.
func (s *Scenario) shifts(d *Verdict, e *model.Entity, counter *model.Counter) []*Count {
	t := &tally{s: s, entity: e, counter: counter}
	for _, ch := range d.Changes {
		if ch.Action == nil || ch.Action.Step.Entity != counter.Of || ch.checked {
			continue
		}
		if ch.Old != nil {
			t.add(ch.Old.Values, -1)
		}
		if ch.New != nil {
			t.add(ch.New.Values, 1)
		}
	}
	return slices.DeleteFunc(t.counts, func(c *Count) bool { // two shards may change even so
		return c.By.IsZero() && c.Counter.Shards <= 1
	})
}

// A tally adds up the changes of one counter of an entity.
type tally struct {
	s       *Scenario
	entity  *model.Entity
	counter *model.Counter
	counts  []*Count
}

// add adds the contribution of an item, or subtracts it, to the count of the item that counts
// it.
func (t *tally) add(values sample.Values, sign int64) {
	by := contribution(t.counter, values)
	if by.IsZero() {
		return
	}
	mine := sample.Values{}
	for _, m := range t.counter.Match {
		if v, ok := values[m.Theirs]; ok {
			mine[m.Mine] = v
		}
	}
	key, ok := t.s.Tables.KeyOf(t.entity, mine)
	if !ok {
		return
	}
	at := slices.IndexFunc(t.counts, func(c *Count) bool { return state.SameItem(c.Key, key) })
	if at < 0 {
		at, t.counts = len(t.counts), append(t.counts, &Count{Entity: t.entity, Counter: t.counter, Mine: mine, Key: key})
	}
	t.counts[at].By = t.counts[at].By.Add(by.Times(sign))
}

// contribution returns what an item adds to a counter.
func contribution(counter *model.Counter, values sample.Values) exact.Number {
	switch {
	case !values.Holds(counter.Where):
		return exact.Zero
	case counter.Sum == nil:
		return exact.One
	}
	return state.NumberOf(values[counter.Sum])
}

// countOne changes the counter of one item, and nothing else: counting needs no version.
func (s *Scenario) countOne(d *Verdict, one *Count) {
	table, a := s.Layout.Home(one.Entity).Table, one.Counter.Attribute
	if one.Counter.Shards > 1 {
		d.Sharded = append(d.Sharded, &ShardedChange{one, table})
		return
	}
	ch := d.Find(table, one.Key)
	own := ch == nil
	if own {
		ch = &Change{Table: table, Key: one.Key, Old: s.At(table, one.Key), checked: true}
		ch.New = ch.Old
		d.add(ch)
	}
	switch {
	case ch.Old == nil && ch.New != nil: // it is created by the same call
		ch.New = s.Changed(ch.New, a, sample.Value{Kind: sample.Number, Text: resolve.Digits(one.By)}, true)
		return
	case ch.Old == nil:
		d.fault(ch, notFound)
		return
	case ch.New == nil: // it is deleted together with its counter
		return
	}
	if !Within(one.Counter, state.NumberOf(ch.Old.Values[a]), one.By) {
		d.fault(ch, otherThan)
	}
	ch.checked = false
	ch.New = s.Changed(ch.New, a, state.Plus(ch.New.Values[a], one.By), true)
}

// ShardKey returns the key of a shard: that of the item that has the counter, with the name of
// the counter and the number of the shard appended.
func (c *ShardedChange) ShardKey(n int) access.Item {
	key := access.Item{}
	names := state.KeyNames(c.Table)
	for _, name := range names {
		key[name] = c.Key[name]
	}
	last, d := names[len(names)-1], c.Table.Delimiter.String()
	key[last] = marshal.S(state.KeyOrder(key[last]).Text + d + c.Counter.Attribute.Name + d + marshal.FormatInt(int64(n)))
	return key
}

// SumKeys returns the keys of all shards of a counter.
func (c *ShardedChange) SumKeys(sum *resolve.Sum) ([]access.Item, error) {
	keys := make([]access.Item, c.Counter.Shards)
	for n := range keys {
		keys[n] = access.Item{}
		for _, k := range sum.Key {
			value, err := bind.KeyValue(sum.Item.Key(k.Name), k.Low, bind.Keyed{Entity: c.Entity.Name, Table: c.Table}, func(part resolve.TextPart) (sample.Value, bool) {
				if part.Shards > 0 {
					return sample.Value{Kind: sample.Text, Text: marshal.FormatInt(int64(n))}, true
				}
				value, ok := c.Mine[part.Attribute]
				return value, ok
			})
			if err != nil {
				return nil, err
			}
			keys[n][k.Name] = value
		}
	}
	return keys, nil
}

// Within reports whether a change leaves a counter within its bounds.
func Within(c *model.Counter, have, by exact.Number) bool {
	total := have.Add(by)
	if c.Shards > 1 {
		return true
	}
	return !(c.Max != nil && by.Sign() > 0 && c.Max.Less(total)) && !(c.Min != nil && by.Sign() < 0 && total.Less(*c.Min))
}
