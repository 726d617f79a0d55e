package migrate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/lease"
	"sortkey.dev/access/marshal"
)

// Run carries a migration out, until it is done, back where it began, or waits for people. Any number of processes may run it
// at the same time: one decides, and all fill. What is done when ctx ends or the process dies is kept, and Run goes on
// from there.
//
// Errors: *HeldError before a step that waits, *PausedError, *ConflictsError for items that cannot get their part,
// ErrChanged if the state row was changed by something else.
func Run(ctx context.Context, epochs *Epochs, m *Migration, o Options) error {
	e, err := newExecution(epochs, m, o)
	if err != nil {
		return err
	}
	err = e.loop(ctx)
	if flushed := e.flushed(ctx); err == nil {
		err = flushed
	}
	e.stopped(err)
	return err
}

// flushed writes down what the last requests consumed.
func (e *execution) flushed(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	return e.ledger.flush(ctx, e.spent)
}

// stopped shows that the run is paused.
func (e *execution) stopped(err error) {
	paused, is := errors.AsType[*PausedError](err)
	violation, was := errors.AsType[*ViolationError](err)
	switch {
	case is:
		e.count(func(s *Status) { s.Paused = paused.Why })
	case was:
		e.count(func(s *Status) { s.Paused = violation.text() })
	default:
		return
	}
	e.report()
}

func newExecution(epochs *Epochs, m *Migration, o Options) (*execution, error) {
	if o.Owner == "" {
		host, _ := os.Hostname()
		o.Owner = fmt.Sprintf("%s-%08x", host, rand.Uint32())
	}
	e := &execution{epochs: epochs, run: newRun(epochs.API, epochs.TableName, m, o), owner: o.Owner}
	e.ledger = ledger{run: e.run, table: epochs.Control, pk: m.Design + "#" + m.ID}
	e.listed, e.orders, e.checks, e.alone = e.ledger.noteConflict, e.ledger.orders, e.check, epochs.Alone
	for i := range m.Parts {
		p, err := m.compile(&m.Parts[i], orNone(o.Convert))
		if err != nil {
			return nil, fmt.Errorf("migration %s: part %s: %w", m.ID, m.Parts[i].Name, err)
		}
		p.state = epochs.Design.State.Key()
		e.parts = append(e.parts, p)
	}
	return e, e.compileTail()
}

func orNone(convert map[string]Conversion) map[string]Conversion {
	if convert == nil {
		return map[string]Conversion{}
	}
	return convert
}

// loop decides while this process has the lease, and else works on segments.
func (e *execution) loop(ctx context.Context) error {
	row := &deciding{execution: e, watch: lease.NewWatch(e.now, leaseTime)}
	row.table = newSegments(e.run, e.epochs.Control, e.owner, "", "", 0).table
	for {
		mine, err := row.take(ctx)
		if err != nil {
			return err
		}
		if mine {
			err = row.while(ctx, e.decideOn)
			if errors.Is(err, errLostLease) {
				continue
			}
			return err
		}
		if err := e.help(ctx); err != nil {
			return err
		}
	}
}

// decideOn decides until the run is over or waits.
func (e *execution) decideOn(ctx context.Context) error {
	for {
		err := e.decideWatched(ctx)
		if errors.Is(err, errTailAnew) && ctx.Err() == nil {
			err = e.tailAnew(ctx)
			if err == nil {
				continue
			}
		}
		return err
	}
}

// decideWatched decides until the run is over or waits, or what follows the streams stops it.
func (e *execution) decideWatched(ctx context.Context) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	e.watch = &watch{execution: e, fail: fail}
	defer e.watch.stop()
	for {
		if err := e.inEpoch(ctx); err != nil {
			return errors.Join(e.watch.failed(), err)
		}
		err := e.decide(ctx)
		if why := e.watch.failed(); why != nil {
			return why
		}
		switch {
		case errors.Is(err, errDone):
			return nil
		case access.Overtaken(err): // the epoch was raised by somebody else: look again
			continue
		case err != nil:
			return err
		}
	}
}

// inEpoch binds the requests to tables of the design to the epoch as it is now.
func (e *execution) inEpoch(ctx context.Context) error {
	begun, err := e.newClient().Begin(ctx)
	if err != nil {
		return err
	}
	e.bound = begun.Admit
	return nil
}

// newClient returns a client that takes part in the phases.
func (e *execution) newClient() *access.Client {
	design := e.epochs.Design
	design.Versions = []int{e.migration.From, e.migration.To}
	return access.NewClient(e.api, design, access.WithTableNames(e.table))
}

// help works on the segments of a step that another process has begun, or waits.
func (e *execution) help(ctx context.Context) error {
	p, err := e.ledger.progress(ctx)
	if err != nil {
		return err
	}
	s, err := e.epochs.Read(ctx)
	if err != nil && !errors.Is(err, ErrNoState) {
		return err
	}
	if s.Epoch == p.Epoch && s.Settled == s.Epoch && isWork(p.Step) {
		if err := e.inEpoch(ctx); err != nil {
			return err
		}
		for _, part := range e.inOrder(p.Step) {
			_, err := e.step(ctx, p.Step, part, e.place(p), e.options.segments())
			if access.Overtaken(err) {
				break
			}
			if err != nil {
				return err
			}
		}
	}
	return e.sleep(ctx, time.Second)
}

func isWork(step string) bool {
	switch step {
	case stepFill, stepVerify, stepRepair, stepRemove, stepClean:
		return true
	}
	return false
}

// errLostLease says that another process decides now.
var errLostLease = errors.New("migrate: another runner decides")

// deciding is the lease of the process that decides.
type deciding struct {
	*execution
	table lease.Table
	watch *lease.Watch
	held  lease.Row
}

func (d *deciding) key() access.Item { return d.ledger.key(runRows, "lease") }

// take takes the lease if no living process has it.
func (d *deciding) take(ctx context.Context) (bool, error) {
	item, err := d.ledger.item(ctx, runRows, "lease")
	if err != nil {
		return false, err
	}
	row := lease.Row{}
	if item != nil {
		row = lease.Parse(item)
	}
	d.watch.See("lease", row, d.now())
	if !d.alone && d.watch.Live("lease", row) {
		return false, nil
	}
	item, err = d.table.Take(ctx, "take the lease of the run", d.key(), row)
	if errors.Is(err, lease.ErrLost) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	d.held = lease.Parse(item)
	return true, nil
}

// while calls f under the lease, with a heartbeat, and gives the lease back.
func (d *deciding) while(ctx context.Context, f func(context.Context) error) error {
	within, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	beaten := make(chan struct{})
	go func() {
		defer close(beaten)
		for within.Err() == nil {
			if d.sleep(within, leaseTime/3) != nil {
				return
			}
			if _, err := d.table.Put(within, "keep the lease of the run", d.key(), d.held, lease.Columns{}, false); errors.Is(err, lease.ErrLost) {
				lost(errLostLease)
			}
		}
	}()
	err := f(within)
	if cause := context.Cause(within); errors.Is(cause, errLostLease) {
		err = errLostLease
	}
	lost(nil)
	<-beaten
	if !errors.Is(err, errLostLease) {
		release, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		columns := lease.Columns{Set: access.Item{"ended": marshal.S(d.now().UTC().Format(time.RFC3339))}}
		if _, lost := d.table.Put(release, "give the lease of the run back", d.key(), d.held, columns, true); lost != nil && err == nil && !errors.Is(lost, lease.ErrLost) {
			err = lost
		}
	}
	return err
}
