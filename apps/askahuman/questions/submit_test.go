package questions_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/refusal"
)

func TestAnAskNeedsOnlyAPromptAndAType(t *testing.T) {
	w := askahumantest.Open(t)
	submitted, err := w.Questions.Submit(t.Context(), askahumantest.Plain("agent-1"))
	if err != nil {
		t.Fatal(err)
	}
	want := askahumandb.Question{
		Day:               "2037-02-02",
		QuestionID:        submitted.Question.QuestionID,
		Status:            askahumandb.QuestionStatusOpen,
		Prompt:            "Is it good?",
		Type:              askahumandb.QuestionTypeText,
		Audience:          []string{"general"},
		RequiredResponses: 5,
		LastSlot:          4,
		AgentID:           "agent-1",
		CreatedAt:         askahumantest.Start,
		ExpiresAt:         askahumantest.Start.Add(time.Hour),
	}
	if diff := cmp.Diff(want, submitted.Question); diff != "" {
		t.Errorf("submitted (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, askahumantest.Question(t, w, want.QuestionID)); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if submitted.Repeated || submitted.CallbackSecret != "" {
		t.Errorf("repeated %v, secret %q; want neither", submitted.Repeated, submitted.CallbackSecret)
	}
	if open := askahumantest.Agent(t, w, "agent-1").OpenQuestions; open != 1 {
		t.Errorf("the agent has %d open questions, want 1", open)
	}
}

// A boundary is an ask that is just right, or a field error about one that is not.
type boundary struct {
	name   string
	change func(*questions.Ask)
	want   *refusal.Field // nil: it is taken
}

func TestTheBoundariesOfAnAsk(t *testing.T) {
	w := askahumantest.Open(t)
	for _, test := range slices.Concat(textBoundaries(), optionBoundaries(), numberBoundaries(), otherBoundaries()) {
		t.Run(test.name, func(t *testing.T) {
			ask := askahumantest.Plain(idOf(test.name))
			test.change(&ask)
			_, err := w.Questions.Submit(t.Context(), ask)
			if test.want == nil {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			var refused *refusal.Error
			if !errors.As(err, &refused) || refused.Kind != refusal.Invalid {
				t.Fatalf("error %v, want %s", err, refusal.Invalid)
			}
			if diff := cmp.Diff([]refusal.Field{*test.want}, refused.Fields); diff != "" {
				t.Errorf("field (-want +got):\n%s", diff)
			}
		})
	}
}

// idOf returns an agent's id made of a test's name.
func idOf(name string) string {
	return "a-" + strings.Map(func(c rune) rune {
		if c == ' ' || c == '#' {
			return '-'
		}
		return c
	}, name)
}

func within(field, constraint string, least, most int) *refusal.Field {
	return &refusal.Field{Name: field, Constraint: constraint, Min: &least, Max: &most}
}

func textBoundaries() []boundary {
	prompt := func(text string) func(*questions.Ask) { return func(a *questions.Ask) { a.Prompt = text } }
	context := func(text string) func(*questions.Ask) { return func(a *questions.Ask) { a.Context = text } }
	length, form := within("prompt", "length", 10, 2000), &refusal.Field{Name: "prompt", Constraint: "format"}
	return []boundary{
		{"no prompt", prompt(""), &refusal.Field{Name: "prompt", Constraint: "required"}},
		{"blank prompt", prompt(strings.Repeat(" ", 20)), &refusal.Field{Name: "prompt", Constraint: "required"}},
		{"prompt 9", prompt("123456789"), length},
		{"prompt 9 and spaces", prompt("  123456789  "), length},
		{"prompt 10", prompt("1234567890"), nil},
		{"prompt 10 characters of many bytes", prompt(strings.Repeat("ü", 10)), nil},
		{"prompt 9 characters of many bytes", prompt(strings.Repeat("界", 9)), length},
		{"prompt 2000", prompt(strings.Repeat("界", 2000)), nil},
		{"prompt 2001", prompt(strings.Repeat("a", 2001)), length},
		{"prompt of two lines", prompt("What is better?\r\n\tThis or that?"), nil},
		{"prompt with a bell", prompt("What is\aloud?"), form},
		{"prompt with a NUL", prompt("What is\x00there?"), form},
		{"prompt that is no text", prompt("What is \xff\xfe it?"), form},
		{"context 5000", context(strings.Repeat("é", 5000)), nil},
		{"context 5001", context(strings.Repeat("é", 5001)), within("context", "length", 0, 5000)},
		{"context with an escape", context("\x1b[31mred"), &refusal.Field{Name: "context", Constraint: "format"}},
	}
}

func optionBoundaries() []boundary {
	choose := func(options ...string) func(*questions.Ask) {
		return func(a *questions.Ask) { a.Type, a.Options = "multiple_choice", options }
	}
	several := func(n int) []string {
		var all []string
		for i := range n {
			all = append(all, "option "+strings.Repeat("I", i+1))
		}
		return all
	}
	kind := func(kind string) func(*questions.Ask) { return func(a *questions.Ask) { a.Type = kind } }
	count, length := within("options", "count", 2, 10), within("options", "length", 1, 200)
	kinds := []string{"text", "multiple_choice"}
	return []boundary{
		{"no type", kind(""), &refusal.Field{Name: "type", Constraint: "required", Allowed: kinds}},
		{"other type", kind("rating"), &refusal.Field{Name: "type", Constraint: "allowed", Allowed: kinds}},
		{"choice without options", choose(), count},
		{"options 1", choose(several(1)...), count},
		{"options 2", choose(several(2)...), nil},
		{"options 10", choose(several(10)...), nil},
		{"options 11", choose(several(11)...), count},
		{"option 200", choose("a", strings.Repeat("ß", 200)), nil},
		{"option 201", choose("a", strings.Repeat("ß", 201)), length},
		{"empty option", choose("a", ""), length},
		{"blank option", choose("a", "  "), length},
		{"option twice", choose("a", "b", " a "), &refusal.Field{Name: "options", Constraint: "unique"}},
		{"option of two lines", choose("a", "b\nc"), &refusal.Field{Name: "options", Constraint: "format"}},
		{"text with options", func(a *questions.Ask) { a.Options = several(2) }, within("options", "count", 0, 0)},
		{"text with an empty list of options", func(a *questions.Ask) { a.Options = []string{} }, nil},
	}
}

func numberBoundaries() []boundary {
	required := func(n int) func(*questions.Ask) { return func(a *questions.Ask) { a.Required = &n } }
	timeout := func(seconds int) func(*questions.Ask) {
		return func(a *questions.Ask) { d := time.Duration(seconds) * time.Second; a.Timeout = &d }
	}
	answers, seconds := within("min_responses", "range", 1, 50), within("timeout_seconds", "range", 60, 86400)
	return []boundary{
		{"min_responses 0", required(0), answers},
		{"min_responses 1", required(1), nil},
		{"min_responses 50", required(50), nil},
		{"min_responses 51", required(51), answers},
		{"timeout 59", timeout(59), seconds},
		{"timeout 60", timeout(60), nil},
		{"timeout 86400", timeout(86400), nil},
		{"timeout 86401", timeout(86401), seconds},
	}
}

func otherBoundaries() []boundary {
	audience := func(tags ...string) func(*questions.Ask) { return func(a *questions.Ask) { a.Audience = tags } }
	callback := func(url string) func(*questions.Ask) { return func(a *questions.Ask) { a.CallbackURL = url } }
	id := func(id string) func(*questions.Ask) { return func(a *questions.Ask) { a.AgentID = id } }
	key := func(key string) func(*questions.Ask) { return func(a *questions.Ask) { a.IdempotencyKey = key } }
	language := func(tag string) func(*questions.Ask) { return func(a *questions.Ask) { a.Language = tag } }
	noAudience := &refusal.Field{Name: "audience", Constraint: "allowed", Allowed: askahuman.Audiences}
	noURL := &refusal.Field{Name: "callback_url", Constraint: "format"}
	noID := &refusal.Field{Name: "agent_id", Constraint: "format"}
	return []boundary{
		{"every audience", audience(askahuman.Audiences...), nil},
		{"other audience", audience("other"), noAudience},
		{"one other audience", audience("technical", "other"), noAudience},
		{"callback", callback("https://agent.example/hook?of=me"), nil},
		{"callback over http", callback("http://agent.example:8080/hook"), nil},
		{"callback to this machine", callback("http://localhost:8080/hook"), noURL},
		{"callback to a private address", callback("http://10.0.0.1/hook"), noURL},
		{"callback 500", callback("https://agent.example/" + strings.Repeat("a", 478)), nil},
		{"callback 501", callback("https://agent.example/" + strings.Repeat("a", 479)), within("callback_url", "length", 1, 500)},
		{"callback without a scheme", callback("agent.example/hook"), noURL},
		{"callback that is relative", callback("/hook"), noURL},
		{"callback without a host", callback("https:///hook"), noURL},
		{"callback to a file", callback("file:///etc/passwd"), noURL},
		{"callback with credentials", callback("https://me:secret@agent.example/"), noURL},
		{"callback with a user", callback("https://me@agent.example/"), noURL},
		{"no agent", id(""), &refusal.Field{Name: "agent_id", Constraint: "required"}},
		{"agent 64", id(strings.Repeat("a", 64)), nil},
		{"agent 65", id(strings.Repeat("a", 65)), within("agent_id", "length", 1, 64)},
		{"agent of all kinds", id("Team_7.bot-1:prod@eu"), nil},
		{"agent with a number sign", id("a#b"), noID},
		{"agent with a space", id("a b"), noID},
		{"agent in other letters", id("ägent"), noID},
		{"key 200", key(strings.Repeat("k", 200)), nil},
		{"key 201", key(strings.Repeat("k", 201)), within("idempotency_key", "length", 1, 200)},
		{"key of any characters", key("a#b / ü"), nil},
		{"language", language("pt-BR"), nil},
		{"language that is none", language("no language"), &refusal.Field{Name: "language", Constraint: "format"}},
	}
}

func TestWhatIsStoredOfAnAsk(t *testing.T) {
	w := askahumantest.Open(t)
	timeout := 10 * time.Minute
	submitted, err := w.Questions.Submit(t.Context(), questions.Ask{
		AgentID: "a", Prompt: " What is better?\r\nSay! ", Context: " It is for a shop. ", Type: "multiple_choice", Options: []string{" yes", "no "},
		Audience: []string{"ethics", "technical", "ethics"}, Timeout: &timeout, Language: "en", CallbackURL: "https://agent.example/hook",
	})
	if err != nil {
		t.Fatal(err)
	}
	q := askahumantest.Question(t, w, submitted.Question.QuestionID)
	if q.Prompt != "What is better?\nSay!" || *q.Context != "It is for a shop." || *q.Language != "en" || *q.CallbackURL != "https://agent.example/hook" {
		t.Errorf("texts: %q %q %q %q", q.Prompt, *q.Context, *q.Language, *q.CallbackURL)
	}
	if diff := cmp.Diff([][]string{{"yes", "no"}, {"ethics", "technical"}}, [][]string{q.Options, q.Audience}); diff != "" {
		t.Errorf("options and audience (-want +got):\n%s", diff)
	}
	secret, err := w.Questions.CallbackSecret(t.Context(), "a")
	if err != nil || !strings.HasPrefix(submitted.CallbackSecret, "whsec_") || submitted.CallbackSecret != secret {
		t.Errorf("callback secret %q", submitted.CallbackSecret)
	}
}

func TestAQuestionQueuesTwoSearchesForPeople(t *testing.T) {
	for name, test := range map[string]struct{ timeout, catchUp time.Duration }{
		"long question":  {time.Hour, 15 * time.Minute},
		"half an hour":   {30 * time.Minute, 15 * time.Minute},
		"short question": {10 * time.Minute, 5 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			w := askahumantest.Open(t)
			ask := askahumantest.Plain("a")
			ask.Timeout = &test.timeout
			id := w.Submit(t, ask).QuestionID
			due := map[string]time.Duration{}
			for _, job := range w.DueJobs(t, askahumantest.Start.Add(time.Hour)) {
				payload, err := jobs.Payload[map[string]string](job)
				if err != nil || payload["question_id"] != id {
					t.Errorf("payload %s of %s (%v)", job.Payload, job.ID, err)
				}
				due[job.Kind+" "+job.ID] = job.Due.Sub(askahumantest.Start)
			}
			want := map[string]time.Duration{"dispatch dispatch-" + id: 0, "catch_up catchup-" + id: test.catchUp}
			if diff := cmp.Diff(want, due); diff != "" {
				t.Errorf("jobs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAKeyMakesOneQuestion(t *testing.T) {
	w := askahumantest.Open(t)
	ask := askahumantest.Plain("a")
	ask.IdempotencyKey = "once"
	submit := func(ask questions.Ask) questions.Submitted {
		t.Helper()
		submitted, err := w.Questions.Submit(t.Context(), ask)
		if err != nil {
			t.Fatal(err)
		}
		return submitted
	}
	first := submit(ask)
	if first.Repeated {
		t.Error("the first is a repeat")
	}
	w.Clock.Advance(24*time.Hour - time.Millisecond)
	spelled := ask // the same, with a default spelled out
	required := 5
	spelled.Required, spelled.Audience, spelled.Prompt = &required, []string{"general"}, " Is it good? "
	if again := submit(spelled); !again.Repeated || again.Question.QuestionID != first.Question.QuestionID {
		t.Errorf("within 24 hours: repeated %v, question %s, want %s", again.Repeated, again.Question.QuestionID, first.Question.QuestionID)
	} else if again.Question.Status != askahumandb.QuestionStatusExpired {
		t.Errorf("the repeat shows %s, and its time is up", again.Question.Status)
	}
	other := ask
	other.Prompt = "Is it better?"
	if _, err := w.Questions.Submit(t.Context(), other); !errors.Is(err, askahuman.ErrKeyReused) {
		t.Errorf("another question under the key: %v, want %v", err, askahuman.ErrKeyReused)
	}
	other = ask
	other.AgentID = "b"
	if q := submit(other); q.Repeated || q.Question.QuestionID == first.Question.QuestionID {
		t.Errorf("the key of another agent: %+v", q)
	}
	w.Clock.Advance(time.Hour + time.Millisecond)
	later := submit(ask)
	if later.Repeated || later.Question.QuestionID == first.Question.QuestionID {
		t.Errorf("after 25 hours: repeated %v, question %s", later.Repeated, later.Question.QuestionID)
	}
	if again := submit(ask); !again.Repeated || again.Question.QuestionID != later.Question.QuestionID {
		t.Errorf("the key that was taken over: repeated %v, question %s, want %s", again.Repeated, again.Question.QuestionID, later.Question.QuestionID)
	}
}

func TestManyAtOnceUnderOneKeyMakeOneQuestion(t *testing.T) {
	w := askahumantest.Open(t)
	for _, age := range []time.Duration{0, 25 * time.Hour} { // a new key, and one to take over
		w.Clock.Advance(age)
		ask := askahumantest.Plain("a")
		ask.IdempotencyKey = "once"
		var all sync.WaitGroup
		answers := make([]questions.Submitted, 20)
		for i := range answers {
			all.Go(func() {
				var err error
				if answers[i], err = w.Questions.Submit(t.Context(), ask); err != nil {
					t.Errorf("submission %d: %v", i, err)
				}
			})
		}
		all.Wait()
		made := 0
		for _, a := range answers {
			if !a.Repeated {
				made++
			}
			if a.Question.QuestionID != answers[0].Question.QuestionID {
				t.Errorf("questions %s and %s", a.Question.QuestionID, answers[0].Question.QuestionID)
			}
		}
		if made != 1 {
			t.Errorf("%d submissions made a question, want 1", made)
		}
	}
	page, err := w.Questions.Questions(t.Context(), "a", "", 0, "")
	if err != nil || len(page.Questions) != 1 {
		t.Errorf("%d questions are kept (%v), want the second", len(page.Questions), err)
	}
}
