package webkit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"sortkey.dev/apps/internal/live"
)

// ErrStreamEnded reports that the viewer disconnected or the site is closing.
var ErrStreamEnded = errors.New("webkit: the stream has ended")

// A Stream sends events to one open page (server-sent events). It sends keep-alives while it is
// idle, and ends when the viewer disconnects or the site closes.
type Stream struct {
	// LastID is the id of the last event the browser got before it lost the connection; "" at first.
	LastID string

	w       http.ResponseWriter
	control *http.ResponseController
	done    chan struct{}
	end     sync.Once
	mu      sync.Mutex
}

// Stream begins a stream. The handler must return when Done is closed; Close ends the stream
// earlier.
func (s *Site) Stream(w http.ResponseWriter, r *http.Request) (*Stream, error) {
	stateOf(r).noLimit()
	header := w.Header()
	header.Set("Content-Type", "text/event-stream; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // proxies must not gather events
	stream := &Stream{
		LastID:  r.Header.Get("Last-Event-ID"),
		w:       w,
		control: http.NewResponseController(w),
		done:    make(chan struct{}),
	}
	w.WriteHeader(http.StatusOK)
	if err := stream.write([]byte("retry: 2000\n\n")); err != nil {
		return nil, err
	}
	go stream.beat(s, r.Context().Done())
	return stream, nil
}

// Done is closed when the stream has ended.
func (t *Stream) Done() <-chan struct{} { return t.done }

// Close ends the stream after the event being sent. The browser reconnects.
func (t *Stream) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stop()
}

func (t *Stream) stop() { t.end.Do(func() { close(t.done) }) }

// Send sends an event. An id, if there is one, comes back as LastID.
func (t *Stream) Send(event, id, data string) error {
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
	return t.write(out.Bytes())
}

// SendJSON sends an event with a value as JSON.
func (t *Stream) SendJSON(event, id string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("webkit: the event %s: %w", event, err)
	}
	return t.Send(event, id, string(data))
}

func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == 0 {
			return ' '
		}
		return r
	}, text)
}

func (t *Stream) write(p []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.done:
		return ErrStreamEnded
	default:
	}
	// A viewer that does not read must not block. Not every writer supports deadlines, such as in
	// tests.
	if err := t.control.SetWriteDeadline(time.Now().Add(20 * time.Second)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := t.w.Write(p); err != nil {
		t.stop()
		return ErrStreamEnded
	}
	if err := t.control.Flush(); err != nil {
		t.stop()
		return ErrStreamEnded
	}
	return nil
}

// beat keeps the connection alive and watches for the end.
func (t *Stream) beat(s *Site, left <-chan struct{}) {
	ticker := time.NewTicker(s.options.Heartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-left:
			t.Close()
		case <-s.closing:
			t.Close()
		case <-t.done:
			return
		case <-ticker.C:
			if t.write([]byte(": alive\n\n")) != nil {
				return
			}
		}
	}
}

// Watch responds with a stream that sends the event "change" whenever one of topics changed, and
// once after a reconnect. Elements with data-live are then reloaded.
func (s *Site) Watch(w http.ResponseWriter, r *http.Request, hub *live.Hub, topics ...live.Topic) {
	listener := hub.Listen(topics...)
	defer listener.Close()
	stream, err := s.Stream(w, r)
	if err != nil {
		return // the viewer left before the first byte
	}
	defer stream.Close()
	if stream.LastID != "" && stream.Send("change", "1", "look again") != nil {
		return
	}
	for {
		select {
		case <-stream.Done():
			return
		case <-listener.C():
			listener.Changed()
			// Topic names are not sent: some identify a person.
			if stream.Send("change", "1", "look again") != nil {
				return
			}
		}
	}
}
