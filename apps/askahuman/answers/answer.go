package answers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/askahuman/score"
	"sortkey.dev/apps/internal/refusal"
)

// An Answer is a person's answer to a question.
type Answer struct {
	QuestionID string
	Text       string // of a text question
	Option     *int   // of a multiple-choice question
	Confidence *int
	Took       *time.Duration // from seeing the question to sending the answer
	Source     askahumandb.ResponseSource
}

// A Reward holds the points and badges that an answer earned.
type Reward struct {
	ResponseID   string
	Points       int
	Breakdown    []score.Item
	Capped       bool // the day's points are used up, in part or whole
	NewBadges    []score.Badge
	TotalPoints  int
	TotalAnswers int
	StreakDays   int
	Next         *score.Progress // the badge that is nearest; nil if all are earned
}

// Answer stores, counts and rewards an answer in one transaction.
func (s *Service) Answer(ctx context.Context, p askahuman.Person, a Answer) (Reward, error) {
	a, err := a.checked()
	if err != nil {
		return Reward{}, err
	}
	var reward Reward
	crowd := sync.OnceValues(func() (bool, error) { return s.isCrowd(ctx, p, a.QuestionID) })
	err = access.RetryOnConflict(ctx, func() (again bool, err error) {
		reward, again, err = s.answer(ctx, p, a, crowd)
		return again, err
	})
	if errors.Is(err, askahuman.ErrAlreadyAnswered) {
		s.env.Count(askahuman.MetricDuplicate, 1)
	}
	if err != nil {
		return Reward{}, err
	}
	return reward, nil
}

// answer makes one attempt. It returns again if a conflicting write changed what it read. crowd
// reports whether many answers come from the same address; calling it counts this answer.
func (s *Service) answer(ctx context.Context, p askahuman.Person, a Answer, crowd func() (bool, error)) (_ Reward, again bool, err error) {
	sub, err := s.prepare(ctx, p, a)
	if err != nil {
		return Reward{}, false, err
	}
	many, err := crowd()
	if err != nil {
		return Reward{}, false, err
	}
	if many && sub.flag == nil {
		sub.flag = new(askahumandb.ResponseFlagReasonPatternMatch)
	}
	if !sub.known {
		sub.stats, err = s.env.DB.CreateUserStats(ctx, people.NewStats(p, sub.now))
		if errors.Is(err, access.ErrExists) {
			return Reward{}, true, err
		}
		if err != nil {
			return Reward{}, false, fmt.Errorf("begin the statistics of a person: %w", err)
		}
	}
	before := people.CareerOf(sub.stats)
	result := score.Apply(before, sub.scored())
	err = s.storeAnswer(ctx, sub, result)
	switch {
	case askahuman.Changed[askahumandb.Response](err): // the response has to be new
		return Reward{}, false, askahuman.ErrAlreadyAnswered
	case err != nil:
		again = askahuman.Changed[askahumandb.Question](err) || askahuman.Changed[askahumandb.UserStats](err)
		return Reward{}, again, fmt.Errorf("store an answer: %w", err)
	}
	s.countAnswer(sub)
	return Reward{
		ResponseID:   s.responseID(sub),
		Points:       result.Points,
		Breakdown:    result.Items,
		Capped:       result.Capped,
		NewBadges:    result.Earned,
		TotalPoints:  result.Career.TotalPoints,
		TotalAnswers: result.Career.TotalAnswers,
		StreakDays:   result.Career.StreakDays,
		Next:         score.Nearest(score.Remaining(result.Career)), // as the profile shows it
	}, false, nil
}

// A submission is an answer with the items that were read to judge it.
type submission struct {
	Answer
	person   askahuman.Person
	question askahumandb.Question
	stats    askahumandb.UserStats
	known    bool                   // the person has statistics
	recent   []askahumandb.Response // of this person, newest first
	notified bool
	flag     *askahumandb.ResponseFlagReason
	textHash string // of the normalized text
	now      time.Time
}

// prepare reads the items an answer needs, and returns an error if the answer is not accepted.
func (s *Service) prepare(ctx context.Context, p askahuman.Person, a Answer) (*submission, error) {
	sub := &submission{Answer: a, person: p, now: s.env.Now().Truncate(time.Millisecond)}
	var err error
	if sub.stats, sub.known, err = s.people.Stored(ctx, p); err != nil {
		return nil, err
	}
	sub.person = p.InLastZone(sub.stats)
	if sub.stats.Standing == askahumandb.UserStatsStandingBanned {
		return nil, askahuman.ErrBanned
	}
	if sub.question, err = s.questions.Visible(ctx, a.QuestionID); err != nil {
		return nil, err
	}
	if sub.recent, err = s.env.DB.ListOwnResponses(p.Hash).Slice(ctx); err != nil {
		return nil, fmt.Errorf("read a person's recent answers: %w", err)
	}
	if err := s.mayAnswer(ctx, sub); err != nil {
		return nil, err
	}
	if err := a.checkFor(sub.question); err != nil {
		return nil, err
	}
	if err := s.checkAnswerRate(sub); err != nil {
		return nil, err
	}
	pushes, err := s.env.DB.ListPushesToPerson(a.QuestionID, p.Hash).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("read when a person was notified: %w", err)
	}
	sub.judge(s.env.Box, pushes)
	return sub, nil
}

