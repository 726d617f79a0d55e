package webkit_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

func TestErrorsOfHandlers(t *testing.T) {
	busy := errors.New("the table is busy")
	options := galleryOptions(t)
	options.Passing = func(err error) bool { return errors.Is(err, busy) }
	options.Refusal = func(refused *refusal.Error, usual webkit.Problem) webkit.Problem {
		if refused.Code == "SOLD" {
			usual.Title = "Somebody was faster"
		}
		return usual
	}
	site, err := webkit.New(options)
	if err != nil {
		t.Fatal(err)
	}
	full := refusal.New(refusal.TooMany, "", "Ten are enough.")
	full.Wait = 1500 * time.Millisecond
	for _, test := range []struct {
		err    error
		status int
		shown  []string
		retry  string
	}{
		{fmt.Errorf("read: %w", refusal.New(refusal.NotFound, "", "There is no such project.")), 404, []string{"There is nothing here", "There is no such project."}, ""},
		{refusal.New(refusal.Conflict, "SOLD", "It is sold."), 409, []string{"Somebody was faster", "It is sold."}, ""},
		{refusal.New(refusal.Invalid, "", "A title is needed."), 400, []string{"That does not work", "A title is needed."}, ""},
		{full, 429, []string{"That was a little fast", "Ten are enough."}, "2"},
		{busy, 503, []string{"We are away for a moment"}, "5"},
		{errors.New("the secret words of a failure"), 500, []string{"Something went wrong here"}, ""},
	} {
		mux := http.NewServeMux()
		site.Handle(mux, map[string]webkit.Handler{"GET /": func(http.ResponseWriter, *http.Request) error { return test.err }})
		w := httptest.NewRecorder()
		site.Handler(mux).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		body := w.Body.String()
		for _, text := range test.shown {
			if !strings.Contains(body, text) {
				t.Errorf("%v: the page does not say %q", test.err, text)
			}
		}
		if w.Code != test.status || w.Header().Get("Retry-After") != test.retry || strings.Contains(body, "secret words") {
			t.Errorf("%v: got %d, Retry-After %q", test.err, w.Code, w.Header().Get("Retry-After"))
		}
	}
}
