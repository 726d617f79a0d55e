package answers

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/score"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
)

// limitRapid is the rate limit of a person's answers.
var limitRapid = askahuman.Limit{Name: "rapid", Most: askahuman.RapidAnswers, Window: askahuman.RapidWindow}

// quickAfterNotification is the time after a notification within which an answer earns a
// bonus.
const quickAfterNotification = 5 * time.Minute

// judge sets the flags and bonuses of an answer.
func (sub *submission) judge(box *secret.Box, pushes []askahumandb.PushSent) {
	for _, push := range pushes {
		if sub.now.Sub(push.SentAt) <= quickAfterNotification {
			sub.notified = true
		}
	}
	if sub.Text != "" {
		sub.textHash = box.Hash("answer text", normalized(sub.Text))
	}
	switch {
	case sub.tooFast():
		sub.flag = new(askahumandb.ResponseFlagReasonSuspiciousTiming)
	case sub.saidBefore():
		sub.flag = new(askahumandb.ResponseFlagReasonDuplicateContent)
	case sub.alwaysMinimal():
		sub.flag = new(askahumandb.ResponseFlagReasonPatternMatch)
	}
}

// limitCrowd is the number of answers from one address after which further answers are
// flagged.
var limitCrowd = askahuman.Limit{Name: "crowd", Most: askahuman.SameAddress, Window: askahuman.MaxTimeout}

// isCrowd counts an answer to a question from a person's address, and reports whether the
// address has sent so many that one person may have given them all. An unknown address is
// never a crowd.
func (s *Service) isCrowd(ctx context.Context, p askahuman.Person, questionID string) (bool, error) {
	if p.IPHash == "" {
		return false, nil
	}
	_, err := s.env.Limits.Allow(ctx, limitCrowd, questionID+" "+p.IPHash)
	if _, many := refusal.As(err, refusal.TooMany); many {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("count the answers of an address: %w", err)
	}
	return false, nil
}

// tooFast reports whether the answer took less time than reading the question needs.
func (sub *submission) tooFast() bool {
	least := askahuman.FastChoice
	if sub.Text != "" {
		least = askahuman.FastText
	}
	return sub.Took != nil && *sub.Took < least
}

// saidBefore reports whether the person gave another question the same text.
func (sub *submission) saidBefore() bool {
	for _, r := range sub.recent {
		if sub.textHash != "" && r.AnswerHash != nil && *r.AnswerHash == sub.textHash {
			return true
		}
	}
	return false
}

// alwaysMinimal reports whether this text and the person's previous texts have only the
// minimum length.
func (sub *submission) alwaysMinimal() bool {
	if sub.Text == "" || utf8.RuneCountInString(sub.Text) > askahuman.MinimalText {
		return false
	}
	run := 1
	for _, r := range sub.recent {
		if r.SelectedOption != nil {
			continue
		}
		if r.Answer == nil || utf8.RuneCountInString(*r.Answer) > askahuman.MinimalText {
			return false
		}
		if run++; run == askahuman.MinimalRun {
			return true
		}
	}
	return false
}

// normalized folds case and white space.
func normalized(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}

// scored returns the answer as the scoring rules need it.
func (sub *submission) scored() score.Answer {
	a := score.Answer{
		At:       sub.person.Here(sub.now),
		Text:     sub.Text != "",
		Length:   utf8.RuneCountInString(sub.Text),
		Took:     sub.Took,
		Flagged:  sub.flag != nil,
		Category: categoryOf(sub.question),
		Asked:    sub.question.CreatedAt,
		Have:     int(sub.question.CurrentResponses),
		Want:     int(sub.question.RequiredResponses),
		Notified: sub.notified,
	}
	if sub.Confidence != nil {
		a.Confidence = *sub.Confidence
	}
	return a
}

// categoryOf returns the tag that stands for a question where only one fits.
func categoryOf(q askahumandb.Question) string {
	if len(q.Audience) == 0 {
		return "general"
	}
	return q.Audience[0]
}
