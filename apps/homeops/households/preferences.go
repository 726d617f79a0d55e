package households

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/refusal"
)

// Preferences returns the preferences of a person, and stores the default ones if there are none.
func (s *Service) Preferences(ctx context.Context, userID int64) (homeopsdb.Preferences, error) {
	p, err := s.env.DB.GetPreferences(ctx, userID)
	if !errors.Is(err, access.ErrNotFound) {
		return p, err
	}
	p, err = s.env.DB.CreatePreferences(ctx, homeopsdb.Preferences{
		UserID: userID, ResponseTimingPref: homeopsdb.PreferencesResponseTimingPrefNormal,
		Sensitivity: homeopsdb.PreferencesSensitivityNormal, WeeklyInsight: true, UpdatedAt: s.env.Now(),
	})
	if errors.Is(err, access.ErrExists) {
		return s.env.DB.GetPreferences(ctx, userID)
	}
	if err != nil {
		return p, fmt.Errorf("store preferences: %w", err)
	}
	return p, nil
}

// Profile returns the profile of a person. The error is ErrNoMember if there is none.
func (s *Service) Profile(ctx context.Context, userID int64) (homeopsdb.User, error) {
	user, err := s.env.DB.GetUser(ctx, userID)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return user, ErrNoMember
	case err != nil:
		return user, fmt.Errorf("read a profile: %w", err)
	}
	return user, nil
}

// Speak sets the language of a person's pages.
func (s *Service) Speak(ctx context.Context, userID int64, locale understanding.Locale) error {
	if !locale.Valid() {
		return refusal.OfField(refusal.Field{Name: "language", Constraint: "enum"}, "This language is not known.")
	}
	user, err := s.Profile(ctx, userID)
	if err != nil {
		return err
	}
	user.Locale, user.UpdatedAt = homeopsdb.UserLocale(locale), s.env.Now()
	if _, err := s.env.DB.SaveUser(ctx, user); err != nil {
		return fmt.Errorf("store a profile: %w", err)
	}
	return nil
}

// Choices holds the choices of a member for themselves.
type Choices struct {
	NeverAnswer   bool       // the bot does not answer this member
	QuietFrom     *int       // own quiet hours of private messages; nil for those of the household
	QuietTo       *int       //
	PausedUntil   *time.Time // nothing is recorded until then
	WeeklyInsight bool
	Insist        bool // remind me of my own promises in private
}

// ChoicesOf returns the choices in preferences.
func ChoicesOf(p homeopsdb.Preferences) Choices {
	c := Choices{
		NeverAnswer: p.ResponseTimingPref == homeopsdb.PreferencesResponseTimingPrefNever, PausedUntil: p.PausedUntil,
		WeeklyInsight: p.WeeklyInsight, Insist: p.Insist,
	}
	if p.QuietFrom != nil && p.QuietTo != nil {
		c.QuietFrom, c.QuietTo = new(int(*p.QuietFrom)), new(int(*p.QuietTo))
	}
	return c
}

// Choose stores the choices of a person.
func (s *Service) Choose(ctx context.Context, userID int64, c Choices) (p homeopsdb.Preferences, err error) {
	for _, hour := range []*int{c.QuietFrom, c.QuietTo} {
		if hour != nil && (*hour < 0 || *hour > 23) {
			return p, refusal.OutOfRange("quiet_from", "range", 0, 23, "An hour is from 0 to 23.")
		}
	}
	if (c.QuietFrom == nil) != (c.QuietTo == nil) {
		return p, refusal.OfField(refusal.Field{Name: "quiet_to", Constraint: "required"}, "Quiet hours need a beginning and an end.")
	}
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		if p, err = s.Preferences(ctx, userID); err != nil {
			return false, err
		}
		params := homeopsdb.ChoosePreferencesParams{
			ResponseTimingPref: homeopsdb.PreferencesResponseTimingPrefNormal, Sensitivity: p.Sensitivity, PausedUntil: c.PausedUntil,
			WeeklyInsight: c.WeeklyInsight, Insist: c.Insist, UpdatedAt: s.env.Now(), Version: p.Version,
		}
		if c.NeverAnswer {
			params.ResponseTimingPref = homeopsdb.PreferencesResponseTimingPrefNever
		}
		if c.QuietFrom != nil {
			params.QuietFrom, params.QuietTo = new(int64(*c.QuietFrom)), new(int64(*c.QuietTo))
		}
		p, err = s.env.DB.ChoosePreferences(ctx, homeopsdb.PreferencesKey{UserID: userID}, params)
		return false, err
	})
	return p, err
}

