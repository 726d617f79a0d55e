package examples

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman/client"
	"sortkey.dev/apps/askahuman/server"
	"sortkey.dev/engine"
)

// askPeople is the Go example of the guide to Ask-a-Human.
func askPeople(ctx context.Context, url string) (client.Question, error) {
	asking := client.New(url, "release-bot")
	question, err := asking.SubmitAndWait(ctx, client.Ask{
		Prompt:       "Which headline would you click?",
		Type:         client.MultipleChoice,
		Options:      []string{"Ten tips", "What we learned"},
		MinResponses: new(3),
	}, client.AwaitOptions{Timeout: 10 * time.Minute})
	return question, err
}

// The question of the guide is asked of a whole system, which closes it early so that
// nobody has to wait.
func TestAskPeople(t *testing.T) {
	memory, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	system, err := server.Open(ctx, apps.Config{
		DynamoDB: memory.API(), Streams: memory.Streams(), Secret: []byte("the secret of an example"), PublicURL: "http://example.org",
		Setting: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(closing{system})
	defer site.Close()
	question, err := askPeople(ctx, site.URL)
	if err != nil || question.Status != client.Closed || len(question.Summary) != 2 {
		t.Errorf("got %+v, %v; want the closed question with its two options", question, err)
	}
}

// closing closes a question before it is polled for the first time.
type closing struct{ http.Handler }

func (c closing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		end := httptest.NewRequest(http.MethodDelete, r.URL.Path, nil)
		end.Header = r.Header
		c.Handler.ServeHTTP(httptest.NewRecorder(), end)
	}
	c.Handler.ServeHTTP(w, r)
}
