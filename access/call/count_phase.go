package call

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// Counters that only the new version of a design has. Generated code prints its transactions as in peace, and names the parts of
// the counters: in Counted of each action on an item of the entity that is counted, and in Counters of each action on an item that keeps the
// counter, whether it changes it or not:
//
//	call.Action{Kind: call.Put, Name: "create Line", Counted: []string{"Order.lines"}, …}
//	call.Action{Kind: call.Update, Name: "counter Order.lines", Update: "ADD #lines :n", Counters: []string{"Order.lines"}, …}
//
// An item that is counted carries a mark that says with what, and the counter is the sum of the marks. What becomes of the
// actions in a phase:
//
//   - PhaseBefore: items get no mark, and the counter is not written.
//   - PhasePrepare: nothing is counted. An item that changes or is deleted loses its mark, and the counter its share.
//   - PhaseWrite: an item that is made or changed is marked and counted; one that is deleted is counted down if it has a mark.
//   - PhaseRead: every item is counted as the new version does, and marked.
//   - PhaseAfter: as printed.
//
// Limits of the counter hold from PhaseRead on. Where a mark decides, the item is read first, and its mark is a condition of the
// transaction.

// counting computes what a transaction sends whose items are counted by new counters.
type counting struct {
	ctx    context.Context
	c      *access.Client // that Begin returned
	k      *recorder
	phase  access.Phase
	writes []Action
	deltas []delta
}

// A delta holds the amount that is added to a counter.
type delta struct {
	table, attribute, part string
	share                  access.Share
}

// countsInPhase returns writes with what their phase makes of new counters.
func countsInPhase(ctx context.Context, c *access.Client, k *recorder, writes []Action) ([]Action, error) {
	phase := c.Phase()
	if phase == access.PhaseAfter || !slices.ContainsFunc(writes, func(w Action) bool { return len(w.Counted)+len(w.Counters) > 0 }) {
		return writes, nil
	}
	n := &counting{ctx: ctx, c: c, k: k, phase: phase, writes: slices.Clone(writes)}
	for i := range n.writes {
		w := &n.writes[i]
		if w.Err != nil {
			continue
		}
		if err := n.keeper(w); err != nil {
			return nil, err
		}
		if phase != access.PhaseBefore && len(w.Counted) > 0 {
			if err := n.item(w); err != nil {
				return nil, err
			}
		}
	}
	n.add()
	return slices.DeleteFunc(n.writes, func(w Action) bool { return w.Err == nil && w.Kind == Update && w.Update == "" && w.Condition == "" }), nil
}

// keeper takes the counters out of the write of an item that keeps them. A new item gets its counter in PhaseWrite and PhaseRead.
func (n *counting) keeper(w *Action) error {
	for _, part := range w.Counters {
		counter, err := n.c.Design().Change.Counter(part)
		if err != nil {
			return err
		}
		_, attribute := counter.Keeper()
		switch {
		case w.Kind == Put && n.phase < access.PhaseWrite:
			w.Item = maps.Clone(w.Item)
			delete(w.Item, attribute)
		case w.Kind == Put:
			w.Item = maps.Clone(w.Item)
			w.Item[attribute] = marshal.N(0) // the marks of its items are added
		case w.Kind == Update:
			w.withoutCounter(attribute)
		}
		if n.phase < access.PhaseRead && w.Kind != Put {
			w.withoutConditionsOn(attribute)
		}
	}
	if len(w.Counters) > 0 && w.Kind != Put {
		w.withoutUnused()
	}
	return nil
}

// withoutCounter removes what an update adds to a counter.
func (w *Action) withoutCounter(attribute string) {
	w.Update = formatUpdate(slices.DeleteFunc(parseUpdate(w.Update), func(c clause) bool {
		return c.word == "ADD" && rootOf(c.target, w.Names) == attribute
	}))
}

