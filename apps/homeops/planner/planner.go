// Package planner is the room that decides whether the bot says something unasked in a group: it
// reads members, open promises and habits of a household in one query and returns one action or
// none. It prefers silence, never speaks about a member whose load is high, and leaves budgets and
// quiet hours to package policy. The worker calls it when a promise is due and once a day.
package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/homeops/load"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/promises"
	"sortkey.dev/apps/homeops/speech"
)

// A Service has the rules of unasked messages. It is safe for concurrent use.
type Service struct {
	env        *homeops.Env
	households *households.Service
	promises   *promises.Service
	policy     *policy.Service
}

// New returns the room of an environment.
func New(env *homeops.Env, households *households.Service, promises *promises.Service, policy *policy.Service) *Service {
	return &Service{env: env, households: households, promises: promises, policy: policy}
}

// An Input holds everything that the choice of an action depends on.
type Input struct {
	Now      time.Time
	Zone     *time.Location
	Members  []homeopsdb.Member
	Promises []homeopsdb.Promise // open ones of members who have not left
	Habits   []homeopsdb.Habit   // active ones of members who have not left
	Strained map[int64]bool      // members whose load is high
}

// An Action is an unasked message. The zero Action is silence.
type Action struct {
	Promise *homeopsdb.Promise // to remind of
	Missed  *homeopsdb.Habit   // that did not take place on its usual day
	Weekday time.Weekday       // of Missed
}

// Choose returns one action or none: an overdue promise without a reminder, the oldest first, or
// else a habit that was missed on its usual day yesterday.
func Choose(in Input) Action {
	var due *homeopsdb.Promise
	for _, p := range in.Promises {
		if p.Deadline.Before(in.Now) && p.ReminderCount == 0 && !in.Strained[p.UserID] && (due == nil || p.Deadline.Before(due.Deadline)) {
			due = &p
		}
	}
	if due != nil {
		return Action{Promise: due}
	}
	yesterday := in.Now.In(in.Zone).AddDate(0, 0, -1)
	from, _ := homeops.DayRange(homeops.Day(yesterday, in.Zone), in.Zone)
	for _, h := range in.Habits {
		if in.Strained[h.UserID] || doneSince(in.Habits, h.Activity, from) || h.LastSeen.Before(in.Now.Add(-homeops.HabitLapse)) {
			continue
		}
		for _, day := range ledger.UsualDays(h) {
			if day == yesterday.Weekday() {
				return Action{Missed: &h, Weekday: day}
			}
		}
	}
	return Action{}
}

// doneSince reports whether any member did an activity since a time.
func doneSince(habits []homeopsdb.Habit, activity string, since time.Time) bool {
	for _, h := range habits {
		if h.Activity == activity && !h.LastSeen.Before(since) {
			return true
		}
	}
	return false
}

// Tick chooses an action for a household and carries it out if policy allows it.
func (s *Service) Tick(ctx context.Context, householdID string) (policy.Reason, error) {
	home, err := s.households.Get(ctx, householdID)
	if err != nil {
		return "", err
	}
	in, err := s.input(ctx, home)
	if err != nil {
		return "", err
	}
	action := Choose(in)
	switch {
	case action.Promise != nil:
		return s.remind(ctx, home, *action.Promise)
	case action.Missed != nil:
		h := *action.Missed
		return s.policy.Propose(ctx, policy.Proposal{
			Home: home, OutKey: "missed-" + h.Activity + "-" + string(homeops.Day(in.Now, in.Zone)), Kind: homeopsdb.BotMessageKindReminder,
			Text:   speech.In(home.Language()).Missed(speech.Activity(h.Activity, home.Language()), action.Weekday),
			UserID: h.UserID, Activity: h.Activity,
		})
	}
	return policy.None, nil
}

// input reads what the planner needs, in one query and one more for each member.
func (s *Service) input(ctx context.Context, home households.Home) (Input, error) {
	found, err := s.env.DB.LoadPlannerInput(ctx, home.HouseholdID)
	if err != nil && !errors.Is(err, access.ErrTruncated) {
		return Input{}, fmt.Errorf("load the planner's input: %w", err)
	}
	left := func(userID int64) bool { _, ok := home.Member(userID); return !ok }
	in := Input{
		Now: s.env.Now(), Zone: home.Zone(), Members: found.Members,
		Promises: slices.DeleteFunc(found.Promises, func(p homeopsdb.Promise) bool { return left(p.UserID) }),
		Habits:   slices.DeleteFunc(found.Habits, func(h homeopsdb.Habit) bool { return left(h.UserID) }),
		Strained: make(map[int64]bool),
	}
	for _, m := range found.Members {
		if in.Strained[m.UserID], err = s.strained(ctx, home, m.UserID); err != nil {
			return Input{}, err
		}
	}
	return in, nil
}

