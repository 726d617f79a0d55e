package evolve

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access/migrate"
	"sortkey.dev/apps"
)

// mostConflicts is the number of conflicts that are listed.
const mostConflicts = 20

// Continue goes on with a migration that the client goes through, until its end or until it waits for an operator.
func (d *data) Continue(ctx context.Context) error {
	if d.upToDate.Load() {
		return nil
	}
	s, err := d.epochs.Read(ctx)
	if err != nil || s.Version >= d.last {
		d.upToDate.Store(err == nil)
		return err
	}
	err = d.evolve(ctx, s)
	if _, waits := errors.AsType[*WaitsError](err); waits {
		return nil
	}
	d.held.Store(nil)
	return err
}

// Stand returns where the data stands.
func (d *data) Stand(ctx context.Context) (*apps.DataStand, error) {
	s, err := d.epochs.Read(ctx)
	if err != nil {
		return nil, err
	}
	stand := &apps.DataStand{
		Design: d.name(), Program: d.last, Versions: d.history.Names(), Version: s.Version, Migration: s.Migration,
		Phase: s.Phase, Epoch: s.Epoch, Settled: s.Settled == s.Epoch, Under: s.Migration != "",
	}
	if s.Version >= d.last {
		return stand, nil
	}
	m, err := d.history.Migration(s.Version + 1)
	if err != nil {
		return nil, fmt.Errorf("the history of %s: %w", d.name(), err)
	}
	stand.Migration = m.ID
	if held := d.held.Load(); held != nil {
		stand.Waits = held.Why
	}
	epochs := *d.epochs
	epochs.Design = m.Run
	if err := d.progress(ctx, &epochs, m.Migration, stand); !noTable(err) { // without a control table nothing has begun
		return stand, err
	}
	return stand, nil
}

// progress adds how far the run of a migration is.
func (d *data) progress(ctx context.Context, epochs *migrate.Epochs, m *migrate.Migration, stand *apps.DataStand) error {
	r, err := migrate.Read(ctx, epochs, m, migrate.Options{})
	if err != nil {
		return err
	}
	stand.Step, stand.Paused, stand.Back = r.Step, r.Orders.Paused, r.Orders.Back
	for _, p := range r.Parts {
		stand.Parts = append(stand.Parts, apps.DataPart{Name: p.Part, Segments: p.Segments, Done: p.Done, Seen: p.Seen, Changed: p.Changed})
	}
	all, err := migrate.Conflicts(ctx, epochs, m)
	stand.Conflicts, stand.More = d.conflicts(all)
	return err
}

// conflicts returns the first conflicts, and how many more there are.
func (d *data) conflicts(all []migrate.Conflict) (first []apps.DataConflict, more int) {
	for _, c := range all[:min(len(all), mostConflicts)] {
		first = append(first, apps.DataConflict{Part: c.Part, Table: d.client.Table(c.Table), Key: migrate.KeyText(c.Key), Reason: c.Reason})
	}
	return first, len(all) - len(first)
}
