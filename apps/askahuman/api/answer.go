package api

import (
	"context"
	"net/http"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/score"
	"sortkey.dev/apps/internal/jsonapi"
)

// responses takes the answers of people and shows what they earned.
type responses struct {
	answers *answers.Service
	callers *callers
	limit   func(ctx context.Context, limit askahuman.Limit, subject string) (askahuman.Allowance, error)
	people  *people.Service
}

func (h *responses) routes() []jsonapi.Route {
	return []jsonapi.Route{
		{Pattern: "POST /human/responses", Handler: h.answer},
		{Pattern: "GET /human/stats", Handler: h.stats},
		{Pattern: "GET /human/leaderboard", Handler: h.leaderboard},
	}
}

// answerBody is the request body of an answer.
type answerBody struct {
	QuestionID     string `json:"question_id"`
	Answer         string `json:"answer"`
	SelectedOption *int   `json:"selected_option"`
	Confidence     *int   `json:"confidence"`
	ResponseTimeMS *int   `json:"response_time_ms"`
	Source         string `json:"source"`
	// TimezoneOffset replaces the header for clients that cannot set headers.
	TimezoneOffset *int `json:"timezone_offset"`
}

func (b answerBody) answer() answers.Answer {
	answer := answers.Answer{
		QuestionID: b.QuestionID, Text: b.Answer, Option: b.SelectedOption, Confidence: b.Confidence,
		Source: answers.Source(b.Source),
	}
	if b.ResponseTimeMS != nil {
		took := times(*b.ResponseTimeMS, time.Millisecond)
		answer.Took = &took
	}
	return answer
}

// badgeView is a badge with a person's progress.
type badgeView struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	Description string     `json:"description"`
	EarnedAt    *time.Time `json:"earned_at,omitempty"`
	Have        *int       `json:"have,omitempty"`
	Goal        *int       `json:"goal,omitempty"`
}

func badgeOf(b score.Badge) badgeView { return badgeView{ID: b.ID, Name: b.Name, Description: b.Doc} }

func progressOf(p score.Progress) badgeView {
	view := badgeOf(p.Badge)
	view.Have, view.Goal = &p.Have, &p.Goal
	return view
}

type pointsView struct {
	Name   string `json:"name"`
	Label  string `json:"label"`
	Points int    `json:"points"`
}

// rewardView is the reward of an answer.
type rewardView struct {
	ResponseID   string       `json:"response_id"`
	Points       int          `json:"points_earned"`
	Breakdown    []pointsView `json:"points_breakdown"`
	Capped       bool         `json:"capped"`
	NewBadges    []badgeView  `json:"new_badges"`
	TotalPoints  int          `json:"total_points"`
	TotalAnswers int          `json:"total_answers"`
	StreakDays   int          `json:"streak_days"`
	NextBadge    *badgeView   `json:"next_badge,omitempty"`
}

func rewardOf(r answers.Reward) rewardView {
	view := rewardView{
		ResponseID: r.ResponseID, Points: r.Points, Capped: r.Capped, TotalPoints: r.TotalPoints, TotalAnswers: r.TotalAnswers,
		StreakDays: r.StreakDays, Breakdown: make([]pointsView, len(r.Breakdown)), NewBadges: make([]badgeView, len(r.NewBadges)),
	}
	for i, item := range r.Breakdown {
		view.Breakdown[i] = pointsView{Name: item.Name, Label: item.Label, Points: item.Points}
	}
	for i, badge := range r.NewBadges {
		view.NewBadges[i] = badgeOf(badge)
	}
	if r.Next != nil {
		next := progressOf(*r.Next)
		view.NextBadge = &next
	}
	return view
}

