package verify

import (
	"context"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/send"
	"sortkey.dev/design/internal/verify/internal/state"
)

// write calls a write many times. About a third of the calls must be refused, for one reason
// each; all others must succeed, and change what the design says and no more.
func (v *verifier) write(ctx context.Context, c *program.Call, r *PatternReport, runs int) error {
	p := bind.WritePattern(c, r.Design)
	for n := range runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, d, err := v.arranger.Scenario(c, n)
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
		if err := v.meter.unanswered(); err != nil {
			return err
		}
	}
	return nil
}

// writeOnce makes one call and compares its effects with the verdict.
func (v *verifier) writeOnce(ctx context.Context, p *access.Pattern, s *judge.Scenario, d *judge.Verdict) (*judge.Result, error) {
	c, r := s.Call, judge.NewResult(s.Call, s.Arguments)
	writes, err := bind.WriteCall(c, s.Arguments)
	if err != nil && d.Unsent(err) {
		r.Refused = 1
		return r, v.compareRows(ctx, r, d)
	}
	if err != nil {
		r.Differ("error", err.Error())
		return r, nil
	}
	before, err := v.shards(ctx, d)
	if err != nil {
		return nil, err
	}
	err = send.Write(ctx, v.client, c, p, writes, asIs)
	d.CompareOutcome(r, err)
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
		r.Expected = units + v.charge(c, d.Charges(c))
		r.CompareUnits()
	}
	return r, nil
}

// charge records the load of charges and returns the sum of their units.
func (v *verifier) charge(c *program.Call, charges []judge.Charge) float64 {
	units := 0.0
	for _, one := range charges {
		units += one.Units
		if one.Item != nil {
			v.heat.write(c, one.Path, one.Item, one.Units)
		}
	}
	return units
}

// compareRows reads the rows that a call touches and compares them. It repairs rows that differ,
// so that later calls begin with correct ones.
func (v *verifier) compareRows(ctx context.Context, r *judge.Result, d *judge.Verdict) error {
	for _, ch := range d.Changes {
		got, err := v.fetch(ctx, ch.Table, ch.Key)
		if err != nil {
			return err
		}
		want := d.Wanted(ch)
		if want == nil {
			v.tables.Remove(&state.Row{Table: ch.Table, Item: ch.Key})
		} else {
			v.tables.Put(want)
		}
		switch same := d.CompareRow(r, ch, got); {
		case same:
		case want == nil:
			err = v.erase(ctx, &state.Row{Table: ch.Table, Item: got})
		default:
			err = v.store(ctx, want)
		}
		if err != nil {
			return fmt.Errorf("putting right: %w", err)
		}
	}
	return nil
}

// shards returns the shards of the counters that a call changes, by address.
func (v *verifier) shards(ctx context.Context, d *judge.Verdict) (map[string]access.Item, error) {
	all := map[string]access.Item{}
	for _, c := range d.Sharded {
		for n := range c.Counter.Shards {
			key := c.ShardKey(n)
			item, err := v.fetch(ctx, c.Table, key)
			if err != nil {
				return nil, err
			}
			all[state.Address(c.Table, key)] = item
		}
	}
	return all, nil
}

// compareShards compares the sums of sharded counters, remembers their shards, and returns the
// units of their changes.
func (v *verifier) compareShards(ctx context.Context, r *judge.Result, c *program.Call, d *judge.Verdict, before map[string]access.Item) (float64, error) {
	after, err := v.shards(ctx, d)
	if err != nil {
		return 0, err
	}
	units := 0.0
	for _, s := range d.Sharded {
		for n := range s.Counter.Shards {
			if item := after[state.Address(s.Table, s.ShardKey(n))]; item != nil {
				v.tables.Put(&state.Row{Table: s.Table, Item: item})
			}
		}
		units += v.charge(c, s.Charges(c, before, after))
		sum := d.CompareShards(r, s, before, after)
		if err := v.compareSum(ctx, r, s, sum); err != nil {
			return 0, err
		}
	}
	return units, nil
}

// compareSum reads a sharded counter as generated code does, by the keys that follow from the
// key of its item, and compares it with the sum of its shards.
func (v *verifier) compareSum(ctx context.Context, r *judge.Result, s *judge.ShardedChange, want exact.Number) error {
	name := s.Entity.Name + "." + s.Counter.Attribute.Name
	for _, sum := range v.layout.Sums(s.Entity) {
		if sum.Counter != s.Counter {
			continue
		}
		keys, err := s.SumKeys(sum)
		if err != nil {
			return fmt.Errorf("the keys of the shards of %s: %w", name, err)
		}
		pattern := &access.Pattern{Name: "sum of " + name, Table: s.Table.Name}
		got, err := call.BatchSum(ctx, v.client, pattern, keys, s.Counter.Attribute.Stored, true, exact.Parse)
		if err != nil {
			return fmt.Errorf("adding up: %w", err)
		}
		s.CompareSum(r, got, want, v.meter.units())
	}
	return nil
}
