// Package practice decides which questions a candidate should practise: spaced repetition by
// FSRS-4.5, and the topics in which answers are weak. It is pure: it stores nothing and knows no
// clock. The results room and the practice mode call it.
package practice

import (
	"cmp"
	"math"
	"slices"
	"time"

	"sortkey.dev/apps/exambuddy/question"
)

// A Grade says how well a question was remembered.
type Grade int

// The grades.
const (
	Again Grade = iota + 1 // wrong
	Hard                   // partly right, or at the last moment
	Good
	Easy // right and fast
)

// GradeOf returns the grade of an answer from its mark and its time. limit is the time limit of the
// question; 0 if there is none.
func GradeOf(mark int, spent, limit time.Duration) Grade {
	switch {
	case mark < question.Full/2:
		return Again
	case mark < question.Full || limit > 0 && spent > limit*9/10:
		return Hard
	case limit > 0 && spent <= limit/4:
		return Easy
	}
	return Good
}

// A Card holds the memory of a candidate for a question. The zero Card was never reviewed.
type Card struct {
	Stability  float64 // days until the probability of recall falls to 90 %
	Difficulty float64 // from 1 to 10
	Last       time.Time
	Reviews    int
	Lapses     int  // reviews with the grade Again after the first
	Missed     bool // the last review had the grade Again
}

// weights are the default parameters of FSRS-4.5.
var weights = [17]float64{0.4872, 1.4003, 3.7145, 13.8206, 5.1618, 1.2298, 0.8975, 0.031, 1.6474, 0.1367, 1.0461, 2.1072, 0.0793, 0.3246, 1.587, 0.2272, 2.8755}

const (
	day          = 24 * time.Hour
	factor       = 19.0 / 81
	minStability = 0.1
	maxStability = 3650
	// Retention is the usual probability of recall at which a question is due.
	Retention = 0.9
	// Relearn is the time after which a question that was not known comes back. It is shorter than the
	// interval of any other card.
	Relearn = 10 * time.Minute
)

// Known returns the probability that the candidate knows the answer: 0 if the card is new or the last
// answer was wrong, because in an exam the right one was not shown.
func (c Card) Known(now time.Time) float64 {
	if c.Missed {
		return 0
	}
	return c.Recall(now)
}

// Recall returns the probability that the candidate remembers what the last review showed; 0 if the
// card is new.
func (c Card) Recall(now time.Time) float64 {
	if c.Reviews == 0 || c.Stability <= 0 {
		return 0
	}
	t := math.Max(now.Sub(c.Last).Hours()/24, 0)
	return math.Pow(1+factor*t/c.Stability, -0.5)
}

// Interval returns the days after a review until the probability of recall falls to retention.
func (c Card) Interval(retention float64) float64 {
	return c.Stability / factor * (math.Pow(retention, -2) - 1)
}

// Due returns when the question should be practised again. A new card is due at once, and one that was
// not known after Relearn.
func (c Card) Due(retention float64) time.Time {
	switch {
	case c.Reviews == 0:
		return time.Time{}
	case c.Missed:
		return c.Last.Add(Relearn)
	}
	return c.Last.Add(time.Duration(c.Interval(retention) * float64(day)))
}

// Review returns the card after a review.
func (c Card) Review(g Grade, now time.Time) Card {
	g = min(max(g, Again), Easy)
	if c.Reviews == 0 {
		return Card{Stability: weights[g-1], Difficulty: bounded(weights[4]-float64(g-3)*weights[5], 1, 10), Last: now, Reviews: 1, Missed: g == Again}
	}
	recall := c.Recall(now)
	next := c
	next.Difficulty = bounded(weights[7]*weights[4]+(1-weights[7])*(c.Difficulty-weights[6]*float64(g-3)), 1, 10)
	if g == Again {
		next.Lapses++
		forgotten := weights[11] * math.Pow(c.Difficulty, -weights[12]) * (math.Pow(c.Stability+1, weights[13]) - 1) * math.Exp(weights[14]*(1-recall))
		next.Stability = math.Min(forgotten, c.Stability)
	} else {
		growth := math.Exp(weights[8]) * (11 - c.Difficulty) * math.Pow(c.Stability, -weights[9]) * (math.Exp(weights[10]*(1-recall)) - 1)
		switch g {
		case Hard:
			growth *= weights[15]
		case Easy:
			growth *= weights[16]
		}
		next.Stability = c.Stability * (1 + growth)
		if c.Missed { // soon after a wrong answer the curve says little: the first right one counts as hard
			next.Stability = math.Max(next.Stability, weights[Hard-1])
		}
	}
	next.Missed = g == Again
	next.Stability = bounded(next.Stability, minStability, maxStability)
	next.Last = now
	next.Reviews++
	return next
}

func bounded(v, least, most float64) float64 { return math.Min(math.Max(v, least), most) }

// An Item is a question with its card.
type Item struct {
	ID   string
	Card Card
}

// Options bound a practice. Zero values mean the default.
type Options struct {
	Retention float64 // 0.9
	Reviews   int     // due questions; 20
	New       int     // questions that were never practised; 5
}

// Pick returns the ids of the questions to practise now: those that are due, the least remembered
// first, and then new ones in their order. The bounds keep a pause from ending in a wall of questions.
func Pick(items []Item, now time.Time, o Options) []string {
	o.Retention, o.Reviews, o.New = cmp.Or(o.Retention, Retention), cmp.Or(o.Reviews, 20), cmp.Or(o.New, 5)
	var due, fresh []Item
	for _, item := range items {
		switch {
		case item.Card.Reviews == 0:
			fresh = append(fresh, item)
		case !item.Card.Due(o.Retention).After(now):
			due = append(due, item)
		}
	}
	slices.SortStableFunc(due, func(a, b Item) int {
		return cmp.Or(cmp.Compare(a.Card.Known(now), b.Card.Known(now)), cmp.Compare(a.ID, b.ID))
	})
	var ids []string
	for _, item := range append(due[:min(len(due), o.Reviews)], fresh[:min(len(fresh), o.New)]...) {
		ids = append(ids, item.ID)
	}
	return ids
}

// An Answered is the mark of one answer, with the tags of its question.
type Answered struct {
	Tags []string
	Mark int // from 0 to question.Full
}

// A Topic holds the mean mark of a candidate in the questions of a tag.
type Topic struct {
	Tag     string
	Answers int
	Tenths  int // the mean mark in tenths of a per cent
}

// Topics returns all topics, the weakest first. The order takes a topic with few answers as nearer to
// the middle than its mean, so that one wrong answer is not the weakest topic of all.
func Topics(answers []Answered) []Topic {
	type sum struct{ count, marks int }
	sums := map[string]sum{}
	for _, a := range answers {
		for _, tag := range a.Tags {
			s := sums[tag]
			sums[tag] = sum{s.count + 1, s.marks + a.Mark}
		}
	}
	var all []Topic
	for tag, s := range sums {
		all = append(all, Topic{Tag: tag, Answers: s.count, Tenths: question.Percent(s.marks, s.count)})
	}
	cautious := func(t Topic) float64 {
		s := sums[t.Tag]
		return float64(s.marks+question.Full) / float64(s.count+2)
	}
	slices.SortFunc(all, func(a, b Topic) int {
		return cmp.Or(cmp.Compare(cautious(a), cautious(b)), cmp.Compare(a.Tag, b.Tag))
	})
	return all
}
