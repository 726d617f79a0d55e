package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/load"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/refusal"
)

// A Fact is an entry as every member of the household sees it. It does not say how heavy it was.
type Fact struct {
	EventID  string
	UserID   int64
	Name     string
	Activity string
	Category homeopsdb.EventCategory
	At       time.Time // in the household's zone
	Words    string    // the words it came from
}

// An Own is a member's own entry.
type Own struct {
	Fact
	Effort     homeopsdb.EventEffort
	Weight     float64 // what it weighs in the member's week
	Confidence float64
	Origin     homeopsdb.EventOrigin
}

func fact(home households.Home, e homeopsdb.Event) Fact {
	name := home.NameOf(e.UserID)
	if name == "" {
		name = e.UserName
	}
	return Fact{
		EventID: e.EventID, UserID: e.UserID, Name: name, Activity: e.Activity, Category: e.Category,
		At: e.OccurredAt.In(home.Zone()), Words: e.Description,
	}
}

// Log returns the entries of a household in a time range, in order of time.
func (s *Service) Log(ctx context.Context, home households.Home, from, to time.Time) ([]Fact, error) {
	events, err := s.env.DB.ListEventsInRange(home.Chats(), from, to).Limit(0).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list events: %w", err)
	}
	facts := make([]Fact, 0, len(events))
	for _, e := range events {
		if e.OccurredAt.Before(to) {
			facts = append(facts, fact(home, e))
		}
	}
	return facts, nil
}

// Recent returns a page of the household's log, newest first.
func (s *Service) Recent(ctx context.Context, home households.Home, cursor string) (access.Page[Fact], error) {
	page, err := s.env.DB.ListRecentEvents(home.Chats()).Page(ctx, cursor)
	if errors.Is(err, access.ErrBadCursor) {
		return access.Page[Fact]{}, refusal.BadCursor()
	}
	if err != nil {
		return access.Page[Fact]{}, fmt.Errorf("list recent events: %w", err)
	}
	facts := access.Page[Fact]{Next: page.Next}
	for _, e := range page.Items {
		facts.Items = append(facts.Items, fact(home, e))
	}
	return facts, nil
}

// Mine returns a page of a member's own entries, newest first.
func (s *Service) Mine(ctx context.Context, home households.Home, userID int64, cursor string) (access.Page[Own], error) {
	page, err := s.env.DB.ListEventsByUser(userID).Page(ctx, cursor)
	if errors.Is(err, access.ErrBadCursor) {
		return access.Page[Own]{}, refusal.BadCursor()
	}
	if err != nil {
		return access.Page[Own]{}, fmt.Errorf("list a member's events: %w", err)
	}
	own := access.Page[Own]{Next: page.Next}
	chats := home.Chats()
	for _, e := range page.Items {
		if slices.Contains(chats, e.ChatID) {
			own.Items = append(own.Items, Own{Fact: fact(home, e), Effort: e.Effort, Weight: e.Value, Confidence: e.Confidence, Origin: e.Origin})
		}
	}
	return own, nil
}

// Last returns who did an activity lately, the last one first, three at most.
func (s *Service) Last(ctx context.Context, home households.Home, activity string) ([]Fact, error) {
	events, err := s.env.DB.ListLastDoers(home.Chats(), activity).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list who did it last: %w", err)
	}
	var facts []Fact
	for _, e := range events {
		facts = append(facts, fact(home, e))
	}
	return facts, nil
}

// nearby is the number of entries that are read at once to find one of a certain member. In most
// households the first page has it.
const nearby = 20

// LastOf returns when a member did an activity last; ok is false if there is no entry.
func (s *Service) LastOf(ctx context.Context, home households.Home, userID int64, activity string) (last Fact, ok bool, err error) {
	for e, err := range s.env.DB.ListLastDoers(home.Chats(), activity).Limit(500).PageSize(nearby).All(ctx) {
		if err != nil {
			return Fact{}, false, fmt.Errorf("list who did it last: %w", err)
		}
		if e.UserID == userID {
			return fact(home, e), true, nil
		}
	}
	return Fact{}, false, nil
}

