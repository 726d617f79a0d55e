package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
)

// write calls a write many times. About a third of the calls have one thing wrong and
// must be refused; all others must be done, and change what the design says and no more.
func (v *verifier) write(ctx context.Context, c *program.Call, r *PatternReport, runs int) error {
	p := writePattern(c, r.Design)
	for n := range runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, d, err := v.arrange(c, n)
		if err != nil {
			r.differ("error", "", err.Error())
			return nil
		}
		if n%3 == 2 {
			if broken, verdict := s.spoil(); broken != nil {
				s, d = broken, verdict
			}
		}
		if err := s.stage(ctx); err != nil {
			return err
		}
		once := &PatternReport{}
		if err := v.writeOnce(ctx, p, s, d, once); err != nil {
			return err
		}
		r.join(once)
	}
	return nil
}

// writeOnce makes one call and compares what it did.
func (v *verifier) writeOnce(ctx context.Context, p *access.Pattern, s *scene, d *verdict, r *PatternReport) error {
	c, said := s.c, describeArguments(s.c, s.a)
	r.Calls = 1
	writes, err := writeCall(c, s.a)
	if _, ok := errors.AsType[*access.LifecycleError](err); ok && d.refused() { // before anything is sent
		r.Refused = 1
		return v.compareRows(ctx, r, said, s, d)
	}
	if err != nil {
		r.differ("error", said, err.Error())
		return nil
	}
	spread, err := v.shards(ctx, d)
	if err != nil {
		return err
	}
	err = v.send(ctx, c, p, writes)
	if err != nil && !access.Refused(err) {
		r.differ("error", said, err.Error())
	}
	v.compareOutcome(r, said, d, err)
	if d.refused() {
		r.Refused = 1
	} else if err == nil {
		r.Found = 1
		r.Measured = v.meter.units()
		v.heat.called(c)
	}
	if err := v.compareRows(ctx, r, said, s, d); err != nil {
		return err
	}
	units, err := v.compareShards(ctx, r, said, c, d, spread)
	if err != nil || d.refused() || r.Found == 0 {
		return err
	}
	for _, ch := range d.changes {
		after := ch.new
		if ch.checked {
			after = ch.old
		}
		units += v.changeUnits(c, ch.table, itemOf(ch.old), itemOf(after))
	}
	r.Expected = units
	if r.Expected != r.Measured {
		r.differ("units", said, fmt.Sprintf("DynamoDB counted %v units, the cost model %v", r.Measured, r.Expected))
	}
	return nil
}

func itemOf(r *row) access.Item {
	if r == nil {
		return nil
	}
	return r.item
}

// send makes the call as generated code does.
func (v *verifier) send(ctx context.Context, c *program.Call, p *access.Pattern, writes []access.Write) error {
	if c.Transaction() {
		return access.Transact(ctx, v.client, p, writes)
	}
	w := &writes[0]
	switch w.Action {
	case access.Put:
		return access.PutItem(ctx, v.client, p, w)
	case access.Delete:
		return access.DeleteItem(ctx, v.client, p, w)
	}
	_, err := access.UpdateItem(ctx, v.client, p, w, func(item access.Item) (access.Item, error) { return item, nil })
	return err
}

// compareOutcome compares whether the call was done, and if not, why.
func (v *verifier) compareOutcome(r *PatternReport, said string, d *verdict, err error) {
	switch {
	case err == nil && d.refused():
		r.differ("outcome", said, "it was done, and should be refused: "+d.reasons())
	case err != nil && !d.refused() && access.Refused(err):
		r.differ("outcome", said, "it was refused, and nothing stands in its way: "+err.Error())
	case err != nil && d.refused() && len(d.faults) == 1:
		for _, f := range d.faults {
			if !says(err, f) {
				r.differ("outcome", said, fmt.Sprintf("it was refused because %s, and says %v", f, err))
			}
		}
	}
}

// reasons are all faults as one text.
func (d *verdict) reasons() string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(d.faults)) {
		all = append(all, key+": "+string(d.faults[key]))
	}
	return join(all)
}

