package operators

import (
	"context"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

// A Reported is a report with its question.
type Reported struct {
	Report   askahumandb.QuestionReport
	Question askahumandb.Question // zero if deleted
}

// OpenReports returns the undecided reports, oldest first.
func (s *Service) OpenReports(ctx context.Context, limit int, cursor string) ([]Reported, string, error) {
	page, err := s.env.DB.ListOpenReports().PageSize(askahuman.PageSize(limit)).Page(ctx, cursor)
	if err != nil {
		return nil, "", askahuman.BadCursor(err)
	}
	var ids []string
	for _, r := range page.Items {
		ids = append(ids, r.QuestionID)
	}
	questions, err := s.questions.Kept(ctx, ids)
	if err != nil {
		return nil, "", err
	}
	now := s.env.Now()
	var reported []Reported
	for _, r := range page.Items {
		if now.Before(r.TTL) {
			reported = append(reported, Reported{Report: r, Question: questions[r.QuestionID]})
		}
	}
	return reported, page.Next, nil
}

var (
	errNoReport = refusal.New(refusal.NotFound, "", "There is no such report.")
	errDecided  = refusal.New(refusal.Conflict, "", "This report was decided the other way.")
)

// DecideReport hides the question of a report, or keeps it. A hidden question accepts no more
// answers. Repeating a decision changes nothing.
//
// Upholding a report upholds all open reports of the question. Dismissing decides only this
// report, because the others may give reasons that no operator has read yet.
func (s *Service) DecideReport(ctx context.Context, operator, questionID, personHash string, uphold bool) error {
	key := askahumandb.QuestionReportKey{QuestionID: questionID, FingerprintHash: personHash}
	if !askahuman.IsID(questionID) || personHash == "" {
		return errNoReport
	}
	gone := false // the question is deleted
	return access.RetryOnConflict(ctx, func() (bool, error) {
		tx, action := s.env.DB.Tx(), "dismiss report"
		if uphold && !gone {
			action = "uphold report"
			tx.HideQuestion(askahumandb.QuestionKey{QuestionID: questionID})
			if err := s.upholdAll(ctx, tx, key); err != nil {
				return false, err
			}
		} else {
			tx.DismissReport(key)
		}
		s.env.RecordAudit(tx, operator, action, questionID+" "+personHash)
		err := tx.Commit(ctx)
		switch {
		case askahuman.Changed[askahumandb.QuestionReport](err):
			return s.decidedMeanwhile(ctx, key, uphold && !gone)
		case askahuman.Changed[askahumandb.Question](err):
			gone = true
			return true, err
		}
		return false, err
	})
}

// maxUpheld is the number of reports one transaction decides. Further reports stay in the
// queue, where each can be upheld.
const maxUpheld = 90

// upholdAll upholds a report and the other open reports of its question.
func (s *Service) upholdAll(ctx context.Context, tx *askahumandb.Tx, key askahumandb.QuestionReportKey) error {
	tx.UpholdReport(key)
	reports, err := s.env.DB.ListReports(key.QuestionID).Limit(maxUpheld).Slice(ctx)
	if err != nil {
		return fmt.Errorf("read the reports of a question: %w", err)
	}
	for _, report := range reports {
		if report.Key() != key && report.State == askahumandb.QuestionReportStateOpen {
			tx.UpholdReport(report.Key())
		}
	}
	return nil
}

// decidedMeanwhile returns the result for a report whose decision failed. If the report is
// still open, another report of the question conflicted, and the caller retries.
func (s *Service) decidedMeanwhile(ctx context.Context, key askahumandb.QuestionReportKey, uphold bool) (again bool, err error) {
	reports, err := s.env.DB.ListReports(key.QuestionID).Limit(0).Slice(ctx)
	if err != nil {
		return false, fmt.Errorf("read the reports of a question: %w", err)
	}
	for _, report := range reports {
		if report.Key() == key {
			return report.State == askahumandb.QuestionReportStateOpen, decidedAs(report, uphold)
		}
	}
	return false, errNoReport
}

// decidedAs returns the result for a report that is no longer open.
func decidedAs(report askahumandb.QuestionReport, uphold bool) error {
	wanted := askahumandb.QuestionReportStateDismissed
	if uphold {
		wanted = askahumandb.QuestionReportStateUpheld
	}
	if report.State == wanted {
		return nil
	}
	return errDecided
}

// ShowQuestion shows a hidden question again, and queues a search for people if the question
// is still open.
func (s *Service) ShowQuestion(ctx context.Context, operator, questionID string) error {
	var search questions.NextSearch
	return access.RetryOnConflict(ctx, func() (bool, error) {
		q, err := s.questions.Stored(ctx, questionID)
		if err != nil || !q.Hidden {
			return false, err
		}
		tx := s.env.DB.Tx()
		tx.ShowQuestion(q.Key(), q.Status, q.Part)
		if questions.IsOpen(q.Status) {
			if err := search.Queue(s.questions, tx, q); err != nil {
				return false, err
			}
		}
		s.env.RecordAudit(tx, operator, "show question", questionID)
		err = tx.Commit(ctx)
		search.Note(err)
		return access.Refused(err), err // a conflicting write changed the item
	})
}
