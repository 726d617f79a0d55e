package questions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/refusal"
)

// A Condition is a group of questions that operators look for.
type Condition string

// The conditions. A hidden question also has one of the others.
const (
	ConditionAny     Condition = ""
	ConditionOpen    Condition = "open" // with or without answers
	ConditionClosed  Condition = "closed"
	ConditionExpired Condition = "expired"
	ConditionHidden  Condition = "hidden"
)

// A Search says which questions to find. Its zero value finds all.
type Search struct {
	AgentID   string // "" for any
	Condition Condition
	Text      string // a part of the prompt or the context, in any case
	Limit     int    // askahuman.DefaultPage if 0; at most askahuman.MaxPage
	Cursor    string // of the page before
}

// A page of a search ends after findRows questions that were read, findStep at a time.
const (
	findRows = 1000
	findStep = 60
)

// Find returns questions of all agents that are still kept, newest first. A page may be short, or
// even empty, and still not the last.
func (s *Service) Find(ctx context.Context, search Search) (QuestionPage, error) {
	switch search.Condition {
	case ConditionAny, ConditionOpen, ConditionClosed, ConditionExpired, ConditionHidden:
	default:
		allowed := []string{string(ConditionOpen), string(ConditionClosed), string(ConditionExpired), string(ConditionHidden)}
		return QuestionPage{}, refusal.OfField(refusal.Field{Name: "status", Constraint: "allowed", Allowed: allowed}, "Questions are open, closed, expired or hidden.")
	}
	if search.Limit == 0 {
		search.Limit = askahuman.DefaultPage
	}
	search.Limit = min(max(search.Limit, 1), askahuman.MaxPage)
	search.Text = strings.ToLower(strings.TrimSpace(search.Text))
	if search.AgentID != "" {
		return s.findOfAgent(ctx, search)
	}
	return s.findByDay(ctx, search)
}

// findOfAgent reads an agent's own questions.
func (s *Service) findOfAgent(ctx context.Context, search Search) (QuestionPage, error) {
	page := QuestionPage{Next: search.Cursor}
	for range askahuman.MaxPageReads {
		read, err := s.Questions(ctx, search.AgentID, "", search.Limit-len(page.Questions), page.Next)
		if err != nil {
			return QuestionPage{}, err
		}
		page.Questions = append(page.Questions, slices.DeleteFunc(read.Questions, func(q askahumandb.Question) bool { return !search.finds(q) })...)
		if page.Next = read.Next; page.Next == "" || len(page.Questions) == search.Limit {
			break
		}
	}
	return page, nil
}

// findByDay reads the questions of one day after the other.
func (s *Service) findByDay(ctx context.Context, search Search) (QuestionPage, error) {
	now := s.env.Now()
	before, last, err := s.openFindCursor(search.Cursor, now)
	if err != nil {
		return QuestionPage{}, err
	}
	f := finding{s: s, search: search, now: now, last: last}
	first := access.DateOf(now.Add(-askahuman.MaxTimeout - askahuman.KeepClosed))
	for day := access.DateOf(before); day >= first; day = access.DateOf(day.Time().AddDate(0, 0, -1)) {
		full, err := f.read(ctx, day, before)
		if err != nil {
			return QuestionPage{}, fmt.Errorf("find questions of %s: %w", day, err)
		}
		if full {
			f.page.Next = s.env.Box.Sign(findPurpose, f.last, time.Time{})
			break
		}
	}
	return f.page, nil
}

const findPurpose = "question search"

// openFindCursor returns the time and the id of the last question of the page before.
func (s *Service) openFindCursor(cursor string, now time.Time) (before time.Time, last string, err error) {
	if cursor == "" {
		return now, "", nil
	}
	if last, err = s.env.Box.Open(findPurpose, cursor, now); err == nil {
		before, err = access.TimeOfID(last)
	}
	if err != nil {
		return now, "", askahuman.BadCursor(access.ErrBadCursor)
	}
	return before, last, nil
}

// A finding is the state of a search.
type finding struct {
	s      *Service
	search Search
	now    time.Time
	page   QuestionPage
	last   string // id of the question that was read last; "" before the first
	rows   int
}

// read adds the questions of a day, and reports whether the page ends before the day does.
func (f *finding) read(ctx context.Context, day access.Date, before time.Time) (full bool, err error) {
	var ids []string
	for row, err := range f.s.env.DB.ListQuestionsByDay(day, f.s.env.AllParts(), before).Limit(0).PageSize(findStep).All(ctx) {
		if err != nil {
			return false, err
		}
		if f.last != "" && row.QuestionID >= f.last { // on the page before
			continue
		}
		if ids = append(ids, row.QuestionID); len(ids) < findStep {
			continue
		}
		if full, err := f.add(ctx, ids); full || err != nil {
			return full, err
		}
		ids = ids[:0]
	}
	return f.add(ctx, ids)
}

// add reads questions, and reports whether the page is full then.
func (f *finding) add(ctx context.Context, ids []string) (full bool, err error) {
	if len(ids) == 0 {
		return false, nil
	}
	found, err := f.s.env.DB.GetQuestions(ctx, ids)
	if err != nil {
		return false, err
	}
	for i, stored := range found {
		f.last = ids[i]
		f.rows++
		if stored == nil {
			continue
		}
		if q, kept := asOf(*stored, f.now); kept && f.search.finds(q) {
			f.page.Questions = append(f.page.Questions, q)
		}
		if len(f.page.Questions) == f.search.Limit || f.rows == findRows {
			return true, nil
		}
	}
	return false, nil
}

// finds reports whether a question is what the search is for.
func (search Search) finds(q askahumandb.Question) bool {
	switch search.Condition {
	case ConditionOpen:
		if !IsOpen(q.Status) {
			return false
		}
	case ConditionClosed:
		if q.Status != askahumandb.QuestionStatusClosed {
			return false
		}
	case ConditionExpired:
		if q.Status != askahumandb.QuestionStatusExpired {
			return false
		}
	case ConditionHidden:
		if !q.Hidden {
			return false
		}
	}
	if search.Text == "" {
		return true
	}
	text := q.Prompt
	if q.Context != nil {
		text += "\n" + *q.Context
	}
	return strings.Contains(strings.ToLower(text), search.Text)
}
