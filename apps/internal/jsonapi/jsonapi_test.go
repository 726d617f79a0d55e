package jsonapi

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"sortkey.dev/apps/internal/serve"
)

// A limitedWriter knows the deadline of its connection, as that of a server does.
type limitedWriter struct {
	http.ResponseWriter
	deadline time.Time
}

func (w *limitedWriter) SetReadDeadline(time.Time) error { return nil }

func (w *limitedWriter) SetWriteDeadline(t time.Time) error {
	w.deadline = t
	return nil
}

// TestAnAnswerAfterAWaitHasATimeLimit: who waits has no limit, but has to read what comes then.
func TestAnAnswerAfterAWaitHasATimeLimit(t *testing.T) {
	w := &limitedWriter{ResponseWriter: httptest.NewRecorder(), deadline: time.Now()}
	if err := serve.Unhurried(w); err != nil || !w.deadline.IsZero() {
		t.Fatalf("who waits has the limit %v (%v)", w.deadline, err)
	}
	if err := Write(w, http.StatusOK, "done"); err != nil {
		t.Fatal(err)
	}
	if w.deadline.IsZero() {
		t.Error("an answer can be left unread for ever")
	}
}
