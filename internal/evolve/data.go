package evolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync/atomic"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
	"sortkey.dev/access/stream"
	"sortkey.dev/design"
)

// data is the data of one design. It implements apps.Data.
type data struct {
	k       *Keeper
	client  *access.Client
	tables  []provision.Table // of the version of the program
	history *design.History   // nil: the design has none
	last    int               // the version of the program
	epochs  *migrate.Epochs
	held    atomic.Pointer[migrate.HeldError] // before which step the run waited when it was tried last

	upToDate atomic.Bool // no migration is left for this program
}

// keep brings the data to a version with which the client may send requests.
func (d *data) keep(ctx context.Context) error {
	for {
		s, err := d.state(ctx)
		if err != nil {
			return err
		}
		switch {
		case s.Version > d.last:
			return &NewerError{Design: d.name(), Version: s.Version, Program: d.last}
		case s.Version == d.last && s.Migration != "":
			return &NewerError{Design: d.name(), Version: s.Version + 1, Under: true, Program: d.last}
		case s.Version == d.last:
			return d.apply(ctx, d.tables, false)
		case !d.k.o.Alone && serves(d.client.Design().Versions, s.Version) && s.Version == d.last-1:
			return nil // the client goes through the phases: see Continue
		}
		if err := d.evolve(ctx, s); err != nil {
			return err
		}
	}
}

func (d *data) name() string { return d.client.Design().Name }

// state reads the state row. Data without one is new, or from before the history.
func (d *data) state(ctx context.Context) (access.State, error) {
	s, err := d.epochs.Read(ctx)
	if !errors.Is(err, migrate.ErrNoState) && !noTable(err) {
		return s, err
	}
	if s, err := d.epochs.Restore(ctx); !errors.Is(err, migrate.ErrNoState) && !noTable(err) && !errors.Is(err, migrate.ErrChanged) {
		return s, err
	}
	version, err := d.adopt(ctx)
	if err != nil {
		return s, err
	}
	s, err = d.epochs.Create(ctx, version, access.LeaseInPeace)
	if errors.Is(err, migrate.ErrChanged) { // another process was faster
		return d.epochs.Read(ctx)
	}
	return s, err
}

// adopt makes the tables as they are defined in the last version that their items fit, and returns the version: the last one if they
// are new or empty.
func (d *data) adopt(ctx context.Context) (int, error) {
	var refused error
	for version := d.last; version >= 1; version-- {
		tables := d.tables
		if version < d.last {
			var err error
			if tables, err = d.history.Tables(version); err != nil {
				return 0, err
			}
		}
		err := d.apply(ctx, tables, false)
		if _, misfit := errors.AsType[*provision.RefusedError](err); !misfit {
			return version, err
		}
		refused = err
	}
	return 0, refused
}

// apply makes tables be as they are defined, and logs what it changes.
func (d *data) apply(ctx context.Context, tables []provision.Table, prune bool) error {
	changes, err := provision.Apply(ctx, d.k.o.API, tables, provision.Options{
		TableNames: d.client.Table, Prune: prune, AcceptShape: d.k.o.AcceptShape || prune,
	})
	for _, change := range changes {
		d.k.o.Log.Info("tables", slog.String("design", d.name()), slog.Any("change", change))
	}
	return err
}

// evolve carries the migration to the next version out.
func (d *data) evolve(ctx context.Context, s access.State) error {
	m, err := d.history.Migration(s.Version + 1)
	if err != nil {
		return fmt.Errorf("the history of %s: %w", d.name(), err)
	}
	if err := stream.EnsureTable(ctx, d.k.o.API, d.epochs.Control); err != nil {
		return err
	}
	epochs, o, err := d.prepare(ctx, m)
	if err != nil {
		return err
	}
	planned := *m.Migration
	planned.Holds = d.holds(m)
	if err := d.resume(ctx, epochs, &planned, s); err != nil {
		return err
	}
	err = d.run(ctx, epochs, &planned, o)
	d.k.o.Progress(Progress{Design: d.name(), Migration: m.ID, From: m.From, To: m.To, Done: true})
	held, isHeld := errors.AsType[*migrate.HeldError](err)
	paused, isPaused := errors.AsType[*migrate.PausedError](err)
	waits := &WaitsError{Design: d.name(), Migration: m.ID, Version: s.Version, Program: d.last}
	switch {
	case isHeld:
		d.held.Store(held)
		waits.Why = held.Why
		return waits
	case isPaused:
		waits.Why = paused.Why
		return waits
	}
	return err
}

