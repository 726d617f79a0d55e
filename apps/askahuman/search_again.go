package askahuman

import "sortkey.dev/apps/askahuman/askahumandb"

// A nextSearch queues the search for people who answer a question that takes answers again,
// together with what makes it take them: the searches that went on before have ended with it,
// and nothing else would begin one. It is for the tries of one transaction.
type nextSearch struct {
	tried  string // the job of the last try; "" if it had none
	queued string // a job that is there already, and does as well
}

// queue adds the next search for a question to a transaction, unless it is known to be queued.
// A question that has no time left for another look in its rhythm is looked at now.
func (n *nextSearch) queue(s *Service, tx *askahumandb.Tx, q askahumandb.Question) error {
	n.tried = ""
	job, err := s.CatchUpJob(q)
	if err == nil && job == nil {
		var now askahumandb.Job
		now, err = s.NewJob(catchUpID(q, s.Now()), askahumandb.JobKindCatchUp, JobPayload{QuestionID: q.QuestionID}, s.Now())
		job = &now
	}
	if err != nil || job.JobID == n.queued {
		return err
	}
	tx.QueueJob(*job)
	n.tried = job.JobID
	return nil
}

// note learns from a transaction that was not done. A job that was in its way is due later
// than now, or in this second, so nobody has come far with it: who does it will find the
// question as it is then.
func (n *nextSearch) note(err error) {
	if n.tried != "" && changedMeanwhile[askahumandb.Job](err) {
		n.queued = n.tried
	}
}
