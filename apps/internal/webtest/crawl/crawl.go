// Package crawl follows every link of a site as one user, and reports links that lead nowhere: a
// page must not offer what the user may not open. It needs no browser and runs no scripts; package
// webtest does. Only tests of systems call it.
package crawl

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// most is the number of pages after which a crawl gives up: the links of the site have no end.
const most = 3000

// A Crawl follows the links of a site with the cookies of one user.
type Crawl struct {
	Name   string // of the user, for messages
	Base   string // the address of the site
	Client *http.Client
	// Skip reports whether a path and query is not to be opened, such as a link that ends a session.
	Skip func(path string) bool
}

// A page is an opened address.
type page struct {
	status int
	path   string // after redirects
	html   bool
	text   string
}

// A link leads from a page to an address of the site.
type link struct{ from, to string }

// Walk opens the paths and all that they link to: pages, images, scripts, styles, frames and the
// targets of forms that are sent by GET. A link that is refused, missing or broken fails the test,
// and so does a fragment that its page does not have. Walk returns the paths that it opened, sorted.
func (c Crawl) Walk(t testing.TB, paths ...string) []string {
	t.Helper()
	opened := map[string]page{}
	var queue []link
	for _, path := range paths {
		queue = append(queue, link{"the start", path})
	}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		path, fragment, _ := strings.Cut(next.to, "#")
		if c.Skip != nil && c.Skip(path) {
			continue
		}
		found, known := opened[path]
		if !known {
			if len(opened) == most {
				t.Fatalf("%s: more than %d pages, at last %s", c.Name, most, path)
			}
			found = c.open(t, path)
			opened[path] = found
			queue = append(queue, c.links(found)...)
			if found.status >= http.StatusBadRequest {
				t.Errorf("%s: %s links to %s: %d", c.Name, next.from, path, found.status)
			}
		}
		if fragment != "" && found.html && found.status == http.StatusOK && !has(found.text, fragment) {
			t.Errorf("%s: %s links to %s, but the page has no such element", c.Name, next.from, next.to)
		}
	}
	var all []string
	for path := range opened {
		all = append(all, path)
	}
	slices.Sort(all)
	return all
}

func (c Crawl) open(t testing.TB, path string) page {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.Base+path, nil)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	r.Header.Set("Accept", "text/html")
	response, err := c.Client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return page{
		status: response.StatusCode, path: response.Request.URL.RequestURI(),
		html: strings.HasPrefix(response.Header.Get("Content-Type"), "text/html"), text: string(text),
	}
}

var (
	tags       = regexp.MustCompile(`<(a|area|link|script|img|iframe|source|form)\s[^>]*>`)
	attributes = regexp.MustCompile(`\s(href|src|action|method)="([^"]*)"`)
)

// links returns the links of a page within the site.
func (c Crawl) links(p page) []link {
	if !p.html || p.status >= http.StatusBadRequest {
		return nil
	}
	base, err := url.Parse(c.Base + p.path)
	if err != nil {
		return nil
	}
	var all []link
	for _, tag := range tags.FindAllStringSubmatch(p.text, -1) {
		values := map[string]string{}
		for _, a := range attributes.FindAllStringSubmatch(tag[0], -1) {
			values[a[1]] = html.UnescapeString(a[2])
		}
		if strings.EqualFold(values["method"], "post") || strings.EqualFold(values["method"], "dialog") {
			continue
		}
		for _, name := range []string{"href", "src", "action"} {
			target, err := url.Parse(values[name])
			if values[name] == "" || err != nil {
				continue
			}
			target = base.ResolveReference(target)
			if target.Scheme+"://"+target.Host != c.Base {
				continue
			}
			to := target.RequestURI()
			if target.Fragment != "" {
				to += "#" + target.Fragment
			}
			all = append(all, link{p.path, to})
		}
	}
	return all
}

// has reports whether a page has an element with an id.
func has(text, id string) bool {
	return strings.Contains(text, ` id="`+html.EscapeString(id)+`"`)
}
