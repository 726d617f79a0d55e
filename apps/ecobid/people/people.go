// Package people holds the profiles of EcoBid's members: the name and the city that others see,
// and the figures of what they gave, took and were rated. The account behind a profile, with the
// address and the password, is on the platform; both have the same id.
//
// The package decides nothing about ratings and suspensions, which package trust does. The doors
// and the other rooms call it.
package people

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/internal/lazyregexp"
)

// A Service manages profiles.
type Service struct{ env *ecobid.Env }

// New returns the service of an environment.
func New(env *ecobid.Env) *Service { return &Service{env: env} }

// A Profile holds what a person chooses.
type Profile struct {
	Username string
	City     string
	Country  string // two letters
	Currency string // three letters
}

// A Public is a profile as everyone sees it.
type Public struct {
	UserID        string
	Username      string
	City          string
	Country       string
	MemberSince   time.Time
	RatingCount   int64
	RatingSum     int64
	ItemsGiven    int64
	ItemsReceived int64
	NoShows       int64
}

var (
	names      = lazyregexp.New(`^[\p{L}\p{N}][\p{L}\p{N} ._-]*[\p{L}\p{N}]$`)
	countries  = lazyregexp.New(`^[A-Z]{2}$`)
	currencies = lazyregexp.New(`^[A-Z]{3}$`)
)

// check returns a profile as it is stored, or refuses it.
func check(p Profile) (Profile, error) {
	var err error
	if p.Username, err = ecobid.Text("username", p.Username, ecobid.MinName, ecobid.MaxName); err != nil {
		return p, err
	}
	if !names.MatchString(p.Username) || strings.HasPrefix(strings.ToLower(p.Username), erasedPrefix) {
		return p, refusal.OfField(refusal.Field{Name: "username", Constraint: "format"}, "A name has letters, digits, spaces, points, hyphens and underscores, and begins and ends with a letter or a digit.")
	}
	if p.City, err = ecobid.Text("city", p.City, 1, ecobid.MaxCity); err != nil {
		return p, err
	}
	p.Country, p.Currency = strings.ToUpper(p.Country), strings.ToUpper(p.Currency)
	if !countries.MatchString(p.Country) {
		return p, refusal.OfField(refusal.Field{Name: "country", Constraint: "format"}, "A country has two letters, such as PL.")
	}
	if !currencies.MatchString(p.Currency) {
		return p, refusal.OfField(refusal.Field{Name: "currency", Constraint: "format"}, "A currency has three letters, such as EUR.")
	}
	return p, nil
}

// Register checks a profile and returns the function that writes it with a new account. If the
// name is taken, the sign-up fails with an error that NameTaken recognises.
func (s *Service) Register(p Profile) (accounts.With, error) {
	p, err := check(p)
	if err != nil {
		return nil, err
	}
	return func(tx access.Tx, account platformdb.Account, _ json.RawMessage) error {
		created, err := access.TimeOfID(account.AccountID)
		if err != nil {
			return fmt.Errorf("the id of an account: %w", err)
		}
		s.env.DB.Join(tx).RegisterUser(ecobiddb.User{
			UserID: account.AccountID, Username: p.Username, City: p.City, Country: p.Country, Currency: p.Currency,
			Status: ecobiddb.UserStatusActive, CreatedAt: created, UpdatedAt: s.env.Now(),
		})
		return nil
	}, nil
}

// NameTaken returns ErrNameTaken if a sign-up failed because of the name, and the error itself
// otherwise.
func NameTaken(err error) error {
	if taken, ok := errors.AsType[*access.TakenError](err); ok && taken.Entity == "User" {
		return ecobid.ErrNameTaken
	}
	return err
}

// Get returns a person with all figures; for the person and for the other rooms.
func (s *Service) Get(ctx context.Context, userID string) (ecobiddb.User, error) {
	user, err := s.env.DB.GetUser(ctx, userID)
	if err != nil {
		return ecobiddb.User{}, ecobid.Instead(err, ecobid.ErrNoUser)
	}
	return user, nil
}

