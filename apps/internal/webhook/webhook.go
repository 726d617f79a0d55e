package webhook

import (
	"cmp"
	"errors"
	"net/http"

	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/internal/lazyregexp"
)

// The kinds of jobs that the package queues and runs.
const (
	jobPublish = "webhook.publish" // finds the endpoints of an event
	jobDeliver = "webhook.deliver" // delivers an event to one endpoint
)

// Options configures Hooks.
type Options struct {
	// Queue is the system's job queue, with a lane for webhooks. It is required.
	Queue *jobs.Queue
	// Lane is the lane of the jobs; "webhooks" by default. Receivers can be slow, so it should
	// be a lane of its own that limits the jobs of a group.
	Lane string
	// Events lists the types of events that endpoints can choose; all types if it is empty.
	Events []string
	// UserAgent is sent with every request; "sortkey" by default.
	UserAgent string
	// MaxEndpoints is the maximum number of endpoints of an owner; 10 by default.
	MaxEndpoints int
	// HTTP configures the client, and allows private addresses in development.
	HTTP publichttp.Options
}

// Hooks sends webhooks and keeps their endpoints. It is safe for use by many goroutines.
type Hooks struct {
	p       *platform.Platform
	options Options
	client  *http.Client
}

// New returns the webhooks of a system and registers their jobs.
func New(p *platform.Platform, options Options) (*Hooks, error) {
	if options.Queue == nil {
		return nil, errors.New("webhook: it needs a job queue")
	}
	for _, name := range options.Events {
		if !eventType.MatchString(name) {
			return nil, errors.New("webhook: no type of an event: " + name)
		}
	}
	options.UserAgent = cmp.Or(options.UserAgent, "sortkey")
	if options.MaxEndpoints <= 0 {
		options.MaxEndpoints = 10
	}
	options.Lane = cmp.Or(options.Lane, "webhooks")
	h := &Hooks{p: p, options: options, client: publichttp.NewClient(options.HTTP)}
	options.Queue.Handle(jobPublish, options.Lane, jobs.Policy{}, h.runPublish)
	options.Queue.Handle(jobDeliver, options.Lane, Policy, h.runDeliver)
	return h, nil
}

// eventType is the form of event types in the specification: order.paid.
var eventType = lazyregexp.New(`^[a-z0-9_]+(\.[a-z0-9_]+)*$`)
