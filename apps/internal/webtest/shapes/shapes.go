// Package shapes renders every page of a site with every shape that its data can have, and checks
// the HTML. It makes the data by reflection from the types that webkit.Views declare: nothing set,
// everything set, one place changed at a time, and seeded random mixtures. It needs no browser and
// no database, and it does not look at styles and scripts; package webtest does. Only tests of
// systems and of page packages call it.
package shapes

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webkit"
)

// mixtures is the number of random shapes of each page.
const mixtures = 32

// A Rule tells how the data of a site is made. See Of, Field, Repair and Request.
type Rule func(*rules)

// rules collects what the rules of a call say.
type rules struct {
	types    map[reflect.Type][]reflect.Value
	fields   map[string][]any
	unique   map[string]bool
	repairs  map[reflect.Type]reflect.Value
	requests []func(*http.Request)
	given    bool // a request was given
}

// Of lists the values of a type, the typical one first. Interfaces need it.
func Of[T any](values ...T) Rule {
	return func(r *rules) {
		for i := range values {
			r.types[reflect.TypeFor[T]()] = append(r.types[reflect.TypeFor[T]()], reflect.ValueOf(&values[i]).Elem())
		}
	}
}

// Field lists the values of one field, the typical one first, as "feedView.Audience". A nil is the
// zero value of the field's type.
func Field(name string, values ...any) Rule {
	return func(r *rules) { r.fields[name] = values }
}

// Unique names fields whose texts or numbers identify an element of a list, as "itemView.Position".
func Unique(names ...string) Rule {
	return func(r *rules) {
		for _, name := range names {
			r.unique[name] = true
		}
	}
}

// Repair restores what the code that makes a T guarantees, after its fields were set: that an index
// is within a list, that two fields are never set together.
func Repair[T any](repair func(*T)) Rule {
	return func(r *rules) { r.repairs[reflect.TypeFor[T]()] = reflect.ValueOf(repair) }
}

// Request adds a request with which every shape is rendered, such as one for each language. Without
// one there is a single request for "/".
func Request(prepare func(*http.Request)) Rule {
	return func(r *rules) {
		if !r.given {
			r.requests, r.given = nil, true
		}
		r.requests = append(r.requests, prepare)
	}
}

// Check renders the pages of a site with these options: those in Views, or those in More if there
// are no Views. Name, Box and Now are filled in.
func Check(t *testing.T, options webkit.Options, given ...Rule) {
	t.Helper()
	box, err := secret.NewBox([]byte("the secret of a site that only renders shapes"))
	if err != nil {
		t.Fatal(err)
	}
	options.Name, options.Box = cmp.Or(options.Name, "Shapes"), box
	options.Now = func() time.Time { return now }
	site, err := webkit.New(options)
	if err != nil {
		t.Fatal(err)
	}
	views, err := site.Views()
	if err != nil {
		t.Fatal(err)
	}
	r := rulesOf(given)
	for _, view := range views {
		if _, own := options.Views[view.Page]; !own && options.Views != nil {
			continue
		}
		t.Run(fmt.Sprintf("%s %T", view.Page, view.Data), func(t *testing.T) {
			p := newPage(t, site, view, r)
			p.fail = func(problem string) { t.Error(problem) }
			p.check()
		})
	}
}

func rulesOf(given []Rule) *rules {
	r := &rules{
		types: make(map[reflect.Type][]reflect.Value), fields: make(map[string][]any), unique: make(map[string]bool), repairs: make(map[reflect.Type]reflect.Value),
		requests: []func(*http.Request){func(*http.Request) {}},
	}
	for _, rule := range append(kitRules(), given...) {
		rule(r)
	}
	return r
}

// kitRules returns the rules for the types of package webkit.
func kitRules() []Rule {
	tones := []any{webkit.Good, webkit.Neutral, webkit.Warn, webkit.Bad, webkit.Info, webkit.Strong}
	return []Rule{
		Field("*.Icon", "check"), Field("*.Tone", tones...),
		Field("Button.Kind", "primary", "", "danger", "quiet"), Field("Button.Type", "submit", "button"),
		Field("Field.Type", "text", "number", "file"),
		Of[webkit.Component](webkit.Badge{Text: "A badge"}, webkit.BarChart{Title: "A chart", Bars: []webkit.Bar{{Label: "One", Value: 1}}}),
	}
}

