package jsonapi

import (
	"net/http"
	"time"
)

// answerWriter remembers what was answered, and when.
type answerWriter struct {
	http.ResponseWriter
	status int // 0 while nothing was sent
	asked  time.Time
	wait   time.Duration // until something was sent
}

func newAnswerWriter(w http.ResponseWriter) *answerWriter {
	return &answerWriter{ResponseWriter: w, asked: time.Now()}
}

// WriteHeader begins the answer.
func (w *answerWriter) WriteHeader(status int) {
	if status >= http.StatusOK {
		w.begin(status)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the answer.
func (w *answerWriter) Write(p []byte) (int, error) {
	w.begin(http.StatusOK)
	return w.ResponseWriter.Write(p)
}

func (w *answerWriter) begin(status int) {
	if w.status == 0 {
		w.status, w.wait = status, time.Since(w.asked)
	}
}

// failed makes an answer that had begun well count as what it became.
func (w *answerWriter) failed(status int) { w.status = status }

// answered is what became of a request. A handler that says nothing has answered 200, unless
// nobody waited for it any more.
func (w *answerWriter) answered(route string, r *http.Request) Answered {
	if r.Context().Err() != nil {
		w.begin(statusLeft)
	}
	w.begin(http.StatusOK)
	return Answered{Route: route, Method: r.Method, Status: w.status, Wait: w.wait}
}

// Unwrap lets http.ResponseController reach the connection.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// probeWriter takes an answer that is not sent.
type probeWriter struct {
	header http.Header
	status int
}

func (w *probeWriter) Header() http.Header         { return w.header }
func (w *probeWriter) WriteHeader(status int)      { w.status = status }
func (w *probeWriter) Write(p []byte) (int, error) { return len(p), nil }
