package webkit_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest"
)

func TestAwayForAMoment(t *testing.T) {
	var log bytes.Buffer
	options := galleryOptions(t)
	options.Log = slog.New(slog.NewTextHandler(&log, nil))
	site, err := webkit.New(options)
	if err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string]struct {
		text   string
		reload bool
	}{
		http.MethodGet:  {"Wait a few seconds, then try again.", true},
		http.MethodPost: {"what you sent may not have been kept", false},
	} {
		t.Run(method, func(t *testing.T) {
			log.Reset()
			w := httptest.NewRecorder()
			site.Away(w, httptest.NewRequest(method, "/form", nil), errors.New("table questions: connection refused"))
			body := w.Body.String()
			if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "5" || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("the answer is %d with %v", w.Code, w.Header())
			}
			if !strings.Contains(body, "We are away for a moment") || !strings.Contains(body, want.text) {
				t.Errorf("the page does not say %q", want.text)
			}
			if strings.Contains(body, "connection refused") {
				t.Error("the page shows the error")
			}
			for _, part := range []string{"data-reload-online", "Try again"} {
				if strings.Contains(body, part) != want.reload {
					t.Errorf("%q on the page: %v, want %v", part, !want.reload, want.reload)
				}
			}
			if n := strings.Count(log.String(), "connection refused"); n != 1 {
				t.Errorf("the error is in the log %d times:\n%s", n, &log)
			}
		})
	}
}

func TestAwayForSomebodyWhoLeft(t *testing.T) {
	var log bytes.Buffer
	options := galleryOptions(t)
	options.Log = slog.New(slog.NewTextHandler(&log, nil))
	site, err := webkit.New(options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(context.Background())
	leave()
	site.Away(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil), ctx.Err())
	if log.Len() > 0 {
		t.Errorf("a viewer who left is logged as trouble:\n%s", &log)
	}
}

// TestAwayComesBack: the page is loaded again as soon as there is a reason to try.
func TestAwayComesBack(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Phone, webtest.Dark)
	tab.Allow("status of 503")
	tab.Goto("/away")
	tab.See("heading", "We are away for a moment")
	tab.See("link", "Try again")
	g.back.Store(true)
	tab.Eval(`window.dispatchEvent(new Event("online"))`, nil)
	tab.See("heading", "Ask people")
}

func TestErrorPagesSayNoNumbers(t *testing.T) {
	v := newGallery(t, galleryOptions(t)).visitor(t)
	main := regexp.MustCompile(`(?s)<main.*</main>`)
	for path, status := range map[string]string{"/nowhere": "404", "/gone": "410", "/fast": "429", "/fail": "500", "/away": "503"} {
		answer, body := v.get(path)
		if !strings.HasPrefix(answer.Status, status) {
			t.Errorf("%s answers %s", path, answer.Status)
		}
		shown := main.FindString(body)
		if !strings.Contains(shown, `<section class="problem"`) || !strings.Contains(shown, `<svg class="icon"`) {
			t.Errorf("%s has no picture", path)
		}
		if strings.Contains(shown, ">"+status+"<") {
			t.Errorf("%s shows the number %s", path, status)
		}
	}
}