// strained reports whether the last closed week was heavy for a member.
func (s *Service) strained(ctx context.Context, home households.Home, userID int64) (bool, error) {
	weeks, err := s.env.DB.ListSummaries(home.HouseholdID, userID).Limit(9).Slice(ctx)
	if err != nil {
		return false, fmt.Errorf("list summaries: %w", err)
	}
	if len(weeks) < 2 {
		return false, nil
	}
	var past []float64
	for _, w := range weeks[1:] {
		past = append(past, w.NetLoad)
	}
	return load.Strained(weeks[0].NetLoad, past), nil
}

// Due handles a promise whose deadline has passed: it reminds once, and expires the promise after
// the grace. It returns when to look at the promise again; the zero time for never.
func (s *Service) Due(ctx context.Context, userID int64, promiseID string) (again time.Time, err error) {
	p, err := s.promises.Get(ctx, userID, promiseID)
	if errors.Is(err, promises.ErrNoPromise) || err == nil && p.Status != homeopsdb.PromiseStatusActive {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	home, err := s.households.Get(ctx, p.HouseholdID)
	if errors.Is(err, households.ErrNoHousehold) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	now := s.env.Now()
	if now.Before(p.Deadline) {
		return p.Deadline, nil
	}
	if expired, err := s.promises.Expire(ctx, p); err != nil || expired {
		return time.Time{}, err
	}
	if _, ok := home.Member(userID); !ok || p.ReminderCount > 0 { // nobody is reminded of what one who left said
		return promises.GraceEnds(p), nil
	}
	if start := home.Quiet().Speakable(now, home.Zone()); start.After(now) {
		return start, nil
	}
	if strained, err := s.strained(ctx, home, userID); err != nil || strained {
		return promises.GraceEnds(p), err
	}
	reason, err := s.remind(ctx, home, p)
	switch {
	case err != nil:
		return time.Time{}, err
	case reason == policy.Spoke:
		return now.Add(homeops.PromiseGrace), nil
	case reason == policy.Cooldown:
		return now.Add(home.Cooldown()), nil
	case reason == policy.DailyCap: // tomorrow is another budget
		tomorrow := home.Quiet().Speakable(homeops.NextAt(now, home.Zone(), 0, -1), home.Zone())
		return earlier(tomorrow, promises.GraceEnds(p)), nil
	}
	return promises.GraceEnds(p), nil
}

// remind says that a promise is open: in private to a member who wants that, otherwise in the
// group without a name. The reminder is counted in the transaction that plans the message.
func (s *Service) remind(ctx context.Context, home households.Home, p homeopsdb.Promise) (policy.Reason, error) {
	prefs, err := s.households.Preferences(ctx, p.UserID)
	if err != nil {
		return "", err
	}
	now := s.env.Now().In(home.Zone())
	text := speech.In(home.Language()).Reminder(speech.Activity(p.Activity, home.Language()), p.CreatedAt.In(home.Zone()), now)
	also := func(tx access.Tx) { s.promises.Remind(tx, p) }
	if prefs.Insist {
		reason, err := s.policy.Whisper(ctx, policy.Whisper{
			Home: home, UserID: p.UserID, OutKey: "promise-" + p.PromiseID, Kind: homeopsdb.BotMessageKindReminder, Text: text,
			Activity: p.Activity, Asked: true, Also: also,
		})
		if err != nil || reason != policy.NoChannel {
			return reason, err
		}
	}
	return s.policy.Propose(ctx, policy.Proposal{
		Home: home, OutKey: "promise-" + p.PromiseID, Kind: homeopsdb.BotMessageKindReminder, Text: text, UserID: p.UserID,
		Activity: p.Activity, Also: also,
	})
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// Lapse ends habits that were not seen for two months, so that the planner does not read them.
func (s *Service) Lapse(ctx context.Context, householdID string) error {
	now := s.env.Now()
	for h, err := range s.env.DB.ListHabitsByHousehold(householdID).Limit(0).All(ctx) {
		if err != nil {
			return fmt.Errorf("list habits: %w", err)
		}
		if now.Sub(h.LastSeen) <= homeops.HabitLapse {
			continue
		}
		_, err := s.env.DB.LearnHabit(ctx, h.Key(), homeopsdb.HabitStatusLapsed, homeopsdb.LearnHabitParams{
			Weekdays: make([]int64, 7), Hours: make([]int64, 24), TotalCount: 0, LastSeen: h.LastSeen, Version: h.Version,
		})
		if err != nil && !access.Contended(err) { // done again meanwhile
			return fmt.Errorf("end a habit: %w", err)
		}
	}
	return nil
}
