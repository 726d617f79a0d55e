package resolve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// shard makes the write of a counting item that of one of its shards, which has a key of
// its own: the last key attribute goes on with the counter and the number of the shard.
func (w *Write) shard(counter *model.Counter) {
	w.Shards, w.kind = int64(counter.Shards), strings.TrimPrefix(w.Item.Entity.Name, shardOf)+"#shard"
	if last := len(w.Key) - 1; last >= 0 {
		w.Key[last].Low = w.Key[last].Low.with(shardText(counter)...)
	}
}

// unshardable says what keeps a counter from being spread, if anything does.
func unshardable(count *Count, item *model.Item) []Problem {
	counter, name := count.Counter, count.Entity.Name+"."+count.Counter.Attribute.Name
	problem := Problem{Code: "W809", Place: count.Step.Place, Related: []diag.Related{{Place: counter.Place, Message: "counts " + counter.Of.Name}}}
	if counter.Shards <= 1 || item == nil {
		return nil
	}
	var all []Problem
	if counter.Max != nil || counter.Min != nil {
		problem.Message = fmt.Sprintf("nothing keeps %s within its bounds: it is spread over %d shards, and none of them knows the total", name, counter.Shards)
		problem.Fix = "leave out shards, or min and max"
		all = append(all, problem)
	}
	key := item.Key(cmp.Or(item.Table.SK.Name, item.Table.PK.Name))
	if key != nil && key.Kind() != "S" {
		problem.Message = fmt.Sprintf("the shards of %s have no key: %s is no text that their number could follow", name, key.Name)
		problem.Fix = fmt.Sprintf("leave out shards, or give %s a template", key.Name)
		all = append(all, problem)
	}
	return all
}

// shardOf is what the name of a shard's entity begins with.
const shardOf = "shard of "

// shardItem is one of the rows a counter is spread over: a key, and the number.
func shardItem(home *model.Item, counter *model.Counter) *model.Item {
	e := &model.Entity{Name: shardOf + home.Entity.Name, Place: counter.Place, ID: home.Entity.ID}
	item := &model.Item{Entity: e, Table: home.Table, Place: home.Place}
	for _, c := range home.Computed {
		if c.Name == home.Table.PK.Name || c.Name == home.Table.SK.Name {
			item.Computed = append(item.Computed, c)
		}
	}
	for _, name := range []string{home.Table.PK.Name, home.Table.SK.Name} {
		if key := home.Key(name); key != nil && key.Template == nil {
			e.Attributes = append(e.Attributes, key.Attribute)
		}
	}
	e.Attributes = append(e.Attributes, counter.Attribute)
	return item
}

// A Sum is how a counter that is spread is read: all its rows, by their keys.
type Sum struct {
	Item       *model.Item // that has the counter
	Counter    *model.Counter
	Key        []KeyCondition // of each row; every attribute is a parameter of its own name
	Consistent bool           // as one of the patterns is that read the item from its table
}

// String is the request as people read it, on one line.
func (s *Sum) String() string {
	conditions := make([]string, len(s.Key))
	for i, c := range s.Key {
		conditions[i] = c.String()
	}
	return fmt.Sprintf("BatchGetItem %s: %s, %d keys", s.Item.Table.Name, strings.Join(conditions, ", "), s.Counter.Shards)
}

// Under is the partition key of the rows of the items that a read finds: as the read has
// it if it reads the table, else as the sum has it.
func (s *Sum) Under(r *Read) KeyCondition {
	if !r.Entry.Path.IsTable() {
		return s.Key[0]
	}
	key := r.Partition[0]
	if len(s.Key) == 1 {
		key.Low = key.Low.with(shardText(s.Counter)...)
	}
	return key
}

// Sums are how the spread counters of an entity are read, in the order of the design. One
// whose rows can have no keys has none; nor has any of an entity that lives in no table.
func (l *Layout) Sums(e *model.Entity) []*Sum {
	entry := l.tableEntry(e)
	if entry == nil {
		return nil
	}
	keys := slices.Concat(entry.PK, entry.SK)
	var all []*Sum
	for _, counter := range e.Counters {
		if last := keys[len(keys)-1]; counter.Shards <= 1 || last.Kind() != "S" {
			continue
		}
		s := &Sum{Item: entry.Item, Counter: counter}
		for _, key := range keys {
			var text Text
			for _, part := range key.Parts() {
				if part.IsHole() {
					text = text.with(valueText(model.Operand{Param: part.Attribute.Name}, part))
				} else {
					text = text.with(literal(part.Literal))
				}
			}
			s.Key = append(s.Key, keyCondition(key, model.Eq, text))
		}
		last := &s.Key[len(s.Key)-1]
		last.Low = last.Low.with(shardText(counter)...)
		number := &last.Low[len(last.Low)-1]
		number.Each = true
		s.Consistent = slices.ContainsFunc(l.Readers(entry), func(p *model.Pattern) bool { return p.Consistent })
		all = append(all, s)
	}
	return all
}

// tableEntry is an entity in the table it lives in, or nil.
func (l *Layout) tableEntry(e *model.Entity) *Entry {
	for _, entry := range l.entries[e] {
		if entry.Path.IsTable() {
			return entry
		}
	}
	return nil
}

// shardText is what the key of a row has behind that of the item: the counter and a number.
func shardText(counter *model.Counter) []TextPart {
	name := counter.Attribute.Name
	return []TextPart{
		literal(model.Delimiter + name + model.Delimiter),
		{Value: &model.Operand{Param: name + shardParam}, Shards: int64(counter.Shards)},
	}
}

// spreadApart divides the shards of a counter among the writes of a plan that add to it.
// Two of them may be about one item, and DynamoDB takes a row once in a transaction.
func (p *Plan) spreadApart() {
	rows := map[string][]*Write{}
	for _, w := range p.Writes {
		if w.Shards > 1 {
			name := w.shardPart().Value.Param
			rows[w.Item.Entity.Name+" "+name] = append(rows[w.Item.Entity.Name+" "+name], w)
		}
	}
	for _, writes := range rows {
		for i, w := range writes {
			part, n := w.shardPart(), int64(len(writes))
			part.FirstShard = w.Shards * int64(i) / n
			part.Shards = w.Shards*int64(i+1)/n - part.FirstShard
		}
	}
	for _, count := range p.Counts {
		name := count.Counter.Attribute.Name + shardParam
		if n := len(rows[shardOf+count.Entity.Name+" "+name]); n > max(count.Counter.Shards, 1) {
			p.Problems = append(p.Problems, Problem{
				Code: "L706", Place: count.Step.Place,
				Message: fmt.Sprintf("it can touch the same shard of %s.%s twice: it adds to the counters of %d items, and there are %d shards", count.Entity.Name, count.Counter.Attribute.Name, n, count.Counter.Shards),
				Fix:     fmt.Sprintf("give the counter at least %d shards", n),
				Related: []diag.Related{{Place: count.Counter.Place, Message: "counts " + count.Counter.Of.Name}},
			})
		}
	}
}

// shardParam is what the name of a shard's number ends with.
const shardParam = "_shard"

// shardPart is the number of the shard in the key of a row.
func (w *Write) shardPart() *TextPart {
	text := w.Key[len(w.Key)-1].Low
	return &text[len(text)-1]
}
