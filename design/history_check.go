package design

import (
	"errors"
	"fmt"
	"slices"

	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
)

// checkVersions adds findings about the history of the design, if it has one, and about the time in which several of its versions are
// in use. It returns the files of older versions.
func (d *Design) checkVersions(report *diag.Report, o check.Options, settled bool) ([]loader.Source, error) {
	usable := !report.Failed()
	if err := d.checkHistory(report); err != nil {
		return nil, err
	}
	if !usable || report.Failed() || settled || o.Alternative != nil {
		return nil, nil
	}
	return d.checkInterim(report, o)
}

// checkHistory adds findings about the history of the design, if it has one.
func (d *Design) checkHistory(report *diag.Report) error {
	h, err := d.History()
	if errors.Is(err, ErrNoHistory) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the history of %s: %w", d.path, err)
	}
	for _, p := range h.problems {
		f := diag.Finding{Code: "E002", Place: diag.Place{File: p.File, Line: p.Line}, Subject: "history", Message: p.Message, Fix: p.Fix}
		if p.Forked {
			f.Code = "E003"
		}
		report.Add(f)
	}
	if len(h.problems) > 0 || report.Failed() {
		return nil
	}
	return h.unplanned(report)
}

// unplanned adds a finding if the design is not that of the last version.
func (h *History) unplanned(report *diag.Report) error {
	at, text, err := h.difference()
	if text != "" {
		report.Add(diag.Finding{Code: "E001", Place: at, Subject: "history", Message: text})
	}
	return err
}

// difference says how the design differs from the last version of its history, "" if it does not, and where.
func (h *History) difference() (diag.Place, string, error) {
	changes, err := h.changes()
	if err != nil {
		return diag.Place{}, "", err
	}
	changes = slices.DeleteFunc(changes, func(c *change.Change) bool { return harmless[c.Code] })
	if len(changes) == 0 {
		return diag.Place{}, "", nil
	}
	_, last := h.Last()
	first, more := changes[0], ""
	if n := len(changes) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return first.Place, fmt.Sprintf("the design differs from version %s: %s: %s%s", last, first.Subject, first.Message, more), nil
}

// Unplanned says how the design differs from the last version of its history, in one sentence; "" if it does not, or has no history. The
// error says which file of the history is not as it was planned.
func (d *Design) Unplanned() (string, error) {
	h, err := d.History()
	if errors.Is(err, ErrNoHistory) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if err := h.damaged(); err != nil {
		return "", err
	}
	_, text, err := h.difference()
	return text, err
}

// freeze makes unplanned changes errors.
func freeze(report *diag.Report) {
	report.Each(func(f *diag.Finding) {
		if f.Code == "E001" {
			f.Severity = diag.Error
		}
	})
}

// harmless lists changes that need no version: cursors that end, methods that callers see, settings of tables, and
// costs.
var harmless = map[diag.Code]bool{"E031": true, "E071": true, "E047": true, "E074": true}

// changes returns what differs from the last version.
func (h *History) changes() ([]*change.Change, error) {
	number, id := h.Last()
	before, tags, err := h.Version(number)
	if err != nil {
		return nil, err
	}
	old, err := before.loaded()
	if err != nil {
		return nil, fmt.Errorf("version %s: %w", id, err)
	}
	now, err := h.design.loaded()
	if err != nil {
		return nil, err
	}
	if len(tags) > 0 {
		old, now = old.Phase(tags), now.Phase(tags)
	}
	return change.Between(h.own(old), h.own(now), change.Options{}).All, nil
}
