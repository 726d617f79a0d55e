package verify

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/program"
)

// write calls a write many times. About a third of the calls have one thing wrong and
// must be refused; all others must be done, and change what the design says and no more.
func (v *verifier) write(ctx context.Context, c *program.Call, r *PatternReport, runs int) error {
	p := writePattern(c, r.Design)
	for n := range runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, d, err := v.arranger.scenario(c, n)
		if err != nil {
			r.differ("error", "", err.Error())
			return nil
		}
		if err := v.stage(ctx, s); err != nil {
			return err
		}
		once, err := v.writeOnce(ctx, p, s, d)
		if err != nil {
			return err
		}
		r.join(once)
	}
	return nil
}

// writeOnce makes one call and compares what it did.
func (v *verifier) writeOnce(ctx context.Context, p *access.Pattern, s *scenario, d *verdict) (*result, error) {
	c, r := s.c, newResult(s.c, s.a)
	writes, err := writeCall(c, s.a)
	if _, ok := errors.AsType[*access.LifecycleError](err); ok && d.refused() { // before anything is sent
		r.Refused = 1
		return r, v.compareRows(ctx, r, d)
	}
	if err != nil {
		r.differ("error", err.Error())
		return r, nil
	}
	before, err := v.shards(ctx, d)
	if err != nil {
		return nil, err
	}
	err = send(ctx, v.client, c, p, writes)
	d.compareOutcome(r, err)
	if r.Found > 0 {
		r.Measured = v.meter.units()
		v.heat.called(c)
	}
	if err := v.compareRows(ctx, r, d); err != nil {
		return nil, err
	}
	units, err := v.compareShards(ctx, r, c, d, before)
	if err != nil {
		return nil, err
	}
	if r.Found > 0 {
		r.Expected = units + v.charge(c, d.charges(c))
		r.compareUnits()
	}
	return r, nil
}

// charge notes the load that charges put on partitions, and adds up their units.
func (v *verifier) charge(c *program.Call, charges []charge) float64 {
	units := 0.0
	for _, one := range charges {
		units += one.units
		if one.item != nil {
			v.heat.write(c, one.path, one.item, one.units)
		}
	}
	return units
}

// send makes the call as generated code does.
func send(ctx context.Context, client *access.Client, c *program.Call, p *access.Pattern, writes []access.Write) error {
	if c.Transaction() {
		return access.Transact(ctx, client, p, writes)
	}
	w := &writes[0]
	switch w.Action {
	case access.Put:
		return access.PutItem(ctx, client, p, w)
	case access.Delete:
		return access.DeleteItem(ctx, client, p, w)
	}
	_, err := access.UpdateItem(ctx, client, p, w, func(item access.Item) (access.Item, error) { return item, nil })
	return err
}

// compareRows reads back what the call touches and compares it. What differs is put
// right, so that later calls begin with rows that are as they should be.
func (v *verifier) compareRows(ctx context.Context, r *result, d *verdict) error {
	for _, ch := range d.changes {
		got, err := v.fetch(ctx, ch.table, ch.key)
		if err != nil {
			return err
		}
		want := d.wanted(ch)
		if want == nil {
			v.state.remove(&row{table: ch.table, item: ch.key})
		} else {
			v.state.put(want)
		}
		switch same := d.compareRow(r, ch, got); {
		case same:
		case want == nil:
			err = v.erase(ctx, &row{table: ch.table, item: got})
		default:
			err = v.store(ctx, want)
		}
		if err != nil {
			return fmt.Errorf("putting right: %w", err)
		}
	}
	return nil
}

// shards are the rows of the counters that are spread, by address.
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
func (v *verifier) compareShards(ctx context.Context, r *result, c *program.Call, d *verdict, before map[string]access.Item) (float64, error) {
	after, err := v.shards(ctx, d)
	if err != nil {
		return 0, err
	}
	units := 0.0
	for _, s := range d.spread {
		for n := range s.counter.Shards {
			if item := after[address(s.table, s.shardKey(n))]; item != nil {
				v.state.put(&row{table: s.table, item: item})
			}
		}
		units += v.charge(c, s.charges(c, before, after))
		sum := d.compareShards(r, s, before, after)
		if err := v.compareSum(ctx, r, s, sum); err != nil {
			return 0, err
		}
	}
	return units, nil
}

// compareSum adds up a counter that is spread as generated code does, by the keys that the
// item's own key gives, and compares it with what its rows hold.
func (v *verifier) compareSum(ctx context.Context, r *result, s *spreadChange, want exact.Number) error {
	name := s.entity.Name + "." + s.counter.Attribute.Name
	for _, sum := range v.layout.Sums(s.entity) {
		if sum.Counter != s.counter {
			continue
		}
		keys, err := s.sumKeys(sum)
		if err != nil {
			return fmt.Errorf("the keys of the shards of %s: %w", name, err)
		}
		pattern := &access.Pattern{Name: "sum of " + name, Table: s.table.Name}
		got, err := access.BatchSum(ctx, v.client, pattern, keys, s.counter.Attribute.Stored, true, exact.Parse)
		if err != nil {
			return fmt.Errorf("adding up: %w", err)
		}
		s.compareSum(r, got, want, v.meter.units())
	}
	return nil
}
