package webkit

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/serve"
)

// A Handler serves a request or returns an error, which Refuse renders.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Handle registers pages, by the patterns of http.ServeMux.
func (s *Site) Handle(mux *http.ServeMux, pages map[string]Handler) {
	for pattern, page := range pages {
		mux.Handle(pattern, s.Page(page))
	}
}

// Page returns the handler of a page.
func (s *Site) Page(page Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := page(w, r); err != nil {
			s.Refuse(w, r, err)
		}
	})
}

// Refuse renders the page for an error: a *refusal.Error in its own words, that of a process
// whose version is too old (see Options.Outdated) as an update under way, a temporary failure (see Options.Passing) as Away, and
// every other error as Fail.
func (s *Site) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	refused, ok := errors.AsType[*refusal.Error](err)
	switch {
	case ok:
		if refused.Wait > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(WaitSeconds(refused.Wait)))
		}
		s.Problem(w, r, serve.Status(refused.Kind), s.problemOf(refused))
	case s.options.Outdated != nil && s.options.Outdated(err):
		s.updating(w, r, err)
	case s.options.Passing != nil && s.options.Passing(err):
		s.Away(w, r, err)
	default:
		s.Fail(w, r, err)
	}
}

// WaitSeconds returns a time to wait in seconds, rounded up and at least one.
func WaitSeconds(wait time.Duration) int {
	return max(1, int((wait+time.Second-1)/time.Second))
}

// problemOf returns the page of a refusal. The system's words take precedence.
func (s *Site) problemOf(refused *refusal.Error) Problem {
	problem := Problem{Title: "That does not work", Text: refused.Message}
	switch refused.Kind {
	case refusal.Unauthenticated:
		problem.Title = "We do not know who you are"
	case refusal.Forbidden:
		problem.Title = "You cannot do this"
	case refusal.NotFound:
		problem.Title = "There is nothing here"
	case refusal.Gone:
		problem.Title = "This is no longer here"
	case refusal.TooMany:
		problem.Title = "That was a little fast"
	case refusal.TooLarge:
		problem.Title = "That is too large"
	}
	if s.options.Refusal != nil {
		problem = s.options.Refusal(refused, problem)
	}
	return problem
}
