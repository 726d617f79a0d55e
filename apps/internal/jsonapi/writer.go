package jsonapi

import "net/http"

// answerWriter remembers what was answered.
type answerWriter struct {
	http.ResponseWriter
	status int // 0 while nothing was sent
}

// WriteHeader begins the answer.
func (w *answerWriter) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the answer.
func (w *answerWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// failed makes an answer that had begun well count as what it became.
func (w *answerWriter) failed(status int) { w.status = status }

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
