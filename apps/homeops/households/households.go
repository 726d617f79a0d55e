// Package households is the room of families: their chat and its former ids, members who join and
// leave, settings, a member's own preferences, the private channel, links that sign a member in to
// the pages, and what a member can take along or have erased. It does not know what was logged or
// said. Package ingest calls it for every update; the doors call it for settings.
package households

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/refusal"
)

// Refusals to compare with errors.Is.
var (
	ErrNoHousehold = refusal.New(refusal.NotFound, "HOUSEHOLD_NOT_FOUND", "There is no such household.")
	ErrNoMember    = refusal.New(refusal.Forbidden, "NOT_A_MEMBER", "You are not a member of this household.")
	ErrNotOwner    = refusal.New(refusal.Forbidden, "NOT_THE_OWNER", "Only the owner of the household can change this.")
)

// A Service has the rules of households. It is safe for concurrent use.
type Service struct {
	env *homeops.Env
}

// New returns the room of an environment.
func New(env *homeops.Env) *Service { return &Service{env: env} }

// Get returns a household. The error is ErrNoHousehold if there is none.
func (s *Service) Get(ctx context.Context, householdID string) (Home, error) {
	all, err := s.env.DB.LoadHousehold(ctx, householdID)
	switch {
	case err != nil:
		return Home{}, fmt.Errorf("load household %s: %w", householdID, err)
	case len(all.Households) == 0:
		return Home{}, ErrNoHousehold
	}
	return Home{Household: all.Households[0], OldChats: all.OldChats, Members: all.Members, Aliases: all.Aliases}, nil
}

// ByChat returns the household of a chat, also by a former id of the chat. The error is
// ErrNoHousehold if there is none.
func (s *Service) ByChat(ctx context.Context, chatID string) (Home, error) {
	household, err := s.env.DB.GetHouseholdByChat(ctx, chatID)
	switch {
	case err == nil:
		return s.Get(ctx, household.HouseholdID)
	case !errors.Is(err, access.ErrNotFound):
		return Home{}, fmt.Errorf("find the household of a chat: %w", err)
	}
	old, err := s.env.DB.GetOldChat(ctx, chatID)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return Home{}, ErrNoHousehold
	case err != nil:
		return Home{}, fmt.Errorf("find the household of a former chat: %w", err)
	}
	return s.Get(ctx, old.HouseholdID)
}

// ForMember returns a household to one of its members. The error is ErrNoMember for others.
func (s *Service) ForMember(ctx context.Context, householdID string, userID int64) (Home, error) {
	home, err := s.Get(ctx, householdID)
	if err != nil {
		return Home{}, err
	}
	if _, ok := home.Member(userID); !ok {
		return Home{}, ErrNoMember
	}
	return home, nil
}

// OfUser returns the households of a person.
func (s *Service) OfUser(ctx context.Context, userID int64) ([]Home, error) {
	members, err := s.env.DB.ListHouseholdsOfUser(userID).Limit(0).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the households of a user: %w", err)
	}
	var homes []Home
	for _, m := range members {
		if m.Status != homeopsdb.MemberStatusActive {
			continue
		}
		home, err := s.Get(ctx, m.HouseholdID)
		switch {
		case errors.Is(err, ErrNoHousehold): // dissolved meanwhile
		case err != nil:
			return nil, err
		default:
			homes = append(homes, home)
		}
	}
	return homes, nil
}

// A Group is a chat that becomes a household.
type Group struct {
	ChatID string
	Name   string
	Locale understanding.Locale // "" for Swedish
}

// Ensure returns the household of a group chat, and creates it with the default settings if there
// is none.
func (s *Service) Ensure(ctx context.Context, group Group) (home Home, created bool, err error) {
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		home, err = s.ByChat(ctx, group.ChatID)
		if !errors.Is(err, ErrNoHousehold) {
			return false, err
		}
		id, err := s.create(ctx, group)
		var taken *access.TakenError
		switch {
		case errors.As(err, &taken): // by another process
			return true, err
		case err != nil:
			return false, fmt.Errorf("create a household: %w", err)
		}
		created = true
		home, err = s.Get(ctx, id)
		return false, err
	})
	return home, created, err
}

// create stores a household together with the jobs of its days and weeks, which follow
// themselves.
func (s *Service) create(ctx context.Context, group Group) (id string, err error) {
	now := s.env.Now()
	h := homeopsdb.Household{
		HouseholdID: access.NewULID(now), ChatID: group.ChatID, Name: homeops.Shorten(group.Name, homeops.MaxName),
		TimeZone: s.env.Zone, Locale: homeopsdb.HouseholdLocaleSv, Acknowledge: homeopsdb.HouseholdAcknowledgeReaction,
		Membership: homeopsdb.HouseholdMembershipOpen, QuietFrom: homeops.DefaultQuietFrom, QuietTo: homeops.DefaultQuietTo,
		DailyCap: homeops.DefaultDailyCap, CooldownMinutes: homeops.DefaultCooldown, RecoveryWeight: homeops.DefaultRecovery,
		RawRetentionDays: homeops.DefaultRetention, CreatedAt: now, UpdatedAt: now,
	}
	if group.Locale == understanding.English {
		h.Locale = homeopsdb.HouseholdLocaleEn
	}
	zone := homeops.Zone(h.TimeZone)
	tx := s.env.DB.Tx()
	tx.CreateHousehold(h)
	if err := s.env.Jobs.AddTo(tx, homeops.DayJob(h.HouseholdID, homeops.Day(now, zone), now, zone)); err != nil {
		return "", err
	}
	if err := s.env.Jobs.AddTo(tx, homeops.WeekJob(h.HouseholdID, homeops.Week(now, zone), now, zone)); err != nil {
		return "", err
	}
	return h.HouseholdID, tx.Commit(ctx)
}

