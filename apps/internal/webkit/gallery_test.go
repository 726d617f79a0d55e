package webkit_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

// gallery is a small system that shows every component in every state.
type gallery struct {
	*webkit.Site
	hub    live.Hub
	server *httptest.Server
	seen   atomic.Int64
	cut    atomic.Bool                   // the network is away
	back   atomic.Bool                   // /away is back
	ill    atomic.Bool                   // every page fails
	hold   atomic.Pointer[chan struct{}] // until it is closed, /form waits
	held   atomic.Int64                  // requests that have waited
}

type person struct {
	Name, Note string
	Points     int
	Me         bool
}

type question struct {
	Prompt, Kind, State, Tone string
	Missing                   int
	At                        time.Time
}

func newBox(t testing.TB) *secret.Box {
	t.Helper()
	box, err := secret.NewBox([]byte("a secret for tests only"))
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// galleryOptions returns the options of the gallery; a test may change them.
func galleryOptions(t testing.TB) webkit.Options {
	return webkit.Options{
		Name: "Ask-a-Human", Tagline: "Programs ask, people answer.", Accent: webkit.Violet,
		Nav:    []webkit.Link{{Href: "/", Text: "Questions", Note: "12"}, {Href: "/form", Text: "Ask"}, {Href: "/leaderboard", Text: "Leaderboard"}, {Href: "/settings", Text: "Settings"}},
		Footer: []webkit.Link{{Href: "/docs", Text: "For developers"}, {Href: "/about", Text: "About"}},
		Box:    newBox(t), Log: slog.New(slog.DiscardHandler), Files: os.DirFS("testdata/gallery"),
		App: &webkit.App{ShortName: "Ask", Keep: []string{"/form"}, Forget: []string{"/leave"}, Enter: []string{"/enter", "/enter/with/"}, Icon: []webkit.Mark{
			webkit.Rect(20, 22, 60, 42, 14), webkit.Polygon(34, 60, 34, 82, 56, 60),
			webkit.Circle(36, 43, 5).Cut(), webkit.Circle(50, 43, 5).Cut(), webkit.Circle(64, 43, 5).Cut(),
		}},
	}
}

func newGallery(t testing.TB, options webkit.Options) *gallery {
	t.Helper()
	site, err := webkit.New(options)
	if err != nil {
		t.Fatal(err)
	}
	g := &gallery{Site: site}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		g.Render(w, r, http.StatusOK, "gallery.html", g.data())
	})
	mux.HandleFunc("GET /form", func(w http.ResponseWriter, r *http.Request) {
		if until := g.hold.Load(); until != nil {
			g.held.Add(1)
			select {
			case <-*until:
			case <-time.After(20 * time.Second):
			}
		}
		g.Render(w, r, http.StatusOK, "form.html", map[string]any{"Form": (*webkit.Form)(nil)})
	})
	mux.HandleFunc("POST /form", g.ask)
	mux.HandleFunc("POST /remove", func(w http.ResponseWriter, r *http.Request) {
		g.Flash(w, r, webkit.Good, "Everything is removed")
		g.Redirect(w, r, "/form")
	})
	mux.HandleFunc("POST /leave", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("password") == "wrong" {
			g.Render(w, r, http.StatusUnprocessableEntity, "form.html", map[string]any{"Form": (*webkit.Form)(nil)})
			return
		}
		g.Redirect(w, r, "/list")
	})
	mux.HandleFunc("POST /enter", func(w http.ResponseWriter, r *http.Request) { g.Redirect(w, r, "/list") })
	mux.HandleFunc("GET /enter/with/provider", func(w http.ResponseWriter, r *http.Request) { g.Redirect(w, r, "/list") })
	mux.HandleFunc("GET /list", g.list)
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, r *http.Request) { g.Watch(w, r, &g.hub, "gallery") })
	mux.HandleFunc("GET /fail", func(w http.ResponseWriter, r *http.Request) { g.Fail(w, r, errors.New("the disk is on fire")) })
	mux.HandleFunc("GET /panic", func(w http.ResponseWriter, r *http.Request) { panic("out of cheese") })
	mux.HandleFunc("GET /gone", func(w http.ResponseWriter, r *http.Request) { g.Gone(w, r, "This question was kept for 30 days.") })
	mux.HandleFunc("GET /fast", func(w http.ResponseWriter, r *http.Request) { g.TooMany(w, r, 90*time.Second) })
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		if g.back.Load() {
			g.Redirect(w, r, "/form")
			return
		}
		g.Away(w, r, errors.New("the table does not answer"))
	})
	mux.HandleFunc("GET /broken", func(w http.ResponseWriter, r *http.Request) { g.Render(w, r, http.StatusOK, "gallery.html", 7) })
	mux.HandleFunc("GET /ip", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, g.ClientIP(r)) })
	mux.HandleFunc("GET /zone", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, g.Zone(r)) })
	handler := g.Handler(mux)
	g.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.cut.Load() {
			panic(http.ErrAbortHandler)
		}
		if g.ill.Load() {
			http.Error(w, "ill", http.StatusInternalServerError)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	g.server.Config.RegisterOnShutdown(g.Close)
	g.server.Start()
	t.Cleanup(func() {
		g.Close() // ends streams, for which the server would wait
		g.server.Close()
	})
	return g
}

