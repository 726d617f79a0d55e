package vocabulary_test

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/vocabulary"
	"sortkey.dev/apps/internal/refusal"
)

func lesson(surface, activity string) vocabulary.Lesson {
	return vocabulary.Lesson{Surface: surface, Activity: activity, UserID: homeopstest.Anna, From: "ja"}
}

func TestConfirmationsCountAndCorrectionsWin(t *testing.T) {
	w := homeopstest.Open(t)
	home, ctx := w.Home(t), t.Context()
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			if _, err := w.Vocabulary.Confirm(ctx, home, lesson("Pantade", "bottles")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	a, err := w.Vocabulary.Lookup(ctx, home.HouseholdID, " PANTADE ")
	if err != nil || a.Confirmations != 5 || a.Source != "learned" || a.CanonicalActivity != "bottles" || a.Locale != "sv" {
		t.Errorf("learned %+v (%v)", a, err)
	}
	if a, err = w.Vocabulary.Confirm(ctx, home, lesson("pantade", "shopping")); err != nil || a.CanonicalActivity != "bottles" {
		t.Errorf("a confirmation of another meaning: %+v (%v)", a, err)
	}
	if a, err = w.Vocabulary.Correct(ctx, home, lesson("pantade", "shopping")); err != nil || a.CanonicalActivity != "shopping" || a.Source != "corrected" || a.Confirmations != 1 {
		t.Errorf("corrected %+v (%v)", a, err)
	}
	for range 3 {
		if _, err := w.Vocabulary.Confirm(ctx, home, lesson("fejat", "cleaning")); err != nil {
			t.Fatal(err)
		}
	}
	words := vocabulary.Words(w.Home(t))
	if len(words) != 2 || words[0].Surface != "pantade" || words[1].Confirmations != 3 {
		t.Errorf("words %+v", words)
	}
}

func TestWordsBelongToAHousehold(t *testing.T) {
	w := homeopstest.Open(t)
	home, ctx := w.Home(t), t.Context()
	other, _, err := w.Households.Ensure(ctx, households.Group{ChatID: "-2", Name: "Stugan"})
	if err != nil {
		t.Fatal(err)
	}
	if other, err = w.Households.Join(ctx, other.HouseholdID, households.Person{ID: homeopstest.Anna, Name: "Anna"}); err != nil {
		t.Fatal(err)
	}
	for activity, h := range map[string]households.Home{"bottles": home, "shopping": other} {
		if _, err := w.Vocabulary.Confirm(ctx, h, lesson("burkarna", activity)); err != nil {
			t.Fatal(err)
		}
	}
	for activity, h := range map[string]households.Home{"bottles": home, "shopping": other} {
		if a, err := w.Vocabulary.Lookup(ctx, h.HouseholdID, "burkarna"); err != nil || a.CanonicalActivity != activity {
			t.Errorf("%s: %+v (%v)", activity, a, err)
		}
	}
	if err := w.Vocabulary.Forget(ctx, home, homeopstest.Maja, "burkarna"); !errors.Is(err, households.ErrNoMember) {
		t.Errorf("a stranger: %v", err)
	}
	if err := w.Vocabulary.Forget(ctx, home, homeopstest.Erik, "Burkarna"); err != nil {
		t.Errorf("forget: %v", err)
	}
	if _, err := w.Vocabulary.Lookup(ctx, home.HouseholdID, "burkarna"); !errors.Is(err, vocabulary.ErrNoWord) {
		t.Errorf("after forget: %v", err)
	}
	if _, err := w.Vocabulary.Lookup(ctx, other.HouseholdID, "burkarna"); err != nil {
		t.Errorf("the other household: %v", err)
	}
}

func TestWordsAreChecked(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	for _, l := range []vocabulary.Lesson{
		lesson("", "dishes"), lesson("  ", "dishes"), lesson("x", ""), lesson(strings.Repeat("x", homeops.MaxActivity+1), "dishes"),
		lesson("x", strings.Repeat("x", homeops.MaxActivity+1)),
	} {
		if _, err := w.Vocabulary.Confirm(t.Context(), home, l); err == nil || !isInvalid(err) {
			t.Errorf("%+v: %v", l, err)
		}
	}
	if _, err := w.Vocabulary.Confirm(t.Context(), home, lesson(strings.Repeat("x", homeops.MaxActivity), "dishes")); err != nil {
		t.Errorf("the longest word: %v", err)
	}
}

func isInvalid(err error) bool {
	_, ok := refusal.As(err, refusal.Invalid)
	return ok
}

// The words of a household are read together with the household, which must stay readable.
func TestWordsOfAHouseholdHaveALimit(t *testing.T) {
	w := homeopstest.Open(t)
	home, ctx := w.Home(t), t.Context()
	taught, refused := 0, error(nil)
	for ; taught < 600; taught++ {
		if _, refused = w.Vocabulary.Correct(ctx, home, lesson("word "+strconv.Itoa(taught), "dishes")); refused != nil {
			break
		}
		var err error
		if home, err = w.Households.Get(ctx, home.HouseholdID); err != nil {
			t.Fatalf("the household with %d words: %v", taught+1, err)
		}
	}
	if taught != homeops.MaxWords || !errors.Is(refused, vocabulary.ErrTooManyWords) {
		t.Errorf("%d words, then %v", taught, refused)
	}
	if _, err := w.Vocabulary.Confirm(ctx, home, lesson("another", "dishes")); !errors.Is(err, vocabulary.ErrTooManyWords) {
		t.Errorf("a confirmed word: %v", err)
	}
	if _, err := w.Vocabulary.Correct(ctx, home, lesson("word 1", "laundry")); err != nil {
		t.Errorf("another meaning of a known word: %v", err)
	}
}
