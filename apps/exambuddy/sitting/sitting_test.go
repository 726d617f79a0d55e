package sitting_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/refusal"
)

func hasCode(err error, code string) bool {
	refused, ok := refusal.As(err)
	return ok && refused.CodeText() == code
}

func right(position int, sequence int64) sitting.Input {
	return sitting.Input{Position: position, Sequence: sequence, Answer: question.Answer{Chosen: []string{"c"}}}
}

func wrong(position int, sequence int64) sitting.Input {
	return sitting.Input{Position: position, Sequence: sequence, Answer: question.Answer{Chosen: []string{"a"}}}
}

// A scene is an exam with a candidate.
type scene struct {
	*exambuddytest.World
	admin     exambuddy.Admin
	candidate exambuddy.Candidate
	project   exambuddydb.Project
}

func open(t *testing.T, questions int, change func(*bank.Settings)) *scene {
	w := exambuddytest.Open(t)
	s := &scene{World: w, admin: w.Admin(t, "ada"), candidate: w.Candidate(t, "kim")}
	settings := exambuddytest.Settings("Networks")
	if change != nil {
		change(&settings)
	}
	s.project = w.Published(t, s.admin, settings, questions)
	return s
}

func (s *scene) start(t *testing.T, mode string, difficulty question.Difficulty, count int) sitting.State {
	t.Helper()
	state, err := s.Sitting.Start(t.Context(), s.candidate, sitting.Request{ProjectID: s.project.ProjectID, Mode: mode, Difficulty: difficulty, Count: count})
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	return state
}

func (s *scene) present(t *testing.T, state sitting.State, position int) sitting.Question {
	t.Helper()
	q, _, err := s.Sitting.Present(t.Context(), s.candidate, state.ID, state.Writer, position)
	if err != nil {
		t.Fatalf("present %d: %v", position, err)
	}
	return q
}

// TestStart is vector 4.
func TestStart(t *testing.T) {
	s := open(t, 50, nil)
	request := sitting.Request{ProjectID: s.project.ProjectID, Mode: sitting.Exam, Difficulty: question.Hard, Count: 60}
	_, err := s.Sitting.Start(t.Context(), s.candidate, request)
	refused, ok := refusal.As(err, refusal.Invalid)
	if !ok || *refused.Fields[0].Max != 50 {
		t.Fatalf("60 of 50 gives %v", err)
	}
	state := s.start(t, sitting.Exam, question.Hard, 20)
	if state.Total != 600 || state.Review != 300 || state.Seconds != 30 {
		t.Errorf("the times are %d, %d, %d", state.Total, state.Review, state.Seconds)
	}
	loaded, err := s.DB.LoadSession(t.Context(), state.ID)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, p := range loaded.PaperQuestions {
		seen[p.QuestionID] = true
	}
	if len(seen) != 20 {
		t.Errorf("%d different questions", len(seen))
	}
	if _, err := s.Sitting.Start(t.Context(), s.candidate, sitting.Request{ProjectID: s.project.ProjectID, Mode: sitting.Exam, Difficulty: question.Hard, Count: 20}); !hasCode(err, exambuddy.CodeActive) {
		t.Errorf("a second start gives %v", err)
	}
}

// TestAnswersInTime is vector 5, and the one with extra time.
func TestAnswersInTime(t *testing.T) {
	for _, c := range []struct {
		factor     int
		after      time.Duration
		difficulty question.Difficulty
		accepted   bool
	}{
		{100, 31900 * time.Millisecond, question.Hard, true},
		{100, 32 * time.Second, question.Hard, true},
		{100, 32100 * time.Millisecond, question.Hard, false},
		{150, 46900 * time.Millisecond, question.Hard, true},
		{150, 47100 * time.Millisecond, question.Hard, false},
		{125, 15 * time.Second, question.Expert, true}, // 12.5 s are rounded up to 13 s
		{125, 15001 * time.Millisecond, question.Expert, false},
		{100, -time.Second, question.Hard, true}, // the clock was set back
	} {
		t.Run(fmt.Sprint(c.factor, c.after), func(t *testing.T) {
			s := open(t, 2, nil)
			operator := s.SignUp(t, "olga", exambuddy.RoleOperator)
			if err := s.People.SetTimeFactor(t.Context(), operator, s.candidate.Email, c.factor, "", nil); err != nil {
				t.Fatal(err)
			}
			state := s.start(t, sitting.Exam, c.difficulty, 2)
			s.present(t, state, 1)
			s.Clock.Advance(c.after)
			saved, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, right(1, 1))
			if err != nil || saved.Accepted != c.accepted || saved.Spent != max(0, c.after) {
				t.Fatalf("accepted %v after %v: %v", saved.Accepted, saved.Spent, err)
			}
			attempt, err := s.Sitting.Submit(t.Context(), s.candidate, state.ID, state.Writer)
			want := int64(0)
			if c.accepted {
				want = 1
			}
			if err != nil || attempt.Score != want || attempt.ScoreTenths != want*500 {
				t.Errorf("the score is %d, %d: %v", attempt.Score, attempt.ScoreTenths, err)
			}
		})
	}
}

