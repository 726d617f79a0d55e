package crawl

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// A recorder collects the failures of a test.
type recorder struct {
	*testing.T
	failures []string
}

func (r *recorder) Errorf(format string, arguments ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, arguments...))
}

func TestWalkReportsWhatCannotBeOpened(t *testing.T) {
	pages := map[string]string{
		"/": `<a href="/good#top">Good</a> <a href="/good#gone">Gone</a> <a class="x" href="refused?a=1&amp;b=2">Refused</a> <img src="/missing.png" alt="">
			<form method="get" action="/search"></form> <form method="post" action="/posted"></form> <a href="https://elsewhere.test/">Elsewhere</a> <a href="mailto:a@b.test">Mail</a> <a href="/out">Out</a>`,
		"/good": `<h1 id="top">Good</h1><a href="/">Home</a>`,
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		text, known := pages[r.URL.Path]
		switch {
		case r.URL.Path == "/refused":
			w.WriteHeader(http.StatusForbidden)
		case !known:
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write([]byte(text))
	}))
	defer site.Close()
	r := &recorder{T: t}
	opened := Crawl{Name: "Ada", Base: site.URL, Client: site.Client(), Skip: func(path string) bool { return path == "/out" }}.Walk(r, "/")
	if want := []string{"/", "/good", "/missing.png", "/refused?a=1&b=2", "/search"}; !slices.Equal(opened, want) {
		t.Errorf("opened %q, want %q", opened, want)
	}
	said := strings.Join(r.failures, "\n")
	for _, want := range []string{"Ada: / links to /good#gone, but", "Ada: / links to /refused?a=1&b=2: 403", "Ada: / links to /missing.png: 404", "Ada: / links to /search: 404"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in:\n%s", want, said)
		}
	}
	if len(r.failures) != 4 {
		t.Errorf("%d failures:\n%s", len(r.failures), said)
	}
}
