package server

import (
	"bytes"
	"io"
	"net/http"
	"strconv"

	"sortkey.dev/apps/askahuman/client"
)

// insideClient makes clients of the API within this process, for callers of /mcp: they use the
// agent, the key and the address of the request, under the same rate limits as other callers.
func insideClient(programs http.Handler) func(*http.Request) *client.Client {
	return func(r *http.Request) *client.Client {
		agent := r.Header.Get("X-Agent-Id")
		if agent == "" && r.Header.Get("Authorization") == "" { // a key identifies the agent
			return nil
		}
		transport := inside{handler: programs, caller: r}
		return client.New("http://inside", agent, client.WithHTTPClient(&http.Client{Transport: transport, Timeout: client.RequestTimeout}))
	}
}

// inside is a transport that calls a handler without a network.
type inside struct {
	handler http.Handler
	caller  *http.Request
}

func (t inside) RoundTrip(r *http.Request) (*http.Response, error) {
	request := r.Clone(r.Context())
	request.RequestURI = r.URL.RequestURI()
	request.RemoteAddr = t.caller.RemoteAddr
	// Copied unchanged: the API validates keys. The last entry of X-Forwarded-For is the proxy's;
	// the caller may have invented the first.
	for _, name := range []string{"Authorization", "X-Forwarded-For"} {
		if given := t.caller.Header.Values(name); len(given) > 0 {
			request.Header[name] = given
		}
	}
	if request.Body == nil {
		request.Body = http.NoBody
	}
	w := &recorded{header: make(http.Header)}
	t.handler.ServeHTTP(w, request)
	return &http.Response{
		Status: strconv.Itoa(w.status()) + " " + http.StatusText(w.status()), StatusCode: w.status(), Header: w.header, Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()),
	}, nil
}

// recorded records a response.
type recorded struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (w *recorded) Header() http.Header { return w.header }

func (w *recorded) WriteHeader(code int) {
	if w.code == 0 {
		w.code = code
	}
}

func (w *recorded) Write(p []byte) (int, error) { return w.body.Write(p) }

func (w *recorded) status() int {
	if w.code == 0 {
		return http.StatusOK
	}
	return w.code
}
