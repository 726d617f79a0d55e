package cli

import (
	"encoding/json"
	"html/template"
	"net/http"
	"strings"
	"sync/atomic"

	"sortkey.dev/internal/evolve"
)

// A starting serves a system, and before the system is open a page that says so and how far its data is.
type starting struct {
	title  string
	system atomic.Pointer[http.Handler]
	stand  atomic.Pointer[standing]
}

// A standing says how far the data of a starting system is.
type standing struct {
	text  string
	event evolvingLine
}

// show sets how far the data is.
func (s *starting) show(p evolve.Progress, text string) {
	s.stand.Store(&standing{text, evolvingEvent(p)})
}

// opened serves the system from now on.
func (s *starting) opened(system http.Handler) { s.system.Store(&system) }

// ServeHTTP serves the system, or says that it is starting.
func (s *starting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if system := s.system.Load(); system != nil {
		(*system).ServeHTTP(w, r)
		return
	}
	stand := s.stand.Load()
	w.Header().Set("Retry-After", "2")
	w.Header().Set("Cache-Control", "no-store")
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		answer := struct {
			Status string        `json:"status"`
			Data   *evolvingLine `json:"data,omitempty"`
		}{Status: "starting"}
		if stand != nil {
			answer.Status, answer.Data = "evolving", &stand.event
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusServiceUnavailable)
		_ = json.NewEncoder(w).Encode(answer) // a disconnected client does not matter
		return
	}
	page := struct{ Title, Text string }{Title: s.title}
	if stand != nil {
		page.Text = stand.text
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.WriteHeader(http.StatusServiceUnavailable)
	_ = startingPage.Execute(w, page) // a disconnected client does not matter
}

var startingPage = template.Must(template.New("starting").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>{{.Title}} is starting</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 18vh auto 0; padding: 0 1.25rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem }
p { margin: 0 0 .75rem }
code { font-size: .875rem; opacity: .75; overflow-wrap: anywhere }
</style>
<main>
<h1>{{.Title}} is starting</h1>
{{if .Text}}<p>Its data is brought to the version of this program. Nothing is lost, and this page loads again by itself.</p>
<p role="status"><code>{{.Text}}</code></p>
{{else}}<p>This page loads again by itself.</p>{{end}}
</main>
</html>
`))
