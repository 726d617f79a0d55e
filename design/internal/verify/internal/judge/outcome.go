package judge

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// CompareOutcome compares whether the call succeeded, and if not, the reason.
func (d *Verdict) CompareOutcome(r *Result, err error) {
	if err != nil && !access.Refused(err) {
		r.Differ("error", err.Error())
	}
	if d.Refused() {
		r.Refused = 1
	} else if err == nil {
		r.Found = 1
	}
	switch {
	case err == nil && d.Refused():
		r.Differ("outcome", "it succeeded, but must be refused: "+d.reasons())
	case err != nil && !d.Refused() && access.Refused(err):
		r.Differ("outcome", "it was refused, but must succeed: "+err.Error())
	case err != nil && d.Refused() && len(d.Faults) == 1:
		for _, f := range d.Faults {
			if !says(err, f) {
				r.Differ("outcome", fmt.Sprintf("it must be refused because %s, but the error is %v", f, err))
			}
		}
	}
}

// Unsent reports whether a call must end with an error before anything is sent: it makes a
// transition that a lifecycle lacks, or gives nothing to change.
func (d *Verdict) Unsent(err error) bool {
	if errors.Is(err, access.ErrNothingGiven) {
		return slices.Contains(slices.Collect(maps.Values(d.Faults)), unchanged)
	}
	_, ok := errors.AsType[*access.LifecycleError](err)
	return ok && d.Refused()
}

// reasons returns all faults as one text.
func (d *Verdict) reasons() string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(d.Faults)) {
		all = append(all, key+": "+string(d.Faults[key]))
	}
	return strings.Join(all, ", ")
}

// says reports whether an error reports a fault. That of a transaction may report more: a value
// that leads to the wrong item also leads to the wrong counter.
func says(err error, f fault) bool {
	if tx, ok := errors.AsType[*access.TxError](err); ok {
		return slices.ContainsFunc(tx.Reasons, func(r access.Reason) bool { return tells(r.Err, f) })
	}
	return tells(err, f)
}

// tells reports whether an error is the one for a fault.
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
	case unchanged:
		return errors.Is(err, access.ErrNothingGiven)
	}
	return hasCondition && !hasVersion && !errors.Is(err, access.ErrNotFound) && !errors.Is(err, access.ErrExists)
}

// Wanted returns the row that must exist at the address of a change after the call, or nil.
func (d *Verdict) Wanted(ch *Change) *state.Row {
	if d.Refused() || ch.checked {
		return ch.Old
	}
	return ch.New
}

// CompareRow compares the item at the address of a change after the call with the one that must
// exist, and reports whether they are the same.
func (d *Verdict) CompareRow(r *Result, ch *Change, got access.Item) bool {
	want, key := d.Wanted(ch), state.Address(ch.Table, ch.Key)
	switch {
	case want == nil && got == nil:
		return true
	case want == nil:
		r.Differ("surplus", key+" is there: "+state.DescribeItem(got))
	case got == nil:
		r.Differ("missing", key+" is not there")
	case !state.SameItem(want.Item, got):
		r.Differ("content", key+": "+state.Difference(want.Item, got))
	default:
		return true
	}
	return false
}

// CompareShards compares the sums of a sharded counter before and after the call, and returns
// the latter.
func (d *Verdict) CompareShards(r *Result, s *ShardedChange, before, after map[string]access.Item) exact.Number {
	was, is, name := exact.Zero, exact.Zero, s.Counter.Attribute.Stored
	for n := range s.Counter.Shards {
		at := state.Address(s.Table, s.ShardKey(n))
		was, is = was.Add(shardNumber(before[at], name)), is.Add(shardNumber(after[at], name))
	}
	want := was.Add(s.By)
	if d.Refused() {
		want = was
	}
	if !is.Equal(want) {
		r.Differ("content", fmt.Sprintf("the shards of %s.%s add up to %s, not %s", s.Entity.Name, name, is, want))
	}
	return is
}

// shardNumber returns the number that a shard holds.
func shardNumber(item access.Item, name string) exact.Number {
	return state.NumberOf(sample.Value{Text: state.KeyOrder(item[name]).Text})
}

// CompareSum compares the value that reading a sharded counter returned, and the units it took,
// with the sum of its shards.
func (c *ShardedChange) CompareSum(r *Result, got, want exact.Number, units float64) {
	name, shards := c.Entity.Name+"."+c.Counter.Attribute.Name, c.Counter.Shards
	switch {
	case !got.Equal(want):
		r.Differ("content", fmt.Sprintf("%s is read as %s, and its shards hold %s", name, got, want))
	case units != float64(shards):
		r.Differ("units", fmt.Sprintf("DynamoDB counted %v units for adding up %s, the cost model %d", units, name, shards))
	}
}

// Charges returns the units that the cost model counts for the changes of the call.
func (d *Verdict) Charges(c *program.Call) []Charge {
	var all []Charge
	for _, ch := range d.Changes {
		after := ch.New
		if ch.checked {
			after = ch.Old
		}
		all = append(all, changeUnits(c, ch.Table, itemOf(ch.Old), itemOf(after))...)
	}
	return all
}

// Charges returns the units that the cost model counts for the shards that changed.
func (c *ShardedChange) Charges(call *program.Call, before, after map[string]access.Item) []Charge {
	var all []Charge
	for n := range c.Counter.Shards {
		at := state.Address(c.Table, c.ShardKey(n))
		if !state.SameItem(before[at], after[at]) {
			all = append(all, changeUnits(call, c.Table, before[at], after[at])...)
		}
	}
	return all
}

// itemOf returns the item of a row; nil: no row.
func itemOf(r *state.Row) access.Item {
	if r == nil {
		return nil
	}
	return r.Item
}
