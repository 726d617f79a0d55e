package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/load"
)

// lessons collects what the events of one transaction teach about efforts and habits, because a
// transaction writes an item once.
type lessons struct {
	*Service
	home    households.Home
	efforts map[learner]*effortLesson
	habits  map[learner]*habitLesson
	order   []learner // in which they were read first
}

type learner struct {
	userID   int64
	activity string
}

type effortLesson struct {
	item  homeopsdb.Effort
	read  int64 // samples, as they were read
	isNew bool
	dirty bool
}

type habitLesson struct {
	item  homeopsdb.Habit
	isNew bool
	dirty bool
}

func newLessons(s *Service, home households.Home) *lessons {
	return &lessons{Service: s, home: home, efforts: make(map[learner]*effortLesson), habits: make(map[learner]*habitLesson)}
}

// did learns from an activity that was done, and returns what it weighs for the member.
func (l *lessons) did(ctx context.Context, userID int64, activity string, effort homeopsdb.EventEffort, at time.Time) (float64, error) {
	value, err := l.felt(ctx, userID, activity, effort)
	if err != nil {
		return 0, err
	}
	return value, l.seen(ctx, userID, activity, at, 1)
}

// felt learns how heavy an activity was, and returns what it weighs for the member.
func (l *lessons) felt(ctx context.Context, userID int64, activity string, effort homeopsdb.EventEffort) (float64, error) {
	lesson, err := l.effort(ctx, userID, activity)
	if err != nil {
		return 0, err
	}
	stated := effortValue(effort)
	average := load.Average{Value: lesson.item.Ema, Samples: lesson.item.SampleCount}
	average = average.Add(float64(stated), load.AlphaEffort)
	lesson.item.Ema = average.Value
	lesson.item.LastEffort = homeopsdb.EffortLastEffort(effort)
	lesson.item.UpdatedAt = l.env.Now()
	lesson.item.SampleCount = average.Samples
	lesson.dirty = true
	return load.Value(stated, average), nil
}

func (l *lessons) effort(ctx context.Context, userID int64, activity string) (*effortLesson, error) {
	key := learner{userID, activity}
	if lesson := l.efforts[key]; lesson != nil {
		return lesson, nil
	}
	item, err := l.env.DB.GetEffort(ctx, l.home.HouseholdID, userID, activity)
	lesson := &effortLesson{item: item, read: item.SampleCount}
	if errors.Is(err, access.ErrNotFound) {
		lesson.isNew = true
		lesson.item = homeopsdb.Effort{HouseholdID: l.home.HouseholdID, UserID: userID, Activity: activity}
	} else if err != nil {
		return nil, fmt.Errorf("read an effort: %w", err)
	}
	l.efforts[key] = lesson
	l.note(key)
	return lesson, nil
}

// seen counts an activity on a weekday and an hour; by is -1 when a log is undone.
func (l *lessons) seen(ctx context.Context, userID int64, activity string, at time.Time, by int64) error {
	lesson, err := l.habit(ctx, userID, activity)
	if err != nil {
		return err
	}
	local := at.In(l.home.Zone())
	add := func(counts []int64, i int) { counts[i] = max(counts[i]+by, 0) }
	add(lesson.item.Weekdays, (int(local.Weekday())+6)%7)
	add(lesson.item.Hours, local.Hour())
	lesson.item.TotalCount = max(lesson.item.TotalCount+by, 0)
	if by > 0 && (lesson.item.TotalCount == by || at.After(lesson.item.LastSeen)) { // the first, or the last
		lesson.item.LastSeen = at
	}
	lesson.item.Status = homeopsdb.HabitStatusActive
	if lesson.item.TotalCount == 0 {
		lesson.item.Status = homeopsdb.HabitStatusLapsed
	}
	lesson.dirty = true
	return nil
}

func (l *lessons) habit(ctx context.Context, userID int64, activity string) (*habitLesson, error) {
	key := learner{userID, activity}
	if lesson := l.habits[key]; lesson != nil {
		return lesson, nil
	}
	item, err := l.env.DB.GetHabit(ctx, userID, l.home.HouseholdID, activity)
	lesson := &habitLesson{item: item}
	if errors.Is(err, access.ErrNotFound) {
		lesson.isNew = true
		lesson.item = homeopsdb.Habit{
			HouseholdID: l.home.HouseholdID, UserID: userID, Activity: activity,
			Weekdays: make([]int64, 7), Hours: make([]int64, 24), Status: homeopsdb.HabitStatusActive,
		}
	} else if err != nil {
		return nil, fmt.Errorf("read a habit: %w", err)
	}
	l.habits[key] = lesson
	l.note(key)
	return lesson, nil
}

func (l *lessons) note(key learner) {
	if !slices.Contains(l.order, key) {
		l.order = append(l.order, key)
	}
}

// write adds everything that was learned to a transaction.
func (l *lessons) write(tx *homeopsdb.Tx) {
	for _, key := range l.order {
		if e := l.efforts[key]; e != nil && e.dirty {
			l.writeEffort(tx, e)
		}
		if h := l.habits[key]; h != nil && h.dirty {
			l.writeHabit(tx, h)
		}
	}
}

func (l *lessons) writeEffort(tx *homeopsdb.Tx, e *effortLesson) {
	if e.isNew {
		tx.FirstEffort(e.item)
		return
	}
	// The number of samples is the version: the generated write adds one to the number that was
	// read. Several samples of one message count as one write and one sample.
	tx.LearnEffort(e.item.Key(), homeopsdb.LearnEffortParams{
		Ema: e.item.Ema, LastEffort: e.item.LastEffort, UpdatedAt: e.item.UpdatedAt, SampleCount: e.read,
	})
}

func (l *lessons) writeHabit(tx *homeopsdb.Tx, h *habitLesson) {
	if h.isNew {
		if h.item.TotalCount > 0 {
			tx.FirstHabit(h.item)
		}
		return
	}
	tx.LearnHabit(h.item.Key(), h.item.Status, homeopsdb.LearnHabitParams{
		Weekdays: h.item.Weekdays, Hours: h.item.Hours, TotalCount: h.item.TotalCount, LastSeen: h.item.LastSeen, Version: h.item.Version,
	})
}

// effortValue returns 1, 2 or 3.
func effortValue(e homeopsdb.EventEffort) int {
	switch e {
	case homeopsdb.EventEffortLow:
		return 1
	case homeopsdb.EventEffortHigh:
		return 3
	}
	return 2
}
