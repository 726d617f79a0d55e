package web

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/askahuman/score"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// personPages shows what a person did, and the leaderboard.
type personPages struct {
	answers  *answers.Service
	people   *people.Service
	site     *webkit.Site
	visitors *visitors
}

func (p *personPages) pages() map[string]page {
	return map[string]page{
		"GET /me":          p.me,
		"POST /me/name":    p.changeHandle,
		"GET /me/answers":  p.ownAnswers,
		"GET /leaderboard": p.leaderboard,
	}
}

// meTabs returns the pages about oneself.
func meTabs(current string) webkit.Tabs {
	tabs := webkit.Tabs{Label: "About you"}
	for _, tab := range []webkit.Tab{{Href: "/me", Text: "Points"}, {Href: "/me/answers", Text: "Answers"}, {Href: "/me/settings", Text: "Settings"}} {
		tab.Current = tab.Href == current
		tabs.Tabs = append(tabs.Tabs, tab)
	}
	return tabs
}

// meView holds the data of me.html.
type meView struct {
	Tabs    webkit.Tabs
	Stats   people.Stats
	Cap     int
	Numbers []webkit.Stat
	Next    *score.Progress
	Badges  []badgeView
	Earned  int
	Topics  *webkit.BarChart
}

// badgeView is a badge, earned or on the way.
type badgeView struct {
	score.Badge
	Icon     string
	Earned   bool
	EarnedAt time.Time
	Have     int
}

// statsOf returns the statistics of the viewer, or a newcomer's.
func (v *visitors) statsOf(r *http.Request) (people.Stats, error) {
	person := v.person(r)
	if person.Hash == "" {
		return people.Stats{Progress: score.Remaining(score.Career{})}, nil
	}
	return v.people.Stats(r.Context(), person)
}

func (p *personPages) me(w http.ResponseWriter, r *http.Request) error {
	stats, err := p.visitors.statsOf(r)
	if err != nil {
		return err
	}
	view := meView{
		Tabs: meTabs("/me"), Stats: stats, Cap: score.DailyCap,
		Numbers: statNumbers(stats), Next: score.Nearest(stats.Progress), Badges: badgeViews(stats), Earned: len(stats.Badges),
		Topics: topicsChart(stats),
	}
	p.site.Render(w, r, http.StatusOK, "me.html", view)
	return nil
}

// changeHandle gives the viewer another invented name on the boards.
func (p *personPages) changeHandle(w http.ResponseWriter, r *http.Request) error {
	name, err := p.people.ChangeHandle(r.Context(), p.visitors.person(r))
	if err != nil {
		return err
	}
	p.site.Flash(w, r, webkit.Good, "On the leaderboard you are now "+name+".")
	p.site.Redirect(w, r, "/me")
	return nil
}

func statNumbers(stats people.Stats) []webkit.Stat {
	rank := "–"
	if stats.Rank > 0 {
		rank = "#" + webkit.Number(stats.Rank)
	}
	if stats.Estimated {
		rank = "about " + rank
	}
	days := "days"
	if stats.StreakDays == 1 {
		days = "day"
	}
	return []webkit.Stat{
		{Label: "Points", Value: webkit.Number(stats.TotalPoints)},
		{Label: "Answers", Value: webkit.Number(stats.TotalAnswers)},
		{Label: "Streak", Value: webkit.Number(stats.StreakDays) + " " + days},
		{Label: "Place, all time", Value: rank},
	}
}

func badgeViews(stats people.Stats) []badgeView {
	earned := make(map[string]time.Time, len(stats.Badges))
	for _, badge := range stats.Badges {
		earned[badge.ID] = badge.EarnedAt
	}
	have := make(map[string]int, len(stats.Progress))
	for _, progress := range stats.Progress {
		have[progress.ID] = progress.Have
	}
	views := make([]badgeView, len(score.Badges))
	for i, badge := range score.Badges {
		at, ok := earned[badge.ID]
		views[i] = badgeView{Badge: badge, Icon: badgeIcon(badge.Kind), Earned: ok, EarnedAt: at, Have: min(have[badge.ID], badge.Goal)}
	}
	return views
}

// badgeIcon returns the picture of a kind of badges.
func badgeIcon(kind string) string {
	switch kind {
	case "streak":
		return "flame"
	case "category":
		return "book"
	case "special":
		return "star"
	}
	return "trophy"
}

// topicsChart returns the chart of a person's answers by topic; nil for a newcomer.
func topicsChart(stats people.Stats) *webkit.BarChart {
	if stats.TotalAnswers == 0 {
		return nil
	}
	chart := &webkit.BarChart{Title: "What you answer about", Unit: "answers"}
	for _, audience := range askahuman.Audiences {
		chart.Bars = append(chart.Bars, webkit.Bar{Label: capital(audience), Value: float64(stats.ByCategory[audience])})
	}
	return chart
}

// ownAnswersView holds the data of answers.html.
type ownAnswersView struct {
	Tabs    webkit.Tabs
	Answers []ownAnswerView
	Later   bool
	Pager   webkit.Pager
}

// ownAnswerView is one answer of oneself.
type ownAnswerView struct {
	ownView
	QuestionID string
	Prompt     string // "" if the question is deleted
	Status     questions.Status
}

const answersPage = 20

func (p *personPages) ownAnswers(w http.ResponseWriter, r *http.Request) error {
	view := ownAnswersView{Tabs: meTabs("/me/answers")}
	cursor := r.URL.Query().Get("cursor")
	if person := p.visitors.person(r); person.Hash != "" {
		answers, next, err := p.answers.OwnAnswers(r.Context(), person, answersPage, cursor)
		if _, bad := refusal.As(err, refusal.Invalid); bad {
			p.site.Redirect(w, r, "/me/answers")
			return nil
		}
		if err != nil {
			return err
		}
		for _, answer := range answers {
			view.Answers = append(view.Answers, ownAnswerView{
				ownView: *ownOf(answer.Response, answer.Options), QuestionID: answer.Response.QuestionID, Prompt: answer.Prompt, Status: answer.Status,
			})
		}
		if next != "" {
			view.Pager = webkit.Pager{More: true, Next: "/me/answers?" + url.Values{"cursor": {next}}.Encode(), Label: "Older answers"}
		}
	}
	view.Later = cursor != ""
	p.site.Render(w, r, http.StatusOK, "answers.html", view)
	return nil
}

// intervals returns the options for the notification interval, in minutes.
func intervals() []webkit.Option {
	var options []webkit.Option
	for _, minutes := range []int{5, 15, 30, 60, 180, 720, 1440} {
		options = append(options, webkit.Option{Value: strconv.Itoa(minutes), Text: "At most every " + everyText(minutes)})
	}
	return options
}

func everyText(minutes int) string {
	switch {
	case minutes < 60:
		return strconv.Itoa(minutes) + " minutes"
	case minutes == 60:
		return "hour"
	case minutes == 1440:
		return "day"
	}
	return strconv.Itoa(minutes/60) + " hours"
}
