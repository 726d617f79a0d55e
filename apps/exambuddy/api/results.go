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
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/report"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/refusal"
)

func (a *api) resultOperations() []openapi.Operation {
	export := func(format, media string, write func(io.Writer, report.Attempt) error) openapi.Operation {
		return openapi.Raw[exambuddy.Caller, byID, None](a.signed, http.MethodGet, "/v1/results/attempts/{id}/export/"+format, "An attempt as a file", http.StatusOK, "", media,
			func(w http.ResponseWriter, r *http.Request, me exambuddy.Caller, in byID) error {
				attempt, reviews, err := a.attemptOf(r.Context(), me, in.ID)
				if err != nil {
					return err
				}
				var content bytes.Buffer
				if err := write(&content, reported(attempt, reviews)); err != nil {
					return err
				}
				return send(w, media, attempt.ProjectTitle+"."+format, content.Bytes())
			})
	}
	return []openapi.Operation{
		openapi.On(a.signed, http.MethodGet, "/v1/results/attempts", "Own attempts, or those of an exam of an admin, newest first", http.StatusOK, a.attempts),
		openapi.On(a.signed, http.MethodGet, "/v1/results/attempts/{id}", "An attempt, with its questions if the exam shows them", http.StatusOK, a.attempt),
		export("csv", "text/csv", report.CSV),
		export("pdf", "application/pdf", report.PDF),
		openapi.Raw[exambuddy.Admin, attemptFilter, None](a.admin, http.MethodGet, "/v1/results/export/csv", "The attempts of an exam as a file", http.StatusOK, "", "text/csv", a.exportAttempts),
		openapi.On(a.candidate, http.MethodPost, "/v1/results/attempts/{id}/certificate", "The certificate of a passed exam", http.StatusOK, a.certificate),
		openapi.On(a.anyone, http.MethodGet, "/v1/certificates/{code}", "A certificate by its code", http.StatusOK, a.verify).Open(),
	}
}

// An Attempt is the result of a session.
type Attempt struct {
	ID               string     `json:"id"`
	CandidateID      string     `json:"candidateId"`
	CandidateEmail   string     `json:"candidateEmail"`
	CandidateName    string     `json:"candidateName"`
	ProjectID        string     `json:"projectId"`
	ProjectTitle     string     `json:"projectTitle"`
	Mode             string     `json:"mode" enum:"test exam"`
	Difficulty       string     `json:"difficulty"`
	Status           string     `json:"status"`
	StartedAt        time.Time  `json:"startedAt"`
	CompletedAt      time.Time  `json:"completedAt"`
	CorrectCount     int64      `json:"correctCount"`
	AnsweredCount    int64      `json:"answeredCount"`
	TotalQuestions   int64      `json:"totalQuestions"`
	ScorePercent     float64    `json:"scorePercent"` // of all questions, one decimal
	PassMark         int64      `json:"passMark"`
	Passed           bool       `json:"passed"`
	TimeTakenSeconds int64      `json:"timeTakenSeconds"`
	RevealAt         *time.Time `json:"revealAt,omitempty"` // the earliest time at which the candidate sees the answers; not while others sit the exam
	RegradedAt       *time.Time `json:"regradedAt,omitempty"`
}

func attemptOf(a results.Attempt) Attempt {
	return Attempt{
		ID: a.AttemptID, CandidateID: a.CandidateID, CandidateEmail: a.CandidateEmail, CandidateName: a.CandidateName, ProjectID: a.ProjectID, ProjectTitle: a.ProjectTitle,
		Mode: string(a.Mode), Difficulty: string(a.Difficulty), Status: string(a.Status), StartedAt: a.StartedAt, CompletedAt: a.CompletedAt, CorrectCount: a.Score,
		AnsweredCount: a.AnsweredCount, TotalQuestions: a.TotalQuestions, ScorePercent: float64(a.ScoreTenths) / 10, PassMark: a.PassMark, Passed: a.Passed,
		TimeTakenSeconds: a.TimeTakenSeconds, RevealAt: a.RevealAt, RegradedAt: a.RegradedAt,
	}
}

// A Review is a question of an attempt with the right answer.
type Review struct {
	Position        int      `json:"position"`
	QuestionID      string   `json:"questionId"`
	Question        Question `json:"question"`
	Given           Answer   `json:"given"`
	Answered        bool     `json:"answered"`
	Accepted        bool     `json:"accepted"`
	TimeSpentMillis int64    `json:"timeSpentMillis"`
	LateMillis      int64    `json:"lateMillis,omitempty"`
	Correct         bool     `json:"isCorrect"`
	Mark            int      `json:"mark"`
	CorrectAnswer   Key      `json:"correctAnswer"`
	Dropped         bool     `json:"dropped,omitempty"`
	FullMarks       bool     `json:"fullMarks,omitempty"`
}

func reviewOf(r results.Review) Review {
	q := questionOf(r.Question)
	q.Tags = r.Tags
	return Review{
		Position: r.Position, QuestionID: r.ID, Question: q, Given: Answer(r.Given), Answered: r.Answered, Accepted: r.Accepted, TimeSpentMillis: r.Spent.Milliseconds(),
		LateMillis: r.Late.Milliseconds(), Correct: r.Correct, Mark: r.Mark, CorrectAnswer: keyOf(r.Key), Dropped: r.Dropped, FullMarks: r.FullMarks,
	}
}

// attemptFilter holds the arguments of lists of attempts. Days are of UTC, and included.
type attemptFilter struct {
	ProjectID string `query:"projectId"`
	From      string `query:"from"`
	To        string `query:"to"`
	Email     string `query:"candidateEmail"`
	Limit     int    `query:"limit"`
	Cursor    string `query:"cursor"`
}

