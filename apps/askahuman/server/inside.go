package server

import (
	"bytes"
	"io"
	"net/http"
	"strconv"

	"sortkey.dev/apps/askahuman/client"
)

// insideClient makes clients of the API in this very process, for callers of /mcp: they
// ask in the name and with the key of the request, from the address it came from, and
// under the same limits as everybody.
func insideClient(programs http.Handler) func(*http.Request) *client.Client {
	return func(r *http.Request) *client.Client {
		agent := r.Header.Get("X-Agent-Id")
		if agent == "" && r.Header.Get("Authorization") == "" { // a key is enough to know the agent
			return nil
		}
		transport := inside{handler: programs, caller: r}
		return client.New("http://inside", agent, client.WithHTTPClient(&http.Client{Transport: transport, Timeout: client.RequestTimeout}))
	}
}

// inside answers requests by a handler, without a network.
type inside struct {
	handler http.Handler
	caller  *http.Request
}

func (t inside) RoundTrip(r *http.Request) (*http.Response, error) {
	request := r.Clone(r.Context())
	request.RequestURI = r.URL.RequestURI()
	request.RemoteAddr = t.caller.RemoteAddr
	// As they are: what a key has to look like is for the API to say. Of X-Forwarded-For the last
	// one is the proxy's, and the first may be an invention of the caller.
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

// recorded keeps an answer.
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
