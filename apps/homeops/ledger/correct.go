package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// find returns an event of a household by its id, which has the time in it.
func (s *Service) find(ctx context.Context, home households.Home, eventID string) (homeopsdb.Event, error) {
	at, err := access.TimeOfID(eventID)
	if err != nil {
		return homeopsdb.Event{}, ErrNoEvent
	}
	for _, chat := range home.Chats() {
		e, err := s.env.DB.GetEvent(ctx, chat, at, eventID)
		if errors.Is(err, access.ErrNotFound) {
			continue
		}
		return e, err
	}
	return homeopsdb.Event{}, ErrNoEvent
}

// ByMessage returns the ids of the events of a message, without those that were undone; only those
// of an activity if it is not "".
func (s *Service) ByMessage(ctx context.Context, home households.Home, chatID string, messageID int64, activity string) ([]string, error) {
	d, err := s.env.DB.GetDecision(ctx, chatID, messageID)
	if errors.Is(err, access.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a decision: %w", err)
	}
	var ids []string
	for _, id := range d.Events {
		e, err := s.find(ctx, home, id)
		switch {
		case errors.Is(err, ErrNoEvent):
		case err != nil:
			return nil, err
		case activity == "" || e.Activity == activity:
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// VersionMark stands between the id of an event and its version.
const VersionMark = "@"

// Versions returns the ids of events with their present versions, without those that do not exist.
func (s *Service) Versions(ctx context.Context, home households.Home, ids []string) ([]string, error) {
	var all []string
	for _, id := range ids {
		e, err := s.find(ctx, home, id)
		if errors.Is(err, ErrNoEvent) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, id+VersionMark+strconv.FormatInt(e.Version, 10))
	}
	return all, nil
}

// LatestOf returns the id of the last entry of a member in a household; "" if there is none.
func (s *Service) LatestOf(ctx context.Context, home households.Home, userID int64) (string, error) {
	chats := home.Chats()
	for e, err := range s.env.DB.ListEventsByUser(userID).Limit(0).PageSize(nearby).All(ctx) {
		if err != nil {
			return "", fmt.Errorf("list a member's events: %w", err)
		}
		for _, chat := range chats {
			if e.ChatID == chat {
				return e.EventID, nil
			}
		}
	}
	return "", nil
}

// own returns an event that a member may change: one that they did, or that their message named.
func (s *Service) own(ctx context.Context, home households.Home, actor int64, eventID string) (homeopsdb.Event, error) {
	e, err := s.find(ctx, home, eventID)
	if err != nil || e.UserID == actor {
		return e, err
	}
	if e.SourceMessageID != nil {
		d, err := s.env.DB.GetDecision(ctx, e.ChatID, *e.SourceMessageID)
		if err == nil && d.UserID == actor {
			return e, nil
		}
		if err != nil && !errors.Is(err, access.ErrNotFound) {
			return e, err
		}
	}
	return homeopsdb.Event{}, ErrNotYours
}

// change reads an event that a member may change, and commits what the function adds to a
// transaction together with an audit event. It begins anew if the event changes meanwhile.
func (s *Service) change(ctx context.Context, home households.Home, actor int64, eventID, action string, add func(*homeopsdb.Tx, homeopsdb.Event) error) error {
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		e, err := s.own(ctx, home, actor, eventID)
		if err != nil {
			return false, err
		}
		tx := s.env.DB.Tx()
		if err := add(tx, e); err != nil {
			return false, err
		}
		s.env.Audit.Record(tx, audit.Event{
			Actor: households.MemberID(actor), Action: action, Target: eventID, About: home.HouseholdID,
			Detail: map[string]string{"activity": e.Activity, "member": households.MemberID(e.UserID)},
		})
		err = tx.Commit(ctx)
		return contested(err), err
	})
	if err != nil {
		return err
	}
	s.env.Metrics.Count(homeops.CountCorrections, 1)
	return nil
}

// Undo removes an entry. The habit and the promise that it fulfilled are as before; the average of
// efforts keeps the sample, because what was felt was felt.
func (s *Service) Undo(ctx context.Context, home households.Home, actor int64, eventID string) error {
	return s.change(ctx, home, actor, eventID, "undo event", func(tx *homeopsdb.Tx, e homeopsdb.Event) error {
		return s.remove(ctx, tx, home, e)
	})
}

