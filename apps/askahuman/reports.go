package askahuman

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/refusal"
)

// MaxReason is the maximum length of a report's reason, in characters.
const MaxReason = 500

// Report stores a person's report of an improper question. Reporting again changes nothing.
func (s *Service) Report(ctx context.Context, p Person, questionID, reason string) error {
	if p.Hash == "" {
		return errNobody
	}
	reason = tidy(reason)
	if n := utf8.RuneCountInString(reason); n == 0 || n > MaxReason {
		return refusal.OutOfRange("reason", "length", 1, MaxReason, "Say in up to %d characters what is wrong with the question.", MaxReason)
	}
	if err := checkText("reason", reason, true); err != nil {
		return err
	}
	if _, err := s.visibleQuestion(ctx, questionID); err != nil {
		return err
	}
	if banned, err := s.isBanned(ctx, p); err != nil || banned {
		return cmp.Or(err, error(ErrBanned))
	}
	now := s.Now()
	_, err := s.db.ReportQuestion(ctx, askahumandb.QuestionReport{
		QuestionID: questionID, FingerprintHash: p.Hash, Reason: reason,
		ReportedAt: now, TTL: now.Add(keepReport),
	})
	if errors.Is(err, access.ErrExists) {
		return nil
	}
	return err
}

// keepReport is a day longer than any question is kept.
const keepReport = KeepClosed + MaxTimeout

// A Reported is a report with its question.
type Reported struct {
	Report   askahumandb.QuestionReport
	Question askahumandb.Question // zero if deleted
}

// OpenReports returns the undecided reports, oldest first.
func (s *Service) OpenReports(ctx context.Context, limit int, cursor string) ([]Reported, string, error) {
	page, err := s.db.ListOpenReports().PageSize(pageSize(limit)).Page(ctx, cursor)
	if err != nil {
		return nil, "", badCursor(err)
	}
	var ids []string
	for _, r := range page.Items {
		ids = append(ids, r.QuestionID)
	}
	questions, err := s.keptQuestions(ctx, ids)
	if err != nil {
		return nil, "", err
	}
	now := s.Now()
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
	if !isID(questionID) || personHash == "" {
		return errNoReport
	}
	gone := false // the question is deleted
	return access.RetryOnConflict(ctx, func() (bool, error) {
		tx, action := s.db.Tx(), "dismiss report"
		if uphold && !gone {
			action = "uphold report"
			tx.HideQuestion(askahumandb.QuestionKey{QuestionID: questionID})
			if err := s.upholdAll(ctx, tx, key); err != nil {
				return false, err
			}
		} else {
			tx.DismissReport(key)
		}
		s.audit(tx, operator, action, questionID+" "+personHash)
		err := tx.Commit(ctx)
		switch {
		case changedMeanwhile[askahumandb.QuestionReport](err):
			return s.decidedMeanwhile(ctx, key, uphold && !gone)
		case changedMeanwhile[askahumandb.Question](err):
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
	reports, err := s.db.ListReports(key.QuestionID).Limit(maxUpheld).Slice(ctx)
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
	reports, err := s.db.ListReports(key.QuestionID).Limit(0).Slice(ctx)
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
	var search nextSearch
	return access.RetryOnConflict(ctx, func() (bool, error) {
		q, err := s.storedQuestion(ctx, questionID)
		if err != nil || !q.Hidden {
			return false, err
		}
		tx := s.db.Tx()
		tx.ShowQuestion(q.Key(), q.Status)
		if isOpen(q.Status) {
			if err := search.queue(s, tx, q); err != nil {
				return false, err
			}
		}
		s.audit(tx, operator, "show question", questionID)
		err = tx.Commit(ctx)
		search.note(err)
		return access.Refused(err), err // a conflicting write changed the item
	})
}
