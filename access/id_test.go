package access_test

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"sortkey.dev/access"
)

var (
	ulidShape   = regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	uuidShape   = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	uuidv7Shape = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
)

func TestIDsSortByTheirTime(t *testing.T) {
	start := time.Date(2026, 2, 6, 9, 0, 0, 0, time.UTC)
	for name, kind := range map[string]struct {
		make  func(time.Time) string
		shape *regexp.Regexp
	}{
		"ulid":   {access.NewULID, ulidShape},
		"uuidv7": {access.NewUUIDv7, uuidv7Shape},
	} {
		t.Run(name, func(t *testing.T) {
			var ids []string
			for i := range 300 { // three for each millisecond, and many for one
				ids = append(ids, kind.make(start.Add(time.Duration(i/3)*time.Millisecond)))
			}
			for range 5000 {
				ids = append(ids, kind.make(start.Add(time.Second)))
			}
			for i, id := range ids {
				if !kind.shape.MatchString(id) {
					t.Fatalf("%q has not the shape of a %s", id, name)
				}
				at, err := access.TimeOfID(id)
				if want := start.Add(time.Duration(i/3) * time.Millisecond); i < 300 && (err != nil || !at.Equal(want)) {
					t.Fatalf("%s is of %v, %v; want %v", id, at, err, want)
				}
			}
			if !slices.IsSorted(ids) {
				t.Error("ids do not sort in the order they were made")
			}
			if len(slices.Compact(ids)) != 5300 {
				t.Error("an id was made twice")
			}
		})
	}
}

// Callers look at the clock first and come for their id when they get to it.
func TestIDsRiseWhateverTheOrderOfClocks(t *testing.T) {
	start := time.Date(2026, 2, 6, 9, 0, 0, 0, time.UTC)
	byTime := map[time.Time][]string{}
	for i := range 400 {
		at := start.Add(time.Duration(i*7%16) * time.Millisecond)
		byTime[at] = append(byTime[at], access.NewULID(at))
	}
	for at, ids := range byTime {
		if !slices.IsSorted(ids) {
			t.Errorf("the ids of %v do not sort in the order they were made", at)
		}
	}
}

func TestIDsOfTimesThatDoNotFit(t *testing.T) {
	early, late := access.NewULID(time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)), access.NewULID(time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC))
	if early[:10] != "0000000000" || late[:10] != "7ZZZZZZZZZ" {
		t.Errorf("got %s and %s, want the ends of what fits", early, late)
	}
}

func TestUUIDsAreRandom(t *testing.T) {
	a, b := access.NewUUID(), access.NewUUID()
	if a == b || !uuidShape.MatchString(a) || !uuidShape.MatchString(b) {
		t.Errorf("got %s and %s, want two UUIDs of version 4", a, b)
	}
}