// untilFurther is the end of a pause without an end.
var untilFurther = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// Pause stops recording a person until they come back.
func (s *Service) Pause(ctx context.Context, userID int64) error {
	p, err := s.Preferences(ctx, userID)
	if err != nil {
		return err
	}
	c := ChoicesOf(p)
	c.PausedUntil = &untilFurther
	_, err = s.Choose(ctx, userID, c)
	return err
}

// Resume records a person again. It does nothing if they are not paused.
func (s *Service) Resume(ctx context.Context, userID int64) error {
	p, err := s.env.DB.GetPreferences(ctx, userID)
	if errors.Is(err, access.ErrNotFound) || err == nil && p.PausedUntil == nil {
		return nil
	}
	if err != nil {
		return err
	}
	c := ChoicesOf(p)
	c.PausedUntil = nil
	_, err = s.Choose(ctx, userID, c)
	return err
}

// Paused reports whether a person is not recorded at a time.
func Paused(p homeopsdb.Preferences, at time.Time) bool {
	return p.PausedUntil != nil && at.Before(*p.PausedUntil)
}

// IsPaused reports whether a person is not recorded now.
func (s *Service) IsPaused(ctx context.Context, userID int64) (bool, error) {
	p, err := s.env.DB.GetPreferences(ctx, userID)
	if errors.Is(err, access.ErrNotFound) {
		return false, nil
	}
	return err == nil && Paused(p, s.env.Now()), err
}

// Channel returns the state of a person's private channel; unknown if there was none.
func (s *Service) Channel(ctx context.Context, userID int64) (homeopsdb.DirectChannel, error) {
	c, err := s.env.DB.GetDirectChannel(ctx, userID)
	if !errors.Is(err, access.ErrNotFound) {
		return c, err
	}
	c, err = s.env.DB.CreateDirectChannel(ctx, homeopsdb.DirectChannel{UserID: userID, UpdatedAt: s.env.Now()})
	if errors.Is(err, access.ErrExists) {
		return s.env.DB.GetDirectChannel(ctx, userID)
	}
	return c, err
}

// OpenChannel records that a person wrote to the bot in private. It reports whether that is new.
func (s *Service) OpenChannel(ctx context.Context, userID int64, chatID string) (opened bool, err error) {
	if _, err := s.Channel(ctx, userID); err != nil {
		return false, fmt.Errorf("open a private channel: %w", err)
	}
	now := s.env.Now()
	_, err = s.env.DB.OpenDirectChannel(ctx, homeopsdb.DirectChannelKey{UserID: userID}, homeopsdb.OpenDirectChannelParams{
		PrivateChatID: &chatID, OptedInAt: &now, UpdatedAt: now,
	})
	if homeops.Changed[homeopsdb.DirectChannel](err) { // open already
		return false, nil
	}
	return err == nil, err
}

// BlockChannel records that a person blocked the bot.
func (s *Service) BlockChannel(ctx context.Context, userID int64) error {
	_, err := s.env.DB.BlockDirectChannel(ctx, homeopsdb.DirectChannelKey{UserID: userID}, homeopsdb.BlockDirectChannelParams{UpdatedAt: s.env.Now()})
	if homeops.Changed[homeopsdb.DirectChannel](err) || errors.Is(err, access.ErrNotFound) {
		return nil
	}
	return err
}

// Of links that sign a person in.
const (
	signInPurpose = "homeops sign-in"
	signInValid   = 15 * time.Minute
)

// SignInToken returns the token of a link that signs a person in to the pages once.
func (s *Service) SignInToken(ctx context.Context, userID int64) (string, error) {
	return s.env.Tokens.Issue(ctx, signInPurpose, MemberID(userID), nil, signInValid)
}

// LookSignIn returns the person whom a token would sign in, without using it.
func (s *Service) LookSignIn(ctx context.Context, token string) (userID int64, err error) {
	found, err := s.env.Tokens.Look(ctx, signInPurpose, token)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(found.Subject, 10, 64)
}

// SignIn uses a token and returns the person. The error is onetime.ErrUsed if it does not work.
func (s *Service) SignIn(ctx context.Context, token string) (userID int64, err error) {
	found, err := s.env.Tokens.UseAlone(ctx, signInPurpose, token)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(found.Subject, 10, 64)
}
