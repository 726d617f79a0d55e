package catalog

import (
	"maps"
	"time"

	"sortkey.dev/engine/internal/dynamo"
)

// note records when throughput was increased or decreased.
func (h *history) note(from, to dynamo.Throughput, now time.Time) {
	if to.Read > from.Read || to.Write > from.Write {
		h.Increased = &now
	}
	if to.Read < from.Read || to.Write < from.Write {
		h.DecreasesToday = h.decreases(now) + 1
		h.Decreased = &now
	}
}

// noteIndex is note for a global index. Throughput that is set by a change of the
// billing mode is neither an increase nor a decrease.
func (rec *record) noteIndex(name string, from, to dynamo.Throughput, now time.Time) {
	if from == to || from == (dynamo.Throughput{}) {
		return
	}
	h := rec.IndexHistory[name]
	h.note(from, to, now)
	rec.IndexHistory = maps.Clone(rec.IndexHistory)
	if rec.IndexHistory == nil {
		rec.IndexHistory = map[string]history{}
	}
	rec.IndexHistory[name] = h
}

// decreases counts the throughput decreases on the UTC day of now.
func (h *history) decreases(now time.Time) int64 {
	if h.Decreased == nil || !sameDay(*h.Decreased, now) {
		return 0
	}
	return h.DecreasesToday
}

// describe describes throughput with its history.
func (h *history) describe(t dynamo.Throughput, now time.Time) *dynamo.ProvisionedThroughputDescription {
	decreases := h.decreases(now)
	return &dynamo.ProvisionedThroughputDescription{
		LastDecreaseDateTime:   h.Decreased,
		LastIncreaseDateTime:   h.Increased,
		NumberOfDecreasesToday: &decreases,
		ReadCapacityUnits:      &t.Read,
		WriteCapacityUnits:     &t.Write,
	}
}

// sameDay reports whether two times fall on the same UTC day.
func sameDay(a, b time.Time) bool {
	return a.UTC().Truncate(24 * time.Hour).Equal(b.UTC().Truncate(24 * time.Hour))
}
