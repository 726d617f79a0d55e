package migrate

import (
	"context"
	"fmt"
	"math/rand/v2"

	"sortkey.dev/access"
)

// Verify compares the parts of items with what they must be, and changes no item: of about sample items of each part that is
// within its items, or of all items of all parts if sample is 0. A full verification in phase write without a difference counts for the step to phase read if the run
// has ended its own one: it is as old as this one then.
//
// In phases before write no item has its part, so the error is a HeldError for step write.
func Verify(ctx context.Context, epochs *Epochs, m *Migration, o Options, sample int) ([]PartReport, error) {
	e, err := newExecution(epochs, m, o)
	if err != nil {
		return nil, err
	}
	s, err := epochs.Read(ctx)
	if err != nil {
		return nil, err
	}
	if s.Migration != m.ID || s.Phase != access.PhaseWrite && s.Phase != access.PhaseRead {
		return nil, &HeldError{Step: "write", Why: "items have their parts from phase write to phase read, and it is phase " + s.Phase.String()}
	}
	if err := e.inEpoch(ctx); err != nil {
		return nil, err
	}
	e.note(s)
	e.checks = nil // it pauses nothing
	began, err := e.ledger.progress(ctx)
	if err != nil {
		return nil, err
	}
	var all []PartReport
	clean := true
	for _, p := range e.parts {
		if !p.within() && (sample > 0 || !p.elsewhere()) { // sums are of all items
			continue
		}
		one := PartReport{Part: p.Name}
		if sample > 0 {
			one.Result, err = e.sample(ctx, p, sample)
		} else {
			at := e.place(progress{Epoch: s.Epoch, Attempt: e.now().UnixNano()}) // rows of its own
			one.Segments, one.Done = e.options.segments(), e.options.segments()
			one.Result, err = e.step(ctx, stepVerify, p, at, one.Segments)
		}
		if err != nil {
			return all, fmt.Errorf("verify %s: %w", p.Name, err)
		}
		clean = clean && one.Differing == 0 && one.Conflicting <= m.Conflicts
		all = append(all, one)
	}
	if err := e.ledger.flush(ctx, e.spent); err != nil || sample > 0 || !clean {
		return all, err
	}
	now, err := e.ledger.progress(ctx)
	if err != nil || now != began || now.Step != stepVerified || now.Epoch != s.Epoch {
		return all, err
	}
	now.At = e.now()
	return all, e.ledger.setProgress(ctx, now)
}

// sampleSegments is in how many segments a table is divided for a sample; a page of each, in random order.
const sampleSegments = 256

// sample checks some items of a part.
func (e *execution) sample(ctx context.Context, p *part, most int) (Result, error) {
	work := &pass{run: e.run, part: p, step: stepVerify, of: p.of, each: itemPass{e.run, p}.check}
	e.count(func(s *Status) { s.Step, s.Part, s.Items = stepVerify, p.Name, int64(most) })
	var total counts
	for _, segment := range rand.Perm(sampleSegments) {
		out, err := e.scan(ctx, e.table(p.Table), int32(segment), sampleSegments, nil)
		if err != nil {
			return total.result(), err
		}
		n, err := work.onPage(ctx, out.Items)
		if err != nil {
			return total.result(), err
		}
		total.add(n)
		e.count(func(s *Status) { s.Seen = total.seen })
		e.report()
		if total.seen >= int64(most) {
			break
		}
	}
	return total.result(), nil
}
