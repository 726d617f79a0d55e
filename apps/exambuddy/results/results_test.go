package results_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/exambuddy/sitting"
)

type scene struct {
	*exambuddytest.World
	admin   exambuddy.Admin
	project exambuddydb.Project
}

func open(t *testing.T, questions int, change func(*bank.Settings), options ...access.Option) *scene {
	w := exambuddytest.Open(t, options...)
	s := &scene{World: w, admin: w.Admin(t, "ada")}
	settings := exambuddytest.Settings("Networks")
	settings.Rules.Navigation = bank.Free
	if change != nil {
		change(&settings)
	}
	s.project = w.Published(t, s.admin, settings, questions)
	return s
}

// sit takes an exam with the given chosen options; "" leaves a question out. Questions are in the
// order of their texts.
func (s *scene) sit(t *testing.T, candidate exambuddy.Candidate, chosen ...string) exambuddydb.Attempt {
	t.Helper()
	state, err := s.Sitting.Start(t.Context(), candidate, sitting.Request{ProjectID: s.project.ProjectID, Mode: sitting.Exam, Difficulty: question.Medium, Count: len(chosen)})
	if err != nil {
		t.Fatal(err)
	}
	paper, err := s.Sitting.Paper(t.Context(), candidate, state.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range paper {
		var n int
		if _, err := fmt.Sscanf(q.Question.Text, "Question number %d?", &n); err != nil {
			t.Fatal(err)
		}
		if chosen[n-1] == "" {
			continue
		}
		in := sitting.Input{Position: q.Position, Sequence: 1, Answer: question.Answer{Chosen: []string{chosen[n-1]}}, Elapsed: time.Second}
		if _, err := s.Sitting.Answer(t.Context(), candidate, state.ID, state.Writer, in); err != nil {
			t.Fatal(err)
		}
	}
	attempt, err := s.Sitting.Submit(t.Context(), candidate, state.ID, state.Writer)
	if err != nil {
		t.Fatal(err)
	}
	return attempt
}

// TestScores is vector 7.
func TestScores(t *testing.T) {
	for _, c := range []struct{ right, of, tenths int }{{17, 20, 850}, {1, 3, 333}, {2, 3, 667}, {0, 3, 0}, {42, 50, 840}} {
		s := open(t, c.of, nil)
		chosen := make([]string, c.of)
		for i := range c.right {
			chosen[i] = "c"
		}
		attempt := s.sit(t, s.Candidate(t, "kim"), chosen...)
		if attempt.ScoreTenths != int64(c.tenths) || attempt.Score != int64(c.right) || attempt.TotalQuestions != int64(c.of) {
			t.Errorf("%d of %d is %d tenths, %d right of %d", c.right, c.of, attempt.ScoreTenths, attempt.Score, attempt.TotalQuestions)
		}
	}
}

// TestHistoryAndDateRange is vectors 10 and 11: the last second of the last day is in the range, and
// attempts are listed newest started first.
func TestHistoryAndDateRange(t *testing.T) {
	s := open(t, 1, nil)
	candidate := s.Candidate(t, "kim")
	last := time.Date(2037, time.February, 28, 23, 59, 59, 999e6, time.UTC)
	var want []string
	for _, at := range []time.Time{exambuddytest.Start, last, last.Add(time.Millisecond)} {
		s.Clock.Set(at)
		want = append([]string{s.sit(t, candidate, "c").AttemptID}, want...)
	}
	page, err := s.Results.History(t.Context(), candidate, 0, "")
	if err != nil || len(page.Items) != 3 {
		t.Fatalf("%d attempts: %v", len(page.Items), err)
	}
	for i, attempt := range page.Items {
		if attempt.AttemptID != want[i] {
			t.Errorf("attempt %d is %s", i, attempt.AttemptID)
		}
	}
	to, err := results.LastInstant("2037-02-28")
	if err != nil {
		t.Fatal(err)
	}
	inRange, err := s.Results.ByProject(t.Context(), s.admin, s.project.ProjectID, exambuddytest.Start.AddDate(0, 0, -1), to, 0, "")
	if err != nil || len(inRange.Items) != 2 || inRange.Items[0].AttemptID != want[1] {
		t.Errorf("%d attempts in the range: %v", len(inRange.Items), err)
	}
}

// TestReviewIsHiddenUntilTheExamCloses, and is for its candidate only.
func TestReviewIsHiddenUntilTheExamCloses(t *testing.T) {
	closes := exambuddytest.Start.Add(time.Hour)
	s := open(t, 2, func(settings *bank.Settings) {
		settings.Rules.Reveal, settings.Rules.ClosesAt = bank.RevealAtClose, &closes
	})
	candidate := s.Candidate(t, "kim")
	attempt := s.sit(t, candidate, "c", "a")
	for _, at := range []time.Duration{time.Hour - time.Millisecond, time.Hour + exambuddy.RevealAfter - time.Millisecond} { // a start may be under way
		s.At(at)
		if _, _, err := s.Results.Review(t.Context(), candidate, attempt.AttemptID); !errors.Is(err, exambuddy.ErrHidden) {
			t.Errorf("after %s: %v", at, err)
		}
	}
	s.At(time.Hour + exambuddy.RevealAfter)
	_, review, err := s.Results.Review(t.Context(), candidate, attempt.AttemptID)
	if err != nil || len(review) != 2 || review[0].Key.Explanation == "" {
		t.Errorf("after it: %d questions, %v", len(review), err)
	}
	if _, _, err := s.Results.Review(t.Context(), s.Candidate(t, "lee"), attempt.AttemptID); !errors.Is(err, exambuddy.ErrNoAttempt) {
		t.Errorf("another candidate: %v", err)
	}
	if _, _, err := s.Results.Details(t.Context(), s.Admin(t, "bob"), attempt.AttemptID); !errors.Is(err, exambuddy.ErrNoAttempt) {
		t.Errorf("another admin: %v", err)
	}
}

// TestAttemptSurvivesItsQuestion is vector 16.
func TestAttemptSurvivesItsQuestion(t *testing.T) {
	s := open(t, 1, nil)
	candidate := s.Candidate(t, "kim")
	attempt := s.sit(t, candidate, "c")
	_, before, err := s.Results.Review(t.Context(), candidate, attempt.AttemptID)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Bank.Remove(t.Context(), s.admin, s.project.ProjectID, before[0].ID); err != nil {
		t.Fatal(err)
	}
	_, after, err := s.Results.Review(t.Context(), candidate, attempt.AttemptID)
	if err != nil || after[0].Question.Text != before[0].Question.Text || !after[0].Correct {
		t.Errorf("the review is %+v: %v", after, err)
	}
}

// TestStatisticsCountEachAttemptOnce settles attempts several times and in any order, as a stream
// delivers them, and compares the sums with those of the attempts.
func TestStatisticsCountEachAttemptOnce(t *testing.T) {
	s := open(t, 14, nil) // two chunks
	random := rand.New(rand.NewPCG(1, 2))
	var attempts []exambuddydb.Attempt
	score := int64(0)
	for i := range 12 {
		candidate := s.Candidate(t, fmt.Sprintf("kim%d", i))
		chosen := make([]string, 14)
		for q := range chosen {
			chosen[q] = []string{"a", "b", "c", "c", ""}[random.IntN(5)]
		}
		times := 1
		if i == 0 {
			times = 2 // the second exam of a candidate is not part of the item analysis
		}
		for range times {
			attempt := s.sit(t, candidate, chosen...)
			attempts = append(attempts, attempt)
			score += attempt.ScoreTenths
		}
	}
	for range 2 {
		for _, i := range random.Perm(len(attempts)) {
			if err := s.Results.Settle(t.Context(), attempts[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	totals, err := s.Results.Totals(t.Context(), s.admin)
	if err != nil || len(totals) != 1 || totals[0].Attempts != 13 || totals[0].ScoreSum != score {
		t.Fatalf("the totals are %+v: %v", totals, err)
	}
	items, err := s.Results.Items(t.Context(), s.admin, s.project.ProjectID)
	if err != nil || len(items) != 14 {
		t.Fatalf("%d questions: %v", len(items), err)
	}
	for _, item := range items {
		chosen := int64(0)
		for _, o := range item.Options {
			chosen += o.Count
		}
		if item.Options["c"].PossiblyKey {
			t.Error("the right option is reported as a possible key")
		}
		if item.Answers != 12 || chosen != item.Answered || item.Options["c"].Count != item.Correct {
			t.Errorf("%d answers, %d answered, %d chosen, %d right", item.Answers, item.Answered, chosen, item.Correct)
		}
	}
	month, err := s.Results.Month(t.Context(), exambuddy.Operator{}, "2037-02")
	if err != nil || len(month) != 1 || month[0].Attempts != 13 {
		t.Errorf("the month is %+v: %v", month, err)
	}
	day := access.DateOf(exambuddytest.Start)
	days, err := s.Results.Days(t.Context(), s.admin, s.project.ProjectID, day, day)
	if err != nil || len(days) != 1 || days[0].Attempts != 13 {
		t.Errorf("the day is %+v: %v", days, err)
	}
}

// TestAStrongDistractorMayBeTheKey, and an option that no candidate chose is reported as such.
func TestAStrongDistractorMayBeTheKey(t *testing.T) {
	s := open(t, 3, nil)
	for i, chosen := range [][]string{{"a", "c", "c"}, {"a", "c", "c"}, {"c", "a", "a"}, {"c", "b", "a"}} {
		attempt := s.sit(t, s.Candidate(t, fmt.Sprintf("kim%d", i)), chosen...)
		if err := s.Results.Settle(t.Context(), attempt); err != nil {
			t.Fatal(err)
		}
	}
	items, err := s.Results.Items(t.Context(), s.admin, s.project.ProjectID)
	if err != nil || len(items) != 3 {
		t.Fatalf("%d questions: %v", len(items), err)
	}
	suspects := 0
	for _, item := range items {
		if item.Options["c"].PossiblyKey {
			t.Error("the right option is reported as a possible key")
		}
		if item.Options["a"].PossiblyKey {
			suspects++
		}
		if d, ok := item.Options["d"]; !ok || !d.NeverChosen {
			t.Errorf("an option that no candidate chose is %+v", d)
		}
	}
	if suspects != 1 {
		t.Errorf("%d questions have a possible key, want 1", suspects)
	}
}
