package webkit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/serve"
)

// state holds the data of one request.
type state struct {
	site    *Site // nil if the request did not pass Handler
	id      string
	begun   time.Time
	csrf    string // the secret of this browser
	newCSRF bool   // the browser does not have it yet
	shown   []Flash
	taken   bool    // shown is filled, so the cookie has to go
	flashes []Flash // for the next page
	noLimit func()  // removes the timeout
}

type stateKey struct{}

// stateOf returns the state of a request. A request that did not pass Handler gets a temporary
// state, so that Render works in small tests, too.
func stateOf(r *http.Request) *state {
	if s, ok := r.Context().Value(stateKey{}).(*state); ok {
		return s
	}
	return &state{id: "none", begun: time.Now(), noLimit: func() {}}
}

// Handler guards a mux with pages: security headers, request id, access log, recovery from
// panics, limits of time and size, protection against forged forms, assets, theme switch, the
// files of an installable app, and error pages where the mux has no page.
func (s *Site) Handler(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		answer := &answerWriter{ResponseWriter: w}
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		limit := time.AfterFunc(s.options.Timeout, func() { cancel(context.DeadlineExceeded) })
		defer limit.Stop()
		state := &state{site: s, id: secret.NewID()[:12], begun: begin, noLimit: func() { limit.Stop() }}
		r = r.WithContext(context.WithValue(ctx, stateKey{}, state))
		r.Body = http.MaxBytesReader(answer, r.Body, s.options.MaxBody)
		s.setSecurityHeaders(answer.Header(), state)

		defer removeFiles(r)
		defer func() {
			if caught := recover(); caught != nil {
				if caught == http.ErrAbortHandler {
					panic(caught)
				}
				s.options.Log.Error("a handler panicked", "request", state.id, "panic", caught, "stack", string(debug.Stack()))
				if answer.status == 0 {
					s.problem(answer, r, http.StatusInternalServerError, failure(state.id))
				}
			}
			s.logAccess(r, answer, time.Since(begin))
		}()
		s.serve(answer, r, mux, state)
	})
}

func (s *Site) serve(w http.ResponseWriter, r *http.Request, mux *http.ServeMux, state *state) {
	if s.serveOwn(w, r) {
		return
	}
	s.readCSRF(r, state)
	if err := s.checkForged(r, state); err != nil {
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			s.problem(w, r, http.StatusRequestEntityTooLarge, Problem{
				Title: "That is too large",
				Text:  fmt.Sprintf(s.translate(r, "We take at most %s at once. Go back and send less."), Bytes(s.options.MaxBody)),
			})
			return
		}
		s.options.Log.Warn("a form was refused", "request", state.id, "path", r.URL.Path, "reason", err)
		s.problem(w, r, http.StatusForbidden, Problem{
			Title: "This form is out of date",
			Text:  "We could not be sure that it came from our page, so nothing was changed. Go back, load the page again and send it once more. Cookies must be allowed.",
		})
		return
	}
	if r.URL.Path == themePath {
		s.switchTheme(w, r)
		return
	}
	if !serve.ValidPath(r.URL.Path) {
		s.NotFound(w, r)
		return
	}
	if handler, pattern := mux.Handler(r); pattern == "" {
		s.unmatched(w, r, handler)
		return
	}
	mux.ServeHTTP(w, r)
}

// unmatched responds with an error page where the mux would write a line of text.
func (s *Site) unmatched(w http.ResponseWriter, r *http.Request, handler http.Handler) {
	if methods := serve.Unmatched(handler, r); methods != "" {
		w.Header().Set("Allow", methods)
		s.problem(w, r, http.StatusMethodNotAllowed, Problem{Title: "That does not work here", Text: "This page cannot be used in this way."})
		return
	}
	s.NotFound(w, r)
}

// setSecurityHeaders sets the headers that every answer has.
func (s *Site) setSecurityHeaders(h http.Header, state *state) {
	h.Set("Content-Security-Policy", contentSecurityPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), payment=(), usb=()")
	h.Set("X-Request-Id", state.id)
	if s.secure {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// contentSecurityPolicy allows what we serve and nothing else: no inline script or style, no
// other host. No page can be framed; files that a page shows beside itself can.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

func (s *Site) logAccess(r *http.Request, answer *answerWriter, took time.Duration) {
	level := slog.LevelInfo
	if strings.HasPrefix(r.URL.Path, assetPath) {
		level = slog.LevelDebug
	}
	// No address and no query: both can identify a person.
	s.options.Log.Log(r.Context(), level, "request", "request", stateOf(r).id, "method", r.Method, "path", r.URL.Path,
		"status", answer.status, "bytes", answer.bytes, "took", took)
}

// ClientIP returns the address of a request; see serve.ClientIP and Options.Proxies.
func (s *Site) ClientIP(r *http.Request) netip.Addr { return serve.ClientIP(r, s.options.Proxies) }

// answerWriter records the response for the log.
type answerWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *answerWriter) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *answerWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
