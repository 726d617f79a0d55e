package web

import (
	"io"
	"math"
	"net/http"
	"net/url"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/report"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/webkit"
)

// statisticsPages serves the results of an exam, the analysis of its questions and regrades.
type statisticsPages struct {
	results *results.Service
	sitting *sitting.Service
	bank    *bank.Service
	site    *webkit.Site
	now     func() time.Time
}

func (h *statisticsPages) pages() map[string]adminPage {
	return map[string]adminPage{
		"GET /admin/projects/{id}/results":                   h.statistics,
		"GET /admin/projects/{id}/results.csv":               h.attemptsCSV,
		"GET /admin/projects/{id}/items/{question}":          h.item,
		"POST /admin/projects/{id}/items/{question}/regrade": h.regrade,
		"GET /admin/attempts/{id}":                           h.attempt,
	}
}

// statisticsView holds the data of admin-results.html.
type statisticsView struct {
	frame
	Total    results.Totals
	Mean     string
	PassRate string
	Scores   *webkit.BarChart
	Days     *webkit.LineChart
	Items    []itemView
	Attempts []results.Attempt
	Running  []sitting.Session
	Pager    webkit.Pager
	Least    int
	Regrades []regradeRow
	From, To string // the range of days of the attempts; "" without one
}

// A regradeRow is a regrade with the text of its question.
type regradeRow struct {
	results.Regrade
	Text, What string
}

// An itemView is the analysis of a question, for people.
type itemView struct {
	results.QuestionReport
	Text     string
	Share    string // of right answers; "–" below the least number of answers
	Index    string // discrimination
	Reliable bool
	Words    []webkit.Badge
}

const days = 30

