package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/api"
	"sortkey.dev/apps/askahuman/client"
)

// client returns the Go client of the site. What happens while it sleeps is for the test to
// say.
func (s *site) client(agent string, asleep func(), more ...client.Option) *client.Client {
	sleep := func(ctx context.Context, d time.Duration) error {
		s.Clock.Advance(d)
		asleep()
		return ctx.Err()
	}
	return client.New(s.url, agent, append(more, client.WithHTTPClient(s.http), client.WithClock(s.Clock.Now, sleep))...)
}

func TestTheGoClientAsksAndWaits(t *testing.T) {
	s := open(t)
	feed := func() string {
		return s.must(t, http.StatusOK, call{method: "GET", path: "/human/questions"}).str("questions", 0, "question_id")
	}
	c := s.client("bot", func() { t.Error("the client pauses although the server tells of changes") })
	var people sync.WaitGroup
	defer people.Wait()
	got, err := c.SubmitAndWait(t.Context(), client.Ask{
		Prompt: "Which headline would you click?", Type: client.MultipleChoice, Options: []string{"Ten tips", "What we learned"},
		MinResponses: new(3), Context: "For a blog.", Audience: []string{"creative"}, Language: "en",
	}, client.AwaitOptions{Progress: func(seen []client.Question) {
		if !seen[0].Status.Over() { // a person answers while the client waits
			people.Go(func() { s.must(t, http.StatusCreated, chooses(s.newcomer(t), feed(), 1)) })
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	one := 1
	want := client.Question{
		ListedQuestion: client.ListedQuestion{QuestionID: got.QuestionID, Status: client.Closed, Prompt: "Which headline would you click?", Context: "For a blog.", Type: client.MultipleChoice,
			Options: []string{"Ten tips", "What we learned"}, Audience: []string{"creative"}, RequiredResponses: 3, CurrentResponses: 3,
			CreatedAt: got.CreatedAt, ExpiresAt: got.CreatedAt.Add(time.Hour), ClosedAt: got.ClosedAt},
		Responses: []client.Response{{SelectedOption: &one}, {SelectedOption: &one}, {SelectedOption: &one}},
		Summary:   map[string]int{"Ten tips": 0, "What we learned": 3}, Reliability: "high", Consensus: &client.Consensus{Option: "What we learned", Share: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.ClosedAt == nil {
		t.Error("it was never closed")
	}

	asked, err := c.Submit(t.Context(), client.Ask{Prompt: "Will anybody answer this?", Type: client.Text, CallbackURL: "https://example.org/hook"})
	if err != nil || asked.CallbackSecret == "" || asked.PollURL != "/agent/questions/"+asked.QuestionID {
		t.Fatalf("submitted: %+v, %v", asked, err)
	}
	ended, err := c.End(t.Context(), asked.QuestionID)
	if err != nil || ended.Status != client.Closed {
		t.Errorf("ended: %+v, %v", ended, err)
	}
	page, err := c.List(t.Context(), client.ListOptions{Limit: 1})
	if err != nil || len(page.Questions) != 1 || page.Questions[0].QuestionID != asked.QuestionID || page.Next == "" {
		t.Errorf("listed: %+v, %v", page, err)
	}
	page, err = c.List(t.Context(), client.ListOptions{Limit: 1, Cursor: page.Next, Status: client.Closed})
	if err != nil || len(page.Questions) != 1 || page.Questions[0].QuestionID != got.QuestionID {
		t.Errorf("listed on: %+v, %v", page, err)
	}
}

// TestTheGoClientKnowsEveryField: what the API says of a question, the client can hold.
func TestTheGoClientKnowsEveryField(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", fields{"type": "multiple_choice", "options": []string{"Hi", "Hello"}, "min_responses": 3, "context": "At the door."})
	for range 3 {
		c := chooses(s.newcomer(t), id, 0)
		c.body.(fields)["confidence"] = 3
		s.must(t, http.StatusCreated, c)
	}
	a := s.must(t, http.StatusOK, poll("bot", id))
	var question client.Question
	decoder := json.NewDecoder(bytes.NewReader([]byte(a.text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&question); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	var again map[string]any
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a.json, again); diff != "" {
		t.Errorf("(-API +client):\n%s", diff)
	}
}

func TestTheGoClientTellsErrorsApart(t *testing.T) {
	s := open(t)
	c := s.client("bot", func() {})
	good := client.Ask{Prompt: "Which of these sounds friendlier?", Type: client.Text, IdempotencyKey: "k"}
	if _, err := c.Submit(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	_, err := c.Submit(t.Context(), client.Ask{Prompt: "Short", Type: client.Text})
	refused, _ := errors.AsType[*client.Error](err)
	if !errors.Is(err, client.ErrInvalid) || refused.Status != 400 || refused.Details.Field != "prompt" || *refused.Details.Min != 10 || *refused.Details.Max != 2000 {
		t.Errorf("a short prompt: %+v", err)
	}
	_, err = c.Submit(t.Context(), client.Ask{Prompt: "Is this another question?", Type: client.Text, IdempotencyKey: "k"})
	if !errors.Is(err, client.ErrKeyReused) {
		t.Errorf("a key used twice: %v", err)
	}
	if _, err = c.Get(t.Context(), "nothing"); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("no question: %v", err)
	}
	if _, err = c.Await(t.Context(), []string{"nothing"}, client.AwaitOptions{}); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("waiting for no question: %v", err)
	}
	key, err := s.Questions.ProtectAgent(t.Context(), "guarded", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = s.client("guarded", func() {}).List(t.Context(), client.ListOptions{}); !errors.Is(err, client.ErrUnauthorized) {
		t.Errorf("without its key: %v", err)
	}
	if _, err = s.client("guarded", func() {}, client.WithKey(key)).List(t.Context(), client.ListOptions{}); err != nil {
		t.Errorf("with its key: %v", err)
	}
	s.useUp(t, askahuman.LimitAsk, "bot", 57)
	_, err = c.Submit(t.Context(), good)
	refused, _ = errors.AsType[*client.Error](err)
	if !errors.Is(err, client.ErrRateLimited) || refused.RetryAfter != 65*time.Minute || refused.Limit != 60 || refused.Remaining != 0 || !refused.Reset.Equal(s.Clock.Now().Add(65*time.Minute)) {
		t.Errorf("at the limit: %+v", err)
	}
	world, _ := s.broken(t)
	broken := serveOn(t, s.World, world.Domain, func(*api.Options) {})
	if _, err = broken.client("bot", func() {}).Get(t.Context(), "x"); !errors.Is(err, client.ErrServer) {
		t.Errorf("a failure: %v", err)
	}
}
