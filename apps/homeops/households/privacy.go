package households

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/load"
	"sortkey.dev/apps/internal/audit"
)

// An Export holds everything that is stored of one person. Nothing in it tells the load of
// another member.
type Export struct {
	Profile     homeopsdb.User
	Preferences homeopsdb.Preferences
	Memberships []homeopsdb.Member
	Messages    []homeopsdb.MessageLine
	Events      []homeopsdb.Event
	Promises    []homeopsdb.Promise
	Efforts     []homeopsdb.Effort
	Habits      []homeopsdb.Habit
	Words       []homeopsdb.Alias
	BotMessages []homeopsdb.BotMessage
	Weeks       []ExportedWeek
}

// An ExportedWeek is a summary without the score, which depends on others.
type ExportedWeek struct {
	HouseholdID string
	Week        access.Week
	Chores      int64
	Pauses      int64
	Effort      float64
	Recovery    float64
	NetLoad     float64
	Band        load.Band
	CreatedAt   time.Time
	Highlights  []string
}

// Export returns everything that is stored of a person.
func (s *Service) Export(ctx context.Context, userID int64) (Export, error) {
	var x Export
	var err error
	if x.Profile, err = s.env.DB.GetUser(ctx, userID); err != nil && !errors.Is(err, access.ErrNotFound) {
		return x, fmt.Errorf("export a profile: %w", err)
	}
	if x.Preferences, err = s.Preferences(ctx, userID); err != nil {
		return x, fmt.Errorf("export preferences: %w", err)
	}
	db := s.env.DB
	for _, read := range []func() error{
		func() error { x.Memberships, err = db.ListHouseholdsOfUser(userID).Limit(0).Slice(ctx); return err },
		func() error { x.Messages, err = db.ListMessagesAcrossChats(userID).Limit(0).Slice(ctx); return err },
		func() error { x.Events, err = db.ListEventsByUser(userID).Limit(0).Slice(ctx); return err },
		func() error { x.Promises, err = db.ListPromises(userID).Limit(0).Slice(ctx); return err },
		func() error { x.Efforts, err = db.ListEfforts(userID).Limit(0).Slice(ctx); return err },
		func() error { x.Habits, err = db.ListHabitsByUser(userID).Limit(0).Slice(ctx); return err },
		func() error { x.Words, err = db.ListAliasesByUser(userID).Limit(0).Slice(ctx); return err },
		func() error { x.BotMessages, err = db.ListBotMessagesByUser(userID).Limit(0).Slice(ctx); return err },
	} {
		if err := read(); err != nil {
			return x, fmt.Errorf("export: %w", err)
		}
	}
	for _, m := range x.Memberships {
		weeks, err := db.ListSummaries(m.HouseholdID, userID).Limit(0).Slice(ctx)
		if err != nil {
			return x, fmt.Errorf("export weeks: %w", err)
		}
		for _, w := range weeks {
			x.Weeks = append(x.Weeks, ExportedWeek{
				HouseholdID: w.HouseholdID, Week: w.Period, Chores: w.ChoresCount, Pauses: w.RecoveryCount, Effort: w.Effort,
				Recovery: w.Recovery, NetLoad: w.NetLoad, Band: load.BandOf(w.FairnessScore), CreatedAt: w.CreatedAt, Highlights: w.Highlights,
			})
		}
	}
	return x, nil
}

// RequestErasure queues the erasure of a person, and stops recording them at once. The erasure waits
// until the person was told about it.
func (s *Service) RequestErasure(ctx context.Context, userID int64) error {
	if err := s.Pause(ctx, userID); err != nil {
		return err
	}
	if _, err := s.env.Jobs.Add(ctx, homeops.EraseJob(userID, s.env.Now().Add(homeops.EraseAfter))); err != nil {
		return fmt.Errorf("queue an erasure: %w", err)
	}
	return nil
}

// Erase deletes everything that is stored of a person. It may be called again after it was
// interrupted. What remains is a pause without an end: otherwise the next message would make the
// person a member again.
func (s *Service) Erase(ctx context.Context, userID int64) error {
	memberships, err := s.env.DB.ListHouseholdsOfUser(userID).Limit(0).Slice(ctx)
	if err != nil {
		return fmt.Errorf("erase: %w", err)
	}
	for _, erase := range []func(context.Context, int64, []homeopsdb.Member) error{
		s.eraseMessages, s.eraseEvents, s.eraseLearned, s.erasePromises, s.eraseWeeks, s.eraseMemberships, s.erasePerson,
	} {
		if err := erase(ctx, userID, memberships); err != nil {
			return fmt.Errorf("erase: %w", err)
		}
	}
	return s.env.Audit.RecordAlone(ctx, audit.Event{Actor: "member", Action: "erase member"})
}