// Settings holds the choices of the owner of a household.
type Settings struct {
	Name             string
	TimeZone         string
	Locale           understanding.Locale
	AcknowledgeText  bool // a line of text instead of a reaction
	ClosedMembership bool // people who write are visitors and are not recorded
	QuietFrom        int
	QuietTo          int
	DailyCap         int
	CooldownMinutes  int
	RecoveryWeight   float64
	RawRetentionDays int
	UseModel         bool
}

// SettingsOf returns the settings of a household.
func SettingsOf(h Home) Settings {
	return Settings{
		Name: h.Name, TimeZone: h.TimeZone, Locale: h.Language(), AcknowledgeText: h.Acknowledge == homeopsdb.HouseholdAcknowledgeText,
		ClosedMembership: h.Membership == homeopsdb.HouseholdMembershipClosed, QuietFrom: int(h.QuietFrom), QuietTo: int(h.QuietTo),
		DailyCap: int(h.DailyCap), CooldownMinutes: int(h.CooldownMinutes), RecoveryWeight: h.RecoveryWeight,
		RawRetentionDays: int(h.RawRetentionDays), UseModel: h.UseModel,
	}
}

// check returns the refusal of settings that cannot be.
func (c Settings) check() error {
	if _, err := time.LoadLocation(c.TimeZone); err != nil || c.TimeZone == "" || c.TimeZone == "Local" {
		return refusal.OfField(refusal.Field{Name: "time_zone", Constraint: "allowed"}, "%q is not a time zone such as Europe/Stockholm.", c.TimeZone)
	}
	if !c.Locale.Valid() {
		return refusal.OfField(refusal.Field{Name: "locale", Constraint: "allowed", Allowed: []string{"sv", "en"}}, "The language is sv or en.")
	}
	if n := utf8.RuneCountInString(c.Name); n < 1 || n > homeops.MaxName {
		return refusal.OutOfRange("name", "length", 1, homeops.MaxName, "The name has 1 to %d characters.", homeops.MaxName)
	}
	for _, b := range []struct {
		name              string
		value, least, max int
	}{
		{"quiet_from", c.QuietFrom, 0, 23}, {"quiet_to", c.QuietTo, 0, 23}, {"daily_cap", c.DailyCap, 0, 10},
		{"cooldown_minutes", c.CooldownMinutes, 1, 24 * 60}, {"raw_retention_days", c.RawRetentionDays, 1, 365},
	} {
		if b.value < b.least || b.value > b.max {
			return refusal.OutOfRange(b.name, "range", b.least, b.max, "The value is from %d to %d.", b.least, b.max)
		}
	}
	if c.RecoveryWeight < 0 || c.RecoveryWeight > 3 {
		return refusal.OutOfRange("recovery_weight", "range", 0, 3, "The weight is from 0 to 3.")
	}
	return nil
}

// Change sets the settings of a household, by its owner.
func (s *Service) Change(ctx context.Context, userID int64, householdID string, settings Settings) (home Home, err error) {
	if err := settings.check(); err != nil {
		return Home{}, err
	}
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		if home, err = s.ForMember(ctx, householdID, userID); err != nil {
			return false, err
		}
		if !home.IsOwner(userID) {
			return false, ErrNotOwner
		}
		tx := s.env.DB.Tx()
		tx.UpdateHousehold(home.Household.Key(), homeopsdb.UpdateHouseholdParams{
			Name: settings.Name, TimeZone: settings.TimeZone, Locale: homeopsdb.HouseholdLocale(settings.Locale),
			Acknowledge: either(settings.AcknowledgeText, homeopsdb.HouseholdAcknowledgeText, homeopsdb.HouseholdAcknowledgeReaction),
			Membership:  either(settings.ClosedMembership, homeopsdb.HouseholdMembershipClosed, homeopsdb.HouseholdMembershipOpen),
			QuietFrom:   int64(settings.QuietFrom), QuietTo: int64(settings.QuietTo), DailyCap: int64(settings.DailyCap),
			CooldownMinutes: int64(settings.CooldownMinutes), RecoveryWeight: settings.RecoveryWeight,
			RawRetentionDays: int64(settings.RawRetentionDays), UseModel: settings.UseModel, UpdatedAt: s.env.Now(), Version: home.Version,
		})
		s.env.Audit.Record(tx, audit.Event{Actor: MemberID(userID), Action: "change settings", Target: householdID, About: householdID})
		return false, tx.Commit(ctx)
	})
	if err != nil {
		return Home{}, err
	}
	return s.Get(ctx, householdID)
}

func either[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}
