package timewords_test

import (
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/timewords"
)

const layout = "2006-01-02 15:04"

func stockholm(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func at(t testing.TB, text string) time.Time {
	t.Helper()
	moment, err := time.ParseInLocation(layout, text, stockholm(t))
	if err != nil {
		t.Fatal(err)
	}
	return moment
}

// find returns the only expression of a phrase.
func find(t *testing.T, phrase string, l understanding.Locale) timewords.Expression {
	t.Helper()
	found := timewords.Find(strings.Fields(phrase), l)
	if len(found) != 1 {
		t.Fatalf("%q: %d expressions, want 1", phrase, len(found))
	}
	if found[0].Start != 0 || found[0].End != len(strings.Fields(phrase)) {
		t.Fatalf("%q: words %d to %d are the expression", phrase, found[0].Start, found[0].End)
	}
	return found[0].Time
}

func TestDeadlines(t *testing.T) {
	const tuesday = "2026-02-17 10:30"
	for _, c := range []struct {
		locale            understanding.Locale
		phrase, now, want string
	}{
		{"sv", "sen", tuesday, "2026-02-18 00:00"},
		{"sv", "senare idag", tuesday, "2026-02-18 00:00"},
		{"sv", "strax", tuesday, "2026-02-17 12:30"},
		{"sv", "idag", tuesday, "2026-02-18 00:00"},
		{"sv", "ikväll", tuesday, "2026-02-17 21:00"},
		{"sv", "ikväll", "2026-02-17 20:59", "2026-02-17 21:00"},
		{"sv", "ikväll", "2026-02-17 21:00", "2026-02-18 00:00"},
		{"sv", "i eftermiddag", tuesday, "2026-02-17 17:00"},
		{"sv", "imorgon", tuesday, "2026-02-18 21:00"},
		{"sv", "i morgon bitti", tuesday, "2026-02-18 10:00"},
		{"sv", "imorgon förmiddag", tuesday, "2026-02-18 12:00"},
		{"sv", "imorgon kväll", tuesday, "2026-02-18 21:00"},
		{"sv", "imorgon kl 8", tuesday, "2026-02-18 08:00"},
		{"sv", "imorgon kväll kl 8", tuesday, "2026-02-18 20:00"},
		{"sv", "imorgon kl 5", tuesday, "2026-02-18 17:00"},
		{"sv", "i övermorgon", tuesday, "2026-02-19 21:00"},
		{"sv", "på fredag", tuesday, "2026-02-20 21:00"},
		{"sv", "fredag", tuesday, "2026-02-20 21:00"},
		{"sv", "på fredag kväll", tuesday, "2026-02-20 21:00"},
		{"sv", "på tisdag", tuesday, "2026-02-24 21:00"},
		{"sv", "nästa torsdag", tuesday, "2026-02-26 21:00"},
		{"sv", "senast på torsdag", tuesday, "2026-02-19 21:00"},
		{"sv", "före lördag", tuesday, "2026-02-21 00:00"},
		{"sv", "i helgen", tuesday, "2026-02-22 21:00"},
		{"sv", "i helgen", "2026-02-22 09:00", "2026-02-23 00:00"},
		{"sv", "innan helgen", tuesday, "2026-02-21 00:00"},
		{"sv", "nästa vecka", tuesday, "2026-03-01 21:00"},
		{"sv", "i veckan", tuesday, "2026-02-22 21:00"},
		{"sv", "om en timme", tuesday, "2026-02-17 11:30"},
		{"sv", "om en halvtimme", tuesday, "2026-02-17 11:00"},
		{"sv", "om en halv timme", tuesday, "2026-02-17 11:00"},
		{"sv", "om 20 min", tuesday, "2026-02-17 10:50"},
		{"sv", "om ett par timmar", tuesday, "2026-02-17 12:30"},
		{"sv", "om tre dagar", tuesday, "2026-02-20 10:30"},
		{"sv", "kl 18", tuesday, "2026-02-17 18:00"},
		{"sv", "kl 7", tuesday, "2026-02-17 19:00"},
		{"sv", "klockan 9", tuesday, "2026-02-17 21:00"},
		{"sv", "kl 08:00", tuesday, "2026-02-18 08:00"},
		{"sv", "15.30", tuesday, "2026-02-17 15:30"},
		{"sv", "halv sju", tuesday, "2026-02-17 18:30"},
		{"sv", "halv 1", tuesday, "2026-02-17 12:30"},
		{"sv", "den 20:e", tuesday, "2026-02-20 21:00"},
		{"sv", "den 3 mars", tuesday, "2026-03-03 21:00"},
		{"sv", "den 16:e", tuesday, "2026-03-16 21:00"},
		{"sv", "den 31:a", tuesday, "2026-03-31 21:00"},
		{"sv", "den 29 februari", tuesday, "2028-02-29 21:00"},
		{"sv", "3 mars", tuesday, "2026-03-03 21:00"},
		{"sv", "före 20 december", tuesday, "2026-12-20 00:00"},
		{"sv", "innan den 20:e", tuesday, "2026-02-20 00:00"},
		{"sv", "före den 17:e", tuesday, "2026-02-18 00:00"},
		{"sv", "senast 20 december", tuesday, "2026-12-20 21:00"},
		{"sv", "senast den 20:e", tuesday, "2026-02-20 21:00"},
		{"sv", "den 24 dec", tuesday, "2026-12-24 21:00"},
		{"sv", "nästa månad", tuesday, "2026-03-17 10:30"},
		{"sv", "efter jobbet", tuesday, "2026-02-17 21:00"},
		{"en", "later", tuesday, "2026-02-18 00:00"},
		{"en", "soon", tuesday, "2026-02-17 12:30"},
		{"en", "tonight", tuesday, "2026-02-17 21:00"},
		{"en", "this afternoon", tuesday, "2026-02-17 17:00"},
		{"en", "tomorrow", tuesday, "2026-02-18 21:00"},
		{"en", "tomorrow morning", tuesday, "2026-02-18 10:00"},
		{"en", "tomorrow before noon", tuesday, "2026-02-18 12:00"},
		{"en", "tomorrow at 4pm", tuesday, "2026-02-18 16:00"},
		{"en", "the day after tomorrow", tuesday, "2026-02-19 21:00"},
		{"en", "on friday", tuesday, "2026-02-20 21:00"},
		{"en", "next friday", tuesday, "2026-02-27 21:00"},
		{"en", "by thursday", tuesday, "2026-02-19 21:00"},
		{"en", "before saturday", tuesday, "2026-02-21 00:00"},
		{"en", "this weekend", tuesday, "2026-02-22 21:00"},
		{"en", "next week", tuesday, "2026-03-01 21:00"},
		{"en", "in an hour", tuesday, "2026-02-17 11:30"},
		{"en", "in half an hour", tuesday, "2026-02-17 11:00"},
		{"en", "in 20 minutes", tuesday, "2026-02-17 10:50"},
		{"en", "in a couple of hours", tuesday, "2026-02-17 12:30"},
		{"en", "at 4", tuesday, "2026-02-17 16:00"},
		{"en", "at 3:30", tuesday, "2026-02-17 15:30"},
		{"en", "at 12 am", tuesday, "2026-02-18 00:00"},
		{"en", "half past six", tuesday, "2026-02-17 18:30"},
		{"en", "quarter to nine", tuesday, "2026-02-17 20:45"},
		{"en", "on the 20th", tuesday, "2026-02-20 21:00"},
		{"en", "on the 3rd of march", tuesday, "2026-03-03 21:00"},
		{"en", "on march 3", tuesday, "2026-03-03 21:00"},
		{"en", "on 3 march", tuesday, "2026-03-03 21:00"},
		{"en", "on 1 january", tuesday, "2027-01-01 21:00"},
		{"en", "before 20 december", tuesday, "2026-12-20 00:00"},
		{"en", "before december 20th", tuesday, "2026-12-20 00:00"},
		{"en", "before the 20th", tuesday, "2026-02-20 00:00"},
		{"en", "before 20 december at 6", tuesday, "2026-12-20 18:00"},
		{"en", "by 20 december", tuesday, "2026-12-20 21:00"},
		{"en", "by december 20", tuesday, "2026-12-20 21:00"},
		{"en", "by the 20th", tuesday, "2026-02-20 21:00"},
		{"en", "by the 3rd of march", tuesday, "2026-03-03 21:00"},
		{"en", "by 20 december at 6", tuesday, "2026-12-20 18:00"},
		{"en", "march 10", tuesday, "2026-03-10 21:00"},
		{"en", "24 dec at 6", tuesday, "2026-12-24 18:00"},
		{"en", "next month", tuesday, "2026-03-17 10:30"},

		// Clocks go forward on 2026-03-29 at 02:00 and back on 2026-10-25 at 03:00.
		{"sv", "sen", "2026-03-28 20:00", "2026-03-29 00:00"},
		{"sv", "sen", "2026-03-29 00:30", "2026-03-30 00:00"},
		{"sv", "imorgon", "2026-03-28 20:00", "2026-03-29 21:00"},
		{"sv", "om en timme", "2026-03-29 01:30", "2026-03-29 03:30"},
		{"sv", "om en dag", "2026-03-28 20:00", "2026-03-29 20:00"},
		{"sv", "imorgon", "2026-10-24 20:00", "2026-10-25 21:00"},
		{"sv", "om två timmar", "2026-10-25 01:30", "2026-10-25 02:30"},
		{"sv", "ikväll", "2026-10-25 01:30", "2026-10-25 21:00"},
		{"en", "in a week", "2026-10-20 09:00", "2026-10-27 09:00"},
		{"sv", "på söndag", "2026-10-20 09:00", "2026-10-25 21:00"},
	} {
		got := find(t, c.phrase, c.locale).Deadline(at(t, c.now)).Format(layout)
		if got != c.want {
			t.Errorf("%q at %s: %s, want %s", c.phrase, c.now, got, c.want)
		}
	}
}

func TestPast(t *testing.T) {
	const tuesday = "2026-02-17 10:30"
	for _, c := range []struct {
		locale       understanding.Locale
		phrase, want string
		exact        bool
	}{
		{"sv", "igår", "2026-02-16 12:00", false},
		{"sv", "igår kväll", "2026-02-16 20:00", false},
		{"sv", "i förrgår", "2026-02-15 12:00", false},
		{"sv", "i morse", "2026-02-17 08:00", false},
		{"sv", "idag", tuesday, false},
		{"sv", "nyss", tuesday, false},
		{"sv", "ikväll", tuesday, false}, // not later than the message
		{"sv", "i lördags", "2026-02-14 12:00", false},
		{"sv", "i tisdags", "2026-02-10 12:00", false},
		{"sv", "i helgen", "2026-02-15 12:00", false},
		{"sv", "förra veckan", "2026-02-10 12:00", false},
		{"sv", "för två timmar sen", "2026-02-17 08:30", true},
		{"sv", "för tre dagar sedan", "2026-02-14 10:30", false},
		{"sv", "igår kl 18", "2026-02-16 18:00", true},
		{"sv", "kl 8", "2026-02-17 08:00", true},
		{"sv", "den 3:e", "2026-02-03 12:00", false},
		{"sv", "den 31 december", "2025-12-31 12:00", false},
		{"sv", "3 februari kl 18", "2026-02-03 18:00", true},
		{"sv", "den 17:e", tuesday, false},
		{"sv", "den 20:e", tuesday, false}, // nearer than the last one
		{"sv", "den 24 december", "2025-12-24 12:00", false},
		{"sv", "den 3 mars", tuesday, false},
		{"sv", "förra månaden", "2026-01-17 10:30", false},
		{"en", "yesterday", "2026-02-16 12:00", false},
		{"en", "last night", "2026-02-16 20:00", false},
		{"en", "this morning", "2026-02-17 08:00", false},
		{"en", "on friday", "2026-02-13 12:00", false},
		{"en", "last monday", "2026-02-16 12:00", false},
		{"en", "two hours ago", "2026-02-17 08:30", true},
		{"en", "yesterday at 6", "2026-02-16 18:00", true},
		{"en", "on the 3rd", "2026-02-03 12:00", false},
		{"en", "on february 3", "2026-02-03 12:00", false},
		{"en", "on 3 february", "2026-02-03 12:00", false},
		{"en", "on march 3rd", tuesday, false},
		{"en", "last month", "2026-01-17 10:30", false},
	} {
		e := find(t, c.phrase, c.locale)
		moment, exact := e.Past(at(t, tuesday))
		if got := moment.Format(layout); got != c.want || exact != c.exact {
			t.Errorf("%q: %s, exact %t; want %s, %t", c.phrase, got, exact, c.want, c.exact)
		}
	}
}

func TestNoTimeWords(t *testing.T) {
	for _, c := range []struct {
		locale understanding.Locale
		text   string
	}{
		{"sv", "jag har 3 katter och en hund"},
		{"sv", "det handlar om pengar"},
		{"sv", "matchen slutade 3-2"},
		{"sv", "vi var fyra personer"},
		{"sv", "den 31 februari"},
		{"sv", "den 0 mars"},
		{"en", "the sun may shine"},
		{"en", "i have 3 cats"},
		{"en", "in march we moved"},
		{"en", "on the 31st of april"},
		{"en", "i will march 10 km"},
		{"en", "we march 20 minutes"},
		{"en", "i will march 10"},
		{"en", "i 'll probably march 10 tall"},
		{"en", "we have to march 10"},
		{"en", "3 may come and may 3 others"},
	} {
		for _, m := range timewords.Find(strings.Fields(c.text), c.locale) {
			t.Errorf("%q: words %d to %d are read as a time", c.text, m.Start, m.End)
		}
	}
}

// TestDatesAfterOtherWords: a date stays one after a verb and after "to", and an ordinal names no distance.
func TestDatesAfterOtherWords(t *testing.T) {
	for _, text := range []string{"i will paint it march 10", "let us move it to march 10", "from march 3 to march 10", "i will march 10th", "i have to paint by march 10"} {
		found := timewords.Find(strings.Fields(text), understanding.English)
		if len(found) == 0 || found[len(found)-1].End != len(strings.Fields(text)) {
			t.Errorf("%q: %v", text, found)
			continue
		}
		if got := found[len(found)-1].Time.Deadline(at(t, "2026-02-17 10:30")).Format(layout); got != "2026-03-10 21:00" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// TestDeadlineIsAfterNow resolves every phrase of the tables at every hour of the days on which
// clocks change and of the days around a year's end.
func TestDeadlineIsAfterNow(t *testing.T) {
	phrases := map[understanding.Locale][]string{
		"sv": {"sen", "strax", "idag", "ikväll", "imorgon", "i morgon bitti", "på lunchen", "inatt", "på söndag", "före söndag", "i helgen", "innan helgen", "nästa vecka", "om en timme", "kl 2", "kl 14", "kl 02:30", "halv tre", "den 25:e", "den 29:e", "före den 29:e", "idag kl 3"},
		"en": {"later", "tonight", "tomorrow", "this morning", "on sunday", "before monday", "this week", "in 90 min", "at 2", "at 2am", "half past two", "on the 31st", "before the 31st"},
	}
	for _, day := range []string{"2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25", "2026-12-31", "2028-02-29"} {
		for locale, list := range phrases {
			for _, phrase := range list {
				e := find(t, phrase, locale)
				now := at(t, day+" 00:00")
				for range 50 {
					if due := e.Deadline(now); !due.After(now) {
						t.Errorf("%q at %s: %s is not later", phrase, now, due)
					}
					if was, _ := e.Past(now); was.After(now) {
						t.Errorf("%q at %s: %s is later", phrase, now, was)
					}
					now = now.Add(30 * time.Minute)
				}
			}
		}
	}
}

func TestMergeJoinsDayAndHour(t *testing.T) {
	day, hour := find(t, "imorgon", "sv"), find(t, "kl 17", "sv")
	both, ok := day.Merge(hour)
	if got := both.Deadline(at(t, "2026-02-17 10:30")).Format(layout); !ok || got != "2026-02-18 17:00" {
		t.Errorf("imorgon and kl 17: %s, %t", got, ok)
	}
	if _, ok := day.Merge(find(t, "på fredag", "sv")); ok {
		t.Error("imorgon and på fredag name one moment")
	}
}
