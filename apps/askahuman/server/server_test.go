package server_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman/client"
	"sortkey.dev/apps/askahuman/server"
	"sortkey.dev/engine"
)

func TestAnAgentAsksAndAPersonAnswers(t *testing.T) {
	s := start(t, memory(t), usual)
	id := s.ask(t, "release-bot", 1)
	person := s.newcomer(t)
	feed := s.must(t, http.StatusOK, call{method: "GET", path: "/human/questions", person: person})
	if cards := feed["questions"].([]any); len(cards) != 1 || cards[0].(map[string]any)["question_id"] != id {
		t.Fatalf("the feed: %v", feed)
	}
	reward := s.must(t, http.StatusCreated, says(person, id, "The second one, it does not shout."))
	if reward["points_earned"].(float64) <= 0 {
		t.Errorf("nothing earned: %v", reward)
	}
	questions, err := s.agent("release-bot").Await(t.Context(), []string{id}, client.AwaitOptions{})
	if err != nil || len(questions) != 1 || questions[0].Status != client.Closed {
		t.Fatalf("await: %+v, %v", questions, err)
	}
	if got := questions[0].Responses[0].Answer; got != "The second one, it does not shout." {
		t.Errorf("the answer: %q", got)
	}
}

// TestEveryDoorIsOpen: pages, programs and tools stand side by side.
func TestEveryDoorIsOpen(t *testing.T) {
	s := start(t, memory(t), usual)
	for path, want := range map[string]string{
		"/": "text/html", "/developers": "text/html", "/leaderboard": "text/html", "/operator": "text/html",
		"/health": "application/json", "/openapi.json": "application/json", "/human/questions": "application/json",
		"/manifest.webmanifest": "application/manifest+json",
	} {
		response, err := s.http.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), want) {
			t.Errorf("%s: %s %s (%v)\n%.200s", path, response.Status, response.Header.Get("Content-Type"), err, body)
		}
	}
	if status, _, err := s.send(t.Context(), call{method: "GET", path: "/human/nothing"}); status != http.StatusNotFound {
		t.Errorf("a path that is not there: %d, %v", status, err)
	}
}

func TestAWebhookArrivesSigned(t *testing.T) {
	type delivery struct {
		header http.Header
		body   []byte
	}
	arrived := make(chan delivery, 8)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("read the webhook: %v", err)
		}
		arrived <- delivery{r.Header, body}
	}))
	defer receiver.Close()
	s := start(t, memory(t), usual)
	submitted, err := s.agent("bot").Submit(t.Context(), client.Ask{
		Prompt: "Which of these sounds friendlier?", Type: client.Text, MinResponses: new(1), CallbackURL: receiver.URL + "/hook"})
	if err != nil {
		t.Fatal(err)
	}
	s.must(t, http.StatusCreated, says(s.newcomer(t), submitted.QuestionID, "The first one, because it smiles."))
	got := <-arrived
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(submitted.CallbackSecret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", got.header.Get("webhook-id"), got.header.Get("webhook-timestamp"), got.body)
	if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); got.header.Get("webhook-signature") != want {
		t.Errorf("the signature is %q, want %q", got.header.Get("webhook-signature"), want)
	}
	if !bytes.Contains(got.body, []byte("because it smiles")) || !bytes.Contains(got.body, []byte(`"CLOSED"`)) {
		t.Errorf("the webhook says %s", got.body)
	}
}

func TestEventsTellOfEveryAnswer(t *testing.T) {
	s := start(t, memory(t), usual)
	id := s.ask(t, "bot", 2)
	next := s.events(t, "bot", id)
	for n := range 3 {
		name, data := next()
		for name == "question" && responsesOf(t, data) < n { // a view may be sent again with other times
			name, data = next()
		}
		if name != "question" || responsesOf(t, data) != n {
			t.Fatalf("after %d answers: %s %s", n, name, data)
		}
		if n < 2 {
			s.must(t, http.StatusCreated, says(s.newcomer(t), id, "The second one, it does not shout."))
		}
	}
	if name, data := next(); name != "end" || !strings.Contains(data, "CLOSED") {
		t.Errorf("the end: %s %s", name, data)
	}
}

