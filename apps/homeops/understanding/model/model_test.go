package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/model"
	"sortkey.dev/apps/homeops/understanding/rules"
)

const key = "sk-SECRET"

// An endpoint speaks chat completions. Each call takes the next reply; the last one repeats.
type endpoint struct {
	t       *testing.T
	mutex   sync.Mutex
	url     string
	replies []reply
	bodies  []string
	waits   []time.Duration
}

type reply struct {
	status     int // 200 if 0
	retryAfter string
	events     string // the content is {"events":[…]}
	content    string
	raw        string // the whole body
	refusal    string
	finish     string // "stop" if empty
	hang       bool
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.mutex.Lock()
	e.bodies = append(e.bodies, string(body))
	p := e.replies[min(len(e.bodies), len(e.replies))-1]
	e.mutex.Unlock()
	if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+key {
		e.t.Errorf("request to %s with %q", r.URL.Path, r.Header.Get("Authorization"))
	}
	switch {
	case p.hang:
		<-r.Context().Done()
		return
	case p.status != 0:
		w.Header().Set("Retry-After", p.retryAfter)
		w.WriteHeader(p.status)
		fmt.Fprint(w, `{"error":{"message":"no"}}`)
		return
	case p.raw != "":
		fmt.Fprint(w, p.raw)
		return
	}
	if p.content == "" {
		p.content = `{"events":[` + p.events + `]}`
	}
	if p.finish == "" {
		p.finish = "stop"
	}
	json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"finish_reason": p.finish, "message": map[string]any{"content": p.content, "refusal": p.refusal}}},
		"usage":   map[string]any{"prompt_tokens": 830, "completion_tokens": 40},
	})
}

