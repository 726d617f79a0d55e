package design

import (
	"errors"
	"time"

	accessmigrate "sortkey.dev/access/migrate"
)

// Rehearsed returns the files of the history with what a rehearsal of its last migration measured.
func (h *History) Rehearsed(m *Migration, r *accessmigrate.Rehearsal, on time.Time) ([]HistoryFile, error) {
	last := h.history.Last()
	if last.ID() != m.ID {
		return nil, errors.New("only the last migration may be changed")
	}
	folder, _, err := h.design.historyFolder()
	if err != nil {
		return nil, err
	}
	return placed(folder, h.history.WithMigration(m.plan.Rehearsed(last.Migration, r, on.Format(time.DateOnly)))), nil
}
