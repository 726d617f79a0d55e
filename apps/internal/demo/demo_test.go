package demo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/internal/demo"
)

// A guestbook is a small system: people join and write entries.
type guestbook struct {
	*httptest.Server
	mu      sync.Mutex
	joined  int
	entries []string // who: text
	busy    int      // requests that are refused by a rate limit of a minute
}

func newGuestbook(t *testing.T) *guestbook {
	t.Helper()
	g := &guestbook{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /people", func(w http.ResponseWriter, _ *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.joined++
		fmt.Fprintf(w, `{"token":"t%d"}`, g.joined)
	})
	mux.HandleFunc("POST /entries", func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.busy > 0 {
			g.busy--
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(http.StatusTooManyRequests)
			fmt.Fprint(w, `{"error":{"code":"RATE_LIMITED","message":"A little fast."}}`)
			return
		}
		var in struct{ Text string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("a body of %q: %v", r.Header.Get("Content-Type"), err)
		}
		g.entries = append(g.entries, r.Header.Get("Authorization")+": "+in.Text)
		fmt.Fprint(w, `{"number":7}`)
	})
	g.Server = httptest.NewServer(mux)
	t.Cleanup(g.Close)
	return g
}

// written returns the entries and forgets them.
func (g *guestbook) written() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := g.entries
	g.entries = nil
	return all
}

// join gives a person a token.
func join(ctx context.Context, who *demo.Person) error {
	var out struct{ Token string }
	if _, err := who.Call(ctx, http.MethodPost, "/people", struct{}{}, &out); err != nil {
		return err
	}
	who.Header.Set("Authorization", out.Token)
	return nil
}

// write lets a random person of three write the next prepared text.
func write(texts int) demo.Action {
	return demo.Action{Name: "write", Do: func(ctx context.Context, p *demo.Play) error {
		who, err := p.Person(ctx, "guests", p.Chance.IntN(3), join)
		if err != nil {
			return err
		}
		i, ok := p.Next("texts", texts)
		if !ok {
			return nil
		}
		var out struct{ Number int }
		_, err = who.Call(ctx, http.MethodPost, "/entries", map[string]string{"text": fmt.Sprint(i)}, &out)
		if err == nil && out.Number != 7 {
			return fmt.Errorf("the answer is %+v", out)
		}
		return err
	}}
}

// play runs a script for some steps and returns the log and the pauses.
func play(t *testing.T, o demo.Options, steps int, script demo.Script) (log string, pauses []time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var text bytes.Buffer
	o.Log = slog.New(slog.NewTextHandler(&text, nil))
	o.Sleep = func(ctx context.Context, d time.Duration) error {
		if pauses = append(pauses, d); len(pauses) == steps {
			cancel()
		}
		return ctx.Err()
	}
	if err := demo.Run(ctx, o, script); !errors.Is(err, context.Canceled) || len(pauses) != steps {
		t.Errorf("it ended after %d steps with %v", len(pauses), err)
	}
	return text.String(), pauses
}

func TestPeopleActAtAPace(t *testing.T) {
	g := newGuestbook(t)
	log, pauses := play(t, demo.Options{BaseURL: g.URL + "/", Seed: 1, Pace: 10 * time.Second}, 50, demo.Script{Actions: []demo.Action{write(100)}})
	if n := len(g.written()); n != 50 || log != "" || g.joined != 3 {
		t.Errorf("%d entries of %d people, and the log\n%s", n, g.joined, log)
	}
	var sum time.Duration
	for _, pause := range pauses {
		if pause < 4*time.Second || pause > 16*time.Second {
			t.Errorf("a pause of %s", pause)
		}
		sum += pause
	}
	if average := sum / 50; average < 8*time.Second || average > 12*time.Second {
		t.Errorf("the average pause is %s", average)
	}
}

func TestTheSeedDecides(t *testing.T) {
	g := newGuestbook(t)
	run := func(seed uint64) []string {
		play(t, demo.Options{BaseURL: g.URL, Seed: seed}, 20, demo.Script{Actions: []demo.Action{write(100)}})
		var texts []string
		for _, entry := range g.written() {
			_, text, _ := strings.Cut(entry, ": ")
			texts = append(texts, text)
		}
		return texts
	}
	first, again, other := run(1), run(1), run(2)
	if !slices.Equal(first, again) || slices.Equal(first, other) {
		t.Errorf("seed 1 wrote %v and %v, seed 2 %v", first, again, other)
	}
}

func TestARestartRepeatsNothing(t *testing.T) {
	g := newGuestbook(t)
	memory := filepath.Join(t.TempDir(), "demo.json")
	opened := 0
	script := demo.Script{
		Opening: []demo.Action{{Name: "open", Do: func(context.Context, *demo.Play) error { opened++; return nil }}},
		Actions: []demo.Action{write(50)},
	}
	var texts, people []string
	var firstPauses []time.Duration
	for run := range 4 { // the last one has nothing left to write
		_, pauses := play(t, demo.Options{BaseURL: g.URL, Seed: 5, Memory: memory}, 20, script)
		if run > 0 && slices.Equal(pauses, firstPauses) {
			t.Error("the same choices come again")
		}
		firstPauses = pauses
		for _, entry := range g.written() {
			who, text, _ := strings.Cut(entry, ": ")
			texts, people = append(texts, text), append(people, who)
		}
	}
	slices.Sort(texts)
	if n := len(texts); n != 50 || len(slices.Compact(texts)) != 50 {
		t.Errorf("%d entries", n)
	}
	slices.Sort(people)
	if people = slices.Compact(people); len(people) != 3 || g.joined != 3 || opened != 1 {
		t.Errorf("the people are %v of %d, opened %d times", people, g.joined, opened)
	}
}