// TestExtraTimeStretchesAllClocks: 1.5 in Hard is 900 s for 20 questions, and 450 s of review.
func TestExtraTimeStretchesAllClocks(t *testing.T) {
	s := open(t, 20, nil)
	operator := s.SignUp(t, "olga", exambuddy.RoleOperator)
	if err := s.People.SetTimeFactor(t.Context(), operator, s.candidate.Email, 150, "", nil); err != nil {
		t.Fatal(err)
	}
	if state := s.start(t, sitting.Exam, question.Hard, 20); state.Total != 900 || state.Review != 450 || state.Seconds != 45 {
		t.Errorf("the times are %d, %d, %d", state.Total, state.Review, state.Seconds)
	}
}

// TestLateAnswerKeepsTheOneInTime: a change that comes too late does not replace what was saved.
func TestLateAnswerKeepsTheOneInTime(t *testing.T) {
	s := open(t, 1, nil)
	state := s.start(t, sitting.Exam, question.Hard, 1)
	s.present(t, state, 1)
	if saved, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, right(1, 1)); err != nil || !saved.Accepted {
		t.Fatal(err)
	}
	s.Clock.Advance(time.Minute)
	if saved, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, wrong(1, 2)); err != nil || saved.Accepted || saved.Late != 30*time.Second {
		t.Fatalf("the late answer: %+v, %v", saved, err)
	}
	if attempt, err := s.Sitting.Submit(t.Context(), s.candidate, state.ID, state.Writer); err != nil || attempt.Score != 1 {
		t.Errorf("the score is %d: %v", attempt.Score, err)
	}
}

// TestPractiseShowsTheKey is vector 6: only practice returns the right answer, and only once it
// cannot be changed.
func TestPractiseShowsTheKey(t *testing.T) {
	s := open(t, 2, nil)
	state := s.start(t, sitting.Test, question.Medium, 2)
	s.present(t, state, 1)
	feedback, err := s.Sitting.Practise(t.Context(), s.candidate, state.ID, state.Writer, wrong(1, 1))
	if err != nil || feedback.Correct || feedback.Key.Correct[0] != "c" || feedback.Key.Explanation == "" {
		t.Fatalf("the feedback is %+v: %v", feedback, err)
	}
	if _, err := s.Sitting.Practise(t.Context(), s.candidate, state.ID, state.Writer, right(1, 2)); !errors.Is(err, exambuddy.ErrAnswered) {
		t.Errorf("a second answer gives %v", err)
	}
	if _, err := s.Sitting.Practise(t.Context(), s.candidate, state.ID, state.Writer, right(2, 1)); !errors.Is(err, exambuddy.ErrNotCurrent) {
		t.Errorf("the answer to a question that was not shown gives %v", err)
	}
	if _, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, right(1, 1)); !hasCode(err, exambuddy.CodeState) {
		t.Errorf("an exam answer in practice gives %v", err)
	}
}

func TestExamIsForwardOnly(t *testing.T) {
	s := open(t, 3, nil)
	state := s.start(t, sitting.Exam, question.Medium, 3)
	s.present(t, state, 1)
	s.present(t, state, 2)
	for _, position := range []int{1, 4, 0} {
		if _, _, err := s.Sitting.Present(t.Context(), s.candidate, state.ID, state.Writer, position); err == nil {
			t.Errorf("question %d is shown after question 2", position)
		}
	}
	if _, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, right(1, 1)); !errors.Is(err, exambuddy.ErrNotCurrent) {
		t.Errorf("an answer to a question before gives %v", err)
	}
	if _, err := s.Sitting.Paper(t.Context(), s.candidate, state.ID); !errors.Is(err, exambuddy.ErrNotCurrent) {
		t.Errorf("the whole paper gives %v", err)
	}
}

