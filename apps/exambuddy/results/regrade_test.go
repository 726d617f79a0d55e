package results_test

import (
	"fmt"
	"testing"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/results"
)

// questionNumber returns the id of a question by its number.
func (s *scene) questionNumber(t *testing.T, n int) string {
	t.Helper()
	page, err := s.Bank.Questions(t.Context(), s.admin, s.project.ProjectID, 100, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range page.Items {
		if item.Question.Text == fmt.Sprintf("Question number %d?", n) {
			return item.ID
		}
	}
	t.Fatalf("there is no question %d", n)
	return ""
}

func TestRegrade(t *testing.T) {
	for name, c := range map[string]struct {
		change  results.Change
		outcome results.Outcome
		tenths  []int64 // of the four candidates
		correct int64   // of question 1 in the statistics
	}{
		"accept also": {results.Change{Rule: results.AcceptAlso, Key: question.Key{Also: []string{"b"}}}, results.Outcome{Attempts: 4, Changed: 1, NowPassed: 1}, []int64{1000, 1000, 500, 500}, 2},
		"new key":     {results.Change{Rule: results.NewKey, Key: question.Key{Correct: []string{"b"}}}, results.Outcome{Attempts: 4, Changed: 2, NowPassed: 1, NowFailed: 1}, []int64{500, 1000, 500, 500}, 1},
		"full marks":  {results.Change{Rule: results.FullMarks}, results.Outcome{Attempts: 4, Changed: 3, NowPassed: 3}, []int64{1000, 1000, 1000, 1000}, 4},
		"drop":        {results.Change{Rule: results.Drop}, results.Outcome{Attempts: 4, Changed: 4, NowPassed: 3}, []int64{1000, 1000, 1000, 1000}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, 2, func(settings *bank.Settings) { settings.Rules.Certificates = true })
			c.change.QuestionID = s.questionNumber(t, 1)
			var candidates []exambuddy.Candidate
			var attempts []exambuddydb.Attempt
			for i, chosen := range []string{"c", "b", "a", ""} {
				candidates = append(candidates, s.Candidate(t, fmt.Sprintf("kim%d", i)))
				attempts = append(attempts, s.sit(t, candidates[i], chosen, "c"))
				if err := s.Results.Settle(t.Context(), attempts[i]); err != nil {
					t.Fatal(err)
				}
			}
			certificate, err := s.Results.Certificate(t.Context(), candidates[0], attempts[0].AttemptID)
			if err != nil {
				t.Fatal(err)
			}
			outcome, err := s.Results.Preview(t.Context(), s.admin, s.project.ProjectID, c.change)
			if err != nil || outcome != c.outcome {
				t.Fatalf("the preview is %+v: %v", outcome, err)
			}
			if attempt, err := s.Results.Own(t.Context(), candidates[1], attempts[1].AttemptID); err != nil || attempt.RegradeID != nil || attempt.ScoreTenths != 500 {
				t.Errorf("the preview has written %+v: %v", attempt, err)
			}
			regrade, err := s.Results.Regrade(t.Context(), s.admin, s.project.ProjectID, c.change)
			if err != nil {
				t.Fatal(err)
			}
			s.Work(t)
			if err := s.Results.RunRegrade(t.Context(), s.project.ProjectID, regrade.RegradeID); err != nil {
				t.Errorf("a second run: %v", err)
			}
			for i, want := range c.tenths {
				attempt, err := s.Results.Own(t.Context(), candidates[i], attempts[i].AttemptID)
				if err != nil || attempt.ScoreTenths != want || attempt.RegradedAt == nil || attempt.Passed != (want >= 700) {
					t.Errorf("attempt %d has %d tenths, passed %v: %v", i, attempt.ScoreTenths, attempt.Passed, err)
				}
				for range 2 {
					if err := s.Results.Settle(t.Context(), attempt); err != nil {
						t.Fatal(err)
					}
				}
			}
			s.sameStatistics(t, c.change.QuestionID, c.correct)
			verified, err := s.Results.VerifyCertificate(t.Context(), certificate.Code)
			if err != nil || (verified.RevokedAt != nil) != (c.tenths[0] < 700) {
				t.Errorf("the certificate is revoked %v: %v", verified.RevokedAt, err)
			}
		})
	}
}

// sameStatistics checks the right answers of a question, and that the totals agree with the attempts.
func (s *scene) sameStatistics(t *testing.T, questionID string, correct int64) {
	t.Helper()
	items, err := s.Results.Items(t.Context(), s.admin, s.project.ProjectID)
	if err != nil {
		t.Fatal(err)
	}
	got := int64(0)
	for _, item := range items {
		if item.QuestionID == questionID {
			got = item.Correct
		}
	}
	if got != correct {
		t.Errorf("the statistics have %d right answers, want %d", got, correct)
	}
	score, passed := int64(0), int64(0)
	for attempt, err := range s.DB.ScanAttempt().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		score += attempt.ScoreTenths
		if attempt.Passed {
			passed++
		}
	}
	totals, err := s.Results.Totals(t.Context(), s.admin)
	if err != nil || totals[0].ScoreSum != score || totals[0].Passed != passed || totals[0].Attempts != 4 {
		t.Errorf("the totals are %+v, want score %d and %d passed: %v", totals, score, passed, err)
	}
}
