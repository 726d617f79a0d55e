package web_test

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/askahuman/web"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

// vapidKey is a public key of web push without a private key.
const vapidKey = "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"

// A stage is a site that people can go to, and the world behind it.
type stage struct {
	*askahumantest.World
	t   *testing.T
	hub *live.Hub
	url string
	cut atomic.Bool // the network is away
}

// A setup says how a site is opened.
type setup struct {
	web.Options
	operators bool // with the operators' pages
	operator  operator.Options
}

// handler returns the site on a world.
func (o setup) handler(t *testing.T, w *askahumantest.World) (*webkit.Site, http.Handler) {
	t.Helper()
	options := web.SiteOptions()
	options.Box, options.Now, options.PublicURL, options.More = w.Box, w.Clock.Now, o.PublicURL, []webkit.Pages{operator.Templates}
	var frame *operator.Frame
	options.NavFor = func(r *http.Request) []webkit.Link {
		if frame != nil {
			if nav, ok := frame.Nav(r); ok {
				return nav
			}
		}
		return web.Nav(r)
	}
	site := must(webkit.New(options))
	o.Domain, o.Site, o.Box = w.Domain, site, w.Box
	pages := must(web.New(o.Options))
	mux := http.NewServeMux()
	pages.Register(mux)
	if o.operators {
		own := pages.Operator()
		own.Site, own.Platform, own.Trail, own.Queue, own.Metrics, own.Hub = site, w.Platform, w.Env.Audit, w.Env.Jobs, w.Env.Counters(), o.Hub
		own.Staff = must(staff.New(w.Platform, staff.Options{FirstSecret: operatorSecret, Trail: w.Env.Audit}))
		own.Loops, own.Kick, own.Meter, own.Patterns = o.operator.Loops, o.operator.Kick, o.operator.Meter, askahumandb.Patterns
		frame = must(operator.New(own))
		frame.Register(mux)
	}
	return site, site.Handler(mux)
}

// open opens a site on a world without questions.
func open(t *testing.T, change ...func(*setup)) *stage {
	t.Helper()
	s := &stage{World: askahumantest.Open(t), t: t, hub: new(live.Hub)}
	// The database deletes by its own clock what is kept no longer, so ours must not be behind.
	s.Clock.Set(time.Now().UTC().Truncate(24 * time.Hour).Add(36 * time.Hour))
	server := httptest.NewUnstartedServer(nil)
	s.url = "http://" + server.Listener.Addr().String()
	options := setup{Options: web.Options{Hub: s.hub, PublicURL: s.url, VAPIDPublicKey: vapidKey}}
	for _, c := range change {
		c(&options)
	}
	site, handler := options.handler(t, s.World)
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.cut.Load() {
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	})
	server.Start()
	t.Cleanup(func() { site.Close(); server.Close() })
	return s
}

// ask submits a question and tells open pages.
func (s *stage) ask(prompt string, options ...string) askahumandb.Question {
	s.t.Helper()
	required, kind := 3, "text"
	if len(options) > 0 {
		kind = "multiple_choice"
	}
	q := s.Submit(s.t, questions.Ask{AgentID: "agent", Prompt: prompt, Type: kind, Options: options, Required: &required, Audience: []string{"product"}})
	s.hub.Tell("feed")
	return q
}

// A visitor is a browser without scripts: it keeps cookies and sends forms.
type visitor struct {
	t      *testing.T
	client *http.Client
	url    string
	token  string // against forged forms, of the page that was seen last
	last   answer
}

// An answer is a response to a visitor.
type answer struct {
	status int
	path   string // after redirects
	text   string
	header http.Header
}

func (s *stage) visitor() *visitor {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &visitor{t: s.t, client: &http.Client{Jar: jar}, url: s.url}
}

func (v *visitor) get(path string) answer {
	v.t.Helper()
	response, err := v.client.Get(v.url + path)
	return v.read(response, err)
}

// send sends a form from the page that was seen last.
func (v *visitor) send(path string, pairs ...string) answer {
	v.t.Helper()
	form := url.Values{"csrf": {v.token}}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	response, err := v.client.PostForm(v.url+path, form)
	return v.read(response, err)
}

