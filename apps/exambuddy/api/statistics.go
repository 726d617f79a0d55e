package api

import (
	"context"
	"math"
	"net/http"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/internal/openapi"
)

func (a *api) statisticOperations() []openapi.Operation {
	return []openapi.Operation{
		openapi.On(a.admin, http.MethodGet, "/v1/results/stats", "The totals of own exams", http.StatusOK, a.stats),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}/days", "The totals of an exam by day", http.StatusOK, a.days),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}/items", "The item analysis of an exam", http.StatusOK, a.items),
		openapi.On(a.admin, http.MethodPost, "/v1/admin/projects/{id}/regrades/preview", "What a regrade would change", http.StatusOK, a.previewRegrade),
		openapi.On(a.admin, http.MethodPost, "/v1/admin/projects/{id}/regrades", "Regrade a question in all attempts", http.StatusAccepted, a.regrade),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}/regrades", "The newest regrades of an exam", http.StatusOK, a.regrades),
	}
}

// Totals holds the totals of an exam.
type Totals struct {
	ProjectID        string   `json:"projectId"`
	Day              string   `json:"day,omitempty"`
	Attempts         int64    `json:"attempts"`
	Practices        int64    `json:"practices"`
	Passed           int64    `json:"passed"`
	Abandoned        int64    `json:"abandoned"`
	MeanScorePercent *float64 `json:"meanScorePercent,omitempty"`
	MeanSeconds      *float64 `json:"meanSeconds,omitempty"`
	CompletionRate   *float64 `json:"completionRate,omitempty"` // of the sessions that have ended, practice included
}

func totalsOf(project, day string, attempts, practices, passed, abandoned, score, seconds int64) Totals {
	t := Totals{ProjectID: project, Day: day, Attempts: attempts, Practices: practices, Passed: passed, Abandoned: abandoned}
	if attempts > 0 {
		t.MeanScorePercent = new(math.Round(float64(score)/float64(attempts)) / 10)
		t.MeanSeconds = new(math.Round(10*float64(seconds)/float64(attempts)) / 10)
	}
	if ended := attempts + practices + abandoned; ended > 0 {
		t.CompletionRate = new(math.Round(1000*float64(attempts+practices)/float64(ended)) / 1000)
	}
	return t
}

func (a *api) stats(ctx context.Context, me exambuddy.Admin, _ None) (List[Totals], error) {
	all, err := a.Domain.Results.Totals(ctx, me)
	return List[Totals]{Items: each(all, func(s results.Totals) Totals {
		return totalsOf(s.ProjectID, "", s.Attempts, s.Practices, s.Passed, s.Abandoned, s.ScoreSum, s.Seconds)
	})}, err
}

func (a *api) days(ctx context.Context, me exambuddy.Admin, in struct {
	ID   string `path:"id"`
	From string `query:"from" required:"true"`
	To   string `query:"to" required:"true"`
}) (List[Totals], error) {
	for _, day := range []string{in.From, in.To} {
		if _, err := results.LastInstant(access.Date(day)); err != nil {
			return List[Totals]{}, err
		}
	}
	all, err := a.Domain.Results.Days(ctx, me, in.ID, access.Date(in.From), access.Date(in.To))
	return List[Totals]{Items: each(all, func(s results.DayTotals) Totals {
		return totalsOf(s.ProjectID, string(s.Day), s.Attempts, s.Practices, s.Passed, s.Abandoned, s.ScoreSum, s.Seconds)
	})}, err
}

// An ItemReport is the analysis of a question. Indices are missing below ten answers.
type ItemReport struct {
	QuestionID     string                  `json:"questionId"`
	Revision       int64                   `json:"revision"`
	Answers        int64                   `json:"answers"`
	Answered       int64                   `json:"answered"`
	Late           int64                   `json:"late"`
	Correct        int64                   `json:"correct"`
	MeanSeconds    float64                 `json:"meanSeconds"`
	Facility       *float64                `json:"facility,omitempty"`
	Discrimination *float64                `json:"discrimination,omitempty"`
	Options        map[string]OptionReport `json:"options"`
	Flags          []string                `json:"flags"`
}

