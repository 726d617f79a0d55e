package server_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sortkey.dev/apps"
)

// sent returns the response to a request with some headers, each a name and a value.
func sent(system apps.System, method, path, body string, header ...string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	system.ServeHTTP(w, r)
	return w
}

// asks returns a model that asks by MCP, with some more headers.
func asks(system apps.System, header ...string) *httptest.ResponseRecorder {
	return sent(system, http.MethodPost, "/mcp",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_human","arguments":{"question":"Which of these sounds friendlier?"}}}`,
		append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}, header...)...)
}

// TestEveryDoorIsCounted: for who watches, pages and tools are routes as those of the API are.
func TestEveryDoorIsCounted(t *testing.T) {
	system := opened(t)
	operator := system.(apps.Guide).Pages()[0].Password
	for range 2 {
		sent(system, http.MethodGet, "/q/01ARZ3NDEKTSV4RRFFQ69G5FAV", "")
	}
	asks(system, "X-Agent-Id", "bot")
	text := sent(system, http.MethodGet, "/metrics", "", "Authorization", "Bearer "+operator).Body.String()
	for _, line := range []string{
		`askahuman_http_requests_total{route="/",method="GET",code="404"} 2`,
		`askahuman_http_requests_total{route="/mcp",method="POST",code="200"} 1`,
		`askahuman_http_requests_total{route="/agent/questions",method="POST",code="201"} 1`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("%q is missing in:\n%s", line, text)
		}
	}
}

// TestInvalidKeyIsRefusedAtEveryDoor: by MCP as by the API.
func TestInvalidKeyIsRefusedAtEveryDoor(t *testing.T) {
	system := opened(t)
	const said = "it is missing or wrong"
	for _, header := range [][]string{
		{"Authorization", "Basic b3A6", "X-Agent-Id", "bot"},
		{"Authorization", "Bearer", "X-Agent-Id", "bot"},
		{"Authorization", "Bearer wrong"}, // an unknown key
	} {
		if api := sent(system, http.MethodGet, "/agent/questions", "", header...); api.Code != http.StatusUnauthorized || !strings.Contains(api.Body.String(), said) {
			t.Errorf("the API, %q: %d %s", header, api.Code, api.Body)
		}
		if mcp := asks(system, header...); !strings.Contains(mcp.Body.String(), said) {
			t.Errorf("MCP, %q: %d %s", header, mcp.Code, mcp.Body)
		}
	}
}