func TestTheOpeningIsDoneInOrderUntilItSucceeds(t *testing.T) {
	g := newGuestbook(t)
	var done []string
	failures := 2
	act := func(name string) demo.Action {
		return demo.Action{Name: name, Do: func(_ context.Context, p *demo.Play) error {
			if name == "second" && failures > 0 {
				failures--
				return errors.New("not yet")
			}
			done = append(done, name+" "+p.Key(name))
			return nil
		}}
	}
	script := demo.Script{Opening: []demo.Action{act("first"), act("second"), act("third")}, Actions: []demo.Action{act("later")}}
	log, _ := play(t, demo.Options{BaseURL: g.URL, Seed: 9}, 4, script)
	if len(done) != 5 || strings.Count(log, "not yet") != 2 {
		t.Fatalf("done: %v, with the log\n%s", done, log)
	}
	for i, want := range []string{"first", "second", "third", "later", "later"} {
		if !strings.HasPrefix(done[i], want+" demo-9-") {
			t.Errorf("action %d is %q, want %s", i, done[i], want)
		}
	}
	if done[3] != done[4] || done[0][len("first"):] == done[2][len("third"):] {
		t.Errorf("the keys are %v", done)
	}
}

func TestWeightsDecideHowOftenActionsAreChosen(t *testing.T) {
	g := newGuestbook(t)
	count := map[string]int{}
	act := func(name string, weight int) demo.Action {
		return demo.Action{Name: name, Weight: weight, Do: func(context.Context, *demo.Play) error { count[name]++; return nil }}
	}
	play(t, demo.Options{BaseURL: g.URL, Seed: 1}, 1000, demo.Script{Actions: []demo.Action{act("often", 8), act("seldom", 0), act("rare", 1)}})
	if count["often"] < 700 || count["seldom"] < 50 || count["rare"] < 50 || count["often"]+count["seldom"]+count["rare"] != 1000 {
		t.Errorf("chosen %v", count)
	}
}

func TestARateLimitIsRespected(t *testing.T) {
	g := newGuestbook(t)
	g.busy = 1
	other := 0
	script := demo.Script{Actions: []demo.Action{write(100), {Name: "other", Do: func(context.Context, *demo.Play) error { other++; return nil }}}}
	var played, limited time.Duration
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := demo.Run(ctx, demo.Options{BaseURL: g.URL, Seed: 1, Sleep: func(ctx context.Context, d time.Duration) error {
		g.mu.Lock()
		if g.busy == 0 && limited == 0 {
			limited = played + time.Minute
		}
		if len(g.entries) > 0 {
			cancel()
		}
		g.mu.Unlock()
		played += d
		return ctx.Err()
	}}, script)
	// The entry was written after the last pause but one.
	if !errors.Is(err, context.Canceled) || played < limited || other == 0 {
		t.Errorf("written after %s, the limit ended at %s; %d other actions (%v)", played, limited, other, err)
	}
}

func TestFailuresDoNotEndTheDemo(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	script := demo.Script{Actions: []demo.Action{
		write(100), {Name: "panic", Do: func(context.Context, *demo.Play) error { panic("at the disco") }},
	}}
	log, _ := play(t, demo.Options{BaseURL: gone.URL, Seed: 1}, 20, script)
	if !strings.Contains(log, "could not write") || !strings.Contains(log, "at the disco") {
		t.Errorf("the log is\n%s", log)
	}
	play(t, demo.Options{BaseURL: gone.URL}, 3, demo.Script{}) // nothing to do
}

func TestRefusalsSayWhy(t *testing.T) {
	g := newGuestbook(t)
	g.busy = 1
	var refused, plain error
	script := demo.Script{Opening: []demo.Action{{Name: "ask", Do: func(ctx context.Context, p *demo.Play) error {
		_, refused = p.Anonymous().Call(ctx, http.MethodPost, "/entries", struct{}{}, nil)
		_, plain = p.Anonymous().Call(ctx, http.MethodGet, "/none", nil, nil)
		return nil
	}}}}
	play(t, demo.Options{BaseURL: g.URL}, 1, script)
	want := demo.StatusError{Status: 429, Code: "RATE_LIMITED", Message: "A little fast.", RetryAfter: time.Minute}
	if e, ok := errors.AsType[*demo.StatusError](refused); !ok || *e != want {
		t.Errorf("got %v, want %+v", refused, want)
	}
	if e, ok := errors.AsType[*demo.StatusError](plain); !ok || e.Status != 404 || e.Message != "Not Found" {
		t.Errorf("got %v", plain)
	}
}

func TestADamagedMemoryIsReported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "demo.json")
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := demo.Run(t.Context(), demo.Options{Memory: file}, demo.Script{}); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("got %v", err)
	}
	if err := demo.Run(t.Context(), demo.Options{Memory: filepath.Join(file, "x")}, demo.Script{}); err == nil {
		t.Error("a memory that cannot be read is accepted")
	}
}

func TestValuesAreRemembered(t *testing.T) {
	g := newGuestbook(t)
	memory := filepath.Join(t.TempDir(), "demo.json")
	var seen []int
	script := demo.Script{Actions: []demo.Action{{Name: "count", Do: func(_ context.Context, p *demo.Play) error {
		n := 0
		p.Recall("n", &n)
		seen = append(seen, n)
		return p.Remember("n", n+1)
	}}}}
	for range 2 {
		play(t, demo.Options{BaseURL: g.URL, Memory: memory}, 2, script)
	}
	if !slices.Equal(seen, []int{0, 1, 2, 3}) {
		t.Errorf("recalled %v", seen)
	}
}
