package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// read calls a read many times and compares each answer.
func (v *verifier) read(ctx context.Context, c *program.Call, r *PatternReport, runs int) error {
	p := readPattern(c, r.Design)
	for n := range runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		v.readOnce(ctx, c, p, r, v.readArguments(c, n), n)
	}
	if !r.HasTypical {
		v.typical(ctx, c, p, r)
	}
	return nil
}

// readOnce compares one answer. What an eventually consistent read does not show yet is
// looked at again.
func (v *verifier) readOnce(ctx context.Context, c *program.Call, p *access.Pattern, r *PatternReport, a *arguments, n int) {
	deadline := time.Now().Add(v.o.Lag)
	for pause := 50 * time.Millisecond; ; pause *= 2 {
		once := &PatternReport{}
		v.compareRead(ctx, c, p, once, a, n)
		if len(once.Differences) == 0 || !c.Read.Eventual || time.Now().Add(pause).After(deadline) || ctx.Err() != nil {
			r.join(once)
			return
		}
		time.Sleep(pause)
	}
}

// join adds what one call found.
func (r *PatternReport) join(once *PatternReport) {
	r.Calls += once.Calls
	r.Found += once.Found
	r.Refused += once.Refused
	r.Items += once.Items
	r.Expected += once.Expected
	r.Measured += once.Measured
	for _, d := range once.Differences {
		r.differ(d.Kind, d.Arguments, d.Detail)
	}
	if done := r.Calls - r.Refused; done > 0 {
		r.PerCall = r.Measured / float64(done)
	}
}

// compareRead makes one call and compares content, order, pages and units.
func (v *verifier) compareRead(ctx context.Context, c *program.Call, p *access.Pattern, r *PatternReport, a *arguments, n int) {
	r.Calls++
	said := describeArguments(c, a)
	request, err := readCall(c, p, a)
	if err != nil {
		r.differ("error", said, err.Error())
		return
	}
	if request.none {
		return
	}
	want := v.matching(c, a)
	got, err := v.answer(ctx, c, request, a)
	if err != nil {
		r.differ("error", said, err.Error())
		return
	}
	r.Measured = v.meter.units()
	r.Expected = v.readUnits(c, request, a)
	if r.Expected != r.Measured && !stopsSomewhere(c, request) {
		r.differ("units", said, fmt.Sprintf("DynamoDB counted %v units, the cost model %v", r.Measured, r.Expected))
	}
	r.Items = len(got)
	if len(got) > 0 {
		r.Found = 1
	}
	v.compareAnswer(c, r, said, want, got)
	if request.query != nil && c.Pattern.Verb == model.List && n%3 == 0 {
		v.comparePages(ctx, c, r, said, *request.query, got, n)
	}
	v.heat.read(c, request, r.Measured)
}

// stopsSomewhere reports whether a read ends as soon as one of several queries finds an
// item that passes: how far the others went by then is not for the design to say.
func stopsSomewhere(c *program.Call, request readRequest) bool {
	return c.Pattern.Verb == model.Get && len(c.Read.Checks) > 0 && request.query != nil && len(request.query.Requests) > 1
}

// answer is what the call returns.
func (v *verifier) answer(ctx context.Context, c *program.Call, request readRequest, a *arguments) ([]access.Item, error) {
	keep := func(item access.Item) (access.Item, error) {
		if !v.passes(c, a, item) || v.isShard(c, item) {
			return nil, access.Skip
		}
		return item, nil
	}
	switch {
	case request.get != nil:
		item, err := access.GetOne(ctx, v.client, request.get, func(item access.Item) (access.Item, error) {
			maps.Copy(item, request.get.Key) // what is selected may lack it, and the caller knows it
			return keep(item)
		})
		return alone(item, err)
	case c.Pattern.Verb == model.Get:
		item, err := access.QueryOne(ctx, v.client, request.query, keep)
		return alone(item, err)
	case c.Pattern.Verb == model.Collect:
		var all []access.Item
		err := access.CollectAll(ctx, v.client, request.query, func(item access.Item) error {
			if r := v.state.at(c.Read.Entry.Path.Table, item); r != nil && r.entity == nil {
				return nil // a shard of a counter, which generated code leaves out
			}
			all = append(all, item)
			return nil
		})
		if errors.Is(err, access.ErrTruncated) {
			err = nil // there is more than the limit, and the call says so
		}
		return all, err
	}
	return access.NewList(v.client, *request.query, keep).Slice(ctx)
}

