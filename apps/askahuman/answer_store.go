package askahuman

import (
	"cmp"
	"context"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/score"
)

// storeAnswer writes an answer and all that follows from it in one transaction. Which one
// depends on the place the answer takes.
func (s *Service) storeAnswer(ctx context.Context, sub *submission, result score.Result) error {
	base := s.answerParams(sub, result)
	q := sub.question
	switch {
	case sub.stats.Standing == askahumandb.UserStatsStandingShadowBanned:
		return s.db.AnswerUncounted(ctx, askahumandb.AnswerUncountedParams(base))
	case sub.takesLastPlace():
		return s.db.AnswerLast(ctx, lastParams(base, q))
	case q.Status == askahumandb.QuestionStatusOpen:
		return s.db.AnswerFirst(ctx, firstParams(base, q))
	}
	return s.db.AnswerNext(ctx, base)
}

// takesLastPlace reports whether the question is complete with this answer.
func (sub *submission) takesLastPlace() bool {
	return sub.question.CurrentResponses >= sub.question.LastSlot
}

// countAnswer counts an answer that was stored.
func (s *Service) countAnswer(sub *submission) {
	s.Count(MetricAnswered, 1)
	if sub.flag != nil {
		s.Count(MetricFlagged, 1)
	}
	if sub.stats.Standing == askahumandb.UserStatsStandingShadowBanned {
		return
	}
	waited := sub.now.Sub(sub.question.CreatedAt)
	if sub.question.Status == askahumandb.QuestionStatusOpen {
		s.CountTime(TimeFirstAnswer, waited)
	}
	if sub.takesLastPlace() {
		s.Count(MetricCompleted, 1)
		s.CountTime(TimeCompletion, waited)
	}
}

// response is the answer as it is stored.
func (s *Service) response(sub *submission, points int) askahumandb.Response {
	r := askahumandb.Response{
		QuestionID:      sub.QuestionID,
		FingerprintHash: sub.person.Hash,
		ResponseID:      s.responseID(sub),
		Answer:          unlessEmpty(sub.Text),
		AnswerHash:      unlessEmpty(sub.textHash),
		SelectedOption:  wide(sub.Option),
		Confidence:      wide(sub.Confidence),
		Audience:        categoryOf(sub.question),
		Source:          sub.Source,
		IPHash:          unlessEmpty(sub.person.IPHash),
		Points:          int64(points),
		FlagState:       askahumandb.ResponseFlagStateClean,
		CreatedAt:       sub.now,
		TTL:             sub.now.Add(KeepResponse),
	}
	if sub.Took != nil {
		r.ResponseTimeMs = new(sub.Took.Milliseconds())
	}
	if sub.flag != nil {
		r.FlagState, r.FlagReason, r.FlaggedAt = askahumandb.ResponseFlagStateFlagged, sub.flag, &sub.now
	}
	return r
}

// responseID is what a person can name an answer by. It tells nothing about them.
func (s *Service) responseID(sub *submission) string {
	return "r_" + s.box.Hash("response", sub.QuestionID, sub.person.Hash)
}

func wide(n *int) *int64 {
	if n == nil {
		return nil
	}
	return new(int64(*n))
}

// answerParams are what is written with every answer; those of AnswerNext are nothing else.
func (s *Service) answerParams(sub *submission, result score.Result) askahumandb.AnswerNextParams {
	c := result.Career
	params := askahumandb.AnswerNextParams{
		Response:          s.response(sub, result.Points),
		BoardEntries:      boardEntries(sub.person, c, sub.now),
		Now:               sub.now,
		TotalPoints:       int64(c.TotalPoints),
		TotalAnswers:      int64(c.TotalAnswers),
		Day:               access.Date(c.Day),
		DayPoints:         int64(c.DayPoints),
		DayAnswers:        int64(c.DayAnswers),
		Week:              access.Week(c.Week),
		WeekPoints:        int64(c.WeekPoints),
		WeekAnswers:       int64(c.WeekAnswers),
		StreakDays:        int64(c.StreakDays),
		StreakLastDate:    new(access.Date(c.StreakLast)),
		TzOffsetMin:       int64(sub.person.TZOffsetMin),
		Badges:            append([]askahumandb.Badge{}, sub.stats.Badges...),
		AnswersByCategory: make(map[string]int64, len(c.ByCategory)),
		NightAnswers:      int64(c.Night),
		FastAnswers:       int64(c.Fast),
		ConfidentAnswers:  int64(c.Confident),
		UpdatedAt:         sub.now,
		Version:           sub.stats.Version,
	}
	for _, badge := range result.Earned {
		params.Badges = append(params.Badges, askahumandb.Badge{ID: badge.ID, EarnedAt: sub.now})
	}
	for category, answers := range c.ByCategory {
		params.AnswersByCategory[category] = int64(answers)
	}
	return params
}