// window returns the first and the last instant of the filter.
func (in attemptFilter) window(now time.Time) (from, to time.Time, err error) {
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

// attempts lists attempts. A page may hold fewer than its limit, because filters apply to it.
func (a *api) attempts(ctx context.Context, me exambuddy.Caller, in attemptFilter) (List[Attempt], error) {
	from, to, err := in.window(a.Domain.Now())
	if err != nil {
		return List[Attempt]{}, err
	}
	var page access.Page[results.Attempt]
	if admin, refused := me.Admin(); refused == nil {
		page, err = a.Domain.Results.ByProject(ctx, admin, in.ProjectID, from, to, in.Limit, in.Cursor)
	} else {
		var candidate exambuddy.Candidate
		if candidate, err = me.Candidate(); err == nil {
			page, err = a.Domain.Results.History(ctx, candidate, in.Limit, in.Cursor)
		}
	}
	if err != nil {
		return List[Attempt]{}, err
	}
	out := List[Attempt]{Items: []Attempt{}, Next: page.Next}
	for _, attempt := range page.Items {
		if (in.ProjectID == "" || in.ProjectID == attempt.ProjectID) && (in.Email == "" || strings.EqualFold(in.Email, attempt.CandidateEmail)) && !attempt.StartedAt.Before(from) && !attempt.StartedAt.After(to) {
			out.Items = append(out.Items, attemptOf(attempt))
		}
	}
	return out, nil
}

// attemptOf returns an attempt of the caller, or of an exam of the caller, with its questions.
func (a *api) attemptOf(ctx context.Context, me exambuddy.Caller, id string) (results.Attempt, []results.Review, error) {
	if admin, refused := me.Admin(); refused == nil {
		return a.Domain.Results.Details(ctx, admin, id)
	}
	candidate, err := me.Candidate()
	if err != nil {
		return results.Attempt{}, nil, err
	}
	return a.Domain.Results.Review(ctx, candidate, id)
}

// A Result is an attempt with its questions, which are missing while the exam hides its answers.
type Result struct {
	Attempt   Attempt  `json:"attempt"`
	Hidden    bool     `json:"hidden"`
	Questions []Review `json:"questions"`
}

func (a *api) attempt(ctx context.Context, me exambuddy.Caller, in byID) (Result, error) {
	attempt, reviews, err := a.attemptOf(ctx, me, in.ID)
	hidden := errors.Is(err, exambuddy.ErrHidden)
	if candidate, refused := me.Candidate(); hidden && refused == nil {
		attempt, err = a.Domain.Results.Own(ctx, candidate, in.ID)
	}
	return Result{Attempt: attemptOf(attempt), Hidden: hidden, Questions: each(reviews, reviewOf)}, err
}

// reported returns an attempt for package report.
func reported(a results.Attempt, reviews []results.Review) report.Attempt {
	out := report.Attempt{
		ID: a.AttemptID, Candidate: a.CandidateName, Email: a.CandidateEmail, Project: a.ProjectTitle, Mode: string(a.Mode), Difficulty: string(a.Difficulty),
		Started: a.StartedAt, Completed: a.CompletedAt, Tenths: int(a.ScoreTenths), PassMark: int(a.PassMark) * 10, Correct: int(a.Score), Answered: int(a.AnsweredCount),
		Total: int(a.TotalQuestions), Seconds: int(a.TimeTakenSeconds),
	}
	if a.RegradedAt != nil {
		out.Regraded = *a.RegradedAt
	}
	for _, r := range reviews {
		out.Rows = append(out.Rows, report.Row{
			Number: r.Position, Text: r.Question.Text, Selected: question.Describe(r.Question, r.Given), Correct: question.DescribeKey(r.Question, r.Key),
			Seconds: int(r.Spent / time.Second), Right: r.Correct, Late: r.Late > 0,
		})
	}
	return out
}

// exportAttempts sends all attempts of an exam that match the filter.
func (a *api) exportAttempts(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, in attemptFilter) error {
	from, to, err := in.window(a.Domain.Now())
	if err != nil {
		return err
	}
	var all []report.Attempt
	for cursor := ""; ; {
		page, err := a.Domain.Results.ByProject(r.Context(), me, in.ProjectID, from, to, exambuddy.MaxPage, cursor)
		if err != nil {
			return err
		}
		for _, attempt := range page.Items {
			if in.Email == "" || strings.EqualFold(in.Email, attempt.CandidateEmail) {
				all = append(all, reported(attempt, nil))
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

// A Certificate says that a candidate has passed an exam.
type Certificate struct {
	Code          string     `json:"code"`
	AttemptID     string     `json:"attemptId"`
	CandidateName string     `json:"candidateName"`
	ProjectTitle  string     `json:"projectTitle"`
	ScorePercent  float64    `json:"scorePercent"`
	PassedAt      time.Time  `json:"passedAt"`
	IssuedAt      time.Time  `json:"issuedAt"`
	RevokedAt     *time.Time `json:"revokedAt,omitempty"`
	RevokedReason *string    `json:"revokedReason,omitempty"`
}

func certificateOf(c results.Certificate) Certificate {
	return Certificate{c.Code, c.AttemptID, c.CandidateName, c.ProjectTitle, float64(c.ScoreTenths) / 10, c.PassedAt, c.IssuedAt, c.RevokedAt, c.RevokedReason}
}

func (a *api) certificate(ctx context.Context, me exambuddy.Candidate, in byID) (Certificate, error) {
	c, err := a.Domain.Results.Certificate(ctx, me, in.ID)
	return certificateOf(c), err
}

func (a *api) verify(ctx context.Context, _ *http.Request, in struct {
	Code string `path:"code"`
}) (Certificate, error) {
	c, err := a.Domain.Results.VerifyCertificate(ctx, in.Code)
	return certificateOf(c), err
}
