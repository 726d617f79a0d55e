package server_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman/server"
)

// opened returns a system whose clock stands still.
func opened(t *testing.T, change ...func(*apps.Config)) apps.System {
	t.Helper()
	config, now := memory(t), time.Now()
	config.Secret, config.PublicURL, config.Log = []byte(secret), "https://ask.example", slog.New(slog.DiscardHandler)
	config.Setting, config.Now = func(string) string { return "" }, func() time.Time { return now }
	for _, apply := range change {
		apply(&config)
	}
	system, err := server.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return system
}

// TestEveryDoorHasARateLimit: the rate limit of the API applies to all doors.
func TestEveryDoorHasARateLimit(t *testing.T) {
	system := opened(t)
	for _, path := range []string{"/icon.svg", "/mcp", "/health"} {
		status := 0
		for range 501 {
			w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
			r.RemoteAddr = "192.0.2.1:1"
			system.ServeHTTP(w, r)
			status = w.Code
		}
		if status != http.StatusTooManyRequests {
			t.Errorf("the 501st request of %s at once: %d", path, status)
		}
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
		r.RemoteAddr = "192.0.2.2:1"
		if system.ServeHTTP(w, r); w.Code == http.StatusTooManyRequests {
			t.Errorf("another person is held back from %s", path)
		}
	}
}

func TestAMessageOfMCPHasALength(t *testing.T) {
	system := opened(t)
	ping := func(padding int) int {
		body := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":"` + strings.Repeat("a", padding) + `"}}}`
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
		r.Header.Set("X-Agent-Id", "bot")
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		system.ServeHTTP(w, r)
		return w.Code
	}
	if status := ping(1000); status != http.StatusOK {
		t.Errorf("a short message: %d", status)
	}
	if status := ping(200_000); status < 400 {
		t.Errorf("a message of 200 kB: %d", status)
	}
}

// TestABatchOfMCPHasALength: a batch is one request for the rate limit, whatever it asks for.
func TestABatchOfMCPHasALength(t *testing.T) {
	system := opened(t)
	list := func(messages int, after string) *httptest.ResponseRecorder {
		batch := make([]string, messages)
		for i := range batch {
			batch[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, i)
		}
		return sent(system, http.MethodPost, "/mcp", " ["+strings.Join(batch, ",")+"]"+after,
			"X-Agent-Id", "bot", "Content-Type", "application/json", "Accept", "application/json, text/event-stream")
	}
	if w := list(25, ""); w.Code != http.StatusOK || strings.Count(w.Body.String(), `"check_human_responses"`) != 25 {
		t.Errorf("a short batch: %d %.200s", w.Code, w.Body)
	}
	for _, messages := range []int{26, 2400} {
		for _, after := range []string{"", "x", "[]"} {
			if w := list(messages, after); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "at most 25 messages") {
				t.Errorf("a batch of %d messages before %q: %d, %d bytes, %.200s", messages, after, w.Code, w.Body.Len(), w.Body)
			}
		}
	}
	if w := sent(system, http.MethodPost, "/mcp", "[{]", "X-Agent-Id", "bot", "Content-Type", "application/json", "Accept", "application/json, text/event-stream"); w.Code != http.StatusBadRequest {
		t.Errorf("a batch that is no JSON: %d %s", w.Code, w.Body)
	}
}

// modern is a version of MCP in which a client may listen for changes.
const modern = "2026-07-28"

// TestNobodyWaitsForChangesOfTools: the tools never change, and whoever waited for that would keep a connection for nothing.
func TestNobodyWaitsForChangesOfTools(t *testing.T) {
	system := opened(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	body := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodPost, "/mcp", strings.NewReader(body))
	for name, value := range map[string]string{
		"X-Agent-Id": "bot", "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": modern, "Mcp-Method": "subscriptions/listen",
	} {
		r.Header.Set(name, value)
	}
	system.ServeHTTP(w, r)
	if ctx.Err() != nil {
		t.Error("the request waits until its client leaves")
	}
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"result"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestExamplesOfADemoUseTheLocalURL checks that programs get an address that they can resolve: names below localhost
// are known to browsers, and not to every program.
func TestExamplesOfADemoUseTheLocalURL(t *testing.T) {
	for _, c := range []struct {
		demo bool
		want string
	}{{true, "http://127.0.0.1:9090"}, {false, "http://ask-a-human.localhost:8080"}} {
		system := opened(t, func(config *apps.Config) {
			config.Demo, config.PublicURL, config.LocalURL = c.demo, "http://ask-a-human.localhost:8080", "http://127.0.0.1:9090"
		})
		w := httptest.NewRecorder()
		system.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/developers/guide", nil))
		if example := "curl " + c.want + "/agent/questions"; !strings.Contains(w.Body.String(), example) {
			t.Errorf("demo %v: the guide has no %q", c.demo, example)
		}
	}
}
