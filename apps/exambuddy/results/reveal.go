package results

import (
	"context"
	"time"

	"sortkey.dev/apps/exambuddy/exambuddydb"
)

// A Reveal says whether the candidate of an attempt may see the right answers.
type Reveal struct {
	Shown bool
	At    *time.Time // the earliest time at which they are shown; nil if they never are
}

// Reveal returns whether the candidate of an attempt may see the right answers now.
func (s *Service) Reveal(_ context.Context, attempt exambuddydb.Attempt) (Reveal, error) {
	at := attempt.RevealAt
	return Reveal{Shown: at != nil && !s.env.Now().Before(*at), At: at}, nil
}
