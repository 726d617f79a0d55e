// Package notify brings a message to somebody's device: by web push with VAPID, by Firebase
// Cloud Messaging, or not at all, for those who look into their inbox on the page. It says
// what became of a message in three kinds of errors, and keeps nothing: who is woken, when,
// and what happens after a failure is decided by package worker, its caller.
//
// It also has the HTTP client for addresses that strangers choose.
package notify

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// A Message is what somebody is woken with.
type Message struct {
	Title      string
	Body       string
	URL        string // where to answer
	QuestionID string
	Type       string // of the question
	// TTL is how long it is worth being delivered.
	TTL time.Duration
}

// A Target is a device. Which fields are set depends on the sender.
type Target struct {
	Token                  string // of Firebase Cloud Messaging
	Endpoint, P256DH, Auth string // of web push
}

// A Sender brings messages to targets. The errors of Send are *GoneError, *RetryError, and
// others that neither time nor another token will cure.
type Sender interface {
	Send(ctx context.Context, to Target, m Message) error
}

// A GoneError says that the target does not exist any more, or never did.
type GoneError struct{ Reason string }

func (e *GoneError) Error() string { return "notify: the target is gone: " + e.Reason }

// A RetryError says that the message may be delivered later.
type RetryError struct {
	After time.Duration // what the service asks for; zero if nothing
	Err   error
}

func (e *RetryError) Error() string { return "notify: not now: " + e.Err.Error() }

func (e *RetryError) Unwrap() error { return e.Err }

// Inbox is the sender for people who look on the page: the note that they were woken is the
// message.
type Inbox struct{}

// Send does nothing.
func (Inbox) Send(context.Context, Target, Message) error { return nil }

// content is the JSON that a service worker gets.
type content struct {
	Title string            `json:"title"`
	Body  string            `json:"body"`
	Data  map[string]string `json:"data"`
}

// data is what a page needs to know of the question.
func (m Message) data() map[string]string {
	return map[string]string{"question_id": m.QuestionID, "url": m.URL, "type": m.Type}
}

// refusal returns the error of a status both kinds of services use for the same.
func refusal(response *http.Response, now time.Time, detail string) error {
	err := fmt.Errorf("the service answered %s: %s", response.Status, detail)
	switch code := response.StatusCode; {
	case code == http.StatusTooManyRequests || code >= 500:
		return &RetryError{After: RetryAfter(response.Header, now), Err: err}
	}
	return fmt.Errorf("notify: %w", err)
}

// RetryAfter returns how long an answer asks to wait, in seconds or as a date; zero if it
// does not.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(max(seconds, 0)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
