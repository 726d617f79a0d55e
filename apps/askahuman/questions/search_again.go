package questions

import (
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
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
	job, err := s.CatchUpJob(q)
	if err == nil && job == nil {
		var now askahumandb.Job
		now, err = s.env.NewJob(catchUpID(q, s.env.Now()), askahumandb.JobKindCatchUp, askahuman.JobPayload{QuestionID: q.QuestionID}, s.env.Now())
		job = &now
	}
	if err != nil || job.JobID == n.queued {
		return err
	}
	tx.QueueJob(*job)
	n.tried = job.JobID
	return nil
}

// Note learns from a failed transaction. A conflicting job is due later or has just begun, so
// it will find the question as it is then.
func (n *NextSearch) Note(err error) {
	if n.tried != "" && askahuman.Changed[askahumandb.Job](err) {
		n.queued = n.tried
	}
}