// An OptionReport says who chose an option.
type OptionReport struct {
	Count int64   `json:"count"`
	Share float64 `json:"share"`
}

func reportOf(r results.QuestionReport) ItemReport {
	out := ItemReport{
		QuestionID: r.QuestionID, Revision: r.Revision, Answers: r.Answers, Answered: r.Answered, Late: r.Late, Correct: r.Correct, MeanSeconds: r.MeanSeconds,
		Options: map[string]OptionReport{}, Flags: []string{},
	}
	if r.Answers >= results.LeastAnswers {
		out.Facility, out.Discrimination = number(r.Facility), number(r.Discrimination)
	}
	for id, o := range r.Options {
		out.Options[id] = OptionReport{Count: o.Count, Share: o.Share}
	}
	for _, flag := range r.Flags {
		out.Flags = append(out.Flags, string(flag))
	}
	return out
}

// number returns nil for a value that does not exist.
func number(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

func (a *api) items(ctx context.Context, me exambuddy.Admin, in byID) (List[ItemReport], error) {
	all, err := a.Domain.Results.Items(ctx, me, in.ID)
	return List[ItemReport]{Items: each(all, reportOf)}, err
}

// A NewRegrade says how the attempts with a question are regraded.
type NewRegrade struct {
	QuestionID string `json:"questionId"`
	Rule       string `json:"rule"`
	Key        Key    `json:"key"`
	Reason     string `json:"reason,omitempty"`
}

type regradeArguments struct {
	ID   string `path:"id"`
	Body NewRegrade
}

func (a *api) change(ctx context.Context, me exambuddy.Admin, in regradeArguments) (results.Change, error) {
	item, err := a.Domain.Bank.Question(ctx, me, in.ID, in.Body.QuestionID)
	if err != nil {
		return results.Change{}, err
	}
	return results.Change{QuestionID: in.Body.QuestionID, Rule: in.Body.Rule, Key: in.Body.Key.domain(item.Question), Reason: in.Body.Reason}, nil
}

// An Outcome says what a regrade changes.
type Outcome struct {
	Attempts  int `json:"attempts"`
	Changed   int `json:"changed"`
	NowPassed int `json:"nowPassed"`
	NowFailed int `json:"nowFailed"`
}

func (a *api) previewRegrade(ctx context.Context, me exambuddy.Admin, in regradeArguments) (Outcome, error) {
	change, err := a.change(ctx, me, in)
	if err != nil {
		return Outcome{}, err
	}
	out, err := a.Domain.Results.Preview(ctx, me, in.ID, change)
	return Outcome(out), err
}

// A Regrade is a change of attempts that runs or is complete.
type Regrade struct {
	ID          string     `json:"id"`
	QuestionID  string     `json:"questionId"`
	Rule        string     `json:"rule"`
	Reason      string     `json:"reason"`
	Status      string     `json:"status"`
	Changed     int64      `json:"changed"`
	NowPassed   int64      `json:"nowPassed"`
	NowFailed   int64      `json:"nowFailed"`
	RequestedAt time.Time  `json:"requestedAt"`
	FinishedAt  *time.Time `json:"finishedAt,omitempty"`
}

func regradeOf(r results.Regrade) Regrade {
	return Regrade{r.RegradeID, r.QuestionID, string(r.Rule), r.Reason, string(r.Status), r.Changed, r.NowPassed, r.NowFailed, r.RequestedAt, r.FinishedAt}
}

func (a *api) regrade(ctx context.Context, me exambuddy.Admin, in regradeArguments) (Regrade, error) {
	change, err := a.change(ctx, me, in)
	if err != nil {
		return Regrade{}, err
	}
	r, err := a.Domain.Results.Regrade(ctx, me, in.ID, change)
	return regradeOf(r), err
}

func (a *api) regrades(ctx context.Context, me exambuddy.Admin, in byID) (List[Regrade], error) {
	all, err := a.Domain.Results.Regrades(ctx, me, in.ID)
	return List[Regrade]{Items: each(all, regradeOf)}, err
}
