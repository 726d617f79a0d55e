// Package notices is the room of notifications: people's subscriptions and inbox, and the jobs
// that choose people for a question and notify them, by the senders of package notify or in the
// inbox alone. It does not decide when a question needs people; package questions queues the
// jobs.
//
// Package api and package web call it for people. Package operators ends the subscriptions of
// banned people.
package notices

import (
	"math/rand/v2"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/notify"
)

// Options configures a Service.
type Options struct {
	// Senders maps channels to senders of notifications. Subscriptions to other channels than
	// the inbox are refused. People who subscribed when there was a sender find questions in
	// their inbox.
	Senders map[Channel]notify.Sender
	// PublicURL is the public URL of the system, without a trailing slash.
	PublicURL string
	// Hub gets a hint when a person is notified.
	Hub *live.Hub
	// Random returns a random number in [0, 1), to choose recipients; that of math/rand by
	// default.
	Random func() float64
}

// A Service has the rules of notifications. It is safe for concurrent use.
type Service struct {
	env       *askahuman.Env
	questions *questions.Service
	people    *people.Service
	senders   map[Channel]notify.Sender
	publicURL string
	hub       *live.Hub
	random    func() float64
}

// New returns the service of an environment and of the rooms below it, and registers its jobs.
func New(env *askahuman.Env, questions *questions.Service, people *people.Service, options Options) *Service {
	s := &Service{
		env: env, questions: questions, people: people,
		senders: options.Senders, publicURL: options.PublicURL, hub: options.Hub, random: options.Random,
	}
	if s.random == nil {
		s.random = rand.Float64
	}
	if s.hub == nil {
		s.hub = new(live.Hub)
	}
	env.Jobs.Handle(askahuman.JobDispatch, askahuman.LanePeople, jobs.Policy{}, s.dispatch)
	env.Jobs.Handle(askahuman.JobCatchUp, askahuman.LanePeople, jobs.Policy{}, s.catchUp)
	env.Jobs.Handle(askahuman.JobPush, askahuman.LanePeople, jobs.Policy{}, s.push)
	return s
}
