package practice_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy/practice"
	"sortkey.dev/apps/exambuddy/question"
)

var start = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)

func days(n float64) time.Time { return start.Add(time.Duration(n * 24 * float64(time.Hour))) }

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if math.Abs(got-want) > by {
		t.Errorf("%s is %.5f, want %.5f", what, got, want)
	}
}

func TestForgettingCurve(t *testing.T) {
	c := practice.Card{Stability: 10, Difficulty: 5, Last: start, Reviews: 1}
	near(t, "recall after 10 days", c.Recall(days(10)), 0.9, 0.00005)
	near(t, "recall after 20 days", c.Recall(days(20)), 0.825, 0.00005)
	near(t, "interval for 0.90", c.Interval(0.9), 10, 0.005)
	near(t, "interval for 0.80", c.Interval(0.8), 23.98, 0.005)
	near(t, "interval for 0.95", c.Interval(0.95), 4.61, 0.005)
	near(t, "recall before the review", c.Recall(days(-3)), 1, 0)
	near(t, "recall of a new card", practice.Card{}.Recall(start), 0, 0)
}

func TestReviewsChangeStability(t *testing.T) {
	c := practice.Card{}.Review(practice.Good, start)
	near(t, "first stability", c.Stability, 3.7145, 1e-9)
	near(t, "first difficulty", c.Difficulty, 5.1618, 1e-9)
	later := days(4)
	var stabilities, difficulties []float64
	for g := practice.Again; g <= practice.Easy; g++ {
		next := c.Review(g, later)
		stabilities, difficulties = append(stabilities, next.Stability), append(difficulties, next.Difficulty)
		if next.Reviews != 2 || next.Last != later || (next.Lapses == 1) != (g == practice.Again) {
			t.Errorf("%d: %+v", g, next)
		}
	}
	for i := 1; i < 4; i++ {
		if stabilities[i] <= stabilities[i-1] || difficulties[i] >= difficulties[i-1] {
			t.Errorf("stabilities %v, difficulties %v", stabilities, difficulties)
		}
	}
	if stabilities[0] > c.Stability {
		t.Error("a wrong answer makes a memory more stable")
	}
}

// TestAMissedQuestionComesBackSoon, is not known until then, and after a right answer stays away for
// more than a day.
func TestAMissedQuestionComesBackSoon(t *testing.T) {
	c := practice.Card{}.Review(practice.Again, start)
	if !c.Missed || c.Due(practice.Retention) != start.Add(practice.Relearn) || c.Known(start) != 0 {
		t.Errorf("after a wrong answer: %+v, due %s", c, c.Due(practice.Retention))
	}
	again := c.Review(practice.Again, c.Due(practice.Retention))
	if !again.Missed || again.Lapses != 1 {
		t.Errorf("after a second one: %+v", again)
	}
	right := again.Review(practice.Good, again.Due(practice.Retention))
	if right.Missed || right.Known(right.Last) != 1 || right.Due(practice.Retention).Before(right.Last.Add(24*time.Hour)) {
		t.Errorf("after a right answer: %+v, due %s", right, right.Due(practice.Retention))
	}
	if got := practice.Pick([]practice.Item{{ID: "faded", Card: practice.Card{Stability: 1, Difficulty: 5, Last: start, Reviews: 1}}, {ID: "missed", Card: practice.Card{}.Review(practice.Again, days(39))}}, days(40), practice.Options{}); got[0] != "missed" {
		t.Errorf("the order is %v", got)
	}
}

func TestManyReviewsStayBounded(t *testing.T) {
	c, now := practice.Card{}, start
	for i := range 500 {
		c = c.Review(practice.Grade(1+i*7%4), now)
		if c.Stability < 0.1 || c.Stability > 3650 || c.Difficulty < 1 || c.Difficulty > 10 || math.IsNaN(c.Stability) {
			t.Fatalf("after %d reviews: %+v", i+1, c)
		}
		now = c.Due(0.9)
	}
}

func TestGrades(t *testing.T) {
	const limit = 60 * time.Second
	for _, v := range []struct {
		mark  int
		spent time.Duration
		limit time.Duration
		grade practice.Grade
	}{
		{0, time.Second, limit, practice.Again}, {499, time.Second, limit, practice.Again}, {500, time.Second, limit, practice.Hard}, {question.Full, 55 * time.Second, limit, practice.Hard},
		{question.Full, 54 * time.Second, limit, practice.Good}, {question.Full, 15 * time.Second, limit, practice.Easy}, {question.Full, 16 * time.Second, limit, practice.Good}, {question.Full, time.Hour, 0, practice.Good},
	} {
		if got := practice.GradeOf(v.mark, v.spent, v.limit); got != v.grade {
			t.Errorf("%d after %s of %s is %d, want %d", v.mark, v.spent, v.limit, got, v.grade)
		}
	}
}

func TestPickTakesTheLeastRememberedFirst(t *testing.T) {
	var items []practice.Item
	for i := range 30 {
		items = append(items, practice.Item{ID: fmt.Sprintf("q%02d", i), Card: practice.Card{Stability: float64(1 + i), Difficulty: 5, Last: start, Reviews: 1}})
	}
	items = append(items, practice.Item{ID: "new1"}, practice.Item{ID: "new2"})
	got := practice.Pick(items, days(10), practice.Options{Reviews: 3, New: 1})
	if fmt.Sprint(got) != "[q00 q01 q02 new1]" {
		t.Errorf("got %v", got)
	}
	// Ten are due after ten days, at most twenty are asked, and one is due at its exact moment.
	if got := practice.Pick(items, days(10), practice.Options{New: 5}); len(got) != 12 {
		t.Errorf("got %v", got)
	}
	if got := practice.Pick(items, days(400), practice.Options{}); len(got) != 22 {
		t.Errorf("%d questions after a long pause", len(got))
	}
	if got := practice.Pick(items, start, practice.Options{}); fmt.Sprint(got) != "[new1 new2]" {
		t.Errorf("got %v", got)
	}
}

func TestWeakTopics(t *testing.T) {
	var answers []practice.Answered
	add := func(tag string, marks ...int) {
		for _, m := range marks {
			answers = append(answers, practice.Answered{Tags: []string{tag, "all"}, Mark: m})
		}
	}
	add("once", 0)
	add("weak", 0, 0, 0, 1000, 0, 0)
	add("strong", 1000, 1000, 1000, 500)
	got := practice.Topics(answers)
	if fmt.Sprint(got) != "[{weak 6 167} {once 1 0} {all 11 409} {strong 4 875}]" {
		t.Errorf("got %v", got)
	}
}