// isShard reports whether an item that a read of the table meets is a row of a counter that
// is spread, which generated code leaves out.
func (v *verifier) isShard(c *program.Call, item access.Item) bool {
	if !amongShards(c) {
		return false
	}
	r := v.state.at(c.Read.Entry.Path.Table, item)
	return r != nil && r.entity == nil
}

// amongShards reports whether rows of a counter that is spread may lie among what a read
// finds.
func amongShards(c *program.Call) bool {
	spread := func(counter *model.Counter) bool { return counter.Shards > 1 }
	return c.Read.Entry.Path.IsTable() && slices.ContainsFunc(c.Read.Entities[0].Counters, spread)
}

func alone(item access.Item, err error) ([]access.Item, error) {
	switch {
	case errors.Is(err, access.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []access.Item{item}, nil
}

// passes reports whether an item fulfils the equalities the key does not need.
func (v *verifier) passes(c *program.Call, a *arguments, item access.Item) bool {
	if len(c.Read.Checks) == 0 {
		return true
	}
	r := v.state.at(c.Read.Entry.Path.Table, item)
	return r != nil && r.values.Holds(v.bound(c, a, r.entity, c.Read.Checks))
}

// bound are conditions with the arguments in place of parameters, on an entity's own
// attributes.
func (v *verifier) bound(c *program.Call, a *arguments, e *model.Entity, conditions []*model.Condition) []*model.Condition {
	var all []*model.Condition
	for _, condition := range conditions {
		own := *condition
		if own.Attribute = e.Attribute(condition.Attribute.Name); own.Attribute == nil {
			own.Attribute = condition.Attribute
		}
		own.Values = nil
		for i, operand := range condition.Values {
			if operand.Param == "" {
				own.Values = append(own.Values, operand)
				continue
			}
			input := c.Ref(nil, operand.Param, condition.Attribute).Input
			if input.Kind == program.List {
				own.Op = model.In
				for _, value := range a.lists[input] {
					own.Values = append(own.Values, model.Operand{Constant: value.String()})
				}
				continue
			}
			value := inForm(a.values[input], condition.Attribute)
			switch {
			case resolve.RoundsUp(condition, i):
				value = roundedUp(a.values[input], condition.Attribute)
			case isEmptySet(value) && condition.Op == model.Eq: // who has one lacks the attribute
				own.Op = model.Missing
			case isEmptySet(value) && condition.Op == model.Ne:
				own.Op = model.Exists
			}
			own.Values = append(own.Values, model.Operand{Constant: value.String()})
		}
		all = append(all, &own)
	}
	return all
}

// matching are the rows a read should find, by looking at every row.
func (v *verifier) matching(c *program.Call, a *arguments) []*row {
	var all []*row
	for _, e := range c.Read.Entities {
		conditions := v.bound(c, a, e, slices.Concat(c.Pattern.Where, c.Pattern.Filter))
		for _, r := range v.state.of(e) {
			if matches(c, r, conditions) {
				all = append(all, r)
			}
		}
	}
	return all
}

// matches reports whether a row fulfils conditions. Where the key of the path spells a
// value in small or capital letters, spelling does not matter.
func matches(c *program.Call, r *row, conditions []*model.Condition) bool {
	for _, condition := range conditions {
		if condition.Op == model.Eq && spelledLoosely(c.Read.Read, condition.Attribute) {
			have, ok := r.values[condition.Attribute]
			if !ok || access.Lower(have.String()) != access.Lower(condition.Values[0].Constant) {
				return false
			}
			continue
		}
		if !r.values.Holds([]*model.Condition{condition}) {
			return false
		}
	}
	return true
}

func spelledLoosely(r *resolve.Read, a *model.Attribute) bool {
	for _, k := range slices.Concat(r.Partition, r.Sort) {
		for _, part := range k.Low {
			for _, f := range part.Filters {
				if part.Attribute != nil && part.Attribute.Name == a.Name && (f.Name == model.Lower || f.Name == model.Upper) {
					return true
				}
			}
		}
	}
	return false
}
