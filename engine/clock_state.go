package engine

import (
	"fmt"
	"time"

	"sortkey.dev/engine/internal/clock"
)

// maxAhead is the time by which the newest time in a database may be ahead of its clock without
// a warning. Machines set their clocks back by moments.
const maxAhead = time.Minute

// A ClockState describes the clock of a database.
type ClockState struct {
	// Now is the time of the database.
	Now time.Time

	// Newest is the newest time in the database: of a stream record or of a table. If it is
	// ahead of Now, the clock was set back, and new stream records carry the newest time
	// until the clock has caught up: the times of records never run backwards.
	Newest time.Time

	// Steps is the number of times that the clock of the machine was set by more than a minute,
	// or that a reading of Options.Now was ignored, since the database was opened.
	Steps int64

	// Pending is a step of the machine's clock that the database does not follow yet, 0 if
	// there is none.
	Pending time.Duration
}

func (s ClockState) ahead() time.Duration { return s.Newest.Sub(s.Now) }

// ClockState returns the state of the database's clock, for monitoring.
func (db *DB) ClockState() ClockState {
	state := ClockState{Now: db.clock.Now(), Newest: db.api.ops.catalog.Newest()}
	if guard, ok := db.clock.(interface{ State() clock.State }); ok {
		seen := guard.State()
		state.Steps, state.Pending = seen.Steps, seen.Pending
	}
	return state
}

// Warnings returns what an operator should look at, each as a sentence that says what to do.
// A GET request over HTTP, which is a health check, returns them too.
func (db *DB) Warnings() (warnings []string) {
	state := db.ClockState()
	if state.Pending != 0 {
		warnings = append(warnings, fmt.Sprintf("the clock of the machine jumped by %v; it is followed if it keeps the new time for a minute: "+
			"if its date is wrong, set it now, and see that it is synchronized", state.Pending.Round(time.Second)))
	}
	if ahead := state.ahead(); ahead > maxAhead {
		warnings = append(warnings, fmt.Sprintf("the newest time in the database, %s, is ahead of the clock by %v: if the date of the machine is wrong, set it; "+
			"if it is right, it was wrong before, and new stream records carry the newest time until then",
			state.Newest.UTC().Format(time.RFC3339), ahead.Round(time.Second)))
	}
	return warnings
}
