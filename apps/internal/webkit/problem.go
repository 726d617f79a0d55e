package webkit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// A Problem is the content of an error page: what happened, why, and what to do.
type Problem struct {
	Title, Text string
	Actions     []Link // "Go to the start page" if there are none
	ID          string // of the request, for support
	Icon        string // a name for Icon; by default one that suits the status
}

// Problem responds with an error page.
func (s *Site) Problem(w http.ResponseWriter, r *http.Request, status int, problem Problem) {
	s.problem(w, r, status, problem)
}

// NotFound responds with 404.
func (s *Site) NotFound(w http.ResponseWriter, r *http.Request) {
	s.problem(w, r, http.StatusNotFound, Problem{
		Title: "There is nothing here",
		Text:  "The address may be mistyped, or what was here is gone.",
	})
}

// Gone responds with 410 and a sentence about the former page.
func (s *Site) Gone(w http.ResponseWriter, r *http.Request, text string) {
	s.problem(w, r, http.StatusGone, Problem{Title: "This is no longer here", Text: text})
}

// TooMany responds with 429 and says when to come back.
func (s *Site) TooMany(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	s.problem(w, r, http.StatusTooManyRequests, Problem{
		Title: "That was a little fast",
		Text:  fmt.Sprintf(s.translate(r, "Wait %s, then try again. Nothing is lost."), Duration(time.Duration(seconds)*time.Second)),
	})
}

// Fail responds with 500 for an unexpected error, and logs it once. The page shows the id of the
// log entry, and nothing of the error.
func (s *Site) Fail(w http.ResponseWriter, r *http.Request, err error) {
	id := stateOf(r).id
	if s.viewerLeft(r, err) {
		return
	}
	s.options.Log.Error("a request failed", "request", id, "method", r.Method, "path", r.URL.Path, "error", err)
	s.problem(w, r, http.StatusInternalServerError, failure(id))
}

// awaySeconds is the retry delay that Away sends.
const awaySeconds = 5

// Away responds with 503 when a service behind the site, such as its database, is temporarily
// unavailable, and logs it once. A page that was requested with GET reloads itself when the
// service is back.
func (s *Site) Away(w http.ResponseWriter, r *http.Request, err error) {
	if s.viewerLeft(r, err) {
		return
	}
	s.options.Log.Warn("what is behind the site is away", "request", stateOf(r).id, "method", r.Method, "path", r.URL.Path, "error", err)
	w.Header().Set("Retry-After", strconv.Itoa(awaySeconds))
	text := "Our storage does not answer just now. Wait a few seconds, then try again."
	if !isLook(r) {
		text = "Our storage does not answer just now, so what you sent may not have been kept. Wait a few seconds, go back and send it again."
	}
	s.problem(w, r, http.StatusServiceUnavailable, Problem{Title: "We are away for a moment", Text: text})
}

// updateSeconds is the retry delay while another process is being started.
const updateSeconds = 30

// updating responds with 503 when this process is too old for the data, and logs it once. A page that was requested with GET
// reloads itself when a newer process answers.
func (s *Site) updating(w http.ResponseWriter, r *http.Request, err error) {
	s.options.Log.Error("this process is too old for the data", "request", stateOf(r).id, "method", r.Method, "path", r.URL.Path, "error", err)
	w.Header().Set("Retry-After", strconv.Itoa(updateSeconds))
	text := "A newer version is being started. Nothing is lost. Wait a minute, then try again."
	if !isLook(r) {
		text = "A newer version is being started, so what you sent may not have been kept. Wait a minute, go back and send it again."
	}
	s.problem(w, r, http.StatusServiceUnavailable, Problem{Title: "We are being updated", Text: text})
}

// viewerLeft reports whether an error only means that the client disconnected.
func (s *Site) viewerLeft(r *http.Request, err error) bool {
	if !errors.Is(err, context.Canceled) || r.Context().Err() == nil || context.Cause(r.Context()) == context.DeadlineExceeded {
		return false
	}
	s.options.Log.Debug("the viewer left", "request", stateOf(r).id, "path", r.URL.Path)
	return true
}

// isLook reports whether a request only reads.
func isLook(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

func failure(id string) Problem {
	return Problem{
		Title: "Something went wrong here",
		Text:  "It is our fault, not yours. Try again in a moment. If it stays, tell us this number.",
		ID:    id,
	}
}

// problemData holds the data of error.html.
type problemData struct {
	Problem
	Retry  bool // offers to load the page again
	Reload bool // loads it again by itself when that works
}

// problemIcon returns the icon of an error page. People do not read HTTP status codes.
func problemIcon(status int) string {
	switch {
	case status == http.StatusNotFound:
		return "search"
	case status == http.StatusGone:
		return "inbox"
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		return "clock"
	case status == http.StatusForbidden:
		return "key"
	case status >= 500:
		return "warn"
	}
	return "info"
}

func (s *Site) problem(w http.ResponseWriter, r *http.Request, status int, problem Problem) {
	if len(problem.Actions) == 0 {
		problem.Actions = []Link{{Href: "/", Text: "Go to the start page"}}
	}
	if problem.Icon == "" {
		problem.Icon = problemIcon(status)
	}
	problem.Title, problem.Text = s.translate(r, problem.Title), s.translate(r, problem.Text)
	problem.Actions = slices.Clone(problem.Actions)
	for i := range problem.Actions {
		problem.Actions[i].Text = s.translate(r, problem.Actions[i].Text)
	}
	data := problemData{
		Problem: problem,
		Retry:   status >= 500 && isLook(r),
		Reload:  status == http.StatusServiceUnavailable && isLook(r),
	}
	w.Header().Set("Cache-Control", "no-store")
	if err := s.render(w, r, status, "error.html", data); err != nil {
		// The error page itself is broken, so nothing is left but a line of text.
		s.options.Log.Error("the error page failed", "request", stateOf(r).id, "error", err)
		http.Error(w, problem.Title+". "+problem.Text, status)
	}
}
