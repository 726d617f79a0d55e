package counter

import (
	"cmp"
	"fmt"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/plan"
	"sortkey.dev/design/internal/resolve/internal/write"
)

// shard turns the draft for a counting item into that for one of its shards, which has a
// key of its own: the last key attribute goes on with the counter and the number of the
// shard.
func shard(d *write.Draft, counter *model.Counter) {
	d.Shards, d.Kind = int64(counter.Shards), strings.TrimPrefix(d.Item.Entity.Name, shardOf)+"#shard"
	if last := len(d.Key) - 1; last >= 0 {
		d.Key[last].Low = d.Key[last].Low.With(shardText(counter, d.Item.Table.Delimiter)...)
	}
}

// unshardable returns the problems that keep a counter from being spread.
func unshardable(count *plan.Count, item *model.Item) []plan.Problem {
	counter, name := count.Counter, count.Entity.Name+"."+count.Counter.Attribute.Name
	problem := plan.Problem{Code: "W809", Place: count.Step.Place, Related: []diag.Related{{Place: counter.Place, Message: "counts " + counter.Of.Name}}}
	if counter.Shards <= 1 || item == nil {
		return nil
	}
	var all []plan.Problem
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

// shardOf is the prefix of the name of the entity of a shard.
const shardOf = "shard of "

// shardItem returns one of the rows that a counter is spread over: a key, and the number.
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

// A Sum is the read of a counter that is spread: all its rows, by their keys.
type Sum struct {
	Item       *model.Item // that has the counter
	Counter    *model.Counter
	Key        []keytext.Condition // of each row; every attribute is a parameter of its own name
	Consistent bool                // like one of the patterns that read the item from its table
}

// String returns the request as people read it, on one line.
func (s *Sum) String() string {
	conditions := make([]string, len(s.Key))
	for i, c := range s.Key {
		conditions[i] = c.String()
	}
	return fmt.Sprintf("BatchGetItem %s: %s, %d keys", s.Item.Table.Name, strings.Join(conditions, ", "), s.Counter.Shards)
}

// Under returns the partition key of the rows of the items that a read finds: that of the
// read if it reads the table, else that of the sum.
func (s *Sum) Under(r *plan.Read) keytext.Condition {
	if !r.Entry.Path.IsTable() {
		return s.Key[0]
	}
	key := r.Partition[0]
	if len(s.Key) == 1 {
		key.Low = key.Low.With(shardText(s.Counter, s.Item.Table.Delimiter)...)
	}
	return key
}

// Sums returns the reads of the spread counters of an entity, in the order of the design.
// A counter whose rows can have no keys has none, nor has an entity that lives in no table.
func Sums(entry *layout.Entry, consistent bool) []*Sum {
	var all []*Sum
	keys := entry.Keys()
	for _, counter := range entry.Item.Entity.Counters {
		if counter.Shards > 1 && keys[len(keys)-1].Kind() == "S" {
			all = append(all, newSum(entry.Item, keys, counter, consistent))
		}
	}
	return all
}

func newSum(item *model.Item, keys []*model.Key, counter *model.Counter, consistent bool) *Sum {
	s := &Sum{Item: item, Counter: counter, Consistent: consistent}
	for _, key := range keys {
		text := keytext.Of(key, func(a *model.Attribute) model.Operand { return model.Operand{Param: a.Name} })
		s.Key = append(s.Key, keytext.NewCondition(key, model.Eq, text))
	}
	last := &s.Key[len(s.Key)-1]
	last.Low = last.Low.With(shardText(counter, item.Table.Delimiter)...)
	last.Low[len(last.Low)-1].Each = true
	return s
}

// shardText returns the end of the key of a row, behind the key of the item: the counter
// and a number.
func shardText(counter *model.Counter, d model.Delimiter) []keytext.TextPart {
	name := counter.Attribute.Name
	return []keytext.TextPart{
		keytext.Literal(d.String() + name + d.String()),
		{Value: &model.Operand{Param: name + shardParam}, Shards: int64(counter.Shards)},
	}
}

// spreadApart divides the shards of a counter among the writes of a plan that add to it.
// Two of them may be about one item, and DynamoDB accepts a row once in a transaction.
func (k *keeper) spreadApart() {
	type rows struct{ entity, param string }
	writers := map[rows][]*write.Draft{}
	for _, d := range k.Drafts {
		if d.Shards > 1 && len(d.Key) > 0 { // K108 reports an item without a key
			r := rows{d.Item.Entity.Name, shardPart(d).Value.Param}
			writers[r] = append(writers[r], d)
		}
	}
	for _, drafts := range writers {
		for i, d := range drafts {
			part, n := shardPart(d), int64(len(drafts))
			part.FirstShard = d.Shards * int64(i) / n
			part.Shards = d.Shards*int64(i+1)/n - part.FirstShard
		}
	}
	for _, count := range k.Counts {
		n := len(writers[rows{shardOf + count.Entity.Name, count.Counter.Attribute.Name + shardParam}])
		if n > max(count.Counter.Shards, 1) {
			k.Report(tooFewShards(count, n))
		}
	}
}

// tooFewShards returns the problem that more writes add to a counter than it has shards.
func tooFewShards(count *plan.Count, writes int) plan.Problem {
	return plan.Problem{
		Code: "L706", Place: count.Step.Place,
		Message: fmt.Sprintf("it can touch the same shard of %s.%s twice: it adds to the counters of %d items, and there are %d shards", count.Entity.Name, count.Counter.Attribute.Name, writes, count.Counter.Shards),
		Fix:     fmt.Sprintf("give the counter at least %d shards", writes),
		Related: []diag.Related{{Place: count.Counter.Place, Message: "counts " + count.Counter.Of.Name}},
	}
}

// shardParam is the suffix of the parameter for the number of a shard.
const shardParam = "_shard"

// shardPart returns the number of the shard in the key of a row.
func shardPart(d *write.Draft) *keytext.TextPart {
	text := d.Key[len(d.Key)-1].Low
	return &text[len(text)-1]
}