// TestHighestSequenceWins: a queue that is replayed does not bring back an older answer.
func TestHighestSequenceWins(t *testing.T) {
	s := open(t, 1, nil)
	state := s.start(t, sitting.Exam, question.Medium, 1)
	s.present(t, state, 1)
	for _, in := range []sitting.Input{wrong(1, 1), right(1, 3)} {
		if _, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, in); err != nil {
			t.Fatal(err)
		}
	}
	for _, old := range []sitting.Input{wrong(1, 2), wrong(1, 3)} {
		if _, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, old); !errors.Is(err, exambuddy.ErrOldAnswer) {
			t.Errorf("sequence %d gives %v", old.Sequence, err)
		}
	}
	_, answers, err := s.Sitting.Resume(t.Context(), s.candidate, state.ID)
	if err != nil || len(answers) != 1 || answers[0].Sequence != 3 || answers[0].Answer.Chosen[0] != "c" {
		t.Errorf("the answers are %+v: %v", answers, err)
	}
}

func TestOneWriterPerSession(t *testing.T) {
	s := open(t, 2, nil)
	state := s.start(t, sitting.Exam, question.Medium, 2)
	s.present(t, state, 1)
	taken, err := s.Sitting.Take(t.Context(), s.candidate, state.ID)
	if err != nil || taken.Writer == state.Writer {
		t.Fatalf("take: %v", err)
	}
	if _, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, right(1, 1)); !errors.Is(err, exambuddy.ErrWriter) {
		t.Errorf("the first tab answers: %v", err)
	}
	if _, err := s.Sitting.Submit(t.Context(), s.candidate, state.ID, state.Writer); !errors.Is(err, exambuddy.ErrWriter) {
		t.Errorf("the first tab submits: %v", err)
	}
	if _, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, taken.Writer, right(1, 1)); err != nil {
		t.Errorf("the second tab: %v", err)
	}
}

// TestResumeComputesTheRemainingTime is vector 18: another process reads the stored time.
func TestResumeComputesTheRemainingTime(t *testing.T) {
	s := open(t, 2, nil)
	state := s.start(t, sitting.Exam, question.Medium, 2)
	s.present(t, state, 1)
	s.Clock.Advance(25 * time.Second)
	restarted := sitting.New(s.Env, bank.New(s.Env, s.Files), s.People)
	got, _, err := restarted.Resume(t.Context(), s.candidate, state.ID)
	if err != nil || got.Remaining != 35*time.Second || got.Position != 1 {
		t.Errorf("remaining %v at %d: %v", got.Remaining, got.Position, err)
	}
	if got.Writer != "" {
		t.Error("a resumed state holds the key of the writer")
	}
}

// TestOthersSessionsAreNotFound is vector 15 of the domain.
func TestOthersSessionsAreNotFound(t *testing.T) {
	s := open(t, 2, nil)
	state := s.start(t, sitting.Exam, question.Medium, 2)
	other := s.Candidate(t, "lee")
	if _, _, err := s.Sitting.Resume(t.Context(), other, state.ID); !errors.Is(err, exambuddy.ErrNoSession) {
		t.Errorf("resume: %v", err)
	}
	if _, _, err := s.Sitting.Present(t.Context(), other, state.ID, state.Writer, 1); !errors.Is(err, exambuddy.ErrNoSession) {
		t.Errorf("present: %v", err)
	}
	if _, err := s.Sitting.Submit(t.Context(), other, state.ID, state.Writer); !errors.Is(err, exambuddy.ErrNoSession) {
		t.Errorf("submit: %v", err)
	}
	if err := s.Sitting.Cancel(t.Context(), other, state.ID); !errors.Is(err, exambuddy.ErrNoSession) {
		t.Errorf("cancel: %v", err)
	}
}