// prepare returns how a migration is run.
func (d *data) prepare(ctx context.Context, m *design.Migration) (*migrate.Epochs, migrate.Options, error) {
	epochs, o := *d.epochs, m.Rates
	epochs.Design = m.Run
	if d.k.o.Alone { // nothing else needs the store
		o.WriteRate, o.ReadRate, o.Workers, o.Segments = 0, 0, aloneWorkers, aloneWorkers
	} else {
		settle, lease, err := d.k.o.Timing(ctx, d.client.Table(m.Run.State.Table), m.Run.State)
		if err != nil {
			return nil, o, err
		}
		epochs.Settle, o.Lease = settle, lease
	}
	o.Tables = func(ctx context.Context, step string) error {
		tables, prune := m.TablesAt(step)
		return d.apply(ctx, tables, prune)
	}
	o.Progress = func(s migrate.Status) {
		d.k.o.Progress(Progress{Design: d.name(), Migration: m.ID, From: m.From, To: m.To, Status: s})
	}
	return &epochs, o, nil
}

const aloneWorkers = 4

// holds returns before which steps an operator is asked: before anything begins, where another process may use the data
// or data is deleted, and in a store of several processes before that is deleted.
func (d *data) holds(m *design.Migration) map[string]bool {
	holds := maps.Clone(m.Holds)
	if holds == nil {
		holds = map[string]bool{}
	}
	asked, stated := holds["after"]
	deletes := m.Dangerous && (asked || !stated)
	holds["deploy"] = !d.k.o.Alone || deletes
	holds["read"] = false
	holds["after"] = !d.k.o.Alone && deletes
	return holds
}

// resume lets the run pass the step before which it waits, if the operator said so.
func (d *data) resume(ctx context.Context, epochs *migrate.Epochs, m *migrate.Migration, s access.State) error {
	switch {
	case s.Migration == "" && (d.k.o.Resume || d.k.o.Alone && !m.Holds["deploy"]): // also after a run that went back
		return migrate.Resume(ctx, epochs, m, "deploy")
	case d.k.o.Resume && s.Phase == access.PhaseRead:
		return migrate.Resume(ctx, epochs, m, "after")
	case d.k.o.Resume:
		return migrate.Resume(ctx, epochs, m)
	}
	return nil
}

// run carries a migration out. In a store of this process alone, one with conflicts is taken back.
func (d *data) run(ctx context.Context, epochs *migrate.Epochs, m *migrate.Migration, o migrate.Options) error {
	err := migrate.Run(ctx, epochs, m, o)
	if _, conflicts := errors.AsType[*migrate.ConflictsError](err); !conflicts || !d.k.o.Alone {
		return d.wentBack(ctx, epochs, m, err)
	}
	refused := &ConflictsError{Design: m.Design, Migration: m.ID, Version: m.From}
	all, err := migrate.Conflicts(ctx, epochs, m)
	if err != nil {
		return err
	}
	refused.Conflicts, refused.More = d.conflicts(all)
	if err := migrate.Back(ctx, epochs, m); err != nil {
		return err
	}
	return cmp.Or(migrate.Run(ctx, epochs, m, o), error(refused))
}

// wentBack returns an error for a run that ended where it began, because an operator or a process that died took it back.
func (d *data) wentBack(ctx context.Context, epochs *migrate.Epochs, m *migrate.Migration, err error) error {
	if err != nil {
		return err
	}
	s, err := epochs.Read(ctx)
	if err != nil || s.Version != m.From || !m.Holds["deploy"] { // it is tried again
		return err
	}
	return &migrate.HeldError{Step: "deploy", Why: "the run was taken back; an operator has to begin it again"}
}
