// Package promises is the room of what members said they would do: it keeps a promise once, finds
// it when the activity is logged, closes it without a word, and reminds and expires it within its
// bounds. It does not decide whether a reminder is sent; package planner does. Packages ledger and
// planner call it, and the doors for a member's own promises.
package promises

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/internal/refusal"
)

// ErrNoPromise is the refusal of a promise that does not exist or belongs to another member.
var ErrNoPromise = refusal.New(refusal.NotFound, "PROMISE_NOT_FOUND", "There is no such promise.")

// A Service has the rules of promises. It is safe for concurrent use.
type Service struct {
	env *homeops.Env
}

// New returns the room of an environment.
func New(env *homeops.Env) *Service { return &Service{env: env} }

// A Commitment is a promise that a message makes.
type Commitment struct {
	UserID      int64
	Activity    string
	Description string
	Deadline    time.Time
	Number      int // counts the promises of this activity in the message
}

// Make adds a promise of a message and the job of its deadline to a transaction. A promise that
// arrives after its deadline waits: the message that fulfils it may be the next to arrive.
func (s *Service) Make(tx access.Tx, home households.Home, message homeopsdb.Message, c Commitment) (homeopsdb.Promise, error) {
	p := homeopsdb.Promise{
		PromiseID:   homeops.PromiseID(message.ChatID, message.MessageID, c.Activity, c.Number, message.Timestamp),
		HouseholdID: home.HouseholdID, UserID: c.UserID, ChatID: message.ChatID, Activity: c.Activity, Description: c.Description,
		Deadline: c.Deadline.UTC(), SourceMessageID: message.MessageID, CreatedAt: message.Timestamp, UpdatedAt: s.env.Now(),
		ExpiresAt: message.Timestamp.Add(homeops.KeepEvents),
	}
	p = s.env.DB.Join(tx).MakePromise(p)
	due := p.Deadline
	if now := s.env.Now(); due.Before(now) {
		due = now.Add(homeops.LateAfter)
	}
	return p, s.env.Jobs.AddTo(tx, homeops.PromiseJob(p.UserID, p.PromiseID, due))
}

// Open returns the open promises of an activity in a household that were made before a time, the
// member's own first.
func (s *Service) Open(ctx context.Context, home households.Home, userID int64, activity string, before time.Time) ([]homeopsdb.Promise, error) {
	found, err := s.env.DB.ListOpenPromisesByActivity(home.HouseholdID, home.ActiveIDs(), activity).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list open promises: %w", err)
	}
	var own, others []homeopsdb.Promise
	for _, p := range found {
		switch {
		case p.CreatedAt.After(before):
		case p.UserID == userID:
			own = append(own, p)
		default:
			others = append(others, p)
		}
	}
	return append(own, others...), nil
}

// Fulfil adds the end of a promise to a transaction; by is the member who did it.
func (s *Service) Fulfil(tx access.Tx, p homeopsdb.Promise, by int64) {
	s.env.DB.Join(tx).FulfilPromise(p.Key(), homeopsdb.FulfilPromiseParams{FulfilledBy: &by, UpdatedAt: s.env.Now()})
}

// Reopen adds to a transaction that a promise is open again, because the log that fulfilled it was
// undone. It does nothing if the promise is not fulfilled any more or does not exist.
func (s *Service) Reopen(ctx context.Context, tx access.Tx, userID int64, promiseID string) error {
	p, err := s.env.DB.GetPromise(ctx, userID, promiseID)
	switch {
	case errors.Is(err, access.ErrNotFound) || err == nil && p.Status != homeopsdb.PromiseStatusFulfilled:
		return nil
	case err != nil:
		return fmt.Errorf("read a promise: %w", err)
	}
	s.env.DB.Join(tx).ReopenPromise(p.Key(), p.Deadline, p.HouseholdID, p.Activity, homeopsdb.ReopenPromiseParams{UpdatedAt: s.env.Now()})
	return nil
}

// Get returns a promise of a member.
func (s *Service) Get(ctx context.Context, userID int64, promiseID string) (homeopsdb.Promise, error) {
	p, err := s.env.DB.GetPromise(ctx, userID, promiseID)
	if errors.Is(err, access.ErrNotFound) {
		return p, ErrNoPromise
	}
	return p, err
}

// Mine returns a page of a member's own promises, newest first.
func (s *Service) Mine(ctx context.Context, userID int64, cursor string) (access.Page[homeopsdb.Promise], error) {
	page, err := s.env.DB.ListPromises(userID).Page(ctx, cursor)
	if errors.Is(err, access.ErrBadCursor) {
		return page, refusal.BadCursor()
	}
	return page, err
}

// MineOpen returns what a member still has to do in a household.
func (s *Service) MineOpen(ctx context.Context, householdID string, userID int64) ([]homeopsdb.Promise, error) {
	return s.env.DB.ListActivePromises(householdID, userID).Slice(ctx)
}

// Withdraw deletes a member's own promise.
func (s *Service) Withdraw(ctx context.Context, userID int64, promiseID string) error {
	p, err := s.Get(ctx, userID, promiseID)
	if err != nil {
		return err
	}
	if err := s.env.DB.DeletePromise(ctx, p.Key()); err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("delete a promise: %w", err)
	}
	return nil
}

// Overdue returns the open promises of all households whose deadline has passed, in order of it.
func (s *Service) Overdue(ctx context.Context) ([]homeopsdb.Promise, error) {
	return s.env.DB.ListOverduePromises(s.env.Now()).Limit(0).Slice(ctx)
}

// Remind adds the only reminder of a promise to a transaction, which fails if there was one or the
// promise is not open.
func (s *Service) Remind(tx access.Tx, p homeopsdb.Promise) {
	now := s.env.Now()
	s.env.DB.Join(tx).RemindPromise(p.Key(), homeopsdb.RemindPromiseParams{RemindedAt: &now, UpdatedAt: now})
}

// GraceEnds returns when an overdue promise expires.
func GraceEnds(p homeopsdb.Promise) time.Time {
	if p.RemindedAt != nil {
		return p.RemindedAt.Add(homeops.PromiseGrace)
	}
	return p.Deadline.Add(homeops.PromiseGrace)
}

// StatusAt returns the status of a promise at a time. An open one whose grace has ended is expired,
// also before its job has run.
func StatusAt(p homeopsdb.Promise, at time.Time) homeopsdb.PromiseStatus {
	if p.Status == homeopsdb.PromiseStatusActive && !at.Before(GraceEnds(p)) {
		return homeopsdb.PromiseStatusExpired
	}
	return p.Status
}

// Expire closes a promise whose grace has ended, and reports whether it did.
func (s *Service) Expire(ctx context.Context, p homeopsdb.Promise) (bool, error) {
	now := s.env.Now()
	if now.Before(GraceEnds(p)) {
		return false, nil
	}
	_, err := s.env.DB.ExpirePromise(ctx, p.Key(), homeopsdb.ExpirePromiseParams{UpdatedAt: now, Now: now})
	if homeops.Changed[homeopsdb.Promise](err) {
		return false, nil
	}
	return err == nil, err
}
