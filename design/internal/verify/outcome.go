package verify

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
)

// compareOutcome compares whether the call was done, and if not, why.
func (d *verdict) compareOutcome(r *result, err error) {
	if err != nil && !access.Refused(err) {
		r.differ("error", err.Error())
	}
	if d.refused() {
		r.Refused = 1
	} else if err == nil {
		r.Found = 1
	}
	switch {
	case err == nil && d.refused():
		r.differ("outcome", "it was done, and should be refused: "+d.reasons())
	case err != nil && !d.refused() && access.Refused(err):
		r.differ("outcome", "it was refused, and nothing stands in its way: "+err.Error())
	case err != nil && d.refused() && len(d.faults) == 1:
		for _, f := range d.faults {
			if !says(err, f) {
				r.differ("outcome", fmt.Sprintf("it was refused because %s, and says %v", f, err))
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

// wanted is the row that must be in the place of a change after the call, nil if none.
func (d *verdict) wanted(ch *change) *row {
	if d.refused() || ch.checked {
		return ch.old
	}
	return ch.new
}

// compareRow compares the item that is in the place of a change after the call with the one
// that must be, and reports whether they are the same.
func (d *verdict) compareRow(r *result, ch *change, got access.Item) bool {
	want, key := d.wanted(ch), address(ch.table, ch.key)
	switch {
	case want == nil && got == nil:
		return true
	case want == nil:
		r.differ("surplus", key+" is there: "+describeItem(got))
	case got == nil:
		r.differ("missing", key+" is not there")
	case describeItem(want.item) != describeItem(got):
		r.differ("content", key+": "+difference(want.item, got))
	default:
		return true
	}
	return false
}

// compareShards compares the sum of a counter that is spread before and after the call, and
// returns the latter.
func (d *verdict) compareShards(r *result, s *spreadChange, before, after map[string]access.Item) exact.Number {
	was, is, name := exact.Zero, exact.Zero, s.counter.Attribute.Stored
	for n := range s.counter.Shards {
		at := address(s.table, s.shardKey(n))
		was, is = was.Add(shardNumber(before[at], name)), is.Add(shardNumber(after[at], name))
	}
	want := was.Add(s.by)
	if d.refused() {
		want = was
	}
	if !is.Equal(want) {
		r.differ("content", fmt.Sprintf("the shards of %s.%s add up to %s, not %s", s.entity.Name, name, is, want))
	}
	return is
}

func shardNumber(item access.Item, name string) exact.Number {
	return numberOf(sample.Value{Text: keyOrder(item[name]).Text})
}

// compareSum compares what reading a counter that is spread returns, and the units that
// takes, with what its rows hold.
func (c *spreadChange) compareSum(r *result, got, want exact.Number, units float64) {
	name, shards := c.entity.Name+"."+c.counter.Attribute.Name, c.counter.Shards
	switch {
	case !got.Equal(want):
		r.differ("content", fmt.Sprintf("%s is read as %s, and its shards hold %s", name, got, want))
	case units != float64(shards):
		r.differ("units", fmt.Sprintf("DynamoDB counted %v units for adding up %s, the cost model %d", units, name, shards))
	}
}

// charges are the units the cost model counts for what the call changes.
func (d *verdict) charges(c *program.Call) []charge {
	var all []charge
	for _, ch := range d.changes {
		after := ch.new
		if ch.checked {
			after = ch.old
		}
		all = append(all, changeUnits(c, ch.table, itemOf(ch.old), itemOf(after))...)
	}
	return all
}

// charges are the units the cost model counts for the shards that changed.
func (c *spreadChange) charges(call *program.Call, before, after map[string]access.Item) []charge {
	var all []charge
	for n := range c.counter.Shards {
		at := address(c.table, c.shardKey(n))
		if describeItem(before[at]) != describeItem(after[at]) {
			all = append(all, changeUnits(call, c.table, before[at], after[at])...)
		}
	}
	return all
}

func itemOf(r *row) access.Item {
	if r == nil {
		return nil
	}
	return r.item
}
