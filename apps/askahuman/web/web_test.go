package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
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

// A visitor is a browser without scripts. Its last response can be looked at in one line.
type visitor struct {
	*webtest.Visitor
	last answer
}

// An answer is a response to a visitor.
type answer struct{ webtest.Visitor }

func (s *stage) visitor() *visitor {
	s.t.Helper()
	return &visitor{Visitor: webtest.NewVisitor(s.t, s.url)}
}

func (v *visitor) get(path string) answer {
	v.T.Helper()
	v.Do(http.MethodGet, path, "", nil, nil)
	v.last = answer{*v.Visitor}
	return v.last
}

// send sends a form from the page that was seen last.
func (v *visitor) send(path string, pairs ...string) answer {
	v.T.Helper()
	v.Submit(path, pairs...)
	v.last = answer{*v.Visitor}
	return v.last
}

// hidden returns the value of a hidden field on the page that was seen last.
func (v *visitor) hidden(name string) string {
	v.T.Helper()
	found := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(v.Page)
	if found == nil {
		v.T.Fatalf("the page has no field %q", name)
	}
	return found[1]
}

func (a answer) want(t *testing.T, status int, words ...string) {
	t.Helper()
	if a.Code != status {
		t.Errorf("%s answers %d, want %d", a.Path, a.Code, status)
	}
	a.Says(words...)
}

func (a answer) lacks(t *testing.T, words ...string) {
	t.Helper()
	a.Hides(words...)
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
	if v.Path != "/done" {
		t.Errorf("after an answer the person is on %s", v.Path)
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