// remove adds the removal of an event and of its consequences to a transaction.
func (s *Service) remove(ctx context.Context, tx *homeopsdb.Tx, home households.Home, e homeopsdb.Event) error {
	l := newLessons(s, home)
	if err := s.forget(ctx, tx, l, []homeopsdb.Event{e}); err != nil {
		return err
	}
	l.write(tx)
	return s.reopen(ctx, tx, e)
}

// reopen adds to a transaction that the promise which an event fulfilled is open again.
func (s *Service) reopen(ctx context.Context, tx *homeopsdb.Tx, e homeopsdb.Event) error {
	if e.PromiseID == nil || e.PromiseUser == nil {
		return nil
	}
	return s.promises.Reopen(ctx, tx, *e.PromiseUser, *e.PromiseID)
}

// forget adds the removal of events to a transaction, and takes them out of the habits of their
// members in the lessons.
func (s *Service) forget(ctx context.Context, tx *homeopsdb.Tx, l *lessons, events []homeopsdb.Event) error {
	for _, e := range events {
		tx.RemoveEvent(e.Key(), homeopsdb.RemoveEventParams{Version: e.Version})
		if err := l.seen(ctx, e.UserID, e.Activity, e.OccurredAt, -1); err != nil {
			return err
		}
		h := l.habits[learner{e.UserID, e.Activity}]
		if h.isNew || h.item.TotalCount == 0 || h.item.LastSeen.After(e.OccurredAt) {
			continue
		}
		last, err := s.lastBefore(ctx, l.home, e, events)
		if err != nil {
			return err
		}
		if !last.IsZero() {
			h.item.LastSeen = last
		}
	}
	return nil
}

// lastBefore returns when the member of an event did its activity last, apart from removed events.
func (s *Service) lastBefore(ctx context.Context, home households.Home, e homeopsdb.Event, removed []homeopsdb.Event) (time.Time, error) {
	for other, err := range s.env.DB.ListLastDoers(home.Chats(), e.Activity).Limit(200).PageSize(nearby).All(ctx) {
		if err != nil {
			return time.Time{}, fmt.Errorf("list who did it last: %w", err)
		}
		if other.UserID == e.UserID && !slices.ContainsFunc(removed, func(r homeopsdb.Event) bool { return r.EventID == other.EventID }) {
			return other.OccurredAt, nil
		}
	}
	return time.Time{}, nil
}

var errEffort = refusal.OfField(refusal.Field{Name: "effort", Constraint: "allowed", Allowed: []string{"low", "medium", "high"}}, "The effort is low, medium or high.")

// A Correction says what an entry should have been. Zero fields stay as they are.
type Correction struct {
	Activity string
	Category homeopsdb.EventCategory
	Effort   homeopsdb.EventEffort
	// Key is the idempotency key of the correction; "" if there is none.
	Key string
}

// Correct changes what an entry is about. The habit moves to the right activity, and the effort is
// one more sample of its average. A second call with the same key does nothing.
func (s *Service) Correct(ctx context.Context, home households.Home, actor int64, eventID string, c Correction) error {
	if utf8.RuneCountInString(c.Activity) > homeops.MaxActivity {
		return refusal.OutOfRange("activity", "length", 1, homeops.MaxActivity, "An activity has at most %d characters.", homeops.MaxActivity)
	}
	if c.Category != "" && !c.Category.Valid() {
		return refusal.OfField(refusal.Field{Name: "category", Constraint: "allowed", Allowed: []string{"chore", "recovery"}}, "The category is chore or recovery.")
	}
	if c.Effort != "" && !c.Effort.Valid() {
		return errEffort
	}
	request := receipt.Request{By: households.MemberID(actor), Key: c.Key, Action: "correct event " + eventID}
	_, _, err := receipt.Once(ctx, s.env.Receipts, request, func() (string, error) { return eventID, s.correct(ctx, home, actor, eventID, c, request) })
	return err
}

