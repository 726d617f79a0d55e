package webkit

import (
	"bytes"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// A Page is the dot of a page's template: the handler's data, and what every page needs.
type Page struct {
	Data any // the argument of Render

	site  *Site
	r     *http.Request
	state *state
}

// Name returns the name of the site.
func (p *Page) Name() string { return p.site.options.Name }

// Tagline returns the sentence that says what the site is.
func (p *Page) Tagline() string { return p.site.options.Tagline }

// Lang returns the language of the page.
func (p *Page) Lang() string { return p.site.lang(p.r) }

// T returns words of the page frame in the language of the page.
func (p *Page) T(english string) string { return p.site.translate(p.r, english) }

// translate returns words of this package in the language of a request.
func (s *Site) translate(r *http.Request, english string) string {
	if s == nil || s.options.Translate == nil {
		return english
	}
	return s.options.Translate(s.lang(r), english)
}

// lang returns the language of a request.
func (s *Site) lang(r *http.Request) string {
	if s.options.LangFor != nil {
		return s.options.LangFor(r)
	}
	return s.options.Lang
}

// Accent returns the colour of the site.
func (p *Page) Accent() Accent { return p.site.options.Accent }

// Theme returns the viewer's theme.
func (p *Page) Theme() Theme { return p.site.Theme(p.r) }

// NextTheme returns the theme that the switch in the header selects.
func (p *Page) NextTheme() Theme { return p.Theme().next() }

// Nav returns the links of the header, the current one marked.
func (p *Page) Nav() []NavLink { return p.site.nav(p.r) }

// Footer returns the links at the end of the page.
func (p *Page) Footer() []Link { return p.site.options.Footer }

// Path returns the path of the request.
func (p *Page) Path() string { return p.r.URL.Path }

// URL returns the path and query of the request, for a form that returns here.
func (p *Page) URL() string { return p.r.URL.RequestURI() }

// Query returns the query of the request.
func (p *Page) Query() url.Values { return p.r.URL.Query() }

// Installable reports whether the site has a manifest.
func (p *Page) Installable() bool { return p.site.app != nil }

// HasIcon reports whether the site has an icon.
func (p *Page) HasIcon() bool { return p.site.app != nil || p.site.icons != nil }

// Mark returns the mark of the system, for the header; "" if it has none.
func (p *Page) Mark() template.HTML { return drawMark(p.site.marks()) }

// Flashes returns the pending messages for this viewer.
func (p *Page) Flashes() []Flash { return p.state.shown }

// Made returns the time in milliseconds at which the request of the page began, by the clock of the
// machine: changes after it may be missing on the page.
func (p *Page) Made() int64 { return p.state.begun.UnixMilli() }

// Now returns the time of the site's clock.
func (p *Page) Now() time.Time { return p.site.options.Now() }

// RequestID returns the id of the request in the log.
func (p *Page) RequestID() string { return p.state.id }

// CSRF returns the hidden field that every form which posts must have.
func (p *Page) CSRF() template.HTML {
	return template.HTML(`<input type="hidden" name="` + csrfField + `" value="` + p.CSRFToken() + `">`)
}

// CSRFToken returns the token itself, for scripts that send it in the header X-CSRF-Token.
func (p *Page) CSRFToken() string { return p.site.csrfToken(p.state) }

// NavLink is a link of the header.
type NavLink struct {
	Link
	Current bool
}

// nav marks the link whose path is the longest beginning of the request's path.
func (s *Site) nav(r *http.Request) []NavLink {
	links := s.options.Nav
	if s.options.NavFor != nil {
		links = s.options.NavFor(r)
	}
	nav := make([]NavLink, len(links))
	best, longest := -1, 0
	for i, link := range links {
		nav[i].Link = link
		for _, path := range append([]string{link.Href}, link.Within...) {
			if leadsTo(path, r.URL.Path) && len(path) > longest {
				best, longest = i, len(path)
			}
		}
	}
	if best >= 0 {
		nav[best].Current = true
	}
	return nav
}

func leadsTo(href, to string) bool {
	if href == to {
		return true
	}
	return href != "/" && strings.HasPrefix(to, strings.TrimSuffix(href, "/")+"/")
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Render responds with a page of the system. The page is rendered completely before
// anything is sent: if a template fails, the viewer gets an error page, never half a page.
func (s *Site) Render(w http.ResponseWriter, r *http.Request, status int, page string, data any) {
	if err := s.render(w, r, status, page, data); err != nil {
		s.Fail(w, r, err)
	}
}

func (s *Site) render(w http.ResponseWriter, r *http.Request, status int, page string, data any) error {
	state := stateOf(r)
	buffer := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buffer)
	buffer.Reset()
	s.takeFlashes(r, state)
	if err := s.execute(buffer, r, state, page, data); err != nil {
		return err
	}
	s.setCookies(w, r, state)
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "private, no-cache")
	}
	writeCompressed(w, r, status, buffer.Bytes())
	return nil
}

// Redirect redirects with 303, as after every accepted form.
func (s *Site) Redirect(w http.ResponseWriter, r *http.Request, to string) {
	s.setCookies(w, r, stateOf(r))
	http.Redirect(w, r, to, http.StatusSeeOther)
}
