// Package askahuman is the domain of Ask-a-Human: software asks, people answer. It holds
// the rules and no transport: who may ask what, how an answer is counted, what it earns,
// which people are notified of a question, how suspicious answers are handled. Every rule
// that can race is enforced inside one transaction of the generated package askahumandb.
//
// The fronts call it: package api for programs, package web for people, package worker for
// background jobs. Package score has the rules of points, streaks and badges.
package askahuman

import (
	"errors"
	"log/slog"
	"time"

	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/secret"
)

// Options configures a Service.
type Options struct {
	Box *secret.Box
	Log *slog.Logger
	Now func() time.Time
}

// A Service implements the domain. It is safe for concurrent use by many goroutines, and by
// many processes on the same tables.
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

// DB returns the service's database.
func (s *Service) DB() *askahumandb.DB { return s.db }

// Now returns the current time of the service's clock, in UTC.
func (s *Service) Now() time.Time { return s.now().UTC() }

// A Person is a person who answers questions.
type Person struct {
	// Hash is the hash of the identity and represents it in everything that is stored. The
	// identity itself is never stored.
	Hash string
	// IPHash is the hash of the address a request came from. It is stored with answers so
	// that operators can find abuse.
	IPHash string
	// TZOffsetMin is the person's time zone in minutes east of UTC.
	TZOffsetMin int
	// ZoneUnknown reports that the request did not say the time zone. The last known zone
	// is used.
	ZoneUnknown bool
}

// inLastZone returns the person in the time zone of their last answer, unless their current
// zone is known.
func (p Person) inLastZone(stats askahumandb.UserStats) Person {
	if p.ZoneUnknown {
		p.TZOffsetMin = int(stats.TzOffsetMin)
	}
	return p
}

// Here returns t in the person's time zone.
func (p Person) Here(t time.Time) time.Time {
	return t.In(time.FixedZone("", p.TZOffsetMin*60))
}
