package api

import (
	"context"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/contract"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/score"
	"sortkey.dev/apps/internal/openapi"
)

// responses takes the answers of people and shows what they earned.
type responses struct {
	answers *answers.Service
	callers *callers
	people  *people.Service
}

func (h *responses) operations() []openapi.Operation {
	c := h.callers
	return []openapi.Operation{
		openapi.Handle(contract.SendAnswer, c.acting(askahuman.LimitAnswerFrom, askahuman.LimitAnswer), h.answer),
		openapi.Handle(contract.GetStats, c.browsingPerson, h.stats),
		openapi.Handle(contract.GetLeaderboard, c.browsingVisitor, h.leaderboard),
	}
}

func answerOf(b contract.Answer) answers.Answer {
	answer := answers.Answer{
		QuestionID: b.QuestionID, Text: b.Answer, Option: b.SelectedOption, Confidence: b.Confidence,
		Source: answers.Source(b.Source),
	}
	if b.ResponseTimeMS != nil {
		answer.Took = new(times(*b.ResponseTimeMS, time.Millisecond))
	}
	return answer
}

func badgeOf(b score.Badge) contract.Badge {
	return contract.Badge{ID: b.ID, Name: b.Name, Description: b.Doc}
}

func progressOf(p score.Progress) contract.BadgeProgress {
	return contract.BadgeProgress{Badge: badgeOf(p.Badge), Have: p.Have, Goal: p.Goal}
}

func rewardOf(r answers.Reward) contract.Reward {
	view := contract.Reward{
		ResponseID: r.ResponseID, Points: r.Points, Capped: r.Capped, TotalPoints: r.TotalPoints, TotalAnswers: r.TotalAnswers,
		StreakDays: r.StreakDays, Breakdown: make([]contract.Points, len(r.Breakdown)), NewBadges: make([]contract.Badge, len(r.NewBadges)),
	}
	for i, item := range r.Breakdown {
		view.Breakdown[i] = contract.Points{Name: item.Name, Label: item.Label, Points: item.Points}
	}
	for i, badge := range r.NewBadges {
		view.NewBadges[i] = badgeOf(badge)
	}
	if r.Next != nil {
		view.NextBadge = new(progressOf(*r.Next))
	}
	return view
}

func (h *responses) answer(ctx context.Context, person askahuman.Person, in contract.PersonWith[contract.Answer]) (contract.Reward, error) {
	if in.Body.QuestionID == "" {
		return contract.Reward{}, invalid("question_id", "required", "Say which question this answers.")
	}
	if zone := in.Body.TimezoneOffset; zone != nil { // for clients that cannot set headers
		if err := checkZone("timezone_offset", *zone); err != nil {
			return contract.Reward{}, err
		}
		person.TZOffsetMin, person.ZoneUnknown = *zone, false
	}
	reward, err := h.answers.Answer(ctx, person, answerOf(in.Body))
	if err != nil {
		return contract.Reward{}, err
	}
	h.callers.changed(in.Body.QuestionID)
	return rewardOf(reward), nil
}

func (h *responses) stats(ctx context.Context, person askahuman.Person, _ contract.Person) (contract.Stats, error) {
	stats, err := h.people.Stats(ctx, person)
	if err != nil {
		return contract.Stats{}, err
	}
	view := contract.Stats{
		TotalPoints: stats.TotalPoints, TotalAnswers: stats.TotalAnswers, PointsToday: stats.DayPoints, DailyCap: score.DailyCap,
		StreakDays: stats.StreakDays, Rank: unlessZero(stats.Rank), ByCategory: stats.ByCategory,
		Badges: make([]contract.EarnedBadge, len(stats.Badges)), Progress: make([]contract.BadgeProgress, len(stats.Progress)),
	}
	for i, earned := range stats.Badges {
		view.Badges[i] = contract.EarnedBadge{Badge: badgeOf(earned.Badge), EarnedAt: earned.EarnedAt.UTC()}
	}
	for i, progress := range stats.Progress {
		view.Progress[i] = progressOf(progress)
	}
	if view.ByCategory == nil {
		view.ByCategory = map[string]int{}
	}
	return view, nil
}

func (h *responses) leaderboard(ctx context.Context, visitor askahuman.Person, in contract.BoardQuery) (contract.Leaderboard, error) {
	board, err := h.people.Board(ctx, visitor, people.Period(in.Period), clamped(in.Limit, 1, 100, 10))
	if err != nil {
		return contract.Leaderboard{}, err
	}
	out := contract.Leaderboard{
		Period: string(board.Period), Entries: make([]contract.Place, len(board.Entries)),
		YourRank: unlessZero(board.YourRank), YourPoints: board.YourPoints, YourAnswers: board.YourAnswers,
	}
	for i, row := range board.Entries {
		out.Entries[i] = contract.Place{Rank: row.Rank, Points: row.Points, Answers: row.Answers, You: row.You}
	}
	if !board.Resets.IsZero() {
		out.Resets = new(board.Resets.UTC())
	}
	return out, nil
}

func unlessZero(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}
