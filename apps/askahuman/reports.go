package askahuman

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// MaxReason is how many characters the reason of a report has at most.
const MaxReason = 500

// Report says that a person finds a question improper. Once is enough.
func (s *Service) Report(ctx context.Context, p Person, questionID, reason string) error {
	if p.Hash == "" {
		return errNobody
	}
	reason = tidy(reason)
	if n := utf8.RuneCountInString(reason); n == 0 || n > MaxReason {
		return outside("reason", "length", 1, MaxReason, "Say in up to %d characters what is wrong with the question.", MaxReason)
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

// A Reported is a question that somebody finds improper.
type Reported struct {
	Report   askahumandb.QuestionReport
	Question askahumandb.Question // zero when it is gone
}

// OpenReports returns the reports nobody has decided on, oldest first.
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
	errNoReport = &Error{Code: CodeNotFound, Message: "There is no such report."}
	errDecided  = &Error{Code: CodeConflict, Message: "This report was decided the other way."}
)

// DecideReport hides the question of a report, or keeps it. A hidden question takes no more
// answers. Deciding the same again changes nothing.
//
// Upholding one report upholds all open reports of the question: it is hidden, and there is
// nothing left to decide. Dismissing decides that one only, because the others may give
// reasons that nobody has read yet.
func (s *Service) DecideReport(ctx context.Context, operator, questionID, personHash string, uphold bool) error {
	key := askahumandb.QuestionReportKey{QuestionID: questionID, FingerprintHash: personHash}
	if !isID(questionID) || personHash == "" {
		return errNoReport
	}
	gone := false // there is no question to hide
	return s.untilSettled(ctx, func() (bool, error) {
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

// maxUpheld is how many reports one transaction decides. The rest of more stays in the queue,
// where each can be upheld again.
const maxUpheld = 90

// upholdAll upholds a report, and with it the other open ones of its question.
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

// decidedMeanwhile returns the answer about a report that could not be decided. If it is still
// open, another one of the question was in the way, and it is tried again.
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

// decidedAs returns the answer about a report that is no longer open.
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

// ShowQuestion takes back that a question was hidden. People are looked for again if it has
// time for that.
func (s *Service) ShowQuestion(ctx context.Context, operator, questionID string) error {
	var search nextSearch
	return s.untilSettled(ctx, func() (bool, error) {
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
		return access.Refused(err), err // what was read has changed
	})
}
