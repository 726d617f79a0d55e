package answers

import (
	"cmp"
	"context"
	"errors"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/refusal"
)

// MaxReason is the maximum length of a report's reason, in characters.
const MaxReason = 500

// Report stores a person's report of an improper question. Reporting again changes nothing.
func (s *Service) Report(ctx context.Context, p askahuman.Person, questionID, reason string) error {
	if p.Hash == "" {
		return askahuman.ErrNobody
	}
	reason = askahuman.Tidy(reason)
	if n := utf8.RuneCountInString(reason); n == 0 || n > MaxReason {
		return refusal.OutOfRange("reason", "length", 1, MaxReason, "Say in up to %d characters what is wrong with the question.", MaxReason)
	}
	if err := askahuman.CheckText("reason", reason, true); err != nil {
		return err
	}
	if _, err := s.questions.Visible(ctx, questionID); err != nil {
		return err
	}
	if banned, err := s.people.IsBanned(ctx, p); err != nil || banned {
		return cmp.Or(err, error(askahuman.ErrBanned))
	}
	now := s.env.Now()
	_, err := s.env.DB.ReportQuestion(ctx, askahumandb.QuestionReport{
		QuestionID: questionID, FingerprintHash: p.Hash, Reason: reason,
		ReportedAt: now, TTL: now.Add(keepReport),
	})
	if errors.Is(err, access.ErrExists) {
		return nil
	}
	return err
}

// keepReport is a day longer than any question is kept.
const keepReport = askahuman.KeepClosed + askahuman.MaxTimeout
