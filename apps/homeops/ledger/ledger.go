// Package ledger is the room of what members did. It logs the activities of a message exactly once
// and together with everything that follows from them: the decision about the message, effort
// averages, habits, promises that are fulfilled or made, and the job that answers. It corrects and
// undoes, and answers who did something last, how often, and on which days it is usual.
//
// What it shows of other members are facts: who, what and when. How heavy something was is shown
// to the member who did it only. Package conversation logs; doors read and correct.
package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/promises"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// Refusals to compare with errors.Is.
var (
	ErrNoEvent  = refusal.New(refusal.NotFound, "EVENT_NOT_FOUND", "There is no such entry.")
	ErrNotYours = refusal.New(refusal.Forbidden, "NOT_YOURS", "Only the member who did or wrote this can change it.")
)

// A Service has the rules of the log. It is safe for concurrent use.
type Service struct {
	env      *homeops.Env
	promises *promises.Service
}

// New returns the room of an environment.
func New(env *homeops.Env, promises *promises.Service) *Service {
	return &Service{env: env, promises: promises}
}

// An Entry is an activity to log.
type Entry struct {
	UserID      int64
	UserName    string
	Activity    string // as homeops.ActivityKey returns it
	Category    homeopsdb.EventCategory
	Description string // the words it came from
	Effort      homeopsdb.EventEffort
	Confidence  float64
	At          time.Time
	Origin      homeopsdb.EventOrigin
	// Key is the idempotency key for Add; "" if there is none.
	Key string
}

// A Statement holds everything that one message leads to.
type Statement struct {
	Home        households.Home
	Message     homeopsdb.Message
	Decision    homeopsdb.Decision // without its key, revision, events and times
	Entries     []Entry
	Commitments []promises.Commitment
	Then        []jobs.Job      // queued in the same transaction
	Also        func(access.Tx) // further writes of the same transaction; nil if there are none
}

// Recorded is the outcome of Record.
type Recorded struct {
	Decision homeopsdb.Decision
	Events   []homeopsdb.Event
	Repeated bool // this revision of the message was recorded before; nothing was written
}

// Record stores what a message leads to, in one transaction and once: a second call for the same
// revision of a message changes nothing. For a later revision it removes what the message does not
// say any more and adds what it says now.
func (s *Service) Record(ctx context.Context, st Statement) (done Recorded, err error) {
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		before, err := s.env.DB.GetDecision(ctx, st.Message.ChatID, st.Message.MessageID)
		known := err == nil
		if err != nil && !errors.Is(err, access.ErrNotFound) {
			return false, fmt.Errorf("read a decision: %w", err)
		}
		if known && before.Revision >= st.Message.Revision {
			done = Recorded{Decision: before, Repeated: true}
			return false, nil
		}
		if known {
			done, err = s.revise(ctx, st, before)
		} else {
			done, err = s.record(ctx, st)
		}
		return contested(err), err
	})
	if err != nil {
		return Recorded{}, fmt.Errorf("record a message: %w", err)
	}
	if !done.Repeated {
		s.env.Metrics.Count(homeops.CountLogged, int64(len(done.Events)))
	}
	return done, nil
}

// contested reports whether a transaction failed because something that it had read changed. A request that was
// answered before is not: another attempt fails, too.
func contested(err error) bool {
	if receipt.Taken(err) {
		return false
	}
	return errors.Is(err, access.ErrExists) || homeops.Changed[homeopsdb.Promise](err) || homeops.Changed[homeopsdb.Decision](err) || access.Contended(err)
}

func (s *Service) record(ctx context.Context, st Statement) (Recorded, error) {
	tx := s.env.DB.Tx()
	lessons := newLessons(s, st.Home)
	events, err := s.logged(ctx, tx, lessons, st, nil)
	if err != nil {
		return Recorded{}, err
	}
	lessons.write(tx)
	decision := s.decision(st, events)
	if err := s.finish(tx, st); err != nil {
		return Recorded{}, err
	}
	if tx.Len() == 0 && len(events) == 0 { // most messages: a single write takes half the units of a transaction
		_, err := s.env.DB.SaveDecision(ctx, decision)
		return Recorded{Decision: decision, Events: events}, err
	}
	tx.LogActivity(homeopsdb.LogActivityParams{Decision: decision, Events: events})
	return Recorded{Decision: decision, Events: events}, tx.Commit(ctx)
}

// logged returns the events of a statement that are not among the known ones. It adds what is
// learned from them to the lessons, and the promises that they fulfil to the transaction.
func (s *Service) logged(ctx context.Context, tx *homeopsdb.Tx, lessons *lessons, st Statement, known map[string]bool) ([]homeopsdb.Event, error) {
	events := []homeopsdb.Event{}
	numbers := make(map[string]int)
	fulfilled := make(map[string]bool)
	for _, entry := range st.Entries {
		e := homeopsdb.Event{
			EventID: homeops.EventID(st.Message.ChatID, st.Message.MessageID, entry.Activity, numbers[entry.Activity], entry.At.UTC()),
			ChatID:  st.Message.ChatID, SourceMessageID: &st.Message.MessageID,
		}
		numbers[entry.Activity]++
		if known[e.EventID] {
			continue
		}
		s.fill(&e, entry)
		value, err := lessons.did(ctx, e.UserID, e.Activity, e.Effort, e.OccurredAt)
		if err != nil {
			return nil, err
		}
		e.Value = value
		open, err := s.promises.Open(ctx, st.Home, e.UserID, e.Activity, st.Message.Timestamp)
		if err != nil {
			return nil, err
		}
		for _, p := range open {
			if !fulfilled[p.PromiseID] && p.SourceMessageID != st.Message.MessageID {
				fulfilled[p.PromiseID] = true
				s.promises.Fulfil(tx, p, e.UserID)
				e.PromiseID, e.PromiseUser = &p.PromiseID, &p.UserID
				break // one log fulfils one promise
			}
		}
		events = append(events, e)
	}
	return events, nil
}

