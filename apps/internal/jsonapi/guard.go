package jsonapi

import (
	"net/http"
	"time"
)

// Guard lets no more requests of one address through to a handler than an edge allows. The
// front of an API has an edge of its own; this one is for what stands beside it, such as
// pages. A refusal is a line of text: whoever is that fast is a program, or reads no pages.
func Guard(handler http.Handler, edge Bucket, now func() time.Time, trustProxy bool) http.Handler {
	requests := newBuckets(edge, now)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wait := requests.take(clientIP(r, trustProxy))
		if wait == 0 {
			handler.ServeHTTP(w, r)
			return
		}
		SetRetryAfter(w.Header(), wait)
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "You send requests faster than we take them. Slow down.", http.StatusTooManyRequests)
	})
}