// CountOf returns how often a member, or all if it is 0, did an activity in the current week of a time.
func (s *Service) CountOf(ctx context.Context, home households.Home, userID int64, activity string, at time.Time) (int, error) {
	from, to := homeops.WeekRange(homeops.Week(at, home.Zone()), home.Zone())
	facts, err := s.Log(ctx, home, from, to)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, f := range facts {
		if (userID == 0 || f.UserID == userID) && f.Activity == activity {
			n++
		}
	}
	return n, nil
}

// MaxSearch is the number of entries that Search returns at most.
const MaxSearch = 50

// Search returns the entries since a time whose activity, words or member contain a text, newest
// first. Names of activities are matched in both languages.
func (s *Service) Search(ctx context.Context, home households.Home, text string, since time.Time) ([]Fact, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" || utf8.RuneCountInString(text) > homeops.MaxActivity {
		return nil, refusal.OutOfRange("text", "length", 1, homeops.MaxActivity, "Search for 1 to %d characters.", homeops.MaxActivity)
	}
	facts, err := s.Log(ctx, home, since, s.env.Now().Add(time.Millisecond))
	if err != nil {
		return nil, err
	}
	slices.Reverse(facts)
	facts = slices.DeleteFunc(facts, func(f Fact) bool {
		return !strings.Contains(strings.ToLower(strings.Join(append(names(f.Activity), f.Words, f.Name), "\n")), text)
	})
	return facts[:min(len(facts), MaxSearch)], nil
}

func names(activity string) []string {
	all := []string{activity}
	if d, ok := understanding.Lookup(understanding.ActivityID(activity)); ok {
		all = append(all, d.Noun(understanding.Swedish), d.Noun(understanding.English))
	}
	return all
}

// A Usual is a weekday on which a member usually does something. It has no counts: the calendar
// of a household compares no members.
type Usual struct {
	UserID   int64
	Name     string
	Activity string
	Weekday  time.Weekday
	Hour     int // at which it is done most often
	LastSeen time.Time
}

// Calendar returns what is usual on which weekday in a household, by weekday and hour.
func (s *Service) Calendar(ctx context.Context, home households.Home) ([]Usual, error) {
	habits, err := s.env.DB.ListHabitsByHousehold(home.HouseholdID).Limit(0).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list habits: %w", err)
	}
	var usual []Usual
	for _, h := range habits {
		for _, day := range UsualDays(h) {
			usual = append(usual, Usual{
				UserID: h.UserID, Name: home.NameOf(h.UserID), Activity: h.Activity, Weekday: day,
				Hour: most(h.Hours), LastSeen: h.LastSeen.In(home.Zone()),
			})
		}
	}
	slices.SortStableFunc(usual, func(a, b Usual) int {
		if a.Weekday != b.Weekday {
			return (int(a.Weekday)+6)%7 - (int(b.Weekday)+6)%7
		}
		if a.Hour != b.Hour {
			return a.Hour - b.Hour
		}
		return strings.Compare(a.Activity, b.Activity)
	})
	return usual, nil
}

// UsualDays returns the weekdays on which a habit is usual.
func UsualDays(h homeopsdb.Habit) []time.Weekday {
	var days []time.Weekday
	for i, n := range h.Weekdays {
		if n >= homeops.UsualOccurrences {
			days = append(days, time.Weekday((i+1)%7))
		}
	}
	return days
}

func most(counts []int64) int {
	best := 0
	for i, n := range counts {
		if n > counts[best] {
			best = i
		}
	}
	return best
}

// Efforts returns how heavy activities usually are for a member, for the classifier and for the
// member's own page.
func (s *Service) Efforts(ctx context.Context, home households.Home, userID int64) (map[understanding.ActivityID]understanding.Effort, error) {
	efforts, err := s.env.DB.ListEfforts(userID).Limit(0).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list efforts: %w", err)
	}
	usual := make(map[understanding.ActivityID]understanding.Effort)
	for _, e := range efforts {
		if e.HouseholdID == home.HouseholdID && e.SampleCount >= load.TrustedSamples {
			usual[understanding.ActivityID(e.Activity)] = []understanding.Effort{understanding.Low, understanding.Medium, understanding.High}[load.LevelOf(e.Ema)-1]
		}
	}
	return usual, nil
}
