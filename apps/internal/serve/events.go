package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// slowReader is the write timeout of an event: a caller that does not read must not block.
const slowReader = 20 * time.Second

// Events sends server-sent events to one caller. It is safe for concurrent use.
type Events struct {
	// LastID is the id of the last event the caller got before it lost the connection; "" at
	// first.
	LastID string

	mu      sync.Mutex
	w       http.ResponseWriter
	control *http.ResponseController
}

// NewEvents begins a stream of events. From then on nothing else can be answered.
func NewEvents(w http.ResponseWriter, r *http.Request) (*Events, error) {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // proxies must not gather events
	e := &Events{LastID: r.Header.Get("Last-Event-ID"), w: w, control: http.NewResponseController(w)}
	if err := Unhurried(w); err != nil {
		return nil, err
	}
	w.WriteHeader(http.StatusOK)
	return e, e.write([]byte("retry: 2000\n\n"))
}

// Unhurried removes the deadlines of a request that is going to wait.
func Unhurried(w http.ResponseWriter) error {
	control := http.NewResponseController(w)
	// Writers without deadlines are left alone.
	if err := errors.Join(control.SetReadDeadline(time.Time{}), control.SetWriteDeadline(time.Time{})); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("remove the deadlines: %w", err)
	}
	return nil
}

// Send sends an event. An id, if there is one, comes back as LastID.
func (e *Events) Send(event, id, data string) error {
	var out bytes.Buffer
	if id != "" {
		fmt.Fprintf(&out, "id: %s\n", oneLine(id))
	}
	if event != "" {
		fmt.Fprintf(&out, "event: %s\n", oneLine(event))
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(data, "\r\n", "\n"), "\r", "\n"), "\n") {
		fmt.Fprintf(&out, "data: %s\n", line)
	}
	out.WriteByte('\n')
	return e.write(out.Bytes())
}

// SendJSON sends an event with a value as JSON.
func (e *Events) SendJSON(event, id string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode the event %s: %w", event, err)
	}
	return e.Send(event, id, string(data))
}

// KeepAlive sends a comment, so that proxies do not close an idle connection.
func (e *Events) KeepAlive() error { return e.write([]byte(": alive\n\n")) }

func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == 0 {
			return ' '
		}
		return r
	}, text)
}

func (e *Events) write(p []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	// Not every writer supports deadlines, such as in tests.
	if err := e.control.SetWriteDeadline(time.Now().Add(slowReader)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := e.w.Write(p); err != nil {
		return err
	}
	return e.control.Flush()
}