// says reports whether an error tells a fault. A transaction may tell more: a value that
// leads to the wrong item also leads to the wrong counter.
func says(err error, f fault) bool {
	if tx, ok := errors.AsType[*access.TxError](err); ok {
		return slices.ContainsFunc(tx.Reasons, func(r access.Reason) bool { return tells(r.Err, f) })
	}
	return tells(err, f)
}

// tells reports whether an error is of the kind of a fault.
func tells(err error, f fault) bool {
	version, hasVersion := errors.AsType[*access.VersionError](err)
	_, hasTaken := errors.AsType[*access.TakenError](err)
	_, hasCondition := errors.AsType[*access.ConditionError[access.Item]](err)
	switch f {
	case exists:
		return errors.Is(err, access.ErrExists)
	case notFound:
		return errors.Is(err, access.ErrNotFound)
	case outdated:
		return hasVersion && version.Seen != version.Have
	case taken:
		return hasTaken
	}
	return hasCondition && !hasVersion && !errors.Is(err, access.ErrNotFound) && !errors.Is(err, access.ErrExists)
}

// compareRows reads back what the call touches and compares it. What differs is put
// right, so that later calls begin with rows that are as they should be.
func (v *verifier) compareRows(ctx context.Context, r *PatternReport, said string, s *scene, d *verdict) error {
	for _, ch := range d.changes {
		want := ch.new
		if d.refused() || ch.checked {
			want = ch.old
		}
		got, err := v.fetch(ctx, ch.table, ch.key)
		if err != nil {
			return err
		}
		key := address(ch.table, ch.key)
		if want == nil {
			v.state.remove(&row{table: ch.table, item: ch.key})
		} else {
			v.state.put(want)
		}
		switch {
		case want == nil && got == nil:
			continue
		case want == nil:
			r.differ("surplus", said, key+" is there: "+describeItem(got))
			err = v.erase(ctx, &row{table: ch.table, item: got})
		case got == nil:
			r.differ("missing", said, key+" is not there")
			err = v.store(ctx, want)
		case describeItem(want.item) != describeItem(got):
			r.differ("content", said, key+": "+difference(want.item, got))
			err = v.store(ctx, want)
		}
		if err != nil {
			return fmt.Errorf("putting right: %w", err)
		}
	}
	return nil
}

// shards are the rows of the counters that are spread, before the call.
func (v *verifier) shards(ctx context.Context, d *verdict) (map[string]access.Item, error) {
	all := map[string]access.Item{}
	for _, c := range d.spread {
		for n := range c.counter.Shards {
			key := c.shardKey(n)
			item, err := v.fetch(ctx, c.table, key)
			if err != nil {
				return nil, err
			}
			all[address(c.table, key)] = item
		}
	}
	return all, nil
}

// compareShards compares the sums of the counters that are spread, remembers their rows,
// and counts what changing them takes.
func (v *verifier) compareShards(ctx context.Context, r *PatternReport, said string, c *program.Call, d *verdict, before map[string]access.Item) (float64, error) {
	units := 0.0
	after, err := v.shards(ctx, d)
	if err != nil {
		return 0, err
	}
	for _, s := range d.spread {
		was, is, name := exact.Zero, exact.Zero, s.counter.Attribute.Stored
		for n := range s.counter.Shards {
			at := address(s.table, s.shardKey(n))
			was, is = was.Add(shardNumber(before[at], name)), is.Add(shardNumber(after[at], name))
			if after[at] != nil {
				v.state.put(&row{table: s.table, item: after[at]})
			}
			if describeItem(before[at]) != describeItem(after[at]) {
				units += v.changeUnits(c, s.table, before[at], after[at])
			}
		}
		want := was.Add(s.by)
		if d.refused() {
			want = was
		}
		if !is.Equal(want) {
			r.differ("content", said, fmt.Sprintf("the shards of %s.%s add up to %s, not %s", s.entity.Name, name, is, want))
		}
		if err := v.compareSum(ctx, r, said, s, is); err != nil {
			return 0, err
		}
	}
	return units, nil
}

func shardNumber(item access.Item, name string) exact.Number {
	return numberOf(sample.Value{Text: keyOrder(item[name]).Text})
}