// Public returns the public profile of a person. Profiles of erased accounts have no city. To a viewer who has
// blocked the person, or whom the person has blocked, it does not exist; viewer is "" for people who
// are not signed in.
func (s *Service) Public(ctx context.Context, viewer, userID string) (Public, error) {
	user, err := s.Get(ctx, userID)
	if err != nil {
		return Public{}, err
	}
	apart, err := s.env.Apart(ctx, viewer, userID)
	switch {
	case err != nil:
		return Public{}, err
	case apart:
		return Public{}, ecobid.ErrNoUser
	}
	return publicOf(user), nil
}

// Several returns the public profiles of several people, by their ids. Unknown ids are missing.
func (s *Service) Several(ctx context.Context, ids []string) (map[string]Public, error) {
	found, err := s.env.DB.GetUsers(ctx, distinct(ids))
	if err != nil {
		return nil, fmt.Errorf("read profiles: %w", err)
	}
	result := make(map[string]Public, len(found))
	for _, user := range found {
		if user != nil {
			result[user.UserID] = publicOf(*user)
		}
	}
	return result, nil
}

func publicOf(user ecobiddb.User) Public {
	return Public{
		UserID: user.UserID, Username: user.Username, City: user.City, Country: user.Country, MemberSince: user.CreatedAt,
		RatingCount: user.RatingCount, RatingSum: user.RatingSum, ItemsGiven: user.ItemsGiven, ItemsReceived: user.ItemsReceived, NoShows: user.Strikes,
	}
}

// Update changes the profile of a person.
func (s *Service) Update(ctx context.Context, userID string, p Profile) (ecobiddb.User, error) {
	p, err := check(p)
	if err != nil {
		return ecobiddb.User{}, err
	}
	user, err := s.Get(ctx, userID)
	if err != nil {
		return ecobiddb.User{}, err
	}
	now := s.env.Now()
	if p.Username != user.Username {
		err := NameTaken(s.env.DB.ChangeUsername(ctx, user.Key(), ecobiddb.ChangeUsernameParams{Username: p.Username, UpdatedAt: now, OldUsername: user.Username}))
		switch {
		case errors.Is(err, ecobid.ErrNameTaken):
			return ecobiddb.User{}, err
		case ecobid.Changed[ecobiddb.User](err):
			return ecobiddb.User{}, ecobid.ErrSuspended
		case err != nil:
			return ecobiddb.User{}, fmt.Errorf("change a name: %w", err)
		}
	}
	user, err = s.env.DB.UpdateProfile(ctx, user.Key(), ecobiddb.UpdateProfileParams{City: p.City, Country: p.Country, Currency: p.Currency, UpdatedAt: now})
	switch {
	case ecobid.Changed[ecobiddb.User](err):
		return ecobiddb.User{}, ecobid.ErrSuspended
	case err != nil:
		return ecobiddb.User{}, fmt.Errorf("change a profile: %w", err)
	}
	return user, nil
}

// erasedPrefix begins the names of erased profiles. No person can choose such a name.
const erasedPrefix = "deleted-"

// Erase empties the profile of a person. It is no error if the profile is empty.
func (s *Service) Erase(ctx context.Context, userID string) error {
	user, err := s.Get(ctx, userID)
	if errors.Is(err, ecobid.ErrNoUser) || err == nil && user.Status == ecobiddb.UserStatusErased {
		return nil
	}
	if err != nil {
		return err
	}
	err = s.env.DB.EraseUser(ctx, user.Key(), ecobiddb.EraseUserParams{
		Username: erasedPrefix + strings.ToLower(userID), City: "-", UpdatedAt: s.env.Now(), OldUsername: user.Username,
	})
	if err != nil {
		return fmt.Errorf("erase a profile: %w", err)
	}
	return nil
}

func distinct(ids []string) []string {
	seen := make(map[string]bool, len(ids))
	var result []string
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			result = append(result, id)
		}
	}
	return result
}