// firstParams are those of the first answer of a question.
func firstParams(p askahumandb.AnswerNextParams, q askahumandb.Question) askahumandb.AnswerFirstParams {
	return askahumandb.AnswerFirstParams{
		FirstResponseAt: &p.Response.CreatedAt, ExpiresAt: q.ExpiresAt,
		Response: p.Response, BoardEntries: p.BoardEntries, Now: p.Now,
		TotalPoints: p.TotalPoints, TotalAnswers: p.TotalAnswers,
		Day: p.Day, DayPoints: p.DayPoints, DayAnswers: p.DayAnswers,
		Week: p.Week, WeekPoints: p.WeekPoints, WeekAnswers: p.WeekAnswers,
		StreakDays: p.StreakDays, StreakLastDate: p.StreakLastDate, TzOffsetMin: p.TzOffsetMin,
		Badges: p.Badges, AnswersByCategory: p.AnswersByCategory,
		NightAnswers: p.NightAnswers, FastAnswers: p.FastAnswers, ConfidentAnswers: p.ConfidentAnswers,
		UpdatedAt: p.UpdatedAt, Version: p.Version,
	}
}

// lastParams are those of the answer that completes a question.
func lastParams(p askahumandb.AnswerNextParams, q askahumandb.Question) askahumandb.AnswerLastParams {
	return askahumandb.AnswerLastParams{
		FirstResponseAt: cmp.Or(q.FirstResponseAt, &p.Response.CreatedAt), ClosedAt: &p.Response.CreatedAt, TTL: new(p.Response.CreatedAt.Add(KeepClosed)), AgentID: q.AgentID,
		Response: p.Response, BoardEntries: p.BoardEntries, Now: p.Now,
		TotalPoints: p.TotalPoints, TotalAnswers: p.TotalAnswers,
		Day: p.Day, DayPoints: p.DayPoints, DayAnswers: p.DayAnswers,
		Week: p.Week, WeekPoints: p.WeekPoints, WeekAnswers: p.WeekAnswers,
		StreakDays: p.StreakDays, StreakLastDate: p.StreakLastDate, TzOffsetMin: p.TzOffsetMin,
		Badges: p.Badges, AnswersByCategory: p.AnswersByCategory,
		NightAnswers: p.NightAnswers, FastAnswers: p.FastAnswers, ConfidentAnswers: p.ConfidentAnswers,
		UpdatedAt: p.UpdatedAt, Version: p.Version,
	}
}

// boardEntries are a person's places on the boards of all time, the day and the week.
func boardEntries(p Person, c score.Career, now time.Time) []askahumandb.BoardEntry {
	ttl := now.Add(KeepBoard)
	entry := func(board string, points, answers int, ttl *time.Time) askahumandb.BoardEntry {
		return askahumandb.BoardEntry{
			Board: board, FingerprintHash: p.Hash, Points: int64(points), Answers: int64(answers), UpdatedAt: now, TTL: ttl,
		}
	}
	return []askahumandb.BoardEntry{
		entry(boardOfAll, c.TotalPoints, c.TotalAnswers, nil),
		entry(boardOfDay(access.Date(c.Day)), c.DayPoints, c.DayAnswers, &ttl),
		entry(boardOfWeek(access.Week(c.Week)), c.WeekPoints, c.WeekAnswers, &ttl),
	}
}
