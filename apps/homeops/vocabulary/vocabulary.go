// Package vocabulary is the room of a household's own words: which expression stands for which
// activity. It learns from clarifications and corrections; a correction replaces what was learned
// before, and a repeated confirmation counts. It does not classify: classifiers take its words.
// Package conversation calls it, and the doors for the page of words.
package vocabulary

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/refusal"
)

// Refusals to compare with errors.Is.
var (
	ErrNoWord       = refusal.New(refusal.NotFound, "WORD_NOT_FOUND", "There is no such word.")
	ErrTooManyWords = refusal.New(refusal.Conflict, "TOO_MANY_WORDS", "This household has as many words as it can have. Let the bot forget one first.")
)

// A Service has the rules of words. It is safe for concurrent use.
type Service struct {
	env *homeops.Env
}

// New returns the room of an environment.
func New(env *homeops.Env) *Service { return &Service{env: env} }

// Words returns the words of a household for a classifier, the most confirmed ones first.
func Words(home households.Home) []understanding.Word {
	aliases := slices.Clone(home.Aliases)
	slices.SortStableFunc(aliases, func(a, b homeopsdb.Alias) int {
		if (a.Source == homeopsdb.AliasSourceCorrected) != (b.Source == homeopsdb.AliasSourceCorrected) {
			if a.Source == homeopsdb.AliasSourceCorrected {
				return -1
			}
			return 1
		}
		return int(b.Confirmations - a.Confirmations)
	})
	var words []understanding.Word
	for _, a := range aliases {
		words = append(words, understanding.Word{
			Surface: a.Alias, Activity: understanding.ActivityID(a.CanonicalActivity), Confirmations: int(a.Confirmations),
		})
	}
	return words
}

// A Lesson is a word and the activity that it stands for.
type Lesson struct {
	Surface  string // one or more words, as members write them
	Activity string
	UserID   int64  // who taught it
	From     string // the text that it came from
}

// Confirm learns that a word stands for an activity, or counts that it was confirmed. A word that
// stands for another activity stays as it is: only a correction changes it.
func (s *Service) Confirm(ctx context.Context, home households.Home, lesson Lesson) (homeopsdb.Alias, error) {
	surface, err := clean(home, lesson)
	if err != nil {
		return homeopsdb.Alias{}, err
	}
	key := homeopsdb.AliasKey{HouseholdID: home.HouseholdID, Alias: surface}
	now := s.env.Now()
	for range 3 {
		learned, err := s.env.DB.LearnAlias(ctx, s.alias(home, lesson, surface, homeopsdb.AliasSourceLearned))
		if !errors.Is(err, access.ErrExists) {
			return learned, err
		}
		confirmed, err := s.env.DB.ConfirmAlias(ctx, key, homeopsdb.ConfirmAliasParams{Activity: lesson.Activity, UpdatedAt: now})
		switch {
		case errors.Is(err, access.ErrNotFound): // deleted meanwhile
			continue
		case homeops.Changed[homeopsdb.Alias](err):
			return s.env.DB.GetAlias(ctx, home.HouseholdID, surface)
		}
		return confirmed, err
	}
	return homeopsdb.Alias{}, access.ErrConflict
}

// Correct teaches that a word stands for an activity, whatever it stood for before.
func (s *Service) Correct(ctx context.Context, home households.Home, lesson Lesson) (homeopsdb.Alias, error) {
	surface, err := clean(home, lesson)
	if err != nil {
		return homeopsdb.Alias{}, err
	}
	if _, ok := home.Member(lesson.UserID); !ok {
		return homeopsdb.Alias{}, households.ErrNoMember
	}
	learned, err := s.env.DB.LearnAlias(ctx, s.alias(home, lesson, surface, homeopsdb.AliasSourceCorrected))
	if !errors.Is(err, access.ErrExists) {
		return learned, err
	}
	return s.env.DB.CorrectAlias(ctx, homeopsdb.AliasKey{HouseholdID: home.HouseholdID, Alias: surface},
		homeopsdb.CorrectAliasParams{CanonicalActivity: lesson.Activity, UpdatedAt: s.env.Now()})
}

func (s *Service) alias(home households.Home, lesson Lesson, surface string, source homeopsdb.AliasSource) homeopsdb.Alias {
	now := s.env.Now()
	return homeopsdb.Alias{
		HouseholdID: home.HouseholdID, Alias: surface, UserID: lesson.UserID, Locale: homeopsdb.AliasLocale(home.Locale),
		CanonicalActivity: lesson.Activity, Source: source, Confirmations: 1, LearnedFrom: homeops.Shorten(lesson.From, 200),
		CreatedAt: now, UpdatedAt: now,
	}
}

// Forget removes a word, by a member of the household.
func (s *Service) Forget(ctx context.Context, home households.Home, userID int64, surface string) error {
	if _, ok := home.Member(userID); !ok {
		return households.ErrNoMember
	}
	surface = normalise(surface)
	tx := s.env.DB.Tx()
	tx.DeleteAlias(homeopsdb.AliasKey{HouseholdID: home.HouseholdID, Alias: surface})
	s.env.Audit.Record(tx, audit.Event{Actor: households.MemberID(userID), Action: "forget word", Target: surface, About: home.HouseholdID})
	err := tx.Commit(ctx)
	if errors.Is(err, access.ErrNotFound) {
		return ErrNoWord
	}
	if err != nil {
		return fmt.Errorf("forget a word: %w", err)
	}
	return nil
}

// Lookup returns what a word stands for in a household.
func (s *Service) Lookup(ctx context.Context, householdID, surface string) (homeopsdb.Alias, error) {
	a, err := s.env.DB.GetAlias(ctx, householdID, normalise(surface))
	if errors.Is(err, access.ErrNotFound) {
		return a, ErrNoWord
	}
	return a, err
}

// clean returns the word of a lesson as it is stored, or why it cannot be taught. The words of a
// household are read with every message, so their number has a limit.
func clean(home households.Home, lesson Lesson) (string, error) {
	surface := normalise(lesson.Surface)
	if surface == "" || utf8.RuneCountInString(surface) > homeops.MaxActivity {
		return "", refusal.OutOfRange("word", "length", 1, homeops.MaxActivity, "A word has 1 to %d characters.", homeops.MaxActivity)
	}
	if lesson.Activity == "" || utf8.RuneCountInString(lesson.Activity) > homeops.MaxActivity {
		return "", refusal.OutOfRange("activity", "length", 1, homeops.MaxActivity, "An activity has 1 to %d characters.", homeops.MaxActivity)
	}
	known := slices.ContainsFunc(home.Aliases, func(a homeopsdb.Alias) bool { return a.Alias == surface })
	if !known && len(home.Aliases) >= homeops.MaxWords {
		return "", ErrTooManyWords
	}
	return surface, nil
}

func normalise(surface string) string {
	return strings.Join(strings.Fields(strings.ToLower(surface)), " ")
}
