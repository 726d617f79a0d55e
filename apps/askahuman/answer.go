package askahuman

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
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
func (s *Service) Answer(ctx context.Context, p Person, a Answer) (Reward, error) {
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
	if errors.Is(err, ErrAlreadyAnswered) {
		s.Count(MetricDuplicate, 1)
	}
	if err != nil {
		return Reward{}, err
	}
	return reward, nil
}

// answer makes one attempt. It returns again if a conflicting write changed what it read. crowd
// reports whether many answers come from the same address; calling it counts this answer.
func (s *Service) answer(ctx context.Context, p Person, a Answer, crowd func() (bool, error)) (_ Reward, again bool, err error) {
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
		sub.stats, err = s.db.CreateUserStats(ctx, newStats(p, sub.now))
		if errors.Is(err, access.ErrExists) {
			return Reward{}, true, err
		}
		if err != nil {
			return Reward{}, false, fmt.Errorf("begin the statistics of a person: %w", err)
		}
	}
	before := careerOf(sub.stats)
	result := score.Apply(before, sub.scored())
	err = s.storeAnswer(ctx, sub, result)
	switch {
	case errors.Is(err, access.ErrExists): // only the response has to be new
		return Reward{}, false, ErrAlreadyAnswered
	case err != nil:
		again = changedMeanwhile[askahumandb.Question](err) || changedMeanwhile[askahumandb.UserStats](err)
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
		Next:         score.Next(before, result.Career),
	}, false, nil
}

// A submission is an answer with the items that were read to judge it.
type submission struct {
	Answer
	person   Person
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
func (s *Service) prepare(ctx context.Context, p Person, a Answer) (*submission, error) {
	sub := &submission{Answer: a, person: p, now: s.Now().Truncate(time.Millisecond)}
	var err error
	if sub.stats, sub.known, err = s.userStats(ctx, p); err != nil {
		return nil, err
	}
	sub.person = p.inLastZone(sub.stats)
	if sub.stats.Standing == askahumandb.UserStatsStandingBanned {
		return nil, ErrBanned
	}
	if sub.question, err = s.visibleQuestion(ctx, a.QuestionID); err != nil {
		return nil, err
	}
	if sub.recent, err = s.db.ListOwnResponses(p.Hash).Slice(ctx); err != nil {
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
	pushes, err := s.db.ListPushesToPerson(a.QuestionID, p.Hash).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("read when a person was notified: %w", err)
	}
	sub.judge(s.box, pushes)
	return sub, nil
}

// mayAnswer returns an error for a second answer and for a question that is over. The
// transaction catches answers that the index of recent answers does not show yet.
func (s *Service) mayAnswer(ctx context.Context, sub *submission) error {
	for _, r := range sub.recent {
		if r.QuestionID == sub.QuestionID {
			return ErrAlreadyAnswered
		}
	}
	if isOpen(sub.question.Status) {
		return nil
	}
	answered, err := s.hasAnswered(ctx, sub.person, sub.QuestionID)
	if err != nil {
		return err
	}
	if answered {
		return ErrAlreadyAnswered
	}
	return ErrClosed
}

// checkAnswerRate returns an error if a person answers faster than people can read. The times
// are part of the statistics, which every answer writes with a version check, so that concurrent
// answers cannot exceed the limit.
func (s *Service) checkAnswerRate(sub *submission) error {
	last := sub.stats.RecentAnswers
	if len(last) < RapidAnswers {
		return nil
	}
	free := last[RapidAnswers-1].Add(RapidWindow)
	if !free.After(sub.now) {
		return nil
	}
	s.Count(MetricRateLimited, 1)
	return tooMany(limitRapid, free, free.Sub(sub.now), "That was fast. Take a breath, and answer the next one in a moment.")
}

// visibleQuestion returns a question as people may see it. A question that an operator hid does
// not exist for them.
func (s *Service) visibleQuestion(ctx context.Context, id string) (askahumandb.Question, error) {
	q, err := s.Question(ctx, id)
	if err == nil && q.Hidden {
		err = ErrNoQuestion
	}
	return q, err
}

// hasAnswered reports whether a person has answered a question.
func (s *Service) hasAnswered(ctx context.Context, p Person, questionID string) (bool, error) {
	if p.Hash == "" {
		return false, nil
	}
	_, err := s.db.GetOwnResponse(ctx, questionID, p.Hash)
	if errors.Is(err, access.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for a person's answer: %w", err)
	}
	return true, nil
}

// checked returns the answer with its text tidied, or an error if it is invalid for any
// question.
func (a Answer) checked() (Answer, error) {
	a.Text = tidy(a.Text)
	if n := utf8.RuneCountInString(a.Text); n > MaxAnswer {
		return a, refusal.OutOfRange("answer", "length", 1, MaxAnswer, "An answer has at most %d characters; this one has %d.", MaxAnswer, n)
	}
	if err := checkText("answer", a.Text, true); err != nil {
		return a, err
	}
	if c := a.Confidence; c != nil && (*c < MinConfidence || *c > MaxConfidence) {
		return a, refusal.OutOfRange("confidence", "range", MinConfidence, MaxConfidence, "Confidence goes from %d to %d.", MinConfidence, MaxConfidence)
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
			return refusal.OutOfRange("answer", "required", 1, MaxAnswer, "Please say something.")
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
