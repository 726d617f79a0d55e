// Package insights is the room of weeks: it closes the week of a household, stores the balance of
// each pair of members and a summary for each member, and shows a member their own week. It is
// private by construction: no exported method returns a load of another member, and a member sees
// how even the household is as a band, not as a score. The worker closes weeks; doors and package
// conversation show a member's own.
package insights

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/load"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/speech"
)

// A Service has the rules of weeks. It is safe for concurrent use.
type Service struct {
	env        *homeops.Env
	households *households.Service
	policy     *policy.Service
}

// New returns the room of an environment.
func New(env *homeops.Env, households *households.Service, policy *policy.Service) *Service {
	return &Service{env: env, households: households, policy: policy}
}

// An Insight is a member's own week.
type Insight struct {
	Week       access.Week
	Chores     int
	Pauses     int
	Effort     float64
	Recovery   float64
	NetLoad    float64
	Trend      load.Trend
	Band       load.Band // how even the household was in what was written
	Activities []string  // the member's own, the most frequent ones first, three at most
	Closed     bool      // the week is over
}

// member holds the week of a member while it is computed.
type member struct {
	userID     int64
	week       load.Week
	net        float64
	past       []float64 // net loads of earlier weeks, the latest first
	history    float64
	covered    bool
	activities map[string]int
}

// CloseWeek stores the balances and summaries of a week of a household. It may be called again; a
// later call replaces what an earlier one stored.
func (s *Service) CloseWeek(ctx context.Context, householdID string, week access.Week) error {
	home, err := s.households.Get(ctx, householdID)
	if err != nil {
		return err
	}
	members, err := s.compute(ctx, home, week)
	if err != nil {
		return err
	}
	now := s.env.Now()
	expires := now.Add(homeops.KeepEvents)
	score := fairness(members)
	for i, a := range members {
		for _, b := range members[i+1:] {
			if a.userID > b.userID {
				a, b = b, a
			}
			_, err := s.env.DB.SaveBalance(ctx, homeopsdb.Balance{
				HouseholdID: householdID, User1ID: a.userID, User2ID: b.userID, Period: week, NetLoad1: a.net, NetLoad2: b.net,
				Delta: a.net - b.net, UpdatedAt: now, ExpiresAt: expires,
			})
			if err != nil {
				return fmt.Errorf("store a balance: %w", err)
			}
		}
		if err := s.save(ctx, home, week, members[i], score, expires); err != nil {
			return err
		}
	}
	return nil
}

// save stores the summary of a member. That it was sent stays known.
func (s *Service) save(ctx context.Context, home households.Home, week access.Week, m member, score *float64, expires time.Time) error {
	before, err := s.env.DB.GetSummary(ctx, home.HouseholdID, m.userID, week)
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("read a summary: %w", err)
	}
	_, err = s.env.DB.SaveSummary(ctx, homeopsdb.Summary{
		HouseholdID: home.HouseholdID, UserID: m.userID, Period: week, ChoresCount: int64(m.week.Chores), RecoveryCount: int64(m.week.Pauses),
		Effort: m.week.Effort, Recovery: m.week.Recovery, NetLoad: m.net, HistoryLoad: m.history, Covered: score != nil, FairnessScore: score,
		Highlights: top(m.activities), SentAt: before.SentAt, CreatedAt: s.env.Now(), ExpiresAt: expires,
	})
	if err != nil {
		return fmt.Errorf("store a summary: %w", err)
	}
	return nil
}

