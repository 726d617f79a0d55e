package worker

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/callbacks"
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webhook"
)

// An agent listens on its callback URL.
type agent struct {
	*httptest.Server
	calls  chan call
	status []int // of its answers, one after the other; the last one stays
}

type call struct {
	header http.Header
	body   []byte
}

func newAgent(t *testing.T, status ...int) *agent {
	a := &agent{calls: make(chan call, 100), status: status}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		a.calls <- call{r.Header, body}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(a.status[0])
		if len(a.status) > 1 {
			a.status = a.status[1:]
		}
	}))
	t.Cleanup(a.Close)
	return a
}

// ask submits a question that wants one vote and tells the agent of its end.
func (p *fixture) askWithCallback(url string) askahumandb.Question {
	p.t.Helper()
	one := 1
	return p.Submit(p.t, questions.Ask{
		AgentID: "agent-1", Prompt: "Which of these sounds friendlier?", Type: "multiple_choice",
		Options: []string{"Hello", "Hi", "Hey"}, Required: &one, CallbackURL: url,
	})
}

func (p *fixture) vote(q askahumandb.Question, option int) {
	p.t.Helper()
	if _, err := p.Answers.Answer(p.t.Context(), p.Person(p.t, 1), askahumantest.Choice(q.QuestionID, option)); err != nil {
		p.t.Fatal(err)
	}
}

// end closes a question by a vote.
func (p *fixture) end(q askahumandb.Question) {
	p.t.Helper()
	p.vote(q, 1)
}

func (p *fixture) deliveries(q askahumandb.Question) []callbacks.Delivery {
	p.t.Helper()
	all, err := p.Callbacks.Deliveries(p.t.Context(), q.QuestionID)
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}

func TestWebhookIsDeliveredWhenAQuestionEnds(t *testing.T) {
	p := open(t)
	a := newAgent(t, http.StatusNoContent)
	q := p.askWithCallback(a.URL)
	p.end(q)
	p.work()
	got := <-a.calls
	var body map[string]any
	if err := json.Unmarshal(got.body, &body); err != nil {
		t.Fatal(err)
	}
	at := func(d time.Duration) string { return begin.Add(d).Format(time.RFC3339) }
	want := map[string]any{
		"question_id": q.QuestionID, "status": "CLOSED", "prompt": q.Prompt, "type": "multiple_choice",
		"options": []any{"Hello", "Hi", "Hey"}, "audience": []any{"general"},
		"required_responses": 1.0, "current_responses": 1.0,
		"created_at": at(0), "expires_at": at(time.Hour), "closed_at": at(0),
		"responses": []any{map[string]any{"selected_option": 1.0}},
		"summary":   map[string]any{"Hello": 0.0, "Hi": 1.0, "Hey": 0.0}, "reliability": "high",
	}
	if diff := cmp.Diff(want, body); diff != "" {
		t.Errorf("the body (-want +got):\n%s", diff)
	}
	p.checkSignature(got)
	if all := p.deliveries(q); len(all) != 1 || all[0].Status != 204 || all[0].Error != "" {
		t.Errorf("the deliveries are %+v", all)
	}
	// The job runs a second time, which may happen.
	p.queue("hook-again", askahuman.JobWebhook, "", askahuman.JobPayload{QuestionID: q.QuestionID})
	p.work()
	if len(a.calls) != 0 {
		t.Error("the agent was told twice")
	}
}

// checkSignature verifies a delivery as its receiver does, with what it got when it asked.
func (p *fixture) checkSignature(got call) {
	p.t.Helper()
	whole, err := p.Questions.CallbackSecret(p.t.Context(), "agent-1")
	if err != nil {
		p.t.Fatal(err)
	}
	secret, isOne := strings.CutPrefix(whole, "whsec_")
	key, err := base64.StdEncoding.DecodeString(secret)
	if !isOne || err != nil {
		p.t.Fatalf("the secret %q: %v", secret, err)
	}
	stamp := fmt.Sprint(p.Clock.Now().Unix())
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(got.header.Get("webhook-id") + "." + stamp + "." + string(got.body)))
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	if got.header.Get("webhook-id") == "" || got.header.Get("webhook-timestamp") != stamp || got.header.Get("webhook-signature") != want {
		p.t.Errorf("the headers are %v, want the signature %s", got.header, want)
	}
}

func TestWebhookIsRetriedWhenTheAgentIsUnavailable(t *testing.T) {
	p := open(t)
	a := newAgent(t, 500, 503, 302, 200)
	q := p.askWithCallback(a.URL)
	p.end(q)
	ids := make(map[string]bool)
	for try := range 4 {
		if n := p.work(); n == 0 {
			t.Fatalf("try %d did not happen", try+1)
		}
		got := <-a.calls
		ids[got.header.Get("webhook-id")] = true
		p.checkSignature(got)
		p.Clock.Advance(webhook.Policy.Backoff(try+1) * 6 / 5)
	}
	if len(ids) != 1 {
		t.Errorf("tries of one message have %d ids", len(ids))
	}
	var statuses []int
	for _, d := range p.deliveries(q) {
		statuses = append(statuses, d.Status)
	}
	if diff := cmp.Diff([]int{500, 503, 302, 200}, statuses); diff != "" {
		t.Errorf("the deliveries (-want +got):\n%s", diff)
	}
	if p.work(); len(a.calls) != 0 {
		t.Error("told again after it said yes")
	}
}