// TestRestartKeepsIdentities: with the same directory and the same secret people are
// themselves and questions are there.
func TestRestartKeepsIdentities(t *testing.T) {
	directory := t.TempDir()
	person, id := "", ""
	for round := range 2 {
		db, err := engine.Open(directory, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := start(t, apps.Config{DynamoDB: db.API(), Streams: db.Streams()}, usual)
		if round == 0 {
			id, person = s.ask(t, "bot", 2), s.newcomer(t)
			s.must(t, http.StatusCreated, says(person, id, "The second one, it does not shout."))
		}
		stats := s.must(t, http.StatusOK, call{method: "GET", path: "/human/stats", person: person})
		if got := stats["total_answers"]; got != 1.0 {
			t.Errorf("round %d: the person has %v answers: %v", round, got, stats)
		}
		status, _, err := s.send(t.Context(), says(person, id, "Once more, with feeling this time."))
		if status != http.StatusConflict {
			t.Errorf("round %d: a second answer: %d, %v", round, status, err)
		}
		question, err := s.agent("bot").Get(t.Context(), id)
		if err != nil || question.Status != client.Partial || question.CurrentResponses != 1 {
			t.Errorf("round %d: %+v, %v", round, question, err)
		}
		s.end()
		s.closed()
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestShutdownReleasesWaitingCallers: streams and long polls do not hold a process that is to end.
func TestShutdownReleasesWaitingCallers(t *testing.T) {
	s := start(t, memory(t), usual)
	id := s.ask(t, "bot", 2)
	next := s.events(t, "bot", id)
	if name, data := next(); name != "question" {
		t.Fatalf("the first event: %s %s", name, data)
	}
	page, err := s.http.Get(s.url + "/live/feed")
	if err != nil || page.StatusCode != http.StatusOK {
		t.Fatalf("the page's stream: %v, %v", page, err)
	}
	defer page.Body.Close()
	polled := make(chan error, 1)
	began := make(chan struct{})
	go func() {
		request, err := http.NewRequestWithContext(t.Context(), "GET", s.url+"/agent/questions/"+id+"?wait=30", nil)
		if err != nil {
			polled <- err
			return
		}
		request.Header.Set("X-Agent-Id", "bot")
		close(began)
		response, err := s.http.Do(request)
		if err == nil {
			defer response.Body.Close()
			if response.StatusCode != http.StatusOK {
				err = fmt.Errorf("the long poll got %s", response.Status)
			}
		}
		polled <- err
	}()
	<-began
	s.end()
	for name, data := next(); name != ""; name, data = next() {
		t.Logf("on the way: %s %s", name, data)
	}
	if err := <-polled; err != nil {
		t.Error(err)
	}
	if _, err := io.Copy(io.Discard, page.Body); err != nil {
		t.Errorf("the page's stream: %v", err)
	}
}

func TestSettingsThatAreWrongAreNamed(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "account.json")
	if err := os.WriteFile(broken, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		set  settings
		want []string
	}{
		{"no file", settings{"ASK_A_HUMAN_FCM_CREDENTIALS": "/nowhere/account.json"}, []string{"ASK_A_HUMAN_FCM_CREDENTIALS", "/nowhere/account.json", "Generate new private key"}},
		{"no account", settings{"ASK_A_HUMAN_FCM_CREDENTIALS": broken}, []string{"ASK_A_HUMAN_FCM_CREDENTIALS", broken, "Generate new private key"}},
		{"no address", settings{"ASK_A_HUMAN_VAPID_CONTACT": "nobody"}, []string{"ASK_A_HUMAN_VAPID_CONTACT", "nobody", "such as mailto:you@example.org"}},
		{"a short secret", settings{"ASK_A_HUMAN_OPERATOR_SECRET": "elevenchars"}, []string{"ASK_A_HUMAN_OPERATOR_SECRET", "at least 12", "openssl rand"}},
		{"a long secret", settings{"ASK_A_HUMAN_OPERATOR_SECRET": strings.Repeat("é", 201)}, []string{"ASK_A_HUMAN_OPERATOR_SECRET", "at most 200"}},
		{"a secret and a space", settings{"ASK_A_HUMAN_OPERATOR_SECRET": "chosen by somebody "}, []string{"ASK_A_HUMAN_OPERATOR_SECRET", "Remove the spaces"}},
		{"no switch", settings{"ASK_A_HUMAN_TRUST_PROXY": "yes"}, []string{"ASK_A_HUMAN_TRUST_PROXY", `"yes"`, "0 without one"}},
		{"no other switch", settings{"ASK_A_HUMAN_PRIVATE_CALLBACKS": "2"}, []string{"ASK_A_HUMAN_PRIVATE_CALLBACKS", `"2"`, "0 or false"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := memory(t)
			config.Secret, config.PublicURL, config.Now = []byte(secret), "http://127.0.0.1", time.Now
			config.Setting, config.Log = func(name string) string { return test.set[name] }, slog.New(slog.DiscardHandler)
			_, err := server.Open(t.Context(), config)
			if err == nil {
				t.Fatal("it opened")
			}
			if secret := test.set["ASK_A_HUMAN_OPERATOR_SECRET"]; secret != "" && strings.Contains(err.Error(), strings.TrimSpace(secret)) {
				t.Errorf("%q shows the secret", err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not name %s", err, want)
				}
			}
		})
	}
}

// TestTheSecretOfOperators is shown if it was made, and not shown if it was chosen.
func TestTheSecretOfOperators(t *testing.T) {
	pages := func(set settings) string {
		return fmt.Sprint(start(t, memory(t), set).system.(apps.Guide).Pages())
	}
	if made := start(t, memory(t), usual).system.(apps.Guide).Pages()[0]; !strings.Contains(made.Text(), "sign in as operator with "+made.Password) || made.Password == "" {
		t.Errorf("made: %s", made.Text())
	}
	if chosen := pages(settings{"ASK_A_HUMAN_OPERATOR_SECRET": "chosen by somebody"}); strings.Contains(chosen, "chosen by somebody") || !strings.Contains(chosen, "/operator") {
		t.Errorf("chosen: %s", chosen)
	}
}

func TestAnEndedContextOpensNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	config := memory(t)
	config.Secret, config.Setting, config.Log, config.Now = []byte(secret), func(string) string { return "" }, slog.New(slog.DiscardHandler), time.Now
	if _, err := server.Open(ctx, config); err == nil {
		t.Error("it opened")
	}
}
