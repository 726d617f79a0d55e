package server_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman/client"
	"sortkey.dev/apps/askahuman/server"
	"sortkey.dev/apps/internal/apptest"
)

// onStored serves the system on stored data, until stop is called.
func onStored(t *testing.T, data *apptest.Stored) (s *site, stop func()) {
	t.Helper()
	s = &site{http: http.DefaultClient}
	front, stop := data.Serve(t, httptest.NewServer, func(ctx context.Context, config apps.Config) (apps.System, error) {
		config.Setting = func(name string) string { return usual[name] }
		config.Log = slog.New(slog.DiscardHandler)
		system, err := server.Open(ctx, config)
		s.system = system
		return system, err
	})
	s.url = front.URL
	return s, stop
}

// TestDataOfVersion1: questions, answers and people of version 1 are as they were, and a person who had an identity answers on.
func TestDataOfVersion1(t *testing.T) {
	data := apptest.OpenStored(t, "testdata/version-1.tar.gz", "ask-a-human", func(made *apptest.Stored) {
		s, stop := onStored(t, made)
		defer stop()
		made.Notes["closed"], made.Notes["open"] = s.ask(t, "release-bot", 1), s.ask(t, "release-bot", 2)
		made.Notes["person"], made.Notes["other"] = s.newcomer(t), s.newcomer(t)
		s.must(t, http.StatusCreated, says(made.Notes["person"], made.Notes["closed"], "The second one, it does not shout."))
		s.must(t, http.StatusCreated, says(made.Notes["person"], made.Notes["open"], "The first one, it smiles at me."))
	})
	s, _ := onStored(t, data)
	closed, open := data.Notes["closed"], data.Notes["open"]
	questions, err := s.agent("release-bot").Await(t.Context(), []string{closed}, client.AwaitOptions{})
	if err != nil || len(questions) != 1 || questions[0].Status != client.Closed || questions[0].Responses[0].Answer != "The second one, it does not shout." {
		t.Fatalf("the answered question: %+v, %v", questions, err)
	}
	feed := s.must(t, http.StatusOK, call{method: "GET", path: "/human/questions", person: data.Notes["other"]})
	if cards := feed["questions"].([]any); len(cards) != 1 || cards[0].(map[string]any)["question_id"] != open {
		t.Errorf("the feed: %v", feed)
	}
	s.must(t, http.StatusConflict, says(data.Notes["person"], open, "The first one once more, it smiles.")) // this person has answered
	reward := s.must(t, http.StatusCreated, says(data.Notes["other"], open, "The second one, it is quiet."))
	if reward["points_earned"].(float64) <= 0 {
		t.Errorf("nothing earned: %v", reward)
	}
	questions, err = s.agent("release-bot").Await(t.Context(), []string{open}, client.AwaitOptions{})
	if err != nil || len(questions) != 1 || questions[0].Status != client.Closed || len(questions[0].Responses) != 2 {
		t.Errorf("the open question: %+v, %v", questions, err)
	}
}