// compute returns the weeks of the active members of a household. A member who joined after the
// week and has nothing in it has no such week.
func (s *Service) compute(ctx context.Context, home households.Home, week access.Week) ([]member, error) {
	from, to := homeops.WeekRange(week, home.Zone())
	events, err := s.env.DB.ListEventsInRange(home.Chats(), from, to).Limit(0).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the events of a week: %w", err)
	}
	var members []member
	for _, present := range home.Active() {
		id := present.UserID
		m := member{userID: id, activities: make(map[string]int)}
		for _, e := range events {
			if e.UserID != id || !e.OccurredAt.Before(to) {
				continue
			}
			if e.Category == homeopsdb.EventCategoryChore {
				m.week.Chores++
				m.week.Effort += e.Value
			} else {
				m.week.Pauses++
				m.week.Recovery += e.Value
			}
			m.activities[e.Activity]++
		}
		if !present.JoinedAt.Before(to) && len(m.activities) == 0 {
			continue
		}
		m.net = m.week.Net(home.RecoveryWeight)
		if m.past, err = s.past(ctx, home.HouseholdID, id, week); err != nil {
			return nil, err
		}
		m.history = load.History(m.past)
		if m.covered, err = s.covered(ctx, home, m, from, to); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	return members, nil
}

// past returns the net loads of the eight weeks before a week, the latest first.
func (s *Service) past(ctx context.Context, householdID string, userID int64, week access.Week) ([]float64, error) {
	summaries, err := s.env.DB.ListSummaries(householdID, userID).Limit(maxWeeks + 1).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list summaries: %w", err)
	}
	var nets []float64
	for _, summary := range summaries {
		if summary.Period < week && len(nets) < maxWeeks {
			nets = append(nets, summary.NetLoad)
		}
	}
	return nets, nil
}

// covered reports whether a member wrote and logged enough in a week to be compared.
func (s *Service) covered(ctx context.Context, home households.Home, m member, from, to time.Time) (bool, error) {
	days, err := s.env.DB.ListUserDays(home.HouseholdID, m.userID, homeops.Day(from, home.Zone()), homeops.Day(to.Add(-time.Hour), home.Zone())).Slice(ctx)
	if err != nil {
		return false, fmt.Errorf("list the days of a member: %w", err)
	}
	messages := 0
	for _, d := range days {
		messages += int(d.Messages)
	}
	p, err := s.households.Preferences(ctx, m.userID)
	if err != nil {
		return false, err
	}
	return load.Covered(messages, m.week.Chores+m.week.Pauses, households.Paused(p, s.env.Now())), nil
}

// fairness returns the score of a week; nil if a member wrote too little, or is alone.
func fairness(members []member) *float64 {
	var loads []float64
	for _, m := range members {
		if !m.covered {
			return nil
		}
		history := m.history
		if len(m.past) == 0 { // without a past, this week is all there is
			history = m.net
		}
		loads = append(loads, load.Combined(m.net, history))
	}
	if len(loads) < 2 {
		return nil
	}
	return new(load.Fairness(loads))
}

func top(activities map[string]int) []string {
	names := []string{}
	for name := range activities {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if activities[a] != activities[b] {
			return activities[b] - activities[a]
		}
		return strings.Compare(a, b)
	})
	return names[:min(len(names), 3)]
}

// Mine returns a week of a member: as it was closed, or as it is so far. The error is ErrNoMember
// for a person who is no member of the household.
func (s *Service) Mine(ctx context.Context, home households.Home, userID int64, week access.Week) (Insight, error) {
	if _, ok := home.Member(userID); !ok {
		return Insight{}, households.ErrNoMember
	}
	summary, err := s.env.DB.GetSummary(ctx, home.HouseholdID, userID, week)
	if err == nil {
		return s.insight(ctx, summary)
	}
	if !errors.Is(err, access.ErrNotFound) {
		return Insight{}, fmt.Errorf("read a summary: %w", err)
	}
	members, err := s.compute(ctx, home, week)
	if err != nil {
		return Insight{}, err
	}
	i := slices.IndexFunc(members, func(m member) bool { return m.userID == userID })
	if i < 0 {
		return shown(homeopsdb.Summary{Period: week}, false, false), nil
	}
	m := members[i]
	return shown(homeopsdb.Summary{
		Period: week, ChoresCount: int64(m.week.Chores), RecoveryCount: int64(m.week.Pauses), Effort: m.week.Effort, Recovery: m.week.Recovery,
		NetLoad: m.net, HistoryLoad: m.history, Highlights: top(m.activities),
	}, len(m.past) > 0, false), nil
}