// mayAnswer returns an error for a second answer and for a question that is over. The
// transaction catches answers that the index of recent answers does not show yet.
func (s *Service) mayAnswer(ctx context.Context, sub *submission) error {
	for _, r := range sub.recent {
		if r.QuestionID == sub.QuestionID {
			return askahuman.ErrAlreadyAnswered
		}
	}
	if questions.IsOpen(sub.question.Status) {
		return nil
	}
	answered, err := s.hasAnswered(ctx, sub.person, sub.QuestionID)
	if err != nil {
		return err
	}
	if answered {
		return askahuman.ErrAlreadyAnswered
	}
	return askahuman.ErrClosed
}

// checkAnswerRate returns an error if a person answers faster than people can read. The times
// are part of the statistics, which every answer writes with a version check, so that concurrent
// answers cannot exceed the limit.
func (s *Service) checkAnswerRate(sub *submission) error {
	last := sub.stats.RecentAnswers
	if len(last) < askahuman.RapidAnswers {
		return nil
	}
	free := last[askahuman.RapidAnswers-1].Add(askahuman.RapidWindow)
	if !free.After(sub.now) {
		return nil
	}
	s.env.Count(askahuman.MetricRateLimited, 1)
	return askahuman.TooMany(limitRapid, free, free.Sub(sub.now), "That was fast. Take a breath, and answer the next one in a moment.")
}

// hasAnswered reports whether a person has answered a question.
func (s *Service) hasAnswered(ctx context.Context, p askahuman.Person, questionID string) (bool, error) {
	own, err := s.Own(ctx, p, questionID)
	return own != nil, err
}

// checked returns the answer with its text tidied, or an error if it is invalid for any
// question.
func (a Answer) checked() (Answer, error) {
	a.Text = askahuman.Tidy(a.Text)
	if n := utf8.RuneCountInString(a.Text); n > askahuman.MaxAnswer {
		return a, refusal.OutOfRange("answer", "length", 1, askahuman.MaxAnswer, "An answer has at most %d characters; this one has %d.", askahuman.MaxAnswer, n)
	}
	if err := askahuman.CheckText("answer", a.Text, true); err != nil {
		return a, err
	}
	if c := a.Confidence; c != nil && (*c < askahuman.MinConfidence || *c > askahuman.MaxConfidence) {
		return a, refusal.OutOfRange("confidence", "range", askahuman.MinConfidence, askahuman.MaxConfidence, "Confidence goes from %d to %d.", askahuman.MinConfidence, askahuman.MaxConfidence)
	}
	if a.Took != nil && (*a.Took < 0 || *a.Took > maxTook) {
		return a, refusal.OutOfRange("response_time_ms", "range", 0, int(maxTook.Milliseconds()), "The response time is out of range.")
	}
	if a.Source == "" {
		a.Source = askahumandb.ResponseSourceFeed
	}
	if !a.Source.Valid() {
		return a, refusal.OfField(refusal.Field{Name: "source", Constraint: "allowed", Allowed: []string{"feed", "push", "link"}}, "The source is feed, push or link.")
	}
	return a, nil
}

// maxTook is the longest accepted time to answer; longer times are ignored.
const maxTook = 30 * 24 * time.Hour

// checkFor refuses an answer that is not of the kind its question asks for.
func (a Answer) checkFor(q askahumandb.Question) error {
	if q.Type == askahumandb.QuestionTypeText {
		switch {
		case a.Option != nil:
			return refusal.OfField(refusal.Field{Name: "selected_option", Constraint: "type"}, "This question wants an answer in words.")
		case a.Text == "":
			return refusal.OutOfRange("answer", "required", 1, askahuman.MaxAnswer, "Please say something.")
		}
		return nil
	}
	last := len(q.Options) - 1
	switch {
	case a.Text != "":
		return refusal.OfField(refusal.Field{Name: "answer", Constraint: "type"}, "This question wants one of its options.")
	case a.Option == nil:
		return refusal.OutOfRange("selected_option", "required", 0, last, "Please choose one of the options.")
	case *a.Option < 0 || *a.Option > last:
		return refusal.OutOfRange("selected_option", "range", 0, last, "There is no such option; they go from 0 to %d.", last)
	}
	return nil
}
