package client

import (
	"context"
	"fmt"

	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/internal/apiclient"
	"sortkey.dev/apps/internal/operation"
)

// Catalogue returns a page of the exams that the caller may sit.
func (c *Client) Catalogue(ctx context.Context, cursor string) (List[Exam], error) {
	return apiclient.Call(ctx, &c.session, contract.ListExams, operation.Page{Cursor: cursor})
}

// Active returns the sessions that the caller can resume.
func (c *Client) Active(ctx context.Context) (List[ActiveSession], error) {
	return apiclient.Call(ctx, &c.session, contract.ListActive, contract.None{})
}

// A Sitting is a running session of the caller in this program.
type Sitting struct {
	Session
	client *Client
}

// Start starts a session.
func (c *Client) Start(ctx context.Context, in Start) (*Sitting, error) {
	return c.sit(apiclient.Call(ctx, &c.session, contract.StartSession, operation.Keyed[Start]{Body: in}))
}

// Take continues a session here. The program or the tab that had it before is refused from then on.
func (c *Client) Take(ctx context.Context, id string) (*Sitting, error) {
	return c.sit(apiclient.Call(ctx, &c.session, contract.TakeSession, operation.ByID{ID: id}))
}

func (c *Client) sit(session Session, err error) (*Sitting, error) {
	if err != nil {
		return nil, err
	}
	return &Sitting{session, c}, nil
}

// Resume returns a session with the answers that the server has.
func (c *Client) Resume(ctx context.Context, id string) (Resumed, error) {
	return apiclient.Call(ctx, &c.session, contract.ResumeSession, operation.ByID{ID: id})
}

// Paper returns all questions of a session that shows them ahead.
func (s *Sitting) Paper(ctx context.Context) (List[Asked], error) {
	return apiclient.Call(ctx, &s.client.session, contract.GetPaper, operation.ByID{ID: s.ID})
}

// Present shows the question at a position and starts its clock.
func (s *Sitting) Present(ctx context.Context, position int) (Presented, error) {
	return apiclient.Call(ctx, &s.client.session, contract.Present, operation.ByIDWith[contract.Presentation]{ID: s.ID, Body: contract.Presentation{Position: position, Writer: s.Writer}})
}

// Answer saves an answer of an exam.
func (s *Sitting) Answer(ctx context.Context, in NewAnswer) (Receipt, error) {
	in.Writer = s.Writer
	return apiclient.Call(ctx, &s.client.session, contract.SaveAnswer, operation.ByIDWith[NewAnswer]{ID: s.ID, Body: in})
}

// Practise gives the final answer to a practice question, and returns the right one.
func (s *Sitting) Practise(ctx context.Context, in NewAnswer) (Feedback, error) {
	in.Writer = s.Writer
	return apiclient.Call(ctx, &s.client.session, contract.Practise, operation.ByIDWith[NewAnswer]{ID: s.ID, Body: in})
}

// Flag flags a question for a second look, or removes the flag.
func (s *Sitting) Flag(ctx context.Context, question string, flagged bool) (Session, error) {
	return apiclient.Call(ctx, &s.client.session, contract.SetFlag, operation.ByIDWith[contract.Flag]{ID: s.ID, Body: contract.Flag{QuestionID: question, Flagged: flagged, Writer: s.Writer}})
}

// Submit hands the session in. A repeated call returns the same attempt.
func (s *Sitting) Submit(ctx context.Context) (Attempt, error) {
	return apiclient.Call(ctx, &s.client.session, contract.Submit, operation.ByIDWith[contract.Submission]{ID: s.ID, Body: contract.Submission{Writer: s.Writer}})
}

// Cancel discards the session. There is no result, and an exam counts as an attempt.
func (s *Sitting) Cancel(ctx context.Context) error {
	return apiclient.Do(ctx, &s.client.session, contract.CancelSession, operation.ByID{ID: s.ID})
}

// Attempts returns a page of the caller's attempts, or for an admin of those of an exam, newest
// first. A page may be shorter than others, because filters apply to it.
func (c *Client) Attempts(ctx context.Context, f Filter) (List[Attempt], error) {
	return apiclient.Call(ctx, &c.session, contract.ListAttempts, f)
}

// Result returns an attempt, with its questions if the exam shows them.
func (c *Client) Result(ctx context.Context, id string) (Result, error) {
	return apiclient.Call(ctx, &c.session, contract.GetResult, operation.ByID{ID: id})
}

// Report returns an attempt as a file: csv or pdf.
func (c *Client) Report(ctx context.Context, id, format string) ([]byte, error) {
	report := contract.ReportCSV
	switch format {
	case "csv":
	case "pdf":
		report = contract.ReportPDF
	default:
		return nil, fmt.Errorf("exambuddy: there is no report in the format %q: use csv or pdf", format)
	}
	return apiclient.Call(ctx, &c.session, report, operation.ByID{ID: id})
}

// Certificate returns the certificate of a passed exam.
func (c *Client) Certificate(ctx context.Context, attempt string) (Certificate, error) {
	return apiclient.Call(ctx, &c.session, contract.GetCertificate, operation.ByID{ID: attempt})
}