func open(t *testing.T, timeout time.Duration, replies ...reply) (*endpoint, *model.Classifier) {
	t.Helper()
	e := &endpoint{t: t, replies: replies}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	e.url = server.URL + "/v1"
	c, err := model.New(model.Options{BaseURL: e.url, Key: key, Model: "small", Timeout: timeout, Sleep: func(_ context.Context, d time.Duration) error {
		e.waits = append(e.waits, d)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return e, c
}

func message(text string) understanding.Message {
	return understanding.Message{
		Text: text, SentAt: time.Date(2026, 2, 17, 10, 30, 0, 0, time.UTC), Locale: understanding.Swedish, Author: "erik",
		Members:    []understanding.Member{{ID: "erik", Names: []string{"Erik"}}, {ID: "anna", Names: []string{"Anna"}}},
		Vocabulary: []understanding.Word{{Surface: "tunnan", Activity: "barrel", Name: "tunna"}},
	}
}

const dishes = `{"kind":"log","activity":"dishes","words":"kladdet","person":"author","time_words":"igår","effort":"usual","confidence":0.99}`

func TestAnswerBecomesAMeaning(t *testing.T) {
	promise := `{"kind":"promise","activity":"barrel","words":"tunnan","person":"author","time_words":"ikväll","effort":"low","confidence":0.6}`
	e, c := open(t, 0, reply{events: dishes + "," + promise})
	m := message("fick bort kladdet igår, rullar ut tunnan ikväll")
	meaning, err := c.Classify(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	a, p := meaning.Activities[0], meaning.Promises[0]
	if a.Activity != "dishes" || a.Surface != "kladdet" || a.Effort != understanding.Medium || a.EffortSaid || a.Confidence != 0.80 || a.When.At.Format("2006-01-02") != "2026-02-16" {
		t.Errorf("activity %+v", a)
	}
	if p.Activity != "barrel" || p.Name != "tunna" || p.Confidence != 0.6 || p.TimeWords != "ikväll" || p.Deadline.Format("2006-01-02 15:04") != "2026-02-17 21:00" {
		t.Errorf("promise %+v", p)
	}
	if meaning.Usage != (understanding.Usage{PromptTokens: 830, CompletionTokens: 40}) || meaning.Classifier != "model" {
		t.Errorf("meaning %+v", meaning)
	}
	if strings.Contains(e.bodies[0], `"erik"`) {
		t.Error("the request has the id of a member")
	}
}

func TestSchemaAcceptsWhatTheClassifierReads(t *testing.T) {
	_, c := open(t, 0, reply{events: dishes})
	m := message("kladdet igår")
	if _, err := c.Classify(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(model.Schema(m))
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for answer, want := range map[string]bool{
		`{"events":[` + dishes + `]}`: true, `{"events":[]}`: true, `{}`: false,
		strings.Replace(`{"events":[`+dishes+`]}`, "dishes", "barrel", 1): true,
		strings.Replace(`{"events":[`+dishes+`]}`, "dishes", "juggle", 1): false,
		strings.Replace(`{"events":[`+dishes+`]}`, `"kind"`, `"sort"`, 1): false,
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(answer))
		if err != nil {
			t.Fatal(err)
		}
		if got := schema.Validate(value) == nil; got != want {
			t.Errorf("%s: valid %t, want %t", answer, got, want)
		}
	}
}

func TestAnswersThatDoNotFitMeanNothing(t *testing.T) {
	change := func(old, new string) reply { return reply{events: strings.Replace(dishes, old, new, 1)} }
	for name, c := range map[string]struct {
		reply reply
		want  error
	}{
		"no JSON":                        {reply{content: "Sure! Here you go"}, model.ErrInvalid},
		"JSON and more":                  {reply{content: `{"events":[]} ok`}, model.ErrInvalid},
		"a field too many":               {reply{content: `{"events":[],"x":1}`}, model.ErrInvalid},
		"no events":                      {reply{content: `{}`}, model.ErrInvalid},
		"a field missing":                {change(`,"effort":"usual"`, ""), model.ErrInvalid},
		"a null":                         {change(`"author"`, "null"), model.ErrInvalid},
		"words that were not said":       {change("kladdet", "disken"), model.ErrInvalid},
		"no words":                       {change("kladdet", " "), model.ErrInvalid},
		"a member who was not named":     {change(`"author"`, `"Anna"`), model.ErrInvalid},
		"a stranger":                     {change(`"author"`, `"Kalle"`), model.ErrInvalid},
		"an unknown activity":            {change("dishes", "juggling"), model.ErrInvalid},
		"an unknown kind":                {change("log", "order"), model.ErrInvalid},
		"an unknown effort":              {change("usual", "extreme"), model.ErrInvalid},
		"a confidence above one":         {change("0.99", "1.01"), model.ErrInvalid},
		"time words that were not said":  {change("igår", "i måndags"), model.ErrInvalid},
		"a promise of recovery":          {reply{events: strings.NewReplacer("log", "promise", "dishes", "nap").Replace(dishes)}, model.ErrInvalid},
		"more events than a message has": {reply{events: strings.Repeat(dishes+",", 10) + dishes}, model.ErrInvalid},
		"no completion":                  {reply{raw: `{"object":"list"}`}, model.ErrInvalid},
		"broken JSON":                    {reply{raw: `{"choices":[`}, model.ErrInvalid},
		"a refusal":                      {reply{refusal: "I cannot"}, model.ErrRefused},
		"a filter":                       {reply{finish: "content_filter"}, model.ErrRefused},
		"an answer that was cut off":     {reply{finish: "length"}, model.ErrCutOff},
	} {
		e, classifier := open(t, 0, c.reply)
		meaning, err := classifier.Classify(t.Context(), message("kladdet igår"))
		if !errors.Is(err, c.want) || !meaning.Empty() || len(e.bodies) != 1 {
			t.Errorf("%s: %+v, %v after %d calls", name, meaning, err, len(e.bodies))
		}
	}
}

func TestRetriesOnce(t *testing.T) {
	for _, c := range []struct {
		name    string
		replies []reply
		calls   int
		wait    time.Duration
		status  int // of the error; 0 for success
	}{
		{"busy", []reply{{status: 429, retryAfter: "3"}, {events: dishes}}, 2, 3 * time.Second, 0},
		{"busy for too long", []reply{{status: 429, retryAfter: "60"}}, 1, 0, 429},
		{"busy until a date", []reply{{status: 429, retryAfter: "Wed, 21 Oct 2026 07:28:00 GMT"}, {events: dishes}}, 2, 500 * time.Millisecond, 0},
		{"broken once", []reply{{status: 500}, {events: dishes}}, 2, 500 * time.Millisecond, 0},
		{"broken", []reply{{status: 503}}, 2, 500 * time.Millisecond, 503},
		{"a wrong key", []reply{{status: 401}}, 1, 0, 401},
		{"a wrong request", []reply{{status: 400}}, 1, 0, 400},
	} {
		e, classifier := open(t, 10*time.Second, c.replies...)
		_, err := classifier.Classify(t.Context(), message("kladdet igår"))
		var status *model.StatusError
		if got := errors.As(err, &status); got != (c.status != 0) || got && status.Status != c.status {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(e.bodies) != c.calls || c.wait != 0 && (len(e.waits) != 1 || e.waits[0] != c.wait) {
			t.Errorf("%s: %d calls, waits %v", c.name, len(e.bodies), e.waits)
		}
		if err != nil && strings.Contains(err.Error(), "SECRET") {
			t.Errorf("the key is in %q", err)
		}
	}
}

func TestSlowEndpoint(t *testing.T) {
	e, c := open(t, 20*time.Millisecond, reply{hang: true})
	if _, err := c.Classify(t.Context(), message("kladdet igår")); !errors.Is(err, context.DeadlineExceeded) || len(e.waits) != 1 {
		t.Errorf("error %v after %d retries, want 1", err, len(e.waits))
	}
}

func TestBesideAsksOnlyWhatIsOpen(t *testing.T) {
	for _, c := range []struct {
		text   string
		events string
		calls  int
		logs   int
	}{
		{"fick bort kladdet igår", dishes, 1, 1},
		{"jag har diskat", "", 0, 1},
		{"vem diskade senast?", "", 0, 0},
		// The rules found a negation, which the model may not overrule.
		{"jag har inte diskat igår", strings.Replace(dishes, "kladdet", "diskat", 1), 1, 0},
	} {
		e, classifier := open(t, 0, reply{events: c.events})
		meaning, err := model.Beside(rules.New(), classifier, nil).Classify(t.Context(), message(c.text))
		if err != nil || len(e.bodies) != c.calls || len(meaning.Activities) != c.logs {
			t.Errorf("%q: %d calls, %+v, %v", c.text, len(e.bodies), meaning.Activities, err)
		}
	}
	_, broken := open(t, 0, reply{status: 400})
	var failed error
	meaning, err := model.Beside(rules.New(), broken, func(err error) { failed = err }).Classify(t.Context(), message("fick bort kladdet igår"))
	if err != nil || failed == nil || !meaning.Empty() {
		t.Errorf("meaning %+v, %v, reported %v", meaning, err, failed)
	}
}

func TestNewRejectsBadOptions(t *testing.T) {
	for _, o := range []model.Options{{Model: "m"}, {BaseURL: "ftp://x", Model: "m"}, {BaseURL: "https://user:pass@x", Model: "m"}, {BaseURL: "https://x"}} {
		if _, err := model.New(o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}
