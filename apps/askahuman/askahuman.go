// Package askahuman is the domain of Ask-a-Human: software asks, people answer. It holds
// the rules and nothing of how they are reached: who may ask what, how an answer is
// counted, what it earns, who is woken for a question, what happens to an answer that looks
// wrong. Every rule that can race holds inside one transaction of the generated package
// askahumandb.
//
// The fronts call it: package api for programs, package web for people, package worker for
// what happens by itself. Package score has the rules of points, streaks and badges.
package askahuman

import (
	"errors"
	"log/slog"
	"time"

	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/secret"
)

// Options are what a service needs besides its database.
type Options struct {
	Box *secret.Box
	Log *slog.Logger
	Now func() time.Time
}

// A Service does what the fronts ask for. It is safe for use by many goroutines at once,
// and by many processes on the same tables.
type Service struct {
	db        *askahumandb.DB
	box       *secret.Box
	log       *slog.Logger
	now       func() time.Time
	metrics   tally
	heartbeat heartbeat
}

// New returns a service on a database whose tables exist.
func New(db *askahumandb.DB, options Options) (*Service, error) {
	if options.Box == nil {
		return nil, errors.New("askahuman: a service needs a secret")
	}
	s := &Service{db: db, box: options.Box, log: options.Log, now: options.Now}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s, nil
}

// DB returns the database the service works on.
func (s *Service) DB() *askahumandb.DB { return s.db }

// Now returns the service's clock.
func (s *Service) Now() time.Time { return s.now().UTC() }

// A Person is somebody who answers, as far as we want to know them.
type Person struct {
	// Hash stands for the identity in everything that is stored. The identity itself is
	// never stored.
	Hash string
	// IPHash stands for the address a request came from. It is stored with answers, for
	// the people who look for abuse.
	IPHash string
	// TZOffsetMin is the person's time zone in minutes east of UTC.
	TZOffsetMin int
	// ZoneUnknown: nobody said where the person is now. It counts where they were last.
	ZoneUnknown bool
}

// inLastZone returns the person where they were when they answered last, unless it is known
// where they are.
func (p Person) inLastZone(stats askahumandb.UserStats) Person {
	if p.ZoneUnknown {
		p.TZOffsetMin = int(stats.TzOffsetMin)
	}
	return p
}

// Here returns a time on the person's own clock.
func (p Person) Here(t time.Time) time.Time {
	return t.In(time.FixedZone("", p.TZOffsetMin*60))
}
