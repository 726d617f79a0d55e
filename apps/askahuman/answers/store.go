package answers

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/score"
)

// storeAnswer writes an answer and everything that follows from it in one transaction.
// Answers of shadow-banned people are not counted; the others differ by whether the
// answer is the question's first, last or another one.
func (s *Service) storeAnswer(ctx context.Context, sub *submission, result score.Result) error {
	response, stats := s.response(sub, result.Points), statsAfter(sub, result)
	places, q := s.people.BoardEntries(sub.person, result.Career, sub.stats.Standing == askahumandb.UserStatsStandingShadowBanned, sub.now), sub.question
	switch {
	case sub.stats.Standing == askahumandb.UserStatsStandingShadowBanned:
		return s.env.DB.AnswerUncounted(ctx, askahumandb.AnswerUncountedParams{
			Response: response, UserStats: stats, BoardEntries: places, Now: sub.now, Was: sub.stats.Standing,
		})
	case sub.takesLastPlace():
		tx := s.env.DB.Tx()
		tx.AnswerLast(askahumandb.AnswerLastParams{
			Response: response, UserStats: stats, BoardEntries: places, Now: sub.now, Was: sub.stats.Standing,
			FirstResponseAt: cmp.Or(q.FirstResponseAt, &sub.now), ClosedAt: &sub.now, TTL: new(sub.now.Add(askahuman.KeepClosed)), AgentID: q.AgentID,
		})
		if err := s.questions.AddEnd(tx, q, sub.now); err != nil {
			return err
		}
		return tx.Commit(ctx)
	case q.Status == askahumandb.QuestionStatusOpen:
		return s.env.DB.AnswerFirst(ctx, askahumandb.AnswerFirstParams{
			Response: response, UserStats: stats, BoardEntries: places, Now: sub.now, Was: sub.stats.Standing,
			FirstResponseAt: &sub.now, Part: q.Part, ExpiresAt: q.ExpiresAt,
		})
	}
	return s.env.DB.AnswerNext(ctx, askahumandb.AnswerNextParams{
		Response: response, UserStats: stats, BoardEntries: places, Now: sub.now, Was: sub.stats.Standing,
	})
}

// takesLastPlace reports whether this answer completes the question.
func (sub *submission) takesLastPlace() bool {
	return sub.question.CurrentResponses >= sub.question.LastSlot
}

// countAnswer counts an answer that was stored.
func (s *Service) countAnswer(sub *submission) {
	s.env.Count(askahuman.MetricAnswered, 1)
	if sub.flag != nil {
		s.env.Count(askahuman.MetricFlagged, 1)
	}
	if sub.stats.Standing == askahumandb.UserStatsStandingShadowBanned {
		return
	}
	waited := sub.now.Sub(sub.question.CreatedAt)
	if sub.question.Status == askahumandb.QuestionStatusOpen {
		s.env.CountTime(askahuman.TimeFirstAnswer, waited)
	}
	if sub.takesLastPlace() {
		s.env.Count(askahuman.MetricCompleted, 1)
		s.env.CountTime(askahuman.TimeCompletion, waited)
	}
}

// response returns the answer as it is stored.
func (s *Service) response(sub *submission, points int) askahumandb.Response {
	r := askahumandb.Response{
		QuestionID:      sub.QuestionID,
		FingerprintHash: sub.person.Hash,
		ResponseID:      s.responseID(sub),
		Answer:          askahuman.UnlessEmpty(sub.Text),
		AnswerHash:      askahuman.UnlessEmpty(sub.textHash),
		SelectedOption:  wide(sub.Option),
		Confidence:      wide(sub.Confidence),
		Audience:        categoryOf(sub.question),
		Source:          sub.Source,
		IPHash:          askahuman.UnlessEmpty(sub.person.IPHash),
		Points:          int64(points),
		FlagState:       askahumandb.ResponseFlagStateClean,
		CreatedAt:       sub.now,
		TTL:             sub.now.Add(askahuman.KeepResponse),
	}
	if sub.Took != nil {
		r.ResponseTimeMs = new(sub.Took.Milliseconds())
	}
	if sub.flag != nil {
		r.FlagState, r.FlagReason, r.FlaggedAt = askahumandb.ResponseFlagStateFlagged, sub.flag, &sub.now
	}
	return r
}

// responseID returns an id by which a person can refer to an answer. It does not identify
// the person.
func (s *Service) responseID(sub *submission) string {
	return "r_" + s.env.Box.Hash("response", sub.QuestionID, sub.person.Hash)
}

func wide(n *int) *int64 {
	if n == nil {
		return nil
	}
	return new(int64(*n))
}

// statsAfter returns a person's statistics including an answer. Other fields, such as the
// moderation status, are unchanged.
func statsAfter(sub *submission, result score.Result) askahumandb.UserStats {
	c, stats := result.Career, sub.stats
	stats.TotalPoints, stats.TotalAnswers = int64(c.TotalPoints), int64(c.TotalAnswers)
	stats.Day, stats.DayPoints, stats.DayAnswers = access.Date(c.Day), int64(c.DayPoints), int64(c.DayAnswers)
	stats.Week, stats.WeekPoints, stats.WeekAnswers = access.Week(c.Week), int64(c.WeekPoints), int64(c.WeekAnswers)
	stats.StreakDays, stats.StreakLastDate = int64(c.StreakDays), new(access.Date(c.StreakLast))
	stats.TzOffsetMin = int64(sub.person.TZOffsetMin)
	stats.NightAnswers, stats.FastAnswers, stats.ConfidentAnswers = int64(c.Night), int64(c.Fast), int64(c.Confident)
	stats.UpdatedAt = sub.now
	stats.Badges = slices.Clone(stats.Badges)
	for _, badge := range result.Earned {
		stats.Badges = append(stats.Badges, askahumandb.Badge{ID: badge.ID, EarnedAt: sub.now})
	}
	stats.AnswersByCategory = make(map[string]int64, len(c.ByCategory))
	for category, answers := range c.ByCategory {
		stats.AnswersByCategory[category] = int64(answers)
	}
	recent := append([]time.Time{sub.now}, stats.RecentAnswers...)
	stats.RecentAnswers = recent[:min(len(recent), askahuman.RapidAnswers)]
	return stats
}