func (h *statisticsPages) statistics(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	f, err := frameOf(r, h.bank, me, "/results")
	if err != nil {
		return err
	}
	view := statisticsView{frame: f, Least: results.LeastAnswers, Mean: "–", PassRate: "–"}
	id, now := f.Project.ProjectID, h.now()
	totals, err := h.results.Totals(r.Context(), me)
	if err != nil {
		return err
	}
	for _, t := range totals {
		if t.ProjectID == id {
			view.Total = t
		}
	}
	if t := view.Total; t.Attempts > 0 {
		view.Mean = report.Score(int(t.ScoreSum / t.Attempts))
		view.PassRate = webkit.Percent(float64(t.Passed) / float64(t.Attempts))
	}
	from, to, first, last := h.attemptRange(r)
	view.From, view.To = first, last
	page, err := h.results.ByProject(r.Context(), me, id, from, to, exambuddy.HistoryPage, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	view.Attempts, view.Scores = page.Items, scores(page.Items)
	if page.Next != "" {
		view.Pager = webkit.Pager{Next: r.URL.Path + "?" + url.Values{"cursor": {page.Next}, "from": {first}, "to": {last}}.Encode(), More: true}
	}
	byDay, err := h.results.Days(r.Context(), me, id, access.DateOf(now.AddDate(0, 0, -days)), access.DateOf(now))
	if err != nil {
		return err
	}
	view.Days = dayChart(byDay)
	if view.Items, err = h.items(r, me, id); err != nil {
		return err
	}
	if view.Regrades, err = h.regrades(r, me, id, view.Items); err != nil {
		return err
	}
	if view.Running, err = h.sitting.Running(r.Context(), me, id); err != nil {
		return err
	}
	h.site.Render(w, r, http.StatusOK, "admin-results.html", view)
	return nil
}

func (h *statisticsPages) regrades(r *http.Request, me exambuddy.Admin, projectID string, items []itemView) ([]regradeRow, error) {
	all, err := h.results.Regrades(r.Context(), me, projectID)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, item := range items {
		texts[item.QuestionID] = item.Text
	}
	rows := make([]regradeRow, len(all))
	for i, one := range all {
		rows[i] = regradeRow{Regrade: one, Text: texts[one.QuestionID], What: ruleWords[string(one.Rule)]}
		if rows[i].Text == "" {
			rows[i].Text = "A question"
		}
	}
	return rows, nil
}

// attemptRange returns the range of days that a request asks for, from the first to the last instant.
// A day that cannot be parsed is left out.
func (h *statisticsPages) attemptRange(r *http.Request) (from, to time.Time, first, last string) {
	to = h.now()
	if day, err := time.Parse(time.DateOnly, r.URL.Query().Get("from")); err == nil {
		from, first = day, day.Format(time.DateOnly)
	}
	if end, err := results.LastInstant(access.Date(r.URL.Query().Get("to"))); err == nil {
		to, last = end, end.Format(time.DateOnly)
	}
	return from, to, first, last
}

// scores returns how many exams have which score.
func scores(attempts []results.Attempt) *webkit.BarChart {
	chart := &webkit.BarChart{Title: "Scores", Desc: "How many of the listed exams reached which score.", Unit: "exams"}
	for _, label := range []string{"0–19 %", "20–39 %", "40–59 %", "60–79 %", "80–100 %"} {
		chart.Bars = append(chart.Bars, webkit.Bar{Label: label})
	}
	some := false
	for _, a := range attempts {
		if a.Mode == results.ModeExam {
			chart.Bars[min(4, a.ScoreTenths/200)].Value++
			some = true
		}
	}
	if !some {
		return nil
	}
	return chart
}

func dayChart(byDay []results.DayTotals) *webkit.LineChart {
	if len(byDay) < 2 {
		return nil
	}
	chart := &webkit.LineChart{Title: "By day", Desc: "Exams and practice sessions of the last 30 days.", Series: []webkit.Series{{Name: "Exams"}, {Name: "Practice"}}}
	for _, d := range byDay {
		chart.Labels = append(chart.Labels, string(d.Day))
		chart.Series[0].Values = append(chart.Series[0].Values, float64(d.Attempts))
		chart.Series[1].Values = append(chart.Series[1].Values, float64(d.Practices))
	}
	return chart
}

var flagBadges = map[results.Flag]webkit.Badge{
	results.TooHard: {Text: "Hard", Tone: webkit.Warn}, results.TooEasy: {Text: "Very easy", Tone: webkit.Info}, results.Weak: {Text: "Tells little", Tone: webkit.Warn},
	results.CheckKey: {Text: "Check the key", Tone: webkit.Bad},
}

// items returns the item analysis with the texts of the questions.
func (h *statisticsPages) items(r *http.Request, me exambuddy.Admin, projectID string) ([]itemView, error) {
	reports, err := h.results.Items(r.Context(), me, projectID)
	if err != nil || len(reports) == 0 {
		return nil, err
	}
	texts := map[string]string{}
	for cursor := ""; ; {
		page, err := h.bank.Questions(r.Context(), me, projectID, exambuddy.MaxPage, cursor)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			texts[item.ID] = item.Question.Text
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	var all []itemView
	for _, report := range reports {
		v := itemView{QuestionReport: report, Text: texts[report.QuestionID], Share: "–", Index: "–", Reliable: report.Answers >= results.ReliableAnswers}
		if v.Text == "" {
			v.Text = "A deleted question"
		}
		if report.Answers >= results.LeastAnswers && !math.IsNaN(report.Facility) {
			v.Share = webkit.Percent(report.Facility)
		}
		if report.Answers >= results.LeastAnswers && !math.IsNaN(report.Discrimination) {
			v.Index = fixed(report.Discrimination, 2)
		}
		for _, flag := range report.Flags {
			v.Words = append(v.Words, flagBadges[flag])
		}
		all = append(all, v)
	}
	return all, nil
}

// attemptsCSV writes all attempts of an exam.
func (h *statisticsPages) attemptsCSV(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	project, err := h.bank.Project(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	from, to, _, _ := h.attemptRange(r)
	var all []report.Attempt
	for cursor := ""; ; {
		page, err := h.results.ByProject(r.Context(), me, project.ProjectID, from, to, exambuddy.MaxPage, cursor)
		if err != nil {
			return err
		}
		for _, a := range page.Items {
			all = append(all, results.Reported(a, nil))
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	return sendFile(w, "text/csv; charset=utf-8", project.Title+".csv", func(to io.Writer) error { return report.AttemptsCSV(to, all) })
}

// attempt shows an attempt to an admin.
func (h *statisticsPages) attempt(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	attempt, reviews, err := h.results.Details(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	view := resultView{Attempt: attempt, Rows: resultRows(reviews), Partly: partly(reviews), Admin: true}
	view.Topics, view.Weak = topics(reviews)
	h.site.Render(w, r, http.StatusOK, "result.html", view)
	return nil
}