func (h *responses) answer(w http.ResponseWriter, r *http.Request) error {
	person, err := h.callers.person(r)
	if err != nil {
		return err
	}
	if _, err := h.limit(r.Context(), askahuman.LimitAnswerFrom, jsonapi.ClientNetwork(r).String()); err != nil {
		return err
	}
	if err := h.callers.allow(w, r, askahuman.LimitAnswer, person.Hash); err != nil {
		return err
	}
	var body answerBody
	if err := jsonapi.Read(r, &body); err != nil {
		return err
	}
	if body.QuestionID == "" {
		return invalid("question_id", "required", "Say which question this answers.")
	}
	if zone := body.TimezoneOffset; zone != nil {
		if err := checkZone("timezone_offset", *zone); err != nil {
			return err
		}
		person.TZOffsetMin, person.ZoneUnknown = *zone, false
	}
	reward, err := h.answers.Answer(r.Context(), person, body.answer())
	if err != nil {
		return err
	}
	h.callers.changed(body.QuestionID)
	return jsonapi.Write(w, http.StatusCreated, rewardOf(reward))
}

// statsView holds a person's statistics.
type statsView struct {
	TotalPoints  int            `json:"total_points"`
	TotalAnswers int            `json:"total_answers"`
	PointsToday  int            `json:"points_today"`
	DailyCap     int            `json:"daily_cap"`
	StreakDays   int            `json:"streak_days"`
	Rank         *int           `json:"rank"` // null without points
	Badges       []badgeView    `json:"badges"`
	Progress     []badgeView    `json:"progress"`
	ByCategory   map[string]int `json:"answers_by_category"`
}

func (h *responses) stats(w http.ResponseWriter, r *http.Request) error {
	person, err := h.callers.browsingPerson(w, r)
	if err != nil {
		return err
	}
	stats, err := h.people.Stats(r.Context(), person)
	if err != nil {
		return err
	}
	view := statsView{
		TotalPoints: stats.TotalPoints, TotalAnswers: stats.TotalAnswers, PointsToday: stats.DayPoints, DailyCap: score.DailyCap,
		StreakDays: stats.StreakDays, Rank: unlessZero(stats.Rank), ByCategory: stats.ByCategory,
		Badges: make([]badgeView, len(stats.Badges)), Progress: make([]badgeView, len(stats.Progress)),
	}
	for i, earned := range stats.Badges {
		at := earned.EarnedAt.UTC()
		view.Badges[i] = badgeOf(earned.Badge)
		view.Badges[i].EarnedAt = &at
	}
	for i, progress := range stats.Progress {
		view.Progress[i] = progressOf(progress)
	}
	if view.ByCategory == nil {
		view.ByCategory = map[string]int{}
	}
	return jsonapi.Write(w, http.StatusOK, view)
}

type placeView struct {
	Rank    int  `json:"rank"`
	Points  int  `json:"points"`
	Answers int  `json:"answers"`
	You     bool `json:"is_current_user"`
}

func (h *responses) leaderboard(w http.ResponseWriter, r *http.Request) error {
	if err := h.callers.browsing(w, r, askahuman.LimitBrowse); err != nil {
		return err
	}
	visitor, err := h.callers.visitor(r)
	if err != nil {
		return err
	}
	limit, err := clamped(r, "limit", 1, 100, 10)
	if err != nil {
		return err
	}
	board, err := h.people.Board(r.Context(), visitor, people.Period(r.URL.Query().Get("period")), limit)
	if err != nil {
		return err
	}
	out := struct {
		Period      people.Period `json:"period"`
		Entries     []placeView   `json:"entries"`
		YourRank    *int          `json:"your_rank"` // null if not on the board
		YourPoints  int           `json:"your_points"`
		YourAnswers int           `json:"your_answers"`
		Resets      *time.Time    `json:"resets_at,omitempty"`
	}{Period: board.Period, Entries: make([]placeView, len(board.Entries)), YourRank: unlessZero(board.YourRank), YourPoints: board.YourPoints, YourAnswers: board.YourAnswers}
	for i, row := range board.Entries {
		out.Entries[i] = placeView{Rank: row.Rank, Points: row.Points, Answers: row.Answers, You: row.You}
	}
	if !board.Resets.IsZero() {
		resets := board.Resets.UTC()
		out.Resets = &resets
	}
	return jsonapi.Write(w, http.StatusOK, out)
}

func unlessZero(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}
