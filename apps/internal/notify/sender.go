package notify

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"time"

	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// A Channel is a way to reach a device.
type Channel = platformdb.DeviceChannel

// The channels.
const (
	ChannelWebPush = platformdb.DeviceChannelWebpush
	ChannelFCM     = platformdb.DeviceChannelFCM
)

// A Message is a push message.
type Message struct {
	ID    string // of the notification; a message replaces an earlier one of the same ID
	Kind  string
	Title string
	Body  string
	URL   string
	// TTL is the time for which the message is worth delivering.
	TTL time.Duration
	// Data holds further fields for the page or the app; nil for none.
	Data map[string]string
}

// A Target is the address of a device. Which fields are set depends on the channel.
type Target struct {
	Token                  string // of Firebase Cloud Messaging
	Endpoint, P256DH, Auth string // of web push
}

// A Sender sends messages to the devices of a channel. The error of Send is a *GoneError if the
// device does not exist, else the outcome of a job.
type Sender interface {
	Send(ctx context.Context, to Target, m Message) error
}

// A GoneError reports that the target does not exist.
type GoneError struct{ Reason string }

func (e *GoneError) Error() string { return "notify: the target is gone: " + e.Reason }

// content is the JSON that a service worker gets.
type content struct {
	Title string            `json:"title"`
	Body  string            `json:"body"`
	Tag   string            `json:"tag"` // of the shown notification, which replaces one of the same tag
	Data  map[string]string `json:"data"`
}

// data returns the fields that a page needs.
func (m Message) data() map[string]string {
	data := map[string]string{"id": m.ID, "url": m.URL, "kind": m.Kind}
	maps.Copy(data, m.Data)
	return data
}

// refused classifies a status that all services use: 429 and 5xx are retried, after the delay
// that the service asks for.
func refused(response *http.Response, now time.Time, detail string) error {
	err := fmt.Errorf("the service answered %s: %s", response.Status, detail)
	if code := response.StatusCode; code == http.StatusTooManyRequests || code >= 500 {
		return jobs.RetryAfter(retryAfter(response.Header, now), err)
	}
	return jobs.Final(err)
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
