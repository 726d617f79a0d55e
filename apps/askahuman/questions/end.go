package questions

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/jobs"
)

// EndOf returns when a question ended.
func EndOf(q askahumandb.Question) time.Time {
	switch {
	case q.Status == askahumandb.QuestionStatusClosed && q.ClosedAt != nil:
		return *q.ClosedAt
	case q.ExpiredAt != nil:
		return *q.ExpiredAt
	}
	return q.ExpiresAt
}

// AddEnd adds what follows from the end of a question to the transaction that ends it: the
// delivery to its callback URL, if there is one. Every end has its own job, because a rejected
// answer can reopen a question, and the job of an earlier end may be dead and kept.
func (s *Service) AddEnd(tx access.Tx, q askahumandb.Question, end time.Time) error {
	if q.CallbackURL == nil {
		return nil
	}
	return s.env.Jobs.AddTo(tx, jobs.Job{
		ID:   "hook-" + q.QuestionID + "-" + strconv.FormatInt(end.UnixMilli(), 36),
		Kind: askahuman.JobWebhook, Group: callbackHost(*q.CallbackURL), Payload: askahuman.JobPayload{QuestionID: q.QuestionID},
	})
}

// callbackHost returns the host of a callback URL. Jobs of one host take turns with others.
func callbackHost(callback string) string {
	address, err := url.Parse(callback)
	if err != nil {
		return "" // the delivery reports the error
	}
	return strings.ToLower(address.Hostname())
}

// sweepMost bounds one sweep. The next sweep handles the rest; until then reads show it as
// expired anyway.
const sweepMost = 2000

// sweepFailures is the number of failures that ends a sweep. A few questions that cannot be
// written must not block the others; many failures are a problem of the database.
const sweepFailures = 10

// Sweep marks overdue questions as expired, and returns their ids.
func (s *Service) Sweep(ctx context.Context) (expired []string, err error) {
	// They are collected first, because expiring a question removes it from the index.
	overdue, err := s.env.DB.ListOverdueQuestions(s.env.AllParts(), s.env.Now()).Limit(sweepMost).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list overdue questions: %w", err)
	}
	var failures []error
	for _, row := range overdue {
		did, err := s.Expire(ctx, row.QuestionID, row.AgentID)
		if did {
			expired = append(expired, row.QuestionID)
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("expire question %s: %w", row.QuestionID, err))
		}
		if len(failures) == sweepFailures || ctx.Err() != nil {
			break
		}
	}
	return expired, errors.Join(failures...)
}