// withoutConditionsOn removes the conditions on an attribute: the limits of a counter.
func (w *Action) withoutConditionsOn(attribute string) {
	var kept []string
	for _, condition := range strings.Split(w.Condition, " AND ") {
		about := false
		replacePlaceholders(condition, func(placeholder string) string {
			about = about || w.Names[placeholder] == attribute
			return placeholder
		})
		if !about {
			kept = append(kept, condition)
		}
	}
	w.Condition = strings.Join(kept, " AND ")
}

// item counts an item that is written, and gives it its marks.
func (n *counting) item(w *Action) error {
	var before access.Item
	read := false
	x := union{w: w}
	for _, part := range w.Counted {
		counter, err := n.c.Design().Change.Counter(part)
		if err != nil {
			return err
		}
		if w.Kind == Update && !touches(w, counter.Sources()) || w.Kind == Check {
			continue
		}
		if !read && (w.Kind != Put || w.Expects != Absent) {
			read = true
			if before, err = n.read(w); err != nil {
				return err
			}
			w.asRead = &before
		}
		if err := n.count(w, &x, part, counter, before); err != nil {
			return err
		}
	}
	return nil
}

// touches reports whether an update changes one of some attributes.
func touches(w *Action, attributes []string) bool {
	return slices.ContainsFunc(targets(parseUpdate(w.Update), w.Names), func(name string) bool { return slices.Contains(attributes, name) })
}

// count counts an item by one counter.
func (n *counting) count(w *Action, x *union, part string, counter access.Counter, before access.Item) error {
	if before == nil && w.Kind != Put {
		return nil // its own condition fails, or there is nothing to count
	}
	var is *access.Share
	mark := before[counter.Mark()]
	was := marshal.ShareOf(mark)
	if n.phase == access.PhaseRead && before != nil && mark == nil { // created in PhaseAfter
		var err error
		if was, err = counter.Share(before); err != nil {
			return named(w.Name, part, err)
		}
	}
	if n.phase >= access.PhaseWrite && w.Kind != Delete {
		after, err := w.after(before)
		if err == nil {
			is, err = counter.Share(after)
		}
		if err != nil {
			return named(w.Name, part, err)
		}
	}
	table, attribute := counter.Keeper()
	shares, err := marshal.Shares(was, is)
	if err != nil {
		return named(w.Name, part, err)
	}
	for _, s := range shares {
		n.deltas = append(n.deltas, delta{table, attribute, part, s})
	}
	if before != nil {
		w.expect(x, before, append(slices.Clone(counter.Sources()), counter.Mark()))
	}
	switch {
	case w.Kind == Put && is != nil:
		w.Item = maps.Clone(w.Item)
		w.Item[counter.Mark()] = marshal.MarkOf(is)
	case w.Kind == Update && is != nil:
		x.write([]clause{{"SET", x.name(counter.Mark()), x.value(marshal.MarkOf(is))}})
	case w.Kind == Update && mark != nil:
		x.write([]clause{{"REMOVE", x.name(counter.Mark()), ""}})
	}
	return nil
}

// read reads the item of a write.
func (n *counting) read(w *Action) (access.Item, error) {
	key := w.Key
	if w.Kind == Put {
		key = access.Item{}
		for _, name := range w.KeyNames {
			key[name] = w.Item[name]
		}
	}
	table, consistent := n.c.Table(w.Table), true
	out, err := send(n.ctx, n.c, n.k, access.API.GetItem, &dynamodb.GetItemInput{
		TableName: &table, Key: key, ConsistentRead: &consistent, ReturnConsumedCapacity: capacity(n.c),
	})
	if err != nil {
		return nil, named(w.Name, "", err)
	}
	n.k.add(out.ConsumedCapacity, 0)
	if len(out.Item) == 0 {
		return nil, nil
	}
	return out.Item, nil
}

// expect adds the conditions that attributes of the item are as they were read.
func (w *Action) expect(x *union, item access.Item, attributes []string) {
	x.own()
	for _, name := range attributes {
		if _, isKey := w.Key[name]; isKey || slices.Contains(w.KeyNames, name) {
			continue
		}
		condition := "attribute_not_exists(" + x.name(name) + ")"
		if item[name] != nil {
			condition = x.name(name) + " = " + x.value(item[name])
		}
		if w.Condition != "" {
			condition = w.Condition + " AND " + condition
		}
		w.Condition = condition
	}
}