// Weeks returns the last closed weeks of a member, the latest first.
func (s *Service) Weeks(ctx context.Context, home households.Home, userID int64) ([]Insight, error) {
	if _, ok := home.Member(userID); !ok {
		return nil, households.ErrNoMember
	}
	summaries, err := s.env.DB.ListSummaries(home.HouseholdID, userID).Limit(maxWeeks + 1).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list summaries: %w", err)
	}
	var weeks []Insight
	for i, summary := range summaries[:min(len(summaries), maxWeeks)] {
		weeks = append(weeks, shown(summary, i+1 < len(summaries), true))
	}
	return weeks, nil
}

// maxWeeks is the number of past weeks that a member sees, and that a week is compared with.
const maxWeeks = 8

// insight returns a closed week as its member sees it.
func (s *Service) insight(ctx context.Context, summary homeopsdb.Summary) (Insight, error) {
	past, err := s.past(ctx, summary.HouseholdID, summary.UserID, summary.Period)
	// Of a week before all that past reads, the stored history says whether there was an earlier one.
	return shown(summary, len(past) > 0 || summary.HistoryLoad != 0, true), err
}

// shown returns a week as its member sees it; hasPast reports that there is an earlier week.
func shown(s homeopsdb.Summary, hasPast, closed bool) Insight {
	i := Insight{
		Week: s.Period, Chores: int(s.ChoresCount), Pauses: int(s.RecoveryCount), Effort: s.Effort, Recovery: s.Recovery,
		NetLoad: s.NetLoad, Trend: load.First, Band: load.BandOf(s.FairnessScore), Activities: s.Highlights, Closed: closed,
	}
	if hasPast {
		i.Trend = load.TrendOf(s.NetLoad, s.HistoryLoad)
	}
	return i
}

// Text returns the lines about a member's week.
func Text(home households.Home, i Insight) string {
	view := speech.WeekView{Chores: i.Chores, Pauses: i.Pauses, Trend: i.Trend, Band: i.Band}
	return strings.Join(speech.In(home.Language()).Insight(view), "\n")
}

// maxLines is the number of lines about a week.
const maxLines = 4

// Send sends a member the summary of a closed week in private, once. Members who want none, members
// without an open channel, and members who joined after the week get none.
func (s *Service) Send(ctx context.Context, home households.Home, userID int64, week access.Week) (policy.Reason, error) {
	p, err := s.households.Preferences(ctx, userID)
	if err != nil {
		return "", err
	}
	if !p.WeeklyInsight || households.Paused(p, s.env.Now()) {
		return policy.Suppressed, nil
	}
	summary, err := s.env.DB.GetSummary(ctx, home.HouseholdID, userID, week)
	if errors.Is(err, access.ErrNotFound) { // joined after the week
		return policy.None, nil
	}
	if err != nil {
		return "", fmt.Errorf("read a summary: %w", err)
	}
	if summary.SentAt != nil {
		return policy.None, nil
	}
	closed, err := s.insight(ctx, summary)
	if err != nil {
		return "", err
	}
	now := s.env.Now()
	return s.policy.Whisper(ctx, policy.Whisper{
		Home: home, UserID: userID, OutKey: "week-" + home.HouseholdID + "-" + string(week), Kind: homeopsdb.BotMessageKindInsight,
		Text: Text(home, closed), MaxLines: maxLines,
		Also: func(tx access.Tx) {
			s.env.DB.Join(tx).MarkSummarySent(summary.Key(), homeopsdb.MarkSummarySentParams{SentAt: &now})
		},
	})
}

// Tell sends a member the current week in private, because they asked.
func (s *Service) Tell(ctx context.Context, home households.Home, userID int64, outKey string) (policy.Reason, error) {
	mine, err := s.Mine(ctx, home, userID, homeops.Week(s.env.Now(), home.Zone()))
	if err != nil {
		return "", err
	}
	return s.policy.Whisper(ctx, policy.Whisper{
		Home: home, UserID: userID, OutKey: outKey, Kind: homeopsdb.BotMessageKindInsight, Text: Text(home, mine), MaxLines: maxLines, Asked: true,
	})
}