func (s *Service) eraseMessages(ctx context.Context, userID int64, _ []homeopsdb.Member) error {
	lines, err := s.env.DB.ListMessagesAcrossChats(userID).Limit(0).Slice(ctx)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(lines, 25) {
		var messages []homeopsdb.MessageKey
		var decisions []homeopsdb.DecisionKey
		for _, line := range part {
			messages = append(messages, homeopsdb.MessageKey{ChatID: line.ChatID, MessageID: line.MessageID})
			decisions = append(decisions, homeopsdb.DecisionKey{ChatID: line.ChatID, MessageID: line.MessageID})
		}
		if err := s.env.DB.DeleteDecisionBatch(ctx, decisions); err != nil {
			return err
		}
		if err := s.env.DB.DeleteMessageBatch(ctx, messages); err != nil {
			return err
		}
	}
	said, err := s.env.DB.ListBotMessagesByUser(userID).Limit(0).Slice(ctx)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(said, 25) {
		var keys []homeopsdb.BotMessageKey
		for _, m := range part {
			keys = append(keys, m.Key())
		}
		if err := s.env.DB.DeleteBotMessageBatch(ctx, keys); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) eraseEvents(ctx context.Context, userID int64, _ []homeopsdb.Member) error {
	for e, err := range s.env.DB.ListEventsByUser(userID).Limit(0).All(ctx) {
		if err != nil {
			return err
		}
		if err := ignoreMissing(s.env.DB.RemoveEvent(ctx, e.Key(), homeopsdb.RemoveEventParams{Version: e.Version})); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) eraseLearned(ctx context.Context, userID int64, memberships []homeopsdb.Member) error {
	for e, err := range s.env.DB.ListEfforts(userID).Limit(0).All(ctx) {
		if err != nil {
			return err
		}
		if err := ignoreMissing(s.env.DB.DeleteEffort(ctx, e.Key(), homeopsdb.DeleteEffortParams{SampleCount: e.SampleCount})); err != nil {
			return err
		}
	}
	for h, err := range s.env.DB.ListHabitsByUser(userID).Limit(0).All(ctx) {
		if err != nil {
			return err
		}
		if err := ignoreMissing(s.env.DB.DeleteHabit(ctx, h.Key(), homeopsdb.DeleteHabitParams{Version: h.Version})); err != nil {
			return err
		}
	}
	for a, err := range s.env.DB.ListAliasesByUser(userID).Limit(0).All(ctx) {
		if err != nil {
			return err
		}
		if err := ignoreMissing(s.env.DB.DeleteAlias(ctx, a.Key())); err != nil {
			return err
		}
	}
	now := s.env.Now()
	for _, m := range memberships {
		from, to := access.DateOf(now.Add(-2*homeops.KeepUserDays)), access.DateOf(now.AddDate(0, 0, 1))
		for d, err := range s.env.DB.ListUserDays(m.HouseholdID, userID, from, to).Limit(0).All(ctx) {
			if err != nil {
				return err
			}
			if err := ignoreMissing(s.env.DB.DeleteUserDay(ctx, d.Key())); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Service) erasePromises(ctx context.Context, userID int64, _ []homeopsdb.Member) error {
	for p, err := range s.env.DB.ListPromises(userID).Limit(0).All(ctx) {
		if err != nil {
			return err
		}
		if err := ignoreMissing(s.env.DB.DeletePromise(ctx, p.Key())); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) eraseWeeks(ctx context.Context, userID int64, memberships []homeopsdb.Member) error {
	for _, m := range memberships {
		for w, err := range s.env.DB.ListSummaries(m.HouseholdID, userID).Limit(0).All(ctx) {
			if err != nil {
				return err
			}
			if err := ignoreMissing(s.env.DB.DeleteSummary(ctx, w.Key())); err != nil {
				return err
			}
		}
		others, err := s.env.DB.ListMembers(m.HouseholdID).Limit(0).Slice(ctx)
		if err != nil {
			return err
		}
		for _, other := range others {
			a, b := min(userID, other.UserID), max(userID, other.UserID)
			for balance, err := range s.env.DB.ListBalances(m.HouseholdID, a, b).Limit(0).All(ctx) {
				if err != nil {
					return err
				}
				if err := ignoreMissing(s.env.DB.DeleteBalance(ctx, balance.Key())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *Service) eraseMemberships(ctx context.Context, userID int64, memberships []homeopsdb.Member) error {
	for _, m := range memberships {
		if err := s.Leave(ctx, m.HouseholdID, userID); err != nil {
			return err
		}
		if err := ignoreMissing(s.env.DB.RemoveMember(ctx, m.Key())); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) erasePerson(ctx context.Context, userID int64, _ []homeopsdb.Member) error {
	if err := ignoreMissing(s.env.DB.DeleteDirectChannel(ctx, homeopsdb.DirectChannelKey{UserID: userID})); err != nil {
		return err
	}
	if err := ignoreMissing(s.env.DB.DeleteUser(ctx, homeopsdb.UserKey{UserID: userID})); err != nil {
		return err
	}
	p, err := s.Preferences(ctx, userID)
	if err != nil {
		return err
	}
	if err := ignoreMissing(s.env.DB.DeletePreferences(ctx, p.Key(), homeopsdb.DeletePreferencesParams{Version: p.Version})); err != nil {
		return err
	}
	return s.Pause(ctx, userID)
}

func ignoreMissing(err error) error {
	if errors.Is(err, access.ErrNotFound) {
		return nil
	}
	return err
}
