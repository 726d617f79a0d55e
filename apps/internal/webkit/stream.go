package webkit

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/serve"
)

// ErrStreamEnded reports that the viewer disconnected or the site is closing.
var ErrStreamEnded = errors.New("webkit: the stream has ended")

// A Stream sends events to one open page (server-sent events). It sends keep-alives while it is
// idle, and ends when the viewer disconnects or the site closes.
type Stream struct {
	*serve.Events
	done chan struct{}
	end  sync.Once
	mu   sync.Mutex
}

// Stream begins a stream. The handler must return when Done is closed; Close ends the stream
// earlier.
func (s *Site) Stream(w http.ResponseWriter, r *http.Request) (*Stream, error) {
	stateOf(r).noLimit()
	events, err := serve.NewEvents(w, r)
	if err != nil {
		return nil, err
	}
	stream := &Stream{Events: events, done: make(chan struct{})}
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
	return t.write(func() error { return t.Events.Send(event, id, data) })
}

// SendJSON sends an event with a value as JSON.
func (t *Stream) SendJSON(event, id string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("webkit: the event %s: %w", event, err)
	}
	return t.Send(event, id, string(data))
}

// write sends unless the stream has ended, and ends it if the viewer is gone.
func (t *Stream) write(send func() error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.done:
		return ErrStreamEnded
	default:
	}
	if send() != nil {
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
			if t.write(t.KeepAlive) != nil {
				return
			}
		}
	}
}

// Watch responds with a stream that sends the event "change" whenever one of topics changed, once
// after a reconnect, and at once if a topic changed after the page was made that opens the stream.
// Elements with data-live are then reloaded.
func (s *Site) Watch(w http.ResponseWriter, r *http.Request, hub *live.Hub, topics ...live.Topic) {
	listener := hub.Listen(topics...)
	defer listener.Close()
	stream, err := s.Stream(w, r)
	if err != nil {
		return // the viewer left before the first byte
	}
	defer stream.Close()
	missed := stream.LastID != ""
	if made, err := strconv.ParseInt(r.URL.Query().Get("made"), 10, 64); err == nil {
		missed = missed || hub.ChangedSince(time.UnixMilli(made), topics...)
	}
	if missed && stream.Send("change", "1", "look again") != nil {
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
