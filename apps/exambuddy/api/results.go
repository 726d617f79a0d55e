package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/report"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/refusal"
)

// attempts serves the operations on results.
type attempts struct {
	results *results.Service
	now     func() time.Time
}

func (h *attempts) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.ListAttempts, c.signed, h.list),
		openapi.Handle(contract.GetResult, c.signed, h.get),
		openapi.HandleRaw(contract.ReportCSV, c.signed, h.report("csv", contract.ReportCSV.Media, report.CSV)),
		openapi.HandleRaw(contract.ReportPDF, c.signed, h.report("pdf", contract.ReportPDF.Media, report.PDF)),
		openapi.HandleRaw(contract.ExportAttempts, c.admin, h.export),
		openapi.Handle(contract.GetCertificate, c.candidate, h.certificate),
		openapi.Handle(contract.VerifyCertificate, c.anyone, h.verify),
	}
}

func attemptOf(a results.Attempt) contract.Attempt {
	return contract.Attempt{
		ID: a.AttemptID, CandidateID: a.CandidateID, CandidateEmail: a.CandidateEmail, CandidateName: a.CandidateName, ProjectID: a.ProjectID, ProjectTitle: a.ProjectTitle,
		Mode: string(a.Mode), Difficulty: string(a.Difficulty), Status: string(a.Status), StartedAt: a.StartedAt, CompletedAt: a.CompletedAt, CorrectCount: a.Score,
		AnsweredCount: a.AnsweredCount, TotalQuestions: a.TotalQuestions, ScorePercent: float64(a.ScoreTenths) / 10, PassMark: a.PassMark, Passed: a.Passed,
		TimeTakenSeconds: a.TimeTakenSeconds, RevealAt: a.RevealAt, RegradedAt: a.RegradedAt,
	}
}

func reviewOf(r results.Review) contract.Review {
	q := questionOf(r.Question)
	q.Tags = r.Tags
	return contract.Review{
		Position: r.Position, QuestionID: r.ID, Question: q, Given: contract.Answer(r.Given), Answered: r.Answered, Accepted: r.Accepted, TimeSpentMillis: r.Spent.Milliseconds(),
		LateMillis: r.Late.Milliseconds(), Correct: r.Correct, Mark: r.Mark, CorrectAnswer: keyOf(r.Key), Dropped: r.Dropped, FullMarks: r.FullMarks,
	}
}

// window returns the first and the last instant of the filter.
func window(in contract.Filter, now time.Time) (from, to time.Time, err error) {
	to = now
	if in.From != "" {
		if from, err = time.Parse(time.DateOnly, in.From); err != nil {
			return from, to, refusal.OfField(refusal.Field{Name: "from", Constraint: "format"}, "A day is written as 2026-02-28.")
		}
	}
	if in.To != "" {
		to, err = results.LastInstant(access.Date(in.To))
	}
	return from, to, err
}

// list lists attempts. A page may hold fewer than its limit, because filters apply to it.
func (h *attempts) list(ctx context.Context, me exambuddy.Caller, in contract.Filter) (contract.List[contract.Attempt], error) {
	from, to, err := window(in, h.now())
	if err != nil {
		return contract.List[contract.Attempt]{}, err
	}
	var page access.Page[results.Attempt]
	if admin, refused := me.Admin(); refused == nil {
		page, err = h.results.ByProject(ctx, admin, in.ProjectID, from, to, in.Limit, in.Cursor)
	} else {
		var candidate exambuddy.Candidate
		if candidate, err = me.Candidate(); err == nil {
			page, err = h.results.History(ctx, candidate, in.Limit, in.Cursor)
		}
	}
	if err != nil {
		return contract.List[contract.Attempt]{}, err
	}
	out := contract.List[contract.Attempt]{Items: []contract.Attempt{}, Next: page.Next}
	for _, attempt := range page.Items {
		if (in.ProjectID == "" || in.ProjectID == attempt.ProjectID) && (in.Email == "" || strings.EqualFold(in.Email, attempt.CandidateEmail)) && !attempt.StartedAt.Before(from) && !attempt.StartedAt.After(to) {
			out.Items = append(out.Items, attemptOf(attempt))
		}
	}
	return out, nil
}

// attemptOf returns an attempt of the caller, or of an exam of the caller, with its questions.
func (h *attempts) attemptOf(ctx context.Context, me exambuddy.Caller, id string) (results.Attempt, []results.Review, error) {
	if admin, refused := me.Admin(); refused == nil {
		return h.results.Details(ctx, admin, id)
	}
	candidate, err := me.Candidate()
	if err != nil {
		return results.Attempt{}, nil, err
	}
	return h.results.Review(ctx, candidate, id)
}

func (h *attempts) get(ctx context.Context, me exambuddy.Caller, in operation.ByID) (contract.Result, error) {
	attempt, reviews, err := h.attemptOf(ctx, me, in.ID)
	hidden := errors.Is(err, exambuddy.ErrHidden)
	if candidate, refused := me.Candidate(); hidden && refused == nil {
		attempt, err = h.results.Own(ctx, candidate, in.ID)
	}
	return contract.Result{Attempt: attemptOf(attempt), Hidden: hidden, Questions: each(reviews, reviewOf)}, err
}

// report sends an attempt as a file.
func (h *attempts) report(format, media string, write func(io.Writer, report.Attempt) error) func(http.ResponseWriter, *http.Request, exambuddy.Caller, operation.ByID) error {
	return func(w http.ResponseWriter, r *http.Request, me exambuddy.Caller, in operation.ByID) error {
		attempt, reviews, err := h.attemptOf(r.Context(), me, in.ID)
		if err != nil {
			return err
		}
		var content bytes.Buffer
		if err := write(&content, results.Reported(attempt, reviews)); err != nil {
			return err
		}
		return send(w, media, attempt.ProjectTitle+"."+format, content.Bytes())
	}
}

// export sends all attempts of an exam that match the filter.
func (h *attempts) export(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, in contract.Filter) error {
	from, to, err := window(in, h.now())
	if err != nil {
		return err
	}
	var all []report.Attempt
	for cursor := ""; ; {
		page, err := h.results.ByProject(r.Context(), me, in.ProjectID, from, to, exambuddy.MaxPage, cursor)
		if err != nil {
			return err
		}
		for _, attempt := range page.Items {
			if in.Email == "" || strings.EqualFold(in.Email, attempt.CandidateEmail) {
				all = append(all, results.Reported(attempt, nil))
			}
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	var content bytes.Buffer
	if err := report.AttemptsCSV(&content, all); err != nil {
		return err
	}
	return send(w, "text/csv", "results.csv", content.Bytes())
}

func certificateOf(c results.Certificate) contract.Certificate {
	return contract.Certificate{Code: c.Code, AttemptID: c.AttemptID, CandidateName: c.CandidateName, ProjectTitle: c.ProjectTitle, ScorePercent: float64(c.ScoreTenths) / 10, PassedAt: c.PassedAt, IssuedAt: c.IssuedAt, RevokedAt: c.RevokedAt, RevokedReason: c.RevokedReason}
}

func (h *attempts) certificate(ctx context.Context, me exambuddy.Candidate, in operation.ByID) (contract.Certificate, error) {
	c, err := h.results.Certificate(ctx, me, in.ID)
	return certificateOf(c), err
}

func (h *attempts) verify(ctx context.Context, _ *http.Request, in contract.CertificateCode) (contract.Certificate, error) {
	c, err := h.results.VerifyCertificate(ctx, in.Code)
	return certificateOf(c), err
}
