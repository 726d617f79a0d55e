package access_test

import (
	"fmt"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

func TestDatesAreDaysOfTheCalendar(t *testing.T) {
	for text, valid := range map[access.Date]bool{
		"2026-02-17": true, "2024-02-29": true, "0000-01-01": true, "9999-12-31": true,
		"": false, "2026-02-29": false, "2026-2-17": false, "2026-02-17T": false, "20260217": false, "2026-02-1x": false, "2026/02/17": false,
	} {
		if text.Valid() != valid {
			t.Errorf("%q is valid: %v", text, !valid)
		}
		if _, err := access.ParseDate(string(text)); (err == nil) != valid {
			t.Errorf("ParseDate(%q): %v", text, err)
		}
		if valid && access.DateOf(text.Time()) != text {
			t.Errorf("%s begins at %v", text, text.Time())
		}
		if !valid && !text.Time().IsZero() {
			t.Errorf("%q begins at %v", text, text.Time())
		}
	}
}

func TestWeeksAreThoseOfISO8601(t *testing.T) {
	for text, start := range map[access.Week]string{
		"2026-W07": "2026-02-09", "2026-W01": "2025-12-29", "2026-W53": "2026-12-28", "2020-W53": "2020-12-28", "2027-W01": "2027-01-04",
		"2025-W53": "", "2026-W00": "", "2026-W54": "", "2026-w07": "", "2026-W7": "", "": "", "x026-W07": "",
	} {
		if text.Valid() != (start != "") {
			t.Errorf("%q is valid: %v", text, text.Valid())
		}
		if _, err := access.ParseWeek(string(text)); (err == nil) != text.Valid() {
			t.Errorf("ParseWeek(%q): %v", text, err)
		}
		if start == "" {
			if !text.Start().IsZero() {
				t.Errorf("%q starts at %v", text, text.Start())
			}
			continue
		}
		if got := marshal.DayOf(text.Start()); got != start {
			t.Errorf("%s starts on %s, want %s", text, got, start)
		}
	}
}

func TestEveryDayLiesInItsWeek(t *testing.T) {
	for day := time.Date(1999, 12, 20, 5, 0, 0, 0, time.UTC); day.Year() < 2030; day = day.AddDate(0, 0, 1) {
		year, number := day.ISOWeek()
		week := access.WeekOf(day)
		if want := fmt.Sprintf("%04d-W%02d", year, number); string(week) != want || !week.Valid() {
			t.Fatalf("%v lies in %s, want %s", day, week, want)
		}
		if since := day.Sub(week.Start()); since < 0 || since >= 7*24*time.Hour {
			t.Fatalf("%v lies in %s, which starts at %v", day, week, week.Start())
		}
	}
	if got := access.WeekOf(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)); got != "" {
		t.Errorf("a week of the year -1 is %q", got)
	}
}