var tokenField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

func (v *visitor) read(response *http.Response, err error) answer {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	if found := tokenField.FindSubmatch(body); found != nil {
		v.token = string(found[1])
	}
	v.last = answer{response.StatusCode, response.Request.URL.RequestURI(), html.UnescapeString(string(body)), response.Header}
	return v.last
}

// hidden returns the value of a hidden field on the page that was seen last.
func (v *visitor) hidden(name string) string {
	v.t.Helper()
	found := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(v.last.text)
	if found == nil {
		v.t.Fatalf("the page has no field %q", name)
	}
	return found[1]
}

func (a answer) want(t *testing.T, status int, words ...string) {
	t.Helper()
	if a.status != status {
		t.Errorf("%s answers %d, want %d", a.path, a.status, status)
	}
	for _, w := range words {
		if !strings.Contains(a.text, w) {
			t.Errorf("%s does not say %q", a.path, w)
		}
	}
	if t.Failed() {
		t.Logf("the page:\n%s", mainOf(a.text))
	}
}

func (a answer) lacks(t *testing.T, words ...string) {
	t.Helper()
	for _, w := range words {
		if strings.Contains(a.text, w) {
			t.Errorf("%s says %q", a.path, w)
		}
	}
}

func mainOf(page string) string {
	_, page, _ = strings.Cut(page, "<main")
	page, _, _ = strings.Cut(page, "</main>")
	return page
}

// answerAs lets n other people answer a question.
func (s *stage) answers(q askahumandb.Question, n int) {
	s.t.Helper()
	for i := range n {
		a := askahumantest.Text(q.QuestionID, 120)
		if len(q.Options) > 0 {
			a = askahumantest.Choice(q.QuestionID, i%len(q.Options))
		}
		if _, err := s.Answers.Answer(s.t.Context(), s.Person(s.t, 100+i), a); err != nil {
			s.t.Fatal(err)
		}
	}
	s.hub.Tell("feed", live.Topic("question "+q.QuestionID))
}

func TestSomebodyWithoutScriptsAnswers(t *testing.T) {
	s := open(t)
	q := s.ask("Would you trust a bank with this name?")
	v := s.visitor()
	v.get("/").want(t, 200, "Software asks. You answer.", q.Prompt, "3 more needed", "In your words", "Product")
	v.send("/welcome").lacks(t, "Software asks. You answer.")
	v.get("/q/"+q.QuestionID).want(t, 200, q.Prompt, "Send answer", "Skip this one")
	seen := v.hidden("seen")
	s.Clock.Advance(20 * time.Second)
	v.send("/q/"+q.QuestionID, "seen", seen, "from", "link", "answer", "short").want(t, 422, "5 more characters", ">\nshort<")
	seen = v.hidden("seen")
	s.Clock.Advance(20 * time.Second)
	v.send("/q/"+q.QuestionID, "seen", seen, "from", "link", "answer", "Not at all, it sounds like a game.", "confidence", "4").
		want(t, 200, "Thank you", "+17", "First Steps", "Your streak", "1 day", "Next badge")
	if v.last.path != "/done" {
		t.Errorf("after an answer the person is on %s", v.last.path)
	}
	results, err := s.Questions.Results(t.Context(), must(s.Questions.Question(t.Context(), q.QuestionID)))
	if err != nil || len(results.Answers) != 1 {
		t.Fatalf("the question has %d answers (%v)", len(results.Answers), err)
	}
	got := results.Answers[0]
	if got.ResponseTimeMs == nil || *got.ResponseTimeMs != 40_000 || got.Source != askahumandb.ResponseSourceLink || *got.Confidence != 4 {
		t.Errorf("stored: took %v ms, source %s, confidence %v", got.ResponseTimeMs, got.Source, got.Confidence)
	}
	v.get("/").want(t, 200, "Nobody needs an answer right now")
	v.get("/q/"+q.QuestionID).want(t, 200, "You answered this", "Not at all, it sounds like a game.", "Confidence 4 of 5")
	v.send("/q/"+q.QuestionID, "answer", "Another answer of mine").want(t, 200, "Your first answer stands", "Not at all")
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(fmt.Sprint(err))
	}
	return value
}
