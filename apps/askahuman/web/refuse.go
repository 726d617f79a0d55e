package web

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/webkit"
)

// onward lists the links of a page without a next step.
var onward = []webkit.Link{{Href: "/next", Text: "Next question"}, {Href: "/", Text: "All questions"}}

// refuse renders the page for an error.
func (web *Web) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var refusal *askahuman.Error
	if !errors.As(err, &refusal) {
		web.service.Count(askahuman.MetricFailure, 1)
		if askahuman.Passing(err) {
			web.site.Away(w, r, err)
			return
		}
		web.site.Fail(w, r, err)
		return
	}
	problem := webkit.Problem{Text: refusal.Message, Actions: onward}
	switch refusal.Code {
	case askahuman.CodeNoQuestion:
		problem.Title, problem.Text = "There is no such question", "The link may be mistyped, or the question is too old to be kept."
	case askahuman.CodeNotFound:
		problem.Title = "There is nothing here"
	case askahuman.CodeClosed:
		problem.Title = "This question is closed"
	case askahuman.CodeForbidden:
		problem.Title, problem.Text = "You cannot do this here any more", "What came from you broke the rules too often, so you cannot take part."
		problem.Actions = nil
	case askahuman.CodeRateLimited:
		web.setRetryAfter(w, refusal)
		problem.Title = "That was a little fast"
	case askahuman.CodeUnauthorized:
		problem.Title = "We do not know who you are"
	default:
		problem.Title = "That does not work"
	}
	web.site.Problem(w, r, refusal.Code.Status(), problem)
}

// setRetryAfter sets the Retry-After header of a rate limit and returns its seconds.
func (web *Web) setRetryAfter(w http.ResponseWriter, refusal *askahuman.Error) int {
	if refusal.Rate == nil {
		return 1
	}
	seconds := max(1, int((refusal.Rate.Wait+time.Second-1)/time.Second))
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	return seconds
}

// isRefusal returns the domain error that a form can show, if err is one.
func isRefusal(err error, codes ...askahuman.Code) (*askahuman.Error, bool) {
	var refusal *askahuman.Error
	if !errors.As(err, &refusal) {
		return nil, false
	}
	for _, code := range codes {
		if refusal.Code == code {
			return refusal, true
		}
	}
	return nil, false
}