func (s *Service) correct(ctx context.Context, home households.Home, actor int64, eventID string, c Correction, request receipt.Request) error {
	return s.change(ctx, home, actor, eventID, "correct event", func(tx *homeopsdb.Tx, e homeopsdb.Event) error {
		changed := e
		if c.Activity != "" {
			changed.Activity = c.Activity
		}
		if c.Category != "" {
			changed.Category = c.Category
		}
		if c.Effort != "" {
			changed.Effort = c.Effort
		}
		l := newLessons(s, home)
		value, err := l.felt(ctx, e.UserID, changed.Activity, changed.Effort)
		if err != nil {
			return err
		}
		if changed.Activity != e.Activity {
			if err := l.seen(ctx, e.UserID, e.Activity, e.OccurredAt, -1); err != nil {
				return err
			}
			if err := l.seen(ctx, e.UserID, changed.Activity, e.OccurredAt, 1); err != nil {
				return err
			}
			if err := s.reopen(ctx, tx, e); err != nil { // it was not what was promised
				return err
			}
		}
		l.write(tx)
		tx.CorrectEvent(e.Key(), changed.Activity, homeopsdb.CorrectEventParams{
			Category: changed.Category, Effort: changed.Effort, Value: value, Description: e.Description,
			UpdatedAt: s.env.Now(), Version: e.Version,
		})
		return s.env.Receipts.Add(tx, request, eventID)
	})
}

// Credit says that another member did what an entry says.
func (s *Service) Credit(ctx context.Context, home households.Home, actor int64, eventID string, to int64) error {
	member, ok := home.Member(to)
	if !ok {
		return households.ErrNoMember
	}
	return s.change(ctx, home, actor, eventID, "credit event", func(tx *homeopsdb.Tx, e homeopsdb.Event) error {
		if e.UserID == to {
			return refusal.New(refusal.Conflict, "", "This entry is of %s already.", member.DisplayName)
		}
		l := newLessons(s, home)
		if err := l.seen(ctx, e.UserID, e.Activity, e.OccurredAt, -1); err != nil {
			return err
		}
		if err := l.seen(ctx, to, e.Activity, e.OccurredAt, 1); err != nil {
			return err
		}
		// What one member said of the effort is not how another felt it.
		felt, err := l.effort(ctx, to, e.Activity)
		if err != nil {
			return err
		}
		l.write(tx)
		value := float64(effortValue(e.Effort))
		if felt.item.SampleCount >= 3 {
			value = felt.item.Ema
		}
		tx.ReassignEvent(e.Key(), to, homeopsdb.ReassignEventParams{UserName: member.DisplayName, Value: value, UpdatedAt: s.env.Now(), Version: e.Version})
		return nil
	})
}

// Rate says how heavy a member's own entry was.
func (s *Service) Rate(ctx context.Context, home households.Home, actor int64, eventID string, effort homeopsdb.EventEffort) error {
	if !effort.Valid() {
		return errEffort
	}
	return s.Correct(ctx, home, actor, eventID, Correction{Effort: effort})
}

// Confirm logs what an unclear message meant, after its author said so. It does nothing if something
// was logged of the message before.
func (s *Service) Confirm(ctx context.Context, home households.Home, message homeopsdb.Message, entry Entry) error {
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		before, err := s.env.DB.GetDecision(ctx, message.ChatID, message.MessageID)
		if errors.Is(err, access.ErrNotFound) || err == nil && len(before.Events) > 0 {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("read a decision: %w", err)
		}
		tx := s.env.DB.Tx()
		lessons := newLessons(s, home)
		events, err := s.logged(ctx, tx, lessons, Statement{Home: home, Message: message, Entries: []Entry{entry}}, nil)
		if err != nil {
			return false, err
		}
		lessons.write(tx)
		e := events[0]
		tx.AddEvent(e)
		tx.ConfirmDecision(before.Key(), homeopsdb.ConfirmDecisionParams{
			Kind: homeopsdb.DecisionKind(e.Category), Activity: &e.Activity, Effort: new(homeopsdb.DecisionEffort(e.Effort)),
			Confidence: entry.Confidence, Events: []string{e.EventID},
		})
		err = tx.Commit(ctx)
		return contested(err), err
	})
	if err != nil {
		return fmt.Errorf("log a confirmed message: %w", err)
	}
	return nil
}
