package understanding_test

import (
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/homeops/understanding"
)

func TestCatalogueIsCompleteInBothLanguages(t *testing.T) {
	seen := map[understanding.ActivityID]bool{}
	nouns := map[string]bool{}
	for _, d := range understanding.Catalogue() {
		if seen[d.ID] {
			t.Errorf("%s is listed twice", d.ID)
		}
		seen[d.ID] = true
		if d.Effort.Value() == 0 || d.Kind != understanding.Chore && d.Kind != understanding.Recovery {
			t.Errorf("%s: effort %q, kind %q", d.ID, d.Effort, d.Kind)
		}
		for _, l := range []understanding.Locale{understanding.Swedish, understanding.English} {
			noun := d.Noun(l)
			if noun == "" || d.Names[l].Past == "" {
				t.Errorf("%s has no name in %s", d.ID, l)
			}
			if nouns[string(l)+noun] {
				t.Errorf("two activities are called %q in %s", noun, l)
			}
			nouns[string(l)+noun] = true
			// A clarification has two words beside the noun and at most five in all.
			if n := len(strings.Fields(noun)); n > 3 {
				t.Errorf("%s: %q has %d words, more than 3", d.ID, noun, n)
			}
		}
		if found, ok := understanding.Lookup(d.ID); !ok || found.ID != d.ID {
			t.Errorf("Lookup(%s) = %v, %t", d.ID, found.ID, ok)
		}
	}
	if _, ok := understanding.Lookup("juggling"); ok {
		t.Error("Lookup found an activity that is not in the catalogue")
	}
}

func TestSpanIn(t *testing.T) {
	for _, c := range []struct {
		span understanding.Span
		want string
	}{
		{understanding.Span{Start: 0, End: 3}, "dis"},
		{understanding.Span{Start: 2, End: 5}, "ska"},
		{understanding.Span{Start: 0, End: 6}, ""},
		{understanding.Span{Start: -1, End: 2}, ""},
		{understanding.Span{Start: 3, End: 2}, ""},
	} {
		if got := c.span.In("diska"); got != c.want {
			t.Errorf("%v.In = %q, want %q", c.span, got, c.want)
		}
	}
}

func TestLocalUsesTheZoneOfTheHousehold(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	m := understanding.Message{SentAt: time.Date(2026, 7, 1, 22, 30, 0, 0, time.UTC), Zone: zone}
	if got := m.Local().Format("2006-01-02 15:04"); got != "2026-07-02 00:30" {
		t.Errorf("Local = %s", got)
	}
	m.Zone = nil
	if got := m.Local().Format("2006-01-02 15:04"); got != "2026-07-01 22:30" {
		t.Errorf("Local without a zone = %s", got)
	}
}
