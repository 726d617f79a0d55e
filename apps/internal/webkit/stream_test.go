package webkit_test

import (
	"bufio"
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// listen opens a stream and gives its lines.
func (g *gallery) listen(t *testing.T, lastID string) *bufio.Scanner {
	t.Helper()
	return g.listenTo(t, "/live", lastID)
}

func (g *gallery) listenTo(t *testing.T, path, lastID string) *bufio.Scanner {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, g.server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	answer, err := g.server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	if got := answer.Header.Get("Content-Type"); !strings.HasPrefix(got, "text/event-stream") {
		t.Fatalf("the stream is %s", got)
	}
	return bufio.NewScanner(answer.Body)
}

// readUntil reads lines until one is text.
func readUntil(t *testing.T, lines *bufio.Scanner, text string) {
	t.Helper()
	var got []string
	for lines.Scan() {
		if lines.Text() == text {
			return
		}
		got = append(got, lines.Text())
	}
	t.Fatalf("the stream ended without %q: %q %v", text, got, lines.Err())
}

func TestStreamTellsOfChanges(t *testing.T) {
	g := newGallery(t, galleryOptions(t))
	lines := g.listen(t, "")
	readUntil(t, lines, "retry: 2000")
	g.hub.Tell("gallery")
	readUntil(t, lines, "event: change")
	readUntil(t, lines, "data: look again")
}

// A change between the page and its stream is told when the stream begins; an older one is not.
func TestStreamTellsWhatThePageMissed(t *testing.T) {
	g := newGallery(t, galleryOptions(t))
	made := time.Now().UnixMilli()
	g.hub.Tell("gallery")
	readUntil(t, g.listenTo(t, "/live?made="+strconv.FormatInt(made, 10), ""), "event: change")
	lines := g.listenTo(t, "/live?made="+strconv.FormatInt(time.Now().Add(time.Hour).UnixMilli(), 10), "")
	readUntil(t, lines, "retry: 2000")
	g.hub.Tell("another", "gallery")
	readUntil(t, lines, "event: change")
	g.server.CloseClientConnections()
	for lines.Scan() {
		if lines.Text() == "event: change" {
			t.Error("a change before the page was told, too")
		}
	}
}

func TestStreamAfterALostConnectionLooksAgainAtOnce(t *testing.T) {
	g := newGallery(t, galleryOptions(t))
	readUntil(t, g.listen(t, "1"), "event: change")
}

func TestStreamLivesLongerThanARequest(t *testing.T) {
	t.Parallel()
	options := galleryOptions(t)
	options.Timeout = time.Second // enough for a request to reach its handler on a busy machine
	options.Heartbeat = 600 * time.Millisecond
	g := newGallery(t, options)
	lines := g.listen(t, "")
	readUntil(t, lines, ": alive")
	readUntil(t, lines, ": alive")
	g.hub.Tell("gallery")
	readUntil(t, lines, "event: change")
}

func TestStreamsEndWhenTheSiteCloses(t *testing.T) {
	g := newGallery(t, galleryOptions(t))
	lines := g.listen(t, "")
	readUntil(t, lines, "retry: 2000")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := g.server.Config.Shutdown(ctx); err != nil {
		t.Fatalf("the server waits for the page that stays open: %v", err)
	}
	for lines.Scan() {
	}
	if lines.Err() != nil {
		t.Errorf("the stream broke off: %v", lines.Err())
	}
	if got := g.hub.Listeners("gallery"); got != 0 {
		t.Errorf("%d still listen", got)
	}
}
