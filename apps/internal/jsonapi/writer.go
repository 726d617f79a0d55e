package jsonapi

import (
	"net/http"
	"time"
)

// answerWriter records the status and the time of the response.
type answerWriter struct {
	http.ResponseWriter
	status int // 0 before the response begins
	asked  time.Time
	wait   time.Duration // until the response began
}

func newAnswerWriter(w http.ResponseWriter) *answerWriter {
	return &answerWriter{ResponseWriter: w, asked: time.Now()}
}

// WriteHeader begins the response.
func (w *answerWriter) WriteHeader(status int) {
	if status >= http.StatusOK {
		w.begin(status)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the response.
func (w *answerWriter) Write(p []byte) (int, error) {
	w.begin(http.StatusOK)
	return w.ResponseWriter.Write(p)
}

func (w *answerWriter) begin(status int) {
	if w.status == 0 {
		w.status, w.wait = status, time.Since(w.asked)
	}
}

// failed records a failure after the response has begun.
func (w *answerWriter) failed(status int) { w.status = status }

// answered describes the response. A handler that sends nothing responds 200, unless the
// client disconnected.
func (w *answerWriter) answered(route string, r *http.Request) Answered {
	if r.Context().Err() != nil {
		w.begin(statusLeft)
	}
	w.begin(http.StatusOK)
	return Answered{Route: route, Method: r.Method, Status: w.status, Wait: w.wait}
}

// Unwrap lets http.ResponseController reach the connection.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