// fill sets the attributes of an event that come from its entry.
func (s *Service) fill(e *homeopsdb.Event, entry Entry) {
	e.UserID, e.UserName = entry.UserID, entry.UserName
	e.OccurredAt = entry.At.UTC().Truncate(time.Millisecond)
	e.Category, e.Activity, e.Description = entry.Category, entry.Activity, homeops.Shorten(entry.Description, homeops.MaxText/8)
	e.Confidence, e.Effort, e.Origin = entry.Confidence, entry.Effort, entry.Origin
	if e.Origin == "" {
		e.Origin = homeopsdb.EventOriginChat
	}
	e.UpdatedAt = s.env.Now()
	e.ExpiresAt = e.OccurredAt.Add(homeops.KeepEvents)
}

// decision returns the decision of a statement with its key, its events and its times.
func (s *Service) decision(st Statement, events []homeopsdb.Event) homeopsdb.Decision {
	d := st.Decision
	d.ChatID, d.MessageID, d.UserID, d.Revision = st.Message.ChatID, st.Message.MessageID, st.Message.UserID, st.Message.Revision
	d.Events = []string{}
	for _, e := range events {
		d.Events = append(d.Events, e.EventID)
	}
	d.DecidedAt = s.env.Now()
	d.ExpiresAt = st.Message.ExpiresAt
	return d
}

// finish adds promises, jobs and further writes to the transaction.
func (s *Service) finish(tx *homeopsdb.Tx, st Statement) error {
	for _, c := range st.Commitments {
		if _, err := s.promises.Make(tx, st.Home, st.Message, c); err != nil {
			return err
		}
	}
	for _, job := range st.Then {
		if err := s.env.Jobs.AddTo(tx, job); err != nil {
			return err
		}
	}
	if st.Also != nil {
		st.Also(tx)
	}
	return nil
}

// revise replaces what an earlier revision of a message led to. An event that the message still
// names stays as it is, with what members corrected; one that was undone stays removed.
func (s *Service) revise(ctx context.Context, st Statement, before homeopsdb.Decision) (Recorded, error) {
	tx := s.env.DB.Tx()
	known := make(map[string]bool)
	for _, id := range before.Events {
		known[id] = true
	}
	kept, unsaid, err := s.unsaid(ctx, st, before)
	if err != nil {
		return Recorded{}, err
	}
	lessons := newLessons(s, st.Home)
	if err := s.forget(ctx, tx, lessons, unsaid); err != nil {
		return Recorded{}, err
	}
	events, err := s.logged(ctx, tx, lessons, st, known)
	if err != nil {
		return Recorded{}, err
	}
	lessons.write(tx)
	if err := s.inherit(ctx, tx, unsaid, events); err != nil {
		return Recorded{}, err
	}
	d := s.decision(st, events)
	d.Events = append(kept, d.Events...)
	tx.ReviseDecision(d.Key(), homeopsdb.ReviseDecisionParams{
		Revision: d.Revision, Kind: d.Kind, Activity: d.Activity, Effort: d.Effort, Confidence: d.Confidence, Surface: d.Surface,
		Events: d.Events, Rules: d.Rules, Model: d.Model, TokensIn: d.TokensIn, TokensOut: d.TokensOut, DecidedAt: d.DecidedAt,
	})
	for _, e := range events {
		tx.AddEvent(e)
	}
	st.Commitments = nil // a promise is made once, when the message is new
	st.Then = nil        // an edit is not answered
	if err := s.finish(tx, st); err != nil {
		return Recorded{}, err
	}
	return Recorded{Decision: d, Events: events}, tx.Commit(ctx)
}

// unsaid returns the events of an earlier revision that the message does not name any more, and the
// ids of the others.
func (s *Service) unsaid(ctx context.Context, st Statement, before homeopsdb.Decision) (kept []string, unsaid []homeopsdb.Event, err error) {
	said := make(map[string]bool)
	numbers := make(map[string]int)
	for _, entry := range st.Entries {
		said[homeops.EventID(st.Message.ChatID, st.Message.MessageID, entry.Activity, numbers[entry.Activity], entry.At.UTC())] = true
		numbers[entry.Activity]++
	}
	kept = []string{}
	for _, id := range before.Events {
		if said[id] {
			kept = append(kept, id)
			continue
		}
		e, err := s.find(ctx, st.Home, id)
		switch {
		case errors.Is(err, ErrNoEvent): // undone before
		case err != nil:
			return nil, nil, err
		default:
			unsaid = append(unsaid, e)
		}
	}
	return kept, unsaid, nil
}

// inherit lets events take over the promises that removed events of the same activity fulfilled, as
// when an edit changes only the time. Other promises are open again.
func (s *Service) inherit(ctx context.Context, tx *homeopsdb.Tx, removed, events []homeopsdb.Event) error {
	for _, old := range removed {
		heir := slices.IndexFunc(events, func(e homeopsdb.Event) bool { return e.Activity == old.Activity && e.PromiseID == nil })
		if heir >= 0 {
			events[heir].PromiseID, events[heir].PromiseUser = old.PromiseID, old.PromiseUser
		} else if err := s.reopen(ctx, tx, old); err != nil {
			return err
		}
	}
	return nil
}