func TestWebhookIsDeadAfterEightAttempts(t *testing.T) {
	p := open(t)
	a := newAgent(t, 500)
	q := p.askWithCallback(a.URL)
	p.end(q)
	for range 12 {
		p.work()
		p.Clock.Advance(8 * time.Hour)
		if _, err := p.Questions.Question(t.Context(), q.QuestionID); err != nil {
			t.Fatalf("the question is gone before its agent was told: %v", err)
		}
	}
	if got := len(a.calls); got != webhook.Policy.Tries {
		t.Errorf("%d tries, want %d", got, webhook.Policy.Tries)
	}
	if dead := p.jobs(jobs.Dead); len(dead) != 1 || !strings.HasPrefix(dead[0], "hook-"+q.QuestionID) {
		t.Errorf("dead jobs: %q", dead)
	}
	if got := len(p.deliveries(q)); got != webhook.Policy.Tries {
		t.Errorf("%d deliveries are written down, want %d", got, webhook.Policy.Tries)
	}
}

func TestWebhookStopsAfter410Gone(t *testing.T) {
	p := open(t)
	a := newAgent(t, http.StatusGone)
	q := p.askWithCallback(a.URL)
	p.end(q)
	p.work()
	p.Clock.Advance(time.Hour)
	p.work()
	if got := len(a.calls); got != 1 {
		t.Errorf("%d calls, want 1", got)
	}
	left := append(p.jobs(jobs.Queued), p.jobs(jobs.Dead)...)
	if len(left) != 0 {
		t.Errorf("jobs are left: %q", left)
	}
}

// TestCallbackToAPrivateAddressIsRefused: when it is submitted, and when a name leads there.
func TestCallbackToAPrivateAddressIsRefused(t *testing.T) {
	p := open(t, func(o *domain.Options) { o.Callbacks.AllowPrivate = false })
	one := 1
	for _, url := range []string{"http://127.0.0.1:8080/hook", "http://localhost/hook", "http://10.1.2.3", "http://[::1]/", "http://169.254.169.254/latest"} {
		_, err := p.Questions.Submit(t.Context(), questions.Ask{
			AgentID: "agent-1", Prompt: "Which of these sounds friendlier?", Type: "text", Required: &one, CallbackURL: url,
		})
		if refused, ok := refusal.As(err, refusal.Invalid); !ok || refused.Field() != "callback_url" {
			t.Errorf("%s: %v", url, err)
		}
	}
	a := newAgent(t, 200)
	open, _ := p.open() // a process that was started with the setting
	q := open.Submit(t, questions.Ask{
		AgentID: "agent-1", Prompt: "Which of these sounds friendlier?", Type: "multiple_choice", Options: []string{"Hello", "Hi"}, Required: &one, CallbackURL: a.URL,
	})
	p.end(q)
	p.work()
	all := p.deliveries(q)
	if len(all) != 1 || all[0].Status != 0 || !strings.Contains(all[0].Error, "not public") {
		t.Errorf("the deliveries are %+v", all)
	}
	if len(a.calls) != 0 {
		t.Error("a private address was reached")
	}
	if dead := p.jobs(jobs.Dead); len(dead) != 1 {
		t.Errorf("dead jobs: %q", dead)
	}
}

// open starts a process that accepts private addresses.
func (p *fixture) open() (*askahumantest.World, *Worker) {
	other := *p
	world := *p.World
	world.Options.Callbacks.AllowPrivate = true
	other.World = &world
	return other.process(p.Database.DynamoDB)
}

func TestWebhookIsDeliveredAgainAfterReopening(t *testing.T) {
	p := open(t)
	a := newAgent(t, 200)
	q := p.askWithCallback(a.URL)
	hasty := p.Person(t, 1)
	took := time.Second
	vote := askahumantest.Choice(q.QuestionID, 0)
	vote.Took = &took
	if _, err := p.Answers.Answer(t.Context(), hasty, vote); err != nil {
		t.Fatal(err)
	}
	p.work()
	first := <-a.calls
	if err := p.Operators.Reject(t.Context(), "operator", q.QuestionID, hasty.Hash); err != nil {
		t.Fatal(err)
	}
	p.Clock.Advance(time.Minute)
	p.end(q)
	p.work()
	second := <-a.calls
	if first.header.Get("webhook-id") == second.header.Get("webhook-id") {
		t.Error("another end of the question has the same id")
	}
	if got := len(p.deliveries(q)); got != 2 {
		t.Errorf("%d deliveries are written down, want 2", got)
	}
}
