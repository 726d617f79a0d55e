package api

import (
	"context"
	"math"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
)

// statistics serves the operations on statistics and regrades.
type statistics struct {
	results *results.Service
	bank    *bank.Service
}

func (h *statistics) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.GetStats, c.admin, h.stats),
		openapi.Handle(contract.GetDays, c.admin, h.days),
		openapi.Handle(contract.AnalyseItems, c.admin, h.items),
		openapi.Handle(contract.PreviewRegrade, c.admin, h.preview),
		openapi.Handle(contract.StartRegrade, c.admin, h.regrade),
		openapi.Handle(contract.ListRegrades, c.admin, h.regrades),
	}
}

func totalsOf(project, day string, attempts, practices, passed, abandoned, score, seconds int64) contract.Totals {
	t := contract.Totals{ProjectID: project, Day: day, Attempts: attempts, Practices: practices, Passed: passed, Abandoned: abandoned}
	if attempts > 0 {
		t.MeanScorePercent = new(math.Round(float64(score)/float64(attempts)) / 10)
		t.MeanSeconds = new(math.Round(10*float64(seconds)/float64(attempts)) / 10)
	}
	if ended := attempts + practices + abandoned; ended > 0 {
		t.CompletionRate = new(math.Round(1000*float64(attempts+practices)/float64(ended)) / 1000)
	}
	return t
}

func (h *statistics) stats(ctx context.Context, me exambuddy.Admin, _ contract.None) (contract.List[contract.Totals], error) {
	all, err := h.results.Totals(ctx, me)
	return contract.List[contract.Totals]{Items: each(all, func(s results.Totals) contract.Totals {
		return totalsOf(s.ProjectID, "", s.Attempts, s.Practices, s.Passed, s.Abandoned, s.ScoreSum, s.Seconds)
	})}, err
}

func (h *statistics) days(ctx context.Context, me exambuddy.Admin, in contract.DaysOf) (contract.List[contract.Totals], error) {
	for _, day := range []string{in.From, in.To} {
		if _, err := results.LastInstant(access.Date(day)); err != nil {
			return contract.List[contract.Totals]{}, err
		}
	}
	all, err := h.results.Days(ctx, me, in.ID, access.Date(in.From), access.Date(in.To))
	return contract.List[contract.Totals]{Items: each(all, func(s results.DayTotals) contract.Totals {
		return totalsOf(s.ProjectID, string(s.Day), s.Attempts, s.Practices, s.Passed, s.Abandoned, s.ScoreSum, s.Seconds)
	})}, err
}

func reportOf(r results.QuestionReport) contract.ItemReport {
	out := contract.ItemReport{
		QuestionID: r.QuestionID, Revision: r.Revision, Answers: r.Answers, Answered: r.Answered, Late: r.Late, Correct: r.Correct, MeanSeconds: r.MeanSeconds,
		Options: map[string]contract.OptionReport{}, Flags: []string{},
	}
	if r.Answers >= results.LeastAnswers {
		out.Facility, out.Discrimination = number(r.Facility), number(r.Discrimination)
	}
	for id, o := range r.Options {
		out.Options[id] = contract.OptionReport{Count: o.Count, Share: o.Share}
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

func (h *statistics) items(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.List[contract.ItemReport], error) {
	all, err := h.results.Items(ctx, me, in.ID)
	return contract.List[contract.ItemReport]{Items: each(all, reportOf)}, err
}

func (h *statistics) change(ctx context.Context, me exambuddy.Admin, projectID string, in contract.NewRegrade) (results.Change, error) {
	item, err := h.bank.Question(ctx, me, projectID, in.QuestionID)
	if err != nil {
		return results.Change{}, err
	}
	return results.Change{QuestionID: in.QuestionID, Rule: in.Rule, Key: domainKey(in.Key, item.Question), Reason: in.Reason}, nil
}

func (h *statistics) preview(ctx context.Context, me exambuddy.Admin, in operation.ByIDWith[contract.NewRegrade]) (contract.Outcome, error) {
	change, err := h.change(ctx, me, in.ID, in.Body)
	if err != nil {
		return contract.Outcome{}, err
	}
	out, err := h.results.Preview(ctx, me, in.ID, change)
	return contract.Outcome(out), err
}

func regradeOf(r results.Regrade) contract.Regrade {
	return contract.Regrade{ID: r.RegradeID, QuestionID: r.QuestionID, Rule: string(r.Rule), Reason: r.Reason, Status: string(r.Status), Changed: r.Changed, NowPassed: r.NowPassed, NowFailed: r.NowFailed, RequestedAt: r.RequestedAt, FinishedAt: r.FinishedAt}
}

func (h *statistics) regrade(ctx context.Context, me exambuddy.Admin, in operation.ByIDKeyed[contract.NewRegrade]) (contract.Regrade, error) {
	change, err := h.change(ctx, me, in.ID, in.Body)
	if err != nil {
		return contract.Regrade{}, err
	}
	change.Repeat = repeatOf(in.Key, in)
	r, err := h.results.Regrade(ctx, me, in.ID, change)
	return regradeOf(r), err
}

func (h *statistics) regrades(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.List[contract.Regrade], error) {
	all, err := h.results.Regrades(ctx, me, in.ID)
	return contract.List[contract.Regrade]{Items: each(all, regradeOf)}, err
}
