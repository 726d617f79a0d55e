package jsonapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// slowReader is the write timeout of an event.
const slowReader = 20 * time.Second

// A Stream sends events to one caller (server-sent events). It belongs to the handler
// that began it.
type Stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// NewStream begins a stream. From then on nothing else can be answered.
func NewStream(w http.ResponseWriter) (*Stream, error) {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // proxies must not gather events
	s := &Stream{w: w, control: http.NewResponseController(w)}
	if err := Unhurried(w); err != nil {
		return nil, err
	}
	w.WriteHeader(http.StatusOK)
	return s, s.write([]byte("retry: 2000\n\n"))
}

// Unhurried removes the deadlines of a request that is going to wait.
func Unhurried(w http.ResponseWriter) error {
	control := http.NewResponseController(w)
	// Writers without deadlines are left alone.
	if err := errors.Join(control.SetReadDeadline(time.Time{}), control.SetWriteDeadline(time.Time{})); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("take the time limit away: %w", err)
	}
	return nil
}

// Send sends an event with a value as JSON.
func (s *Stream) Send(event string, value any) error {
	data, err := json.Marshal(value) // on one line
	if err != nil {
		return fmt.Errorf("write the event %s: %w", event, err)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "event: %s\ndata: %s\n\n", event, data)
	return s.write(out.Bytes())
}

// Beat sends a keep-alive comment.
func (s *Stream) Beat() error { return s.write([]byte(": alive\n\n")) }

func (s *Stream) write(text []byte) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(slowReader)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := s.w.Write(text); err != nil {
		return err
	}
	return s.control.Flush()
}