// TestWindow has the vector with a hard end at 10:30 and a limit of 30 minutes.
func TestWindow(t *testing.T) {
	end := exambuddytest.Start.Add(30 * time.Minute)
	for name, c := range map[string]struct {
		set  func(*bank.Settings)
		want time.Duration
	}{
		"hard end":   {func(s *bank.Settings) { s.Rules.ClosesAt = &end }, 12 * time.Minute},
		"last start": {func(s *bank.Settings) { s.Rules.LastStartAt = &end }, 30 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, 30, func(settings *bank.Settings) { settings.Rules.Navigation = bank.Free; c.set(settings) })
			s.At(18 * time.Minute)
			if state := s.start(t, sitting.Exam, question.Medium, 30); state.Remaining != c.want {
				t.Errorf("remaining %v", state.Remaining)
			}
			late := s.Candidate(t, "lee")
			s.At(30*time.Minute + time.Millisecond)
			if _, err := s.Sitting.Start(t.Context(), late, sitting.Request{ProjectID: s.project.ProjectID, Mode: sitting.Exam, Difficulty: question.Medium, Count: 30}); !hasCode(err, exambuddy.CodeClosed) {
				t.Errorf("a start after the window: %v", err)
			}
		})
	}
}

func TestArchiveLeavesTheRunningSession(t *testing.T) {
	s := open(t, 1, nil)
	state := s.start(t, sitting.Exam, question.Medium, 1)
	if _, err := s.Bank.Archive(t.Context(), s.admin, s.project.ProjectID); err != nil {
		t.Fatal(err)
	}
	s.present(t, state, 1)
	if _, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, right(1, 1)); err != nil {
		t.Error(err)
	}
	if attempt, err := s.Sitting.Submit(t.Context(), s.candidate, state.ID, state.Writer); err != nil || attempt.Score != 1 {
		t.Errorf("the score is %d: %v", attempt.Score, err)
	}
	if _, err := s.Sitting.Start(t.Context(), s.candidate, sitting.Request{ProjectID: s.project.ProjectID, Mode: sitting.Exam, Difficulty: question.Medium, Count: 1}); !errors.Is(err, exambuddy.ErrNoProject) {
		t.Errorf("a start after it: %v", err)
	}
}

// TestEditsDoNotReachASession: the paper is pinned, also when its question is removed.
func TestEditsDoNotReachASession(t *testing.T) {
	s := open(t, 1, nil)
	state := s.start(t, sitting.Exam, question.Medium, 1)
	shown := s.present(t, state, 1)
	if err := s.Bank.Remove(t.Context(), s.admin, s.project.ProjectID, shown.ID); err != nil {
		t.Fatal(err)
	}
	if again := s.present(t, state, 1); again.Question.Text != shown.Question.Text {
		t.Errorf("the text is %q", again.Question.Text)
	}
	if _, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, right(1, 1)); err != nil {
		t.Fatal(err)
	}
	if attempt, err := s.Sitting.Submit(t.Context(), s.candidate, state.ID, state.Writer); err != nil || attempt.Score != 1 {
		t.Errorf("the score is %d: %v", attempt.Score, err)
	}
}

func TestSweepSubmitsExamsAndDiscardsPractice(t *testing.T) {
	s := open(t, 2, nil)
	exam := s.start(t, sitting.Exam, question.Medium, 2)
	s.present(t, exam, 1)
	if _, err := s.Sitting.Answer(t.Context(), s.candidate, exam.ID, exam.Writer, right(1, 1)); err != nil {
		t.Fatal(err)
	}
	other := s.Candidate(t, "lee")
	practice, err := s.Sitting.Start(t.Context(), other, sitting.Request{ProjectID: s.project.ProjectID, Mode: sitting.Test, Difficulty: question.Medium, Count: 2})
	if err != nil {
		t.Fatal(err)
	}
	s.At(exambuddy.SessionTTL - time.Millisecond)
	if n, err := s.Sitting.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("%d sessions end too early: %v", n, err)
	}
	s.At(exambuddy.SessionTTL)
	if n, err := s.Sitting.Sweep(t.Context()); n != 2 || err != nil {
		t.Errorf("%d sessions end: %v", n, err)
	}
	attempt, err := s.DB.GetAttempt(t.Context(), s.candidate.ID, exam.ID)
	if err != nil || attempt.Status != exambuddydb.AttemptStatusTimedOut || attempt.Score != 1 || attempt.ScoreTenths != 500 {
		t.Errorf("the exam became %+v: %v", attempt, err)
	}
	s.Work(t)
	loaded, err := s.DB.LoadSession(t.Context(), practice.ID)
	if err != nil || len(loaded.PaperQuestions) != 0 || loaded.ExamSessions[0].Status != exambuddydb.ExamSessionStatusExpired {
		t.Errorf("of the practice session there are %d questions: %v", len(loaded.PaperQuestions), err)
	}
	if kept, err := s.DB.LoadSession(t.Context(), exam.ID); err != nil || len(kept.PaperQuestions) != 2 {
		t.Errorf("the exam has %d questions: %v", len(kept.PaperQuestions), err)
	}
}

