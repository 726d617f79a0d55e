package webtest

import (
	"bytes"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// A Visitor is a browser without scripts: it has cookies, follows redirects and sends forms with the token of the last page that
// has one. Its steps can be chained.
type Visitor struct {
	T      *testing.T
	Base   string // the address of the site
	Client *http.Client
	Page   string // the body of the last page, without HTML's escapes
	Path   string // and its path and query
	Code   int
	Head   http.Header // of the last response
	Lang   string      // the header Accept-Language; none if empty
	CSRF   string      // the token against forged forms of the last page that has one
}

const formKind = "application/x-www-form-urlencoded"

var csrfForm = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// NewVisitor returns a visitor of the site at an address, without cookies.
func NewVisitor(t *testing.T, base string) *Visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Visitor{T: t, Base: base, Client: &http.Client{Jar: jar}}
}

// Do sends a request with a body of a content type, whatever the response.
func (v *Visitor) Do(method, path, kind string, body io.Reader, header http.Header) {
	v.T.Helper()
	r, err := http.NewRequestWithContext(v.T.Context(), method, v.Base+path, body)
	if err != nil {
		v.T.Fatal(err)
	}
	for name, values := range header {
		r.Header[name] = values
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Referer", v.Base+v.Path)
	if v.Lang != "" {
		r.Header.Set("Accept-Language", v.Lang)
	}
	response, err := v.Client.Do(r)
	if err != nil {
		v.T.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		v.T.Fatal(err)
	}
	v.Page, v.Path = html.UnescapeString(string(text)), response.Request.URL.RequestURI()
	v.Code, v.Head = response.StatusCode, response.Header
	if match := csrfForm.FindStringSubmatch(v.Page); match != nil {
		v.CSRF = match[1]
	}
}

// Get opens a page and returns the status of the response.
func (v *Visitor) Get(path string) int {
	v.T.Helper()
	v.Do(http.MethodGet, path, "", nil, nil)
	return v.Code
}

// Open opens a page and expects the status 200.
func (v *Visitor) Open(path string) *Visitor {
	v.T.Helper()
	if status := v.Get(path); status != http.StatusOK {
		v.T.Fatalf("GET %s: %d", path, status)
	}
	return v
}

// Send sends the fields of a form with the token of the last page, and expects a status.
func (v *Visitor) Send(want int, path string, pairs ...string) *Visitor {
	v.T.Helper()
	if status := v.Submit(path, pairs...); status != want {
		v.T.Fatalf("POST %s: %d, want %d", path, status, want)
	}
	return v
}

// Submit sends the fields of a form with the token of the last page, and returns the status of the response. A field may be
// given several times.
func (v *Visitor) Submit(path string, pairs ...string) int {
	v.T.Helper()
	v.Do(http.MethodPost, path, formKind, strings.NewReader(v.fields(pairs).Encode()), nil)
	return v.Code
}

func (v *Visitor) fields(pairs []string) url.Values {
	values := url.Values{"csrf": {v.CSRF}}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	return values
}

// Says fails the test unless the last page has all texts.
func (v *Visitor) Says(texts ...string) *Visitor {
	v.T.Helper()
	for _, text := range texts {
		if !strings.Contains(v.Page, text) {
			v.T.Errorf("the page at %s does not say %q", v.Path, text)
		}
	}
	return v
}

// Counts fails the test unless the last page has a text as often as wanted.
func (v *Visitor) Counts(want int, text string) *Visitor {
	v.T.Helper()
	if got := strings.Count(v.Page, text); got != want {
		v.T.Errorf("the page at %s says %q %d times, want %d", v.Path, text, got, want)
	}
	return v
}

// Hides fails the test if the last page has one of the texts.
func (v *Visitor) Hides(texts ...string) *Visitor {
	v.T.Helper()
	for _, text := range texts {
		if strings.Contains(v.Page, text) {
			v.T.Errorf("the page at %s says %q", v.Path, text)
		}
	}
	return v
}

// Twice opens a page, sends the same form of it twice at the same time, and once more after that, as a double click and a
// resend do. See Repeat.
func (v *Visitor) Twice(page, path string, pairs ...string) []*Visitor {
	v.T.Helper()
	v.Open(page)
	return v.Repeat(path, formKind, []byte(v.fields(pairs).Encode()))
}

// Repeat sends a request twice at the same time, and once more after that. It returns the three tabs with their responses,
// none of which is a refusal and which all lead to one path.
func (v *Visitor) Repeat(path, kind string, body []byte) []*Visitor {
	v.T.Helper()
	tabs := make([]*Visitor, 3)
	for i := range tabs {
		tabs[i] = &Visitor{T: v.T, Base: v.Base, Client: v.Client, Path: v.Path, Lang: v.Lang}
	}
	var sent sync.WaitGroup
	for _, tab := range tabs[:2] {
		sent.Go(func() { tab.Do(http.MethodPost, path, kind, bytes.NewReader(body), nil) })
	}
	sent.Wait()
	tabs[2].Do(http.MethodPost, path, kind, bytes.NewReader(body), nil)
	for _, tab := range tabs {
		if tab.Code != http.StatusOK || tab.Path != tabs[0].Path {
			v.T.Errorf("POST %s: %d at %s, want %d at %s", path, tab.Code, tab.Path, http.StatusOK, tabs[0].Path)
		}
	}
	return tabs
}