// after returns the item as a put or an update leaves it.
func (w *Action) after(before access.Item) (access.Item, error) {
	if w.Kind == Put {
		return w.Item, nil
	}
	return evaluate(w, before)
}

// add adds the deltas to the writes of the items that keep the counters, or as writes of their own.
func (n *counting) add() {
	for _, d := range summed(n.deltas) {
		at := slices.IndexFunc(n.writes, func(w Action) bool { return w.Table == d.table && w.client == nil && keeps(&w, d.share.Of) })
		if at < 0 {
			n.writes = append(n.writes, n.own(d))
			continue
		}
		switch w := &n.writes[at]; w.Kind {
		case Put:
			sum, err := added(w.Item[d.attribute], marshal.Num(d.share.By))
			if w.Err = err; err == nil {
				w.Item[d.attribute] = sum
			}
		case Update, Check:
			if w.Kind == Check {
				w.Kind = Update
			}
			x := union{w: w}
			x.write([]clause{{"ADD", x.name(d.attribute), x.value(marshal.Num(d.share.By))}})
		}
	}
}

// own returns the write of a counter whose item the transaction does not write. Where a mark is left of an item that is gone, there is
// nothing to count down.
func (n *counting) own(d delta) Action {
	x := rowConditions{names: map[string]string{}, values: access.Item{}}
	first := slices.Min(slices.Collect(maps.Keys(d.share.Of)))
	w := Action{
		Kind: Update, Name: "counter " + d.part, Table: d.table, Key: d.share.Of, KeyNames: slices.Sorted(maps.Keys(d.share.Of)), Expects: Present,
		Condition: "attribute_exists(" + x.name(first) + ")", Required: true,
	}
	w.Update = "ADD " + x.name(d.attribute) + " :by"
	w.Names, w.Values = x.names, access.Item{":by": marshal.Num(d.share.By)}
	if strings.HasPrefix(d.share.By, "-") {
		gone := w
		gone.Kind, gone.Update, gone.Condition, gone.Expects, gone.Values = Check, "", "attribute_not_exists(#k0)", Absent, nil
		gone.Names = map[string]string{"#k0": first}
		w.otherwise = &gone
	}
	return w
}

// keeps reports whether a write is of the item with a primary key.
func keeps(w *Action, key access.Item) bool {
	have := w.Key
	if w.Kind == Put {
		have = w.Item
	}
	for name, v := range key {
		if !reflect.DeepEqual(have[name], v) {
			return false
		}
	}
	return true
}

// summed adds up the deltas of each counter, without those that are 0.
func summed(all []delta) []delta {
	var sums []delta
	for _, d := range all {
		at := slices.IndexFunc(sums, func(s delta) bool { return s.part == d.part && reflect.DeepEqual(s.share.Of, d.share.Of) })
		if at < 0 {
			sums = append(sums, d)
			continue
		}
		x, _ := access.ParseDecimal(sums[at].share.By)
		y, _ := access.ParseDecimal(d.share.By)
		if total, err := x.Add(y); err == nil {
			sums[at].share.By = total.String()
		}
	}
	return slices.DeleteFunc(sums, func(d delta) bool {
		x, err := access.ParseDecimal(d.share.By)
		return err == nil && x.Cmp("0") == 0
	})
}

func wereRead(writes []Action) bool {
	return slices.ContainsFunc(writes, func(w Action) bool { return w.asRead != nil })
}

// readChanged reports whether a transaction failed because an item that was read to make it changed since.
func readChanged(ctx context.Context, c *access.Client, k *recorder, writes []Action, failure error) bool {
	if failure == nil || !isConditionFailure(failure) {
		return false
	}
	n := &counting{ctx: ctx, c: c, k: k}
	return slices.ContainsFunc(writes, func(w Action) bool {
		if w.asRead == nil {
			return false
		}
		now, err := n.read(&w)
		return err == nil && !reflect.DeepEqual(now, *w.asRead)
	})
}
