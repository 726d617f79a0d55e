// Package notify sends notifications to devices: by web push with VAPID, by Firebase Cloud
// Messaging, or not at all for people who use the inbox on the page. It reports three kinds
// of errors and stores nothing. Package worker, its caller, decides who is notified, when,
// and how failures are retried.
//
// It also has the HTTP client for addresses that users choose.
package notify

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// A Message is a notification of a question.
type Message struct {
	Title      string
	Body       string
	URL        string // where to answer
	QuestionID string
	Type       string // of the question
	// TTL is the time for which the message is worth delivering.
	TTL time.Duration
}

// A Target is a device. Which fields are set depends on the sender.
type Target struct {
	Token                  string // of Firebase Cloud Messaging
	Endpoint, P256DH, Auth string // of web push
}

// A Sender sends messages to targets. The errors of Send are *GoneError, *RetryError, and
// others that a retry will not fix.
type Sender interface {
	Send(ctx context.Context, to Target, m Message) error
}

// A GoneError reports that the target does not exist.
type GoneError struct{ Reason string }

func (e *GoneError) Error() string { return "notify: the target is gone: " + e.Reason }

// A RetryError reports that sending may succeed later.
type RetryError struct {
	After time.Duration // the delay that the service asks for; zero if none
	Err   error
}

func (e *RetryError) Error() string { return "notify: not now: " + e.Err.Error() }

func (e *RetryError) Unwrap() error { return e.Err }

// Inbox is the sender for people who use the inbox on the page. It sends nothing: the
// record of the notification is the message.
type Inbox struct{}

// Send does nothing.
func (Inbox) Send(context.Context, Target, Message) error { return nil }

// content is the JSON that a service worker gets.
type content struct {
	Title string            `json:"title"`
	Body  string            `json:"body"`
	Data  map[string]string `json:"data"`
}

// data returns the fields that a page needs.
func (m Message) data() map[string]string {
	return map[string]string{"question_id": m.QuestionID, "url": m.URL, "type": m.Type}
}

// refusal classifies a status that both kinds of services use.
func refusal(response *http.Response, now time.Time, detail string) error {
	err := fmt.Errorf("the service answered %s: %s", response.Status, detail)
	switch code := response.StatusCode; {
	case code == http.StatusTooManyRequests || code >= 500:
		return &RetryError{After: RetryAfter(response.Header, now), Err: err}
	}
	return fmt.Errorf("notify: %w", err)
}

// RetryAfter parses a Retry-After header, in seconds or as a date. It returns zero if there
// is none.
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
