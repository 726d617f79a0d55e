package verify

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// count changes every counter by what the items of the call contribute afterwards less
// what they contributed before.
func (s *scenario) count(d *verdict) {
	for _, e := range s.layout.Design().Entities {
		for _, counter := range e.Counters {
			s.begin(d, e, counter)
			if s.leftToCaller(e, counter) {
				continue
			}
			for _, one := range s.shifts(d, e, counter) {
				d.counted = append(d.counted, one)
				s.countOne(d, one)
			}
		}
	}
}

// begin sets a counter of an item that is created to 0: what the caller says of it does not
// matter, unless the pattern itself sets it.
func (s *scenario) begin(d *verdict, e *model.Entity, counter *model.Counter) {
	if counter.Shards > 1 {
		return
	}
	for _, ch := range d.changes {
		if ch.act != nil && ch.act.step.Entity == e && ch.act.step.Verb == model.Create && ch.new != nil && ch.act.assigned(counter.Attribute) == nil {
			ch.new = s.changed(ch.new, counter.Attribute, whole(0), true)
		}
	}
}

// leftToCaller reports whether the pattern changes a counter by its own words, or the
// design is known not to keep it.
func (s *scenario) leftToCaller(e *model.Entity, counter *model.Counter) bool {
	for _, count := range s.c.Plan.Counts {
		if count.Counter == counter && !count.Kept {
			return true
		}
	}
	return slices.ContainsFunc(s.actions, func(act *action) bool {
		return act.step.Entity == e && (act.assigned(counter.Attribute) != nil || act.adds(counter.Attribute) != nil)
	})
}

// shifts are by how much a counter changes, for each item that has it.
func (s *scenario) shifts(d *verdict, e *model.Entity, counter *model.Counter) []*counted {
	var all []*counted
	add := func(values sample.Values, sign int64) {
		by := contribution(counter, values)
		if by.IsZero() {
			return
		}
		mine := sample.Values{}
		for _, m := range counter.Match {
			if v, ok := values[m.Theirs]; ok {
				mine[m.Mine] = v
			}
		}
		key, ok := s.keyFrom(e, mine)
		if !ok {
			return
		}
		at := slices.IndexFunc(all, func(c *counted) bool { return describeItem(c.key) == describeItem(key) })
		if at < 0 {
			at, all = len(all), append(all, &counted{entity: e, counter: counter, mine: mine, key: key})
		}
		all[at].by = all[at].by.Add(by.Times(sign))
	}
	for _, ch := range d.changes {
		if ch.act == nil || ch.act.step.Entity != counter.Of || ch.checked {
			continue
		}
		if ch.old != nil {
			add(ch.old.values, -1)
		}
		if ch.new != nil {
			add(ch.new.values, 1)
		}
	}
	return slices.DeleteFunc(all, func(c *counted) bool { // of one that is spread two rows may change all the same
		return c.by.IsZero() && c.counter.Shards <= 1
	})
}

// contribution is what an item adds to a counter.
func contribution(counter *model.Counter, values sample.Values) exact.Number {
	switch {
	case !values.Holds(counter.Where):
		return exact.Zero
	case counter.Sum == nil:
		return exact.One
	}
	return numberOf(values[counter.Sum])
}

// countOne changes a counter of one item. It is written like every other change, so its
// version rises.
func (s *scenario) countOne(d *verdict, one *counted) {
	table, a := s.layout.Home(one.entity).Table, one.counter.Attribute
	if one.counter.Shards > 1 {
		d.spread = append(d.spread, &spreadChange{one, table})
		return
	}
	ch := d.find(table, one.key)
	own := ch == nil
	if own {
		ch = &change{table: table, key: one.key, old: s.at(table, one.key), checked: true}
		ch.new = ch.old
		d.add(ch)
	}
	switch {
	case ch.old == nil && ch.new != nil: // it is created along with what it counts
		ch.new = s.changed(ch.new, a, sample.Value{Kind: sample.Number, Text: resolve.Digits(one.by)}, true)
		return
	case ch.old == nil:
		d.fault(ch, notFound)
		return
	case ch.new == nil: // it goes, and its counter with it
		return
	}
	if !within(one.counter, numberOf(ch.old.values[a]), one.by) {
		d.fault(ch, otherThan)
	}
	if version := one.entity.Version; ch.checked && version != nil {
		ch.new = s.changed(ch.new, version, plus(ch.new.values[version], exact.One), true)
	}
	ch.checked = false
	ch.new = s.changed(ch.new, a, plus(ch.new.values[a], one.by), true)
}

// shardKey is the key of one of the rows that share a counter: that of the item that has
// it, with the counter's name and the number behind the last part.
func (c *spreadChange) shardKey(n int) access.Item {
	key := access.Item{}
	names := keyNames(c.table)
	for _, name := range names {
		key[name] = c.key[name]
	}
	last := names[len(names)-1]
	key[last] = access.S(keyOrder(key[last]).Text + model.Delimiter + c.counter.Attribute.Name + model.Delimiter + access.FormatInt(int64(n)))
	return key
}

// sumKeys are the keys of all rows of a counter.
func (c *spreadChange) sumKeys(sum *resolve.Sum) ([]access.Item, error) {
	keys := make([]access.Item, c.counter.Shards)
	for n := range keys {
		keys[n] = access.Item{}
		for _, k := range sum.Key {
			value, err := keyValue(sum.Item.Key(k.Name), k.Low, keyed{c.entity.Name, c.table}, func(part resolve.TextPart) (sample.Value, bool) {
				if part.Shards > 0 {
					return sample.Value{Kind: sample.Text, Text: access.FormatInt(int64(n))}, true
				}
				value, ok := c.mine[part.Attribute]
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