func TestCancelKeepsNothing(t *testing.T) {
	s := open(t, 2, nil)
	state := s.start(t, sitting.Exam, question.Medium, 2)
	if err := s.Sitting.Cancel(t.Context(), s.candidate, state.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Sitting.Cancel(t.Context(), s.candidate, state.ID); err == nil {
		t.Error("a session is cancelled twice")
	}
	s.Work(t)
	if loaded, err := s.DB.LoadSession(t.Context(), state.ID); err != nil || len(loaded.PaperQuestions) != 0 {
		t.Errorf("%d questions are left: %v", len(loaded.PaperQuestions), err)
	}
	s.start(t, sitting.Exam, question.Medium, 2)
}

// TestFreeNavigation: any order, flags, one clock, and a longer one after an extension.
func TestFreeNavigation(t *testing.T) {
	s := open(t, 3, func(settings *bank.Settings) { settings.Rules.Navigation = bank.Free })
	state := s.start(t, sitting.Exam, question.Medium, 3)
	paper, err := s.Sitting.Paper(t.Context(), s.candidate, state.ID)
	if err != nil || len(paper) != 3 {
		t.Fatalf("%d questions: %v", len(paper), err)
	}
	if flagged, err := s.Sitting.Flag(t.Context(), s.candidate, state.ID, state.Writer, paper[1].ID, true); err != nil || len(flagged.Flagged) != 1 {
		t.Errorf("flagged %v: %v", flagged.Flagged, err)
	}
	if flagged, err := s.Sitting.Flag(t.Context(), s.candidate, state.ID, state.Writer, paper[1].ID, false); err != nil || len(flagged.Flagged) != 0 {
		t.Errorf("flagged %v: %v", flagged.Flagged, err)
	}
	if _, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, right(3, 1)); err != nil {
		t.Error(err)
	}
	if err := s.Sitting.Extend(t.Context(), s.admin, state.ID, time.Minute, "The projector failed.", exambuddy.Repeat{}); err != nil {
		t.Fatal(err)
	}
	s.At(4*time.Minute + exambuddy.Grace)
	if _, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, right(1, 1)); err != nil {
		t.Errorf("within the extension: %v", err)
	}
	s.At(4*time.Minute + exambuddy.Grace + time.Millisecond)
	if _, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, right(2, 1)); !errors.Is(err, exambuddy.ErrOver) {
		t.Errorf("after it: %v", err)
	}
	if n, err := s.Sitting.Sweep(t.Context()); n != 1 || err != nil {
		t.Errorf("%d sessions end: %v", n, err)
	}
	if err := s.Sitting.Extend(t.Context(), s.admin, state.ID, time.Minute, "", exambuddy.Repeat{}); !hasCode(err, exambuddy.CodeOver) {
		t.Errorf("an extension after the end: %v", err)
	}
	if attempt, err := s.DB.GetAttempt(t.Context(), s.candidate.ID, state.ID); err != nil || attempt.Score != 2 {
		t.Errorf("the score is %d: %v", attempt.Score, err)
	}
}

// TestTolerantExamCountsTheClientsClock: queued answers count by their own time and are marked.
func TestTolerantExamCountsTheClientsClock(t *testing.T) {
	s := open(t, 2, func(settings *bank.Settings) { settings.Rules.Offline = bank.Tolerant })
	state := s.start(t, sitting.Exam, question.Hard, 2)
	s.present(t, state, 1)
	s.Clock.Advance(5 * time.Minute)
	queued := right(1, 1)
	queued.Queued, queued.Elapsed = true, 32*time.Second
	if saved, err := s.Sitting.Answer(t.Context(), s.candidate, state.ID, state.Writer, queued); err != nil || !saved.Accepted {
		t.Errorf("in time by the client's clock: %+v, %v", saved, err)
	}
	stored, err := s.DB.ListAnswersByAttempt(state.ID).Slice(t.Context())
	if err != nil || len(stored) != 1 || !stored[0].Queued {
		t.Errorf("the answer is not marked: %v", err)
	}
}
