package results_test

import (
	"errors"
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/exambuddy/sitting"
)

// closing opens an exam of an hour that shows its answers when it closes.
func closing(t *testing.T) *scene {
	opens, closes := exambuddytest.Start, exambuddytest.Start.Add(time.Hour)
	return open(t, 2, func(settings *bank.Settings) {
		settings.Rules.Reveal, settings.Rules.OpensAt, settings.Rules.ClosesAt = bank.RevealAtClose, &opens, &closes
	})
}

func (s *scene) start(t *testing.T, candidate exambuddy.Candidate, mode string) sitting.State {
	t.Helper()
	state, err := s.Sitting.Start(t.Context(), candidate, sitting.Request{ProjectID: s.project.ProjectID, Mode: mode, Difficulty: question.Easy, Count: 2, NoLimit: mode == sitting.Test})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// shown fails unless the answers of an attempt are shown or hidden at a time after the start.
func (s *scene) shown(t *testing.T, candidate exambuddy.Candidate, attempt exambuddydb.Attempt, at time.Duration, want bool) results.Reveal {
	t.Helper()
	s.At(at)
	_, _, err := s.Results.Review(t.Context(), candidate, attempt.AttemptID)
	if want && err != nil || !want && !errors.Is(err, exambuddy.ErrHidden) {
		t.Errorf("after %s: %v", at, err)
	}
	reveal, err := s.Results.Reveal(t.Context(), attempt)
	if err != nil || reveal.Shown != want {
		t.Errorf("after %s: %+v, %v", at, reveal, err)
	}
	return reveal
}

// settings changes the rules of the exam.
func (s *scene) settings(t *testing.T, change func(*exambuddydb.Rules)) {
	t.Helper()
	project := s.Reload(t, s.admin, s.project)
	change(&project.Rules)
	_, err := s.Bank.Edit(t.Context(), s.admin, project.ProjectID, project.Version, bank.Settings{Title: project.Title, PassMark: int(project.PassMark), Rules: project.Rules})
	if err != nil {
		t.Fatal(err)
	}
}

const closed = time.Hour + exambuddy.RevealAfter

// TestAnswersWaitForCandidatesWithExtraTime: the time factor of a candidate stretches the window.
func TestAnswersWaitForCandidatesWithExtraTime(t *testing.T) {
	s := closing(t)
	kim, lee := s.Candidate(t, "kim"), s.Candidate(t, "lee")
	if err := s.People.SetTimeFactor(t.Context(), exambuddy.Caller{ID: s.admin.ID, Role: exambuddy.RoleAdmin}, lee.Email, 200, "", nil); err != nil {
		t.Fatal(err)
	}
	attempt := s.sit(t, kim, "c", "a")
	s.At(time.Hour - time.Minute)
	state := s.start(t, lee, sitting.Exam) // eight minutes, because of the factor
	if reveal := s.shown(t, kim, attempt, closed, false); !reveal.Sitting {
		t.Errorf("nobody sits it: %+v", reveal)
	}
	if _, err := s.Sitting.Submit(t.Context(), lee, state.ID, state.Writer); err != nil {
		t.Fatal(err)
	}
	s.shown(t, kim, attempt, closed, true)
}

func TestAnswersWaitForExtendedSessions(t *testing.T) {
	s := closing(t)
	kim, lee := s.Candidate(t, "kim"), s.Candidate(t, "lee")
	attempt := s.sit(t, kim, "c", "a")
	s.At(time.Hour - time.Minute)
	if err := s.Sitting.Extend(t.Context(), s.admin, s.start(t, lee, sitting.Exam).ID, time.Hour, "", exambuddy.Repeat{}); err != nil {
		t.Fatal(err)
	}
	s.shown(t, kim, attempt, closed, false)
	s.At(3 * time.Hour)
	if n, err := s.Sitting.Sweep(t.Context()); n != 1 || err != nil {
		t.Fatalf("%d sessions end: %v", n, err)
	}
	s.shown(t, kim, attempt, 3*time.Hour, true)
}

// TestAnswersFollowTheRulesOfToday: an exam that closes later shows its answers later, also to
// those who handed in before the change.
func TestAnswersFollowTheRulesOfToday(t *testing.T) {
	s := closing(t)
	kim := s.Candidate(t, "kim")
	attempt := s.sit(t, kim, "c", "a")
	s.settings(t, func(rules *exambuddydb.Rules) { rules.ClosesAt = new(rules.ClosesAt.Add(time.Hour)) })
	s.shown(t, kim, attempt, closed, false)
	s.shown(t, kim, attempt, closed+time.Hour, true)
	for _, list := range []func() (exambuddydb.Attempt, error){
		func() (exambuddydb.Attempt, error) { return s.Results.Own(t.Context(), kim, attempt.AttemptID) },
		func() (exambuddydb.Attempt, error) {
			return s.Results.Attempt(t.Context(), s.admin, attempt.AttemptID)
		},
		func() (exambuddydb.Attempt, error) {
			page, err := s.Results.History(t.Context(), kim, 1, "")
			return page.Items[0], err
		},
	} {
		if read, err := list(); err != nil || read.RevealAt == nil || !read.RevealAt.Equal(exambuddytest.Start.Add(closed+time.Hour)) {
			t.Errorf("the answers are shown at %v: %v", read.RevealAt, err)
		}
	}
	s.settings(t, func(rules *exambuddydb.Rules) { rules.Reveal = bank.RevealNever })
	if reveal := s.shown(t, kim, attempt, closed+time.Hour, false); reveal.At != nil {
		t.Errorf("they are shown at %s", reveal.At)
	}
}

// TestPracticeDoesNotDelayAnswers: practice shows the answers itself.
func TestPracticeDoesNotDelayAnswers(t *testing.T) {
	s := closing(t)
	kim, lee := s.Candidate(t, "kim"), s.Candidate(t, "lee")
	attempt := s.sit(t, kim, "c", "a")
	s.start(t, lee, sitting.Test)
	s.shown(t, kim, attempt, closed, true)
}

// TestAnswersOfADeletedExamAreShown: results belong to candidates, and stay.
func TestAnswersOfADeletedExamAreShown(t *testing.T) {
	s := open(t, 2, nil)
	kim := s.Candidate(t, "kim")
	attempt := s.sit(t, kim, "c", "a")
	if _, err := s.Bank.Archive(t.Context(), s.admin, s.project.ProjectID); err != nil {
		t.Fatal(err)
	}
	s.At(exambuddy.DeleteAfter)
	if err := s.Bank.Delete(t.Context(), s.admin, s.project.ProjectID); err != nil {
		t.Fatal(err)
	}
	s.shown(t, kim, attempt, time.Hour, true)
}