// list is a list of three pages with 20 entries each.
func (g *gallery) list(w http.ResponseWriter, r *http.Request) {
	page, err := strconv.Atoi(r.FormValue("page"))
	if err != nil {
		page = 1
	}
	auto, next := r.FormValue("auto") != "", ""
	if page < 3 {
		next = fmt.Sprintf("/list?page=%d&auto=%s", page+1, r.FormValue("auto"))
	}
	var entries []string
	for i := range 20 {
		if r.URL.Query().Has("empty") {
			next = ""
			break
		}
		entries = append(entries, fmt.Sprintf("Entry %d", page*20-19+i))
	}
	g.Render(w, r, http.StatusOK, "list.html", map[string]any{"Entries": entries, "Auto": auto, "Next": next})
}

func (g *gallery) ask(w http.ResponseWriter, r *http.Request) {
	form := webkit.ReadForm(r).Label("prompt", "Your question").Label("people", "How many people").Label("kind", "Kind of answer")
	prompt := form.Text("prompt", 10, 500)
	form.Int("people", 1, 50)
	form.Choice("audience", "any", "tech", "creative")
	form.Choice("kind", "text", "choice", "rating")
	form.Choices("tags", 0, 2, "a", "b")
	form.Choice("urgency", "low", "normal", "high")
	if !form.Valid() {
		g.Render(w, r, http.StatusUnprocessableEntity, "form.html", map[string]any{"Form": form})
		return
	}
	g.Flash(w, r, webkit.Good, "Asked: "+prompt)
	g.Redirect(w, r, "/form")
}