// maxReports is the number of problems that are reported for a page.
const maxReports = 12

// page checks one page.
type page struct {
	t     *testing.T
	site  *webkit.Site
	view  webkit.View
	rules *rules
	facts facts
	// checked holds the hashes of pages, reported the problems.
	checked  map[uint64]bool
	reported map[string]bool
	fail     func(problem string)
}

var hashSeed = maphash.MakeSeed()

func newPage(t *testing.T, site *webkit.Site, view webkit.View, r *rules) *page {
	return &page{t: t, site: site, view: view, rules: r, facts: factsOf(view.Template), checked: make(map[uint64]bool), reported: make(map[string]bool)}
}

func (p *page) check() {
	if p.view.Data == nil {
		p.render("no data", nil, true)
		return
	}
	var places []place
	typical := p.maker(func(at place) int {
		places = append(places, at)
		return 0
	})
	p.render("everything set", typical.view(), true)
	p.render("nothing set", p.maker(usual).zero(), false)
	for _, text := range styles[1:] {
		m := p.maker(usual)
		m.style = text
		p.render(text.name+" texts", m.view(), true)
	}
	p.render("several of everything", p.maker(func(at place) int { return at.last(reflect.Slice, reflect.Map) }).view(), true)
	p.render("no flags", p.maker(func(at place) int { return at.last(reflect.Bool) }).view(), true)
	p.render("nothing optional", p.maker(func(at place) int { return at.index(reflect.Pointer, 1) + at.index(reflect.Slice, 1) }).view(), true)
	for _, changed := range places {
		for i := 1; i < changed.choices && changed.used; i++ {
			m := p.maker(func(at place) int {
				if at.path == changed.path {
					return i
				}
				return 0
			})
			p.render(fmt.Sprintf("%s as choice %d", changed.path, i), m.view(), i < changed.certain)
		}
	}
	for i := range mixtures {
		source := rand.New(rand.NewPCG(uint64(i), 1))
		m := p.maker(func(at place) int { return source.IntN(at.certain) })
		m.style = styles[source.IntN(len(styles))]
		p.render(fmt.Sprintf("mixture %d", i), m.view(), true)
	}
}

func usual(place) int { return 0 }

func (p *page) maker(choose func(place) int) *maker {
	return &maker{t: p.t, page: p, choose: choose, style: styles[0], depth: make(map[reflect.Type]int)}
}

// render checks one shape. A shape that may be impossible, because a text is empty that never is,
// must not fail and must be well-formed; the words of the page are not checked.
func (p *page) render(shape string, data any, possible bool) {
	for i, prepare := range p.rules.requests {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		prepare(r)
		var out bytes.Buffer
		if err := p.site.Execute(&out, r, p.view.Page, data); err != nil {
			p.report(shape, i, errorText(err))
			continue
		}
		text := withoutRandom(out.String())
		sum := maphash.String(hashSeed, text)
		if p.checked[sum] {
			continue
		}
		p.checked[sum] = true
		for _, problem := range problemsOf(text, possible) {
			p.report(shape, i, problem)
		}
	}
}

// random finds the CSRF tokens and the time of the request.
var random = regexp.MustCompile(`name="(csrf|made)" (value|content)="[^"]*"`)

// withoutRandom removes them, so that equal shapes give equal pages.
func withoutRandom(text string) string { return random.ReplaceAllString(text, `name="$1"`) }

// errorText cuts the place of a template error, which has the text of the page around it.
func errorText(err error) string { return strings.ReplaceAll(err.Error(), "\n", " ") }

// report reports each problem once.
func (p *page) report(shape string, request int, problem string) {
	if p.reported[problem] || len(p.reported) >= maxReports {
		return
	}
	p.reported[problem] = true
	where := ""
	if len(p.rules.requests) > 1 {
		where = fmt.Sprintf(", request %d", request)
	}
	p.fail(fmt.Sprintf("%s (%s%s)", problem, shape, where))
}
