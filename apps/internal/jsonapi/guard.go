package jsonapi

import (
	"net/http"
	"time"

	"sortkey.dev/apps/internal/serve"
)

// Guard applies a rate limit per address to a handler. The front of an API has its own
// limit; Guard is for other handlers, such as pages. The error is plain text, since only
// programs are that fast.
func Guard(handler http.Handler, edge Bucket, now func() time.Time, proxies int) http.Handler {
	requests := newBuckets(edge, now)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wait := requests.take(serve.ClientIP(r, proxies))
		if wait == 0 {
			handler.ServeHTTP(w, r)
			return
		}
		SetRetryAfter(w.Header(), wait)
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "You send requests faster than we take them. Slow down.", http.StatusTooManyRequests)
	})
}
