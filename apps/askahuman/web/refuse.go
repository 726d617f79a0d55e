package web

import (
	"errors"
	"net/http"
	"strconv"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// onward lists the links of a page without a next step.
var onward = []webkit.Link{{Href: "/next", Text: "Next question"}, {Href: "/", Text: "All questions"}}

// problem returns the page of a refusal.
func problem(refused *refusal.Error, usual webkit.Problem) webkit.Problem {
	usual.Actions = onward
	switch {
	case errors.Is(refused, askahuman.ErrNoQuestion):
		usual.Title, usual.Text = "There is no such question", "The link may be mistyped, or the question is too old to be kept."
	case errors.Is(refused, askahuman.ErrClosed):
		usual.Title = "This question is closed"
	case errors.Is(refused, askahuman.ErrBanned):
		usual.Title, usual.Text = "You cannot do this here any more", "What came from you broke the rules too often, so you cannot take part."
		usual.Actions = nil
	}
	return usual
}

// setRetryAfter sets the Retry-After header of a refusal and returns its seconds.
func setRetryAfter(w http.ResponseWriter, refused *refusal.Error) int {
	seconds := webkit.WaitSeconds(refused.Wait)
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	return seconds
}
