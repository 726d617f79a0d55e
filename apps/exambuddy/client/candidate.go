package client

import (
	"context"
	"net/http"
	"net/url"
)

// Catalogue returns a page of the exams that the caller may sit.
func (c *Client) Catalogue(ctx context.Context, cursor string) (List[Exam], error) {
	return get[List[Exam]](ctx, c, "/v1/student/projects"+page(cursor))
}

// Active returns the sessions that the caller can resume.
func (c *Client) Active(ctx context.Context) (List[ActiveSession], error) {
	return get[List[ActiveSession]](ctx, c, "/v1/student/sessions")
}

// A Sitting is a running session of the caller in this program.
type Sitting struct {
	Session
	client *Client
}

// Start starts a session.
func (c *Client) Start(ctx context.Context, in Start) (*Sitting, error) {
	session, err := post[Session](ctx, c, "/v1/student/sessions", in)
	if err != nil {
		return nil, err
	}
	return &Sitting{session, c}, nil
}

// Take continues a session here. The program or the tab that had it before is refused from then on.
func (c *Client) Take(ctx context.Context, id string) (*Sitting, error) {
	session, err := post[Session](ctx, c, path("student/sessions", id, "/take"), nil)
	if err != nil {
		return nil, err
	}
	return &Sitting{session, c}, nil
}

// Resume returns a session with the answers that the server has.
func (c *Client) Resume(ctx context.Context, id string) (Resumed, error) {
	return get[Resumed](ctx, c, path("student/sessions", id, ""))
}

// Paper returns all questions of a session that shows them ahead.
func (s *Sitting) Paper(ctx context.Context) (List[Asked], error) {
	return get[List[Asked]](ctx, s.client, path("student/sessions", s.ID, "/questions"))
}

// Present shows the question at a position and starts its clock.
func (s *Sitting) Present(ctx context.Context, position int) (Presented, error) {
	return post[Presented](ctx, s.client, path("student/sessions", s.ID, "/present"), map[string]any{"position": position, "writer": s.Writer})
}

// Answer saves an answer of an exam.
func (s *Sitting) Answer(ctx context.Context, in NewAnswer) (Receipt, error) {
	in.Writer = s.Writer
	return post[Receipt](ctx, s.client, path("student/sessions", s.ID, "/answers"), in)
}

// Practise gives the final answer to a practice question, and returns the right one.
func (s *Sitting) Practise(ctx context.Context, in NewAnswer) (Feedback, error) {
	in.Writer = s.Writer
	return post[Feedback](ctx, s.client, path("student/sessions", s.ID, "/practice"), in)
}

// Flag flags a question for a second look, or removes the flag.
func (s *Sitting) Flag(ctx context.Context, question string, flagged bool) (Session, error) {
	return post[Session](ctx, s.client, path("student/sessions", s.ID, "/flags"), map[string]any{"questionId": question, "flagged": flagged, "writer": s.Writer})
}

// Submit hands the session in. A repeated call returns the same attempt.
func (s *Sitting) Submit(ctx context.Context) (Attempt, error) {
	return post[Attempt](ctx, s.client, path("student/sessions", s.ID, "/submit"), map[string]string{"writer": s.Writer})
}

// Cancel discards the session. There is no result, and an exam counts as an attempt.
func (s *Sitting) Cancel(ctx context.Context) error {
	return s.client.session.Send(ctx, request{Method: http.MethodDelete, Path: path("student/sessions", s.ID, "")})
}

// A Filter selects attempts. Days, such as 2026-02-28, are included.
type Filter struct {
	ProjectID string // required for admins
	From, To  string
	Email     string
	Cursor    string
}

func (f Filter) query() string {
	values := url.Values{}
	for name, text := range map[string]string{"projectId": f.ProjectID, "from": f.From, "to": f.To, "candidateEmail": f.Email, "cursor": f.Cursor} {
		if text != "" {
			values.Set(name, text)
		}
	}
	return "?" + values.Encode()
}

// Attempts returns a page of the caller's attempts, or for an admin of those of an exam, newest
// first. A page may be shorter than others, because filters apply to it.
func (c *Client) Attempts(ctx context.Context, f Filter) (List[Attempt], error) {
	return get[List[Attempt]](ctx, c, "/v1/results/attempts"+f.query())
}

// Result returns an attempt, with its questions if the exam shows them.
func (c *Client) Result(ctx context.Context, id string) (Result, error) {
	return get[Result](ctx, c, path("results/attempts", id, ""))
}

// Report returns an attempt as a file: csv or pdf.
func (c *Client) Report(ctx context.Context, id, format string) ([]byte, error) {
	return get[[]byte](ctx, c, path("results/attempts", id, path2("/export", format, "")))
}

// Certificate returns the certificate of a passed exam.
func (c *Client) Certificate(ctx context.Context, attempt string) (Certificate, error) {
	return post[Certificate](ctx, c, path("results/attempts", attempt, "/certificate"), nil)
}
