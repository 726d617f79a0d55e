package speech_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/homeops/load"
	"sortkey.dev/apps/homeops/speech"
	"sortkey.dev/apps/homeops/understanding"
)

var locales = []understanding.Locale{understanding.Swedish, understanding.English}

func TestPhrasebooksAreComplete(t *testing.T) {
	for _, locale := range locales {
		book := reflect.ValueOf(speech.In(locale)).Elem()
		for i := range book.NumField() {
			if name := book.Type().Field(i).Name; book.Field(i).IsZero() {
				t.Errorf("%s: %s is missing", locale, name)
			}
		}
		for field, keys := range map[string]int{"trend": 4, "band": 4} {
			if got := book.FieldByName(field).Len(); got != keys {
				t.Errorf("%s: %s has %d texts, want %d", locale, field, got, keys)
			}
		}
	}
	if reflect.DeepEqual(speech.In(understanding.Swedish), speech.In(understanding.English)) {
		t.Error("both locales have the same texts")
	}
	if speech.In("xx") != speech.In(understanding.Swedish) {
		t.Error("an unknown locale is not Swedish")
	}
}

// Every sentence about every activity passes the gate, in both languages.
func TestEverySentencePassesTheToneGate(t *testing.T) {
	now := time.Date(2026, 2, 17, 10, 0, 0, 0, time.UTC)
	members := []string{"Anna", "Erik", "Maja"}
	for _, locale := range locales {
		book := speech.In(locale)
		check := func(text string, lines int) {
			t.Helper()
			if fault := speech.Check(text, lines, members); fault != "" {
				t.Errorf("%s: %q has the fault %s", locale, text, fault)
			}
		}
		for _, text := range []string{book.Ack, book.Changed, book.Removed, book.Paused, book.Resumed, book.Quieted,
			book.Erasing, book.Welcome, book.Help, book.HintLess, book.Invite("https://t.me/bot?start=onboard"), book.SignIn("https://x"), book.Entered("Hemma"), book.LinkGone, book.HomeFull} {
			check(text, 1)
		}
		check(book.Joined, 3)
		for _, d := range understanding.Catalogue() {
			noun := d.Noun(locale)
			for _, at := range []time.Time{now, now.AddDate(0, 0, -1), now.AddDate(0, 0, -2), now.AddDate(0, 0, -5), now.AddDate(0, -3, 0)} {
				check(book.Last("Anna", speech.Past(string(d.ID), locale), at, now), 1)
				check(book.Reminder(noun, at, now), 1)
				check(book.Fact("Erik", noun, at, now), 1)
			}
			check(book.LastNone(noun), 1)
			check(book.Count("Anna", noun, 1), 1)
			check(book.Count("Anna", noun, 4), 1)
			check(book.Total(noun, 1), 1)
			check(book.Total(noun, 4), 1)
			check(book.Missed(noun, time.Friday), 1)
			if text := book.Clarify(noun); text != "" {
				check(text, 1)
			}
		}
		for _, trend := range []load.Trend{load.Lighter, load.Same, load.Heavier, load.First} {
			for _, band := range []load.Band{load.Even, load.Mixed, load.Uneven, load.NotEnough} {
				view := speech.WeekView{Chores: 4, Pauses: 1, Trend: trend, Band: band, Habit: "yoga", Weekday: time.Monday}
				check(strings.Join(book.Insight(view), "\n"), 4)
			}
		}
	}
}

func TestToneGateRefuses(t *testing.T) {
	members := []string{"Anna", "Erik", "Lisa Maria"}
	for text, want := range map[string]speech.Fault{
		"Noterat ✓":                        "",
		"Du borde diska":                   speech.Blame,
		"Anna har gjort mer än vanligt":    speech.Comparison,
		"Gör detta idag":                   speech.Command,
		"Bra jobbat, Erik":                 speech.Judgement,
		"Det var dåligt":                   speech.Judgement,
		"Du gör aldrig något":              speech.Blame,
		"Aldrig loggat":                    "",
		"Skärp!":                           speech.Blame,
		"Disken måste tas":                 speech.Command,
		"Anna och Erik: Anna leder":        speech.Comparison,
		"Anna och Lisa Maria oftare":       speech.Comparison,
		"Anna diskade, Erik lagade":        "",
		"Anna oftare":                      "",
		"Well done":                        speech.Judgement,
		"You should rest":                  speech.Blame,
		"You never cook":                   speech.Blame,
		"Mustard and custard":              "",
		"Besten kom":                       "",
		"Noterat ✓ 🎉":                      speech.TooLoud,
		"en\ntvå":                          speech.TooLong,
		"":                                 speech.TooLong,
		strings.Repeat("a ", 101):          speech.TooLong,
		"Diskning finns kvar sedan igår.":  "",
		"DU BORDE":                         speech.Blame,
		"du, borde":                        speech.Blame,
		"Fredagsmys är bättre än storstäd": speech.Comparison,
	} {
		if got := speech.Check(text, 1, members); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if speech.Check("en\ntvå\ntre", 3, nil) != "" || speech.Check("en\ntvå\ntre\nfyra", 3, nil) != speech.TooLong {
		t.Error("three lines")
	}
}

// Vector 19.
func TestClarificationHasFiveWordsAtMost(t *testing.T) {
	sv, en := speech.In(understanding.Swedish), speech.In(understanding.English)
	for _, c := range []struct{ got, want string }{
		{sv.Clarify("pantning"), "Menade du pantning?"},
		{sv.Clarify("hämta hos farmor"), "Menade du hämta hos farmor?"},
		{sv.Clarify("hämta barnen hos farmor"), ""},
		{en.Clarify("changing sheets"), "Did you mean changing sheets?"},
		{en.Clarify("two words more"), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestDaysAreNamedRelativeToNow(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	book := speech.In(understanding.Swedish)
	now := time.Date(2026, 3, 30, 8, 0, 0, 0, zone) // a Monday, the day after the clock changed
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{time.Date(2026, 3, 30, 0, 1, 0, 0, zone), "Anna diskade senast idag kl 00:01."},
		{time.Date(2026, 3, 29, 23, 59, 0, 0, zone), "Anna diskade senast igår kl 23:59."},
		{time.Date(2026, 3, 28, 9, 5, 0, 0, zone), "Anna diskade senast i förrgår kl 09:05."},
		{time.Date(2026, 3, 24, 18, 0, 0, 0, zone), "Anna diskade senast tisdag kl 18:00."},
		{time.Date(2026, 3, 23, 18, 0, 0, 0, zone), "Anna diskade senast 23 mars kl 18:00."},
	} {
		if got := book.Last("Anna", speech.Past("dishes", understanding.Swedish), c.at, now); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := book.Reminder("diskning", now.AddDate(0, 0, -1), now); got != "Diskning finns kvar sedan igår." {
		t.Errorf("%q", got)
	}
	if got := speech.Past("måla staketet", understanding.Swedish); got != "gjorde måla staketet" {
		t.Errorf("%q", got)
	}
	if speech.Activity("dishes", understanding.English) != "dishes" || speech.Activity("måla", understanding.Swedish) != "måla" {
		t.Error("names of activities")
	}
}
