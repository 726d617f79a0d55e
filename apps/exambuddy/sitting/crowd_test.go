package sitting_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/sitting"
)

// TestHundredAndFiftyAnswers: an attempt holds more answers than a transaction.
func TestHundredAndFiftyAnswers(t *testing.T) {
	s := open(t, 150, nil)
	state := s.start(t, sitting.Exam, question.Medium, 150)
	for i := 1; i <= 150; i++ {
		s.present(t, state, i)
		in := right(i, 1)
		if i > 126 {
			in = wrong(i, 1)
		}
		if _, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, in); err != nil {
			t.Fatal(err)
		}
	}
	attempt, err := s.Sitting.Submit(t.Context(), s.candidate, state.ID, state.Writer)
	if err != nil || attempt.Score != 126 || attempt.TotalQuestions != 150 || attempt.ScoreTenths != 840 || !attempt.Passed {
		t.Errorf("the attempt is %+v: %v", attempt, err)
	}
	again, err := s.Sitting.Submit(t.Context(), s.candidate, state.ID, state.Writer)
	if err != nil || again.CompletedAt != attempt.CompletedAt || again.Score != attempt.Score {
		t.Errorf("a second submission gives %+v: %v", again, err)
	}
}

// TestFiftySittingsAtOnce: answers and submissions race, and every accepted answer is in the score.
func TestFiftySittingsAtOnce(t *testing.T) {
	s := open(t, 5, func(settings *bank.Settings) { settings.Rules.Navigation = bank.Free })
	candidates := make([]exambuddy.Candidate, 50)
	for i := range candidates {
		candidates[i] = s.Candidate(t, fmt.Sprintf("kim%d", i))
	}
	var group sync.WaitGroup
	for _, c := range candidates {
		group.Go(func() { s.sit(t, c) })
	}
	group.Wait()
}

// sit answers five questions in parallel while it submits.
func (s *scene) sit(t *testing.T, c exambuddy.Candidate) {
	state, err := s.Sitting.Start(t.Context(), c, sitting.Request{ProjectID: s.project.ProjectID, Mode: sitting.Exam, Difficulty: question.Medium, Count: 5})
	if err != nil {
		t.Errorf("start: %v", err)
		return
	}
	var mu sync.Mutex
	accepted := int64(0)
	var group sync.WaitGroup
	for i := range 5 {
		group.Go(func() {
			_, err := s.Sitting.Answer(t.Context(), c, state.ID, state.Writer, right(i+1, 1))
			switch {
			case err == nil:
				mu.Lock()
				accepted++
				mu.Unlock()
			case !errors.Is(err, exambuddy.ErrOver):
				t.Errorf("answer: %v", err)
			}
		})
	}
	attempt, err := s.Sitting.Submit(t.Context(), c, state.ID, state.Writer)
	group.Wait()
	if err != nil || attempt.Score != accepted {
		t.Errorf("%d accepted answers, but the score is %d: %v", accepted, attempt.Score, err)
	}
}