func (g *gallery) data() map[string]any {
	now := time.Now()
	type cost struct {
		Name         string
		Calls, Units int
		Cents        int64
	}
	type boardColumn struct {
		Name  string
		Cards []string
	}
	week := []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
	return map[string]any{
		"Seen": g.seen.Load(), "Earlier": now.Add(-2 * time.Hour), "Later": now.Add(25 * time.Minute),
		"Tabs":   []webkit.Tab{{Href: "/?p=day", Text: "Today", Current: true}, {Href: "/?p=week", Text: "This week", Count: "3"}, {Href: "/?p=all", Text: "All time"}},
		"Months": months(),
		"Kinds":  []webkit.Tab{{Href: "/", Text: "All", Current: true}, {Href: "/?k=t", Text: "Technical", Count: "3"}, {Href: "/?k=p", Text: "Product"}, {Href: "/?k=c", Text: "Creative"}, {Href: "/?k=g", Text: "General"}, {Href: "/?k=o", Text: "Opinion"}},
		"People": []person{
			{"Quiet Fox", "Helpful, 9 days in a row", 15020, false}, {"Brave Otter", "You", 1284, true},
			{"Ana María de la Fuente y Rodríguez", "First answer today", 12, false}, {"Blue Heron", "Wordsmith", 7, false},
		},
		"Questions": []question{
			{"Which of these two headlines would you rather click, and why does the other one leave you cold?", "In words", "Open", "good", 3, now.Add(-4 * time.Minute)},
			{"Is this sentence friendly?", "Multiple choice", "1 more needed", "warn", 1, now.Add(-26 * time.Hour)},
			{"Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft: is this one word to you, or does it only look like one?", "Multiple choice", "Technical", "info", 2, now.Add(-time.Second)},
		},
		"Costs": []cost{{"GetQuestion", 1204500, 602250, 1204}, {"ListOpenQuestions", 88000, 176000, 35200}, {"AnswerQuestion", 1200, 9600, 77}},
		"Board": []boardColumn{{"To do", []string{"Clean the kitchen", "Buy milk"}}, {"Doing", []string{"Fold the laundry"}}, {"Done", nil}},
		"Spark": &webkit.Sparkline{Label: "Answers in the last seven days: 3, 5, 2, 8, 6, 9, 12", Values: []float64{3, 5, 2, 8, 6, 9, 12}},
		"Votes": webkit.BarChart{Title: "Which name is better?", Desc: "Most people prefer the short one.", Format: "percent", Unit: "votes", Bars: []webkit.Bar{
			{Label: "Sortkey", Value: 14, Mark: true}, {Label: "The Dynamic Table Designer and Cost Estimator, Community Edition", Value: 5}, {Label: "Neither", Value: 0},
		}},
		"Line": webkit.LineChart{Title: "Answers a day", Desc: "They grew from 12 to 96 in a week.", Area: true, Labels: week, Series: []webkit.Series{{Name: "Answers", Values: []float64{12, 30, 28, 44, 61, 80, 96}}}},
		"Lines": webkit.LineChart{Title: "Waiting time in seconds", Desc: "The slowest tenth became faster, the middle stayed.", Labels: week, Series: []webkit.Series{
			{Name: "Slowest tenth", Values: []float64{140, 120, 118, 100, 80, 60, 58}}, {Name: "Middle", Values: []float64{40, 44, 38, 41, 40, 42, 39}}, {Name: "Fastest", Values: []float64{10, 12, 9, 11, 12, 13, 36}},
		}},
		"Stacked": webkit.StackedChart{Title: "Questions by kind", Desc: "Choices are about half of all.", Labels: week, Series: []webkit.Series{
			{Name: "In words", Values: []float64{4, 6, 5, 8, 9, 3, 2}}, {Name: "Choice", Values: []float64{8, 7, 9, 12, 11, 5, 6}}, {Name: "Rating", Values: []float64{2, 2, 1, 4, 3, 2, 2}},
		}},
		"Ratios": webkit.RatioChart{Title: "Units a call", Desc: "One pattern takes twice what was planned.", Same: "as planned", Most: 1.25, Rows: []webkit.Ratio{
			{Label: "ListOpenQuestions", Value: 2.1, Note: "6.3 units, planned 3.0"}, {Label: "GetQuestion", Value: 1, Note: "0.5 units"},
			{Label: "AnswerQuestion", Value: 0.7, Note: "7 units, planned 10"}, {Label: "PurgeOldThings", Value: 90}, {Label: "NeverCalled"},
		}},
		"Code":   "curl -s https://ask.example.org/v1/questions \\\n  -H 'Authorization: Bearer KEY' \\\n  -d '{\"prompt\": \"Is this sentence friendly?\", \"type\": \"multiple_choice\", \"options\": [\"yes\", \"no\"]}'",
		"Report": webkit.Button{Text: "Report", Kind: "danger"},
	}
}

// months are more segments than a phone has room for.
func months() []webkit.Tab {
	var tabs []webkit.Tab
	for month := time.January; month <= time.December; month++ {
		tabs = append(tabs, webkit.Tab{Href: fmt.Sprint("/?m=", int(month)), Text: month.String()[:3], Current: month == time.July})
	}
	return tabs
}

func formValues(pairs ...string) url.Values {
	values := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	return values
}
