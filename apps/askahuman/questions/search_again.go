package questions

import (
	"errors"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/jobs"
)

// A NextSearch queues the search for people when a question accepts answers again, in the same
// transaction that reopens it: the earlier searches ended when the question did. It is shared
// by the retries of one transaction.
type NextSearch struct {
	tried  string // the job of the last attempt, or ""
	queued string // an existing job that serves as well
}

// Queue adds the next search for a question to a transaction, unless it is known to be queued.
// If the next scheduled search would come after the deadline, the search is due now.
func (n *NextSearch) Queue(s *Service, tx *askahumandb.Tx, q askahumandb.Question) error {
	n.tried = ""
	job := s.CatchUpJob(q)
	if job == nil {
		now := s.env.Now()
		job = &jobs.Job{ID: catchUpID(q, now), Kind: askahuman.JobCatchUp, Payload: askahuman.JobPayload{QuestionID: q.QuestionID}, Due: now}
	}
	if job.ID == n.queued {
		return nil
	}
	n.tried = job.ID
	return s.env.Jobs.AddTo(tx, *job)
}

// Note learns from a failed transaction. Only the job has to be new in it. A conflicting job is
// due later or has just begun, so it will find the question as it is then.
func (n *NextSearch) Note(err error) {
	if n.tried != "" && errors.Is(err, access.ErrExists) {
		n.queued = n.tried
	}
}
