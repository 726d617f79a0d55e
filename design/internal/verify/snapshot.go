package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/send"
	"sortkey.dev/design/internal/verify/internal/state"
)

// readSnapshots calls a snapshot many times and compares each answer. The first call that finds
// all parts is compared with the estimate.
func (v *verifier) readSnapshots(ctx context.Context, c *program.Call, r *PatternReport, runs int) error {
	for n := range runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		once := v.compareSnapshot(ctx, c, r.Design, v.arranger.ReadArguments(c, n))
		r.join(once)
		if r.HasTypical || once.Items < len(c.Parts) || len(once.Differences) > 0 {
			continue
		}
		most := math.Inf(1)
		if v.partsFit(c) {
			most = max(2*float64(len(c.Parts)), readTolerance*r.Design)
		}
		r.compareEstimate(once, most)
	}
	return nil
}

// partsFit reports whether the items of all parts have the sizes that the estimate assumes.
func (v *verifier) partsFit(c *program.Call) bool {
	for _, part := range c.Parts {
		if !v.sizesFit(part.Read.Entry) {
			return false
		}
	}
	return true
}

// compareSnapshot makes one call and compares the item of each part, and the units.
func (v *verifier) compareSnapshot(ctx context.Context, c *program.Call, units float64, a *bind.Arguments) *judge.Result {
	r := judge.NewResult(c, a)
	found := make([]access.Item, len(c.Parts))
	s, requests, err := send.Snapshot(c, units, a, func(i int, item access.Item) error {
		found[i] = item
		return nil
	})
	if err != nil {
		r.Differ("error", err.Error())
		return r
	}
	err = call.ReadSnapshot(ctx, v.client, s)
	if item := namedTwice(s); item != "" {
		r.Refused = 1
		if !errors.Is(err, access.ErrTwice) {
			r.Differ("outcome", fmt.Sprintf("%s is named twice, and the call returned %v", item, err))
		}
		return r
	}
	if err != nil {
		r.Differ("error", err.Error())
		return r
	}
	r.Measured = v.meter.units()
	v.heat.calls[c]++
	for i, part := range c.Parts {
		v.comparePart(r, &judge.Read{Tables: v.tables, Call: part, Arguments: a}, requests[i], found[i])
		v.heat.load(c, part.Read.Entry.Path, requests[i], r.Measured/float64(len(c.Parts)))
	}
	r.CompareUnits()
	return r
}

// comparePart compares the item of a part with the row that it must find, and adds the units of
// the cost model: twice those of a consistent read.
func (v *verifier) comparePart(r *judge.Result, j *judge.Read, request bind.ReadRequest, item access.Item) {
	var got []access.Item
	if item != nil {
		maps.Copy(item, request.Get.Key) // the projection may lack it, and the caller knows it
		if item, err := kept(j)(item); !errors.Is(err, marshal.Skip) {
			got = append(got, item)
		}
	}
	r.Expected += 2 * j.Units(request)
	j.JudgePart(r, got)
}

// namedTwice returns an item that two parts of a snapshot name, or "".
func namedTwice(s *call.Snapshot) string {
	seen := map[string]bool{}
	for _, part := range s.Parts {
		item := part.Table + " " + state.DescribeItem(part.Key)
		if seen[item] {
			return item
		}
		seen[item] = true
	}
	return ""
}

// sendSnapshot makes the call of a snapshot.
func (t *Trial) sendSnapshot(ctx context.Context, client *access.Client) error {
	s, _, err := send.Snapshot(t.Call, 0, t.a, func(int, access.Item) error { return nil })
	if err != nil {
		return err
	}
	return call.ReadSnapshot(ctx, client, s)
}
