package sitting_test

import (
	"sync"
	"testing"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/sitting"
)

// limited opens an exam with a number of attempts that can be practised.
func limited(t *testing.T, attempts int64, overdue string) *scene {
	return open(t, 2, func(settings *bank.Settings) {
		settings.Rules.MaxAttempts, settings.Rules.Overdue, settings.Rules.Practice = &attempts, overdue, true
	})
}

func (s *scene) taken(t *testing.T, want int64) {
	t.Helper()
	if taken, err := s.Sitting.Taken(t.Context(), s.candidate, s.project.ProjectID); err != nil || taken != want {
		t.Errorf("%d attempts are taken, not %d: %v", taken, want, err)
	}
}

func (s *scene) refused(t *testing.T) {
	t.Helper()
	_, err := s.Sitting.Start(t.Context(), s.candidate, sitting.Request{ProjectID: s.project.ProjectID, Mode: sitting.Exam, Difficulty: question.Medium, Count: 2})
	if !hasCode(err, exambuddy.CodeAttempts) {
		t.Errorf("another start gives %v", err)
	}
}

func TestCancelledExamCountsAsAttempt(t *testing.T) {
	s := limited(t, 2, bank.OverdueSubmit)
	for want := range int64(2) {
		state := s.start(t, sitting.Exam, question.Medium, 2)
		if left, limited, err := s.Sitting.LeftAfter(t.Context(), s.candidate, s.project); err != nil || !limited || left != 1-want {
			t.Errorf("%d attempts are left after attempt %d: %v", left, want+1, err)
		}
		if err := s.Sitting.Cancel(t.Context(), s.candidate, state.ID); err != nil {
			t.Fatal(err)
		}
		s.taken(t, want+1)
	}
	s.refused(t)
	if page, err := s.Results.History(t.Context(), s.candidate, 10, ""); err != nil || len(page.Items) != 0 {
		t.Errorf("cancelled exams have %d results: %v", len(page.Items), err)
	}
}

func TestDiscardedExamCountsAsAttempt(t *testing.T) {
	s := limited(t, 1, bank.OverdueDiscard)
	s.start(t, sitting.Exam, question.Medium, 2)
	s.At(exambuddy.SessionTTL + exambuddy.Grace)
	if n, err := s.Sitting.Sweep(t.Context()); n != 1 || err != nil {
		t.Fatalf("%d sessions end: %v", n, err)
	}
	s.taken(t, 1)
	s.refused(t)
}

func TestPracticeDoesNotCountAsAttempt(t *testing.T) {
	s := limited(t, 1, bank.OverdueDiscard)
	state := s.start(t, sitting.Test, question.Medium, 2)
	if err := s.Sitting.Cancel(t.Context(), s.candidate, state.ID); err != nil {
		t.Fatal(err)
	}
	s.start(t, sitting.Test, question.Medium, 2)
	s.At(exambuddy.SessionTTL + exambuddy.Grace)
	if n, err := s.Sitting.Sweep(t.Context()); n != 1 || err != nil {
		t.Fatalf("%d sessions end: %v", n, err)
	}
	s.taken(t, 0)
	s.start(t, sitting.Exam, question.Medium, 2)
}

// TestFirstResultIsCountedAfterACancelledExam: item analysis needs a result, and a cancelled exam has
// none.
func TestFirstResultIsCountedAfterACancelledExam(t *testing.T) {
	s := limited(t, 2, bank.OverdueSubmit)
	if err := s.Sitting.Cancel(t.Context(), s.candidate, s.start(t, sitting.Exam, question.Medium, 2).ID); err != nil {
		t.Fatal(err)
	}
	state := s.start(t, sitting.Exam, question.Medium, 2)
	if _, err := s.Sitting.Submit(t.Context(), s.candidate, state.ID, state.Writer); err != nil {
		t.Fatal(err)
	}
	taken, err := s.DB.GetTaken(t.Context(), s.candidate.ID, s.project.ProjectID, exambuddydb.TakenModeExam)
	if err != nil || taken.Attempts != 2 || taken.FirstAttemptID == nil || *taken.FirstAttemptID != state.ID {
		t.Errorf("the exams that were taken are %+v: %v", taken, err)
	}
	s.refused(t)
}

// TestLimitOfAttemptsHoldsForParallelStarts: a start that was admitted before another session ended
// must not begin after it.
func TestLimitOfAttemptsHoldsForParallelStarts(t *testing.T) {
	s := limited(t, 1, bank.OverdueSubmit)
	var all sync.WaitGroup
	var mu sync.Mutex
	started := 0
	for range 8 {
		all.Go(func() {
			for range 5 {
				state, err := s.Sitting.Start(t.Context(), s.candidate, sitting.Request{ProjectID: s.project.ProjectID, Mode: sitting.Exam, Difficulty: question.Medium, Count: 2})
				if err != nil {
					continue
				}
				mu.Lock()
				started++
				mu.Unlock()
				if err := s.Sitting.Cancel(t.Context(), s.candidate, state.ID); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if started != 1 {
		t.Errorf("%d exams were started of 1", started)
	}
}
