package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/internal/wait"
)

// status says where the migration is.
func (m *migrating) status(ctx context.Context) error {
	for {
		r, err := m.report(ctx)
		if err != nil || m.printStatus(r) != nil || !m.follow {
			return err
		}
		if r.State.Migration == "" || r.Paused != "" {
			return nil
		}
	}
}

// report reads the status; of a run that is at work it is read twice, because rates follow from two.
func (m *migrating) report(ctx context.Context) (*migrate.Report, error) {
	o := m.migration.Rates
	r, err := migrate.Read(ctx, m.epochs, m.migration.Migration, o)
	if errors.Is(err, migrate.ErrNoState) {
		return nil, advise(errors.New("the migration has not begun"), "Begin it: sortkey migrate apply "+m.arguments())
	}
	if err != nil {
		return nil, endpointFailure(m.endpoint, err)
	}
	if r.Segments == 0 && !m.follow || r.State.Migration == "" {
		return r, nil
	}
	began := time.Now()
	if err := wait.For(ctx, time.Second); err != nil {
		return nil, err
	}
	earlier := r.Status
	if r, err = migrate.Read(ctx, m.epochs, m.migration.Migration, o); err != nil {
		return nil, endpointFailure(m.endpoint, err)
	}
	r.Status = r.Since(earlier, time.Since(began))
	return r, nil
}

// printStatus prints a status as a line, or as an object of JSON.
func (m *migrating) printStatus(r *migrate.Report) error {
	done := r.State.Migration == "" && r.State.Version == m.migration.To
	if m.asJSON {
		out := struct {
			migrate.Status
			Version int                  `json:"version"`
			Phase   string               `json:"phase"`
			Left    float64              `json:"leftSeconds,omitempty"`
			Parts   []migrate.PartReport `json:"parts,omitempty"`
		}{r.Status, r.State.Version, r.Phase.String(), r.Left.Seconds(), r.Parts}
		return m.printJSON(out)
	}
	var err error
	switch {
	case done:
		_, err = fmt.Fprintf(m.s.out, "%s is done: the tables have version %d\n", m.migration.ID, r.State.Version)
	case r.State.Migration == "":
		_, err = fmt.Fprintf(m.s.out, "%s has not begun: the tables have version %d\n", m.migration.ID, r.State.Version)
	default:
		_, err = fmt.Fprintf(m.s.out, "%s: phase %s, epoch %d\n  %s\n", m.migration.ID, r.State.Phase, r.State.Epoch, r.Status)
	}
	return err
}

// verify compares items with what they must be.
func (m *migrating) verify(ctx context.Context) error {
	o, err := m.options(ctx)
	if err != nil {
		return err
	}
	o.Progress = func(s migrate.Status) { m.tell.show(s.String()) }
	parts, err := migrate.Verify(ctx, m.epochs, m.migration.Migration, o, m.sample)
	m.tell.clear()
	if held, is := errors.AsType[*migrate.HeldError](err); is {
		return advise(errors.New("there is nothing to verify: "+held.Why), "Begin it: sortkey migrate apply "+m.arguments())
	}
	if err != nil {
		return endpointFailure(m.endpoint, err)
	}
	wrong := int64(0)
	for _, p := range parts {
		wrong += p.Differing + p.Conflicting
		if !m.asJSON {
			fmt.Fprintf(m.s.out, "%s: %d items, %d differ, %d conflicts\n", p.Part, p.Seen, p.Differing, p.Conflicting)
		}
	}
	if m.asJSON {
		if err := m.printJSON(parts); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return errPrinted
	}
	return nil
}

func (m *migrating) printJSON(v any) error {
	encoder := json.NewEncoder(m.s.out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// told prints that runners obey an order.
func (m *migrating) told(err error, text string) error {
	if err != nil {
		return endpointFailure(m.endpoint, err)
	}
	_, err = fmt.Fprintln(m.s.out, text)
	return err
}

func (m *migrating) pause(ctx context.Context) error {
	return m.told(migrate.Pause(ctx, m.epochs, m.migration.Migration, "by an operator"), "runners stop at their next page")
}

// resume ends a pause and lets the run pass the step before which it waits now.
func (m *migrating) resume(ctx context.Context) error {
	r, err := migrate.Read(ctx, m.epochs, m.migration.Migration, migrate.Options{})
	if err != nil {
		return endpointFailure(m.endpoint, err)
	}
	var steps []string
	switch {
	case r.State.Migration == "":
		steps = []string{"deploy"}
	case r.State.Phase == access.PhaseWrite && r.Step == "verified":
		steps = []string{"read"}
	case r.State.Phase == access.PhaseRead:
		steps = []string{"after"}
	}
	if m.writes > 0 || m.reads > 0 {
		if err := migrate.SetRate(ctx, m.epochs, m.migration.Migration, m.writes, m.reads); err != nil {
			return endpointFailure(m.endpoint, err)
		}
	}
	if m.most != "" {
		most, err := m.mostDollars()
		if err != nil {
			return err
		}
		if err := migrate.SetMost(ctx, m.epochs, m.migration.Migration, most); err != nil {
			return endpointFailure(m.endpoint, err)
		}
	}
	text := "the run may go on"
	if len(steps) > 0 {
		text += ", past the hold before step " + steps[0]
	}
	return m.told(migrate.Resume(ctx, m.epochs, m.migration.Migration, steps...), text+"; apply carries it out")
}

func (m *migrating) rollback(ctx context.Context) error {
	r, err := migrate.Read(ctx, m.epochs, m.migration.Migration, migrate.Options{})
	if err != nil {
		return endpointFailure(m.endpoint, err)
	}
	if r.State.Version == m.migration.To || r.State.Phase == access.PhaseAfter {
		return advise(errors.New("from phase after there is no way back"), "Plan the change in reverse: change the design back, and sortkey plan "+m.path+" --name back.")
	}
	return m.told(migrate.Back(ctx, m.epochs, m.migration.Migration), "the run goes back; apply carries it out: sortkey migrate apply "+m.arguments())
}

func (m *migrating) conflicts(ctx context.Context) error {
	all, err := migrate.Conflicts(ctx, m.epochs, m.migration.Migration)
	if err != nil {
		return endpointFailure(m.endpoint, err)
	}
	if m.asJSON {
		return m.printJSON(conflictRows(all))
	}
	for _, c := range conflictRows(all) {
		keys := c.Key
		if c.Other != "" {
			keys += " and " + c.Other
		}
		fmt.Fprintf(m.s.out, "%s  %s  %s: %s\n", c.Part, m.table(c.Table), keys, c.Reason)
	}
	if len(all) == 0 {
		fmt.Fprintln(m.s.out, "no conflicts")
	}
	return nil
}

// A conflictRow is a conflict as it is printed.
type conflictRow struct {
	Part   string `json:"part"`
	Table  string `json:"table"`
	Key    string `json:"key"`
	Other  string `json:"other,omitempty"` // the key of an item that has the same value
	Reason string `json:"reason"`
}

func conflictRows(all []migrate.Conflict) []conflictRow {
	rows := []conflictRow{}
	for _, c := range all {
		rows = append(rows, conflictRow{c.Part, c.Table, migrate.KeyText(c.Key), migrate.KeyText(c.Other), c.Reason})
	}
	return rows
}
