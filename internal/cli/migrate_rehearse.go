package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
	"sortkey.dev/access/stream"
	"sortkey.dev/engine"
)

// rehearsalWriters is the number of programs that use the copy while the migration runs.
const rehearsalWriters = 4

// rehearse carries the migration out on a copy of the tables, and writes into the plan what it took.
func (m *migrating) rehearse(ctx context.Context) error {
	state, err := m.epochs.Read(ctx)
	switch {
	case err != nil && !errors.Is(err, migrate.ErrNoState):
		return endpointFailure(m.endpoint, err)
	case state.Migration != "" || state.Version == m.migration.To:
		return advise(fmt.Errorf("%s has begun: it is rehearsed before", m.migration.ID), "Its state: sortkey migrate status "+m.arguments())
	}
	db, err := engine.Open(m.data, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	r, err := m.rehearseIn(ctx, db)
	m.tell.clear()
	if err != nil {
		return err
	}
	files, err := m.history.Rehearsed(m.migration, r, time.Now())
	if err != nil {
		return err
	}
	if err := writeHistory(files); err != nil {
		return err
	}
	return m.printRehearsal(r, files[0].Path)
}

// rehearseIn copies the tables into an engine and carries the migration out there.
func (m *migrating) rehearseIn(ctx context.Context, db *engine.DB) (*migrate.Rehearsal, error) {
	there := *m
	config := *m.migrateConfig
	config.endpoint, config.prefix = "", ""
	there.migrateConfig, there.client, there.rehearsing = &config, db.Client(), true
	there.epochs = &migrate.Epochs{API: db.API(), Design: m.migration.Run, Control: m.control}
	if _, err := provision.Apply(ctx, there.client, m.migration.Before, provision.Options{Poll: time.Millisecond}); err != nil {
		return nil, err
	}
	if err := stream.EnsureTable(ctx, there.client, m.control); err != nil {
		return nil, err
	}
	o, err := m.options(ctx)
	if err != nil {
		return nil, err
	}
	o.Streams = migrate.Streams{}
	o.Progress = func(s migrate.Status) { m.tell.show(s.String()) }
	items := int64(0)
	for _, t := range m.migration.Before {
		key := access.Item{}
		if t.Name == m.migration.Run.State.Table {
			key = m.migration.Run.State.Key()
		}
		n, err := migrate.Copy(ctx, m.client, db.API(), m.table(t.Name), t.Name, key, o)
		if err != nil {
			return nil, endpointFailure(m.endpoint, err)
		}
		items += n
	}
	o.Tables = there.tables
	r, err := migrate.Rehearse(ctx, there.epochs, m.migration.Migration, o, rehearsalWriters)
	if err != nil {
		return nil, err
	}
	r.Items = items
	return r, nil
}

// printRehearsal says what the rehearsal took. It fails if items cannot get their part or were lost.
func (m *migrating) printRehearsal(r *migrate.Rehearsal, file string) error {
	if m.asJSON {
		if err := m.printJSON(r); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(m.s.out, "%d items were copied; programs wrote %d times meanwhile, and %d of their items are wrong\n", r.Items, r.Traffic.Writes, r.Traffic.Wrong)
		for _, s := range r.Steps {
			fmt.Fprintf(m.s.out, "%s %s: %d items, %d written, %d conflicts, %.0f RRU, %.0f WRU, %s here\n",
				s.Step, s.Part, s.Items, s.Changed, s.Conflicts, s.Reads, s.Writes, s.Took.Round(time.Millisecond))
		}
		for _, c := range conflictRows(r.Conflicts) {
			fmt.Fprintf(m.s.out, "conflict: %s  %s  %s: %s\n", c.Part, m.table(c.Table), c.Key, c.Reason)
		}
		fmt.Fprintf(m.s.out, "wrote %s\n", file)
	}
	if len(r.Conflicts) > 0 || r.Traffic.Wrong > 0 {
		return errPrinted
	}
	return nil
}
