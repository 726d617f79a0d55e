package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/publichttp"
)

// A Message is sent to one URL.
type Message struct {
	ID      string // the same for all attempts, so that receivers can detect duplicates
	URL     string
	Secrets []string
	Body    []byte // JSON
}

// Policy is the retry policy of deliveries: eight attempts within about nine hours. A system
// that calls Deliver in its own jobs uses it too.
var Policy = jobs.Policy{Tries: 8, Backoff: jobs.Schedule(
	5*time.Second, 30*time.Second, 2*time.Minute, 10*time.Minute, 30*time.Minute, 2*time.Hour, 6*time.Hour,
)}

// ErrGone reports that the receiver answered 410: it wants no more messages.
var ErrGone = errors.New("webhook: the receiver wants no more messages")

// send makes one attempt. The status is 0 without a response. The error is ErrGone or the
// outcome of a job.
func (h *Hooks) send(ctx context.Context, m Message) (status int, err error) {
	now := h.p.Now()
	signature, err := Sign(m.ID, now, m.Body, m.Secrets...)
	if err != nil {
		return 0, jobs.Final(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return 0, jobs.Final(errors.New("the URL is not valid"))
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", h.options.UserAgent)
	request.Header.Set(HeaderID, m.ID)
	request.Header.Set(HeaderTimestamp, strconv.FormatInt(now.Unix(), 10))
	request.Header.Set(HeaderSignature, signature)
	response, err := h.client.Do(request)
	err = publichttp.Reason(err)
	switch {
	case errors.Is(err, publichttp.ErrNotPublic):
		return 0, jobs.Final(fmt.Errorf("reach %s: %w", request.URL.Host, err))
	case err != nil:
		return 0, fmt.Errorf("reach %s: %w", request.URL.Host, err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // so that the connection can be reused
	return response.StatusCode, classify(response, now)
}

// classify returns the outcome of a response.
func classify(response *http.Response, now time.Time) error {
	err := fmt.Errorf("%s answered %s", response.Request.URL.Host, response.Status)
	switch code := response.StatusCode; {
	case code/100 == 2:
		return nil
	case code == http.StatusGone:
		return ErrGone
	case code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable:
		return jobs.RetryAfter(retryAfter(response.Header, now), err)
	}
	return err // also 4xx: receivers are repaired, and secrets corrected
}

// retryAfter parses a Retry-After header, in seconds or as a date; zero if there is none.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
