package server

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"

	"sortkey.dev/apps/askahuman/client"
)

// insideClient makes clients of the API in this very process, for callers of /mcp: they
// ask in the name and with the key of the request, from the address it came from, and
// under the same limits as everybody.
func insideClient(programs http.Handler) func(*http.Request) *client.Client {
	return func(r *http.Request) *client.Client {
		agent := r.Header.Get("X-Agent-Id")
		key, hasKey := bearer(r)
		if agent == "" && !hasKey { // a key is enough to know the agent
			return nil
		}
		transport := inside{handler: programs, caller: r}
		options := []client.Option{client.WithHTTPClient(&http.Client{Transport: transport, Timeout: client.RequestTimeout})}
		if hasKey {
			options = append(options, client.WithKey(key))
		}
		return client.New("http://inside", agent, options...)
	}
}

func bearer(r *http.Request) (string, bool) {
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	key = strings.TrimSpace(key)
	return key, strings.EqualFold(scheme, "Bearer") && key != ""
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
	// All of them: the last one is the proxy's, the first may be an invention of the caller.
	if forwarded := t.caller.Header.Values("X-Forwarded-For"); len(forwarded) > 0 {
		request.Header["X-Forwarded-For"] = forwarded
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
