package learning_test

import (
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/sitting"
)

// sit sits an exam with one right and one wrong answer.
func sit(t *testing.T, w *exambuddytest.World, candidate exambuddy.Candidate, projectID string) exambuddydb.Attempt {
	t.Helper()
	state, err := w.Sitting.Start(t.Context(), candidate, sitting.Request{ProjectID: projectID, Mode: sitting.Exam, Difficulty: question.Medium, Count: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, choice := range []string{"c", "a"} {
		if _, err := w.Sitting.Answer(t.Context(), candidate, state.ID, state.Writer, sitting.Input{Position: i + 1, Sequence: 1, Answer: question.Answer{Chosen: []string{choice}}}); err != nil {
			t.Fatal(err)
		}
	}
	attempt, err := w.Sitting.Submit(t.Context(), candidate, state.ID, state.Writer)
	if err != nil {
		t.Fatal(err)
	}
	return attempt
}

// cards fails unless a candidate has as many cards, in the database and in the copy of the data.
func cards(t *testing.T, w *exambuddytest.World, candidate exambuddy.Candidate, want int) {
	t.Helper()
	stored, err := w.Env.DB.ListCards(candidate.ID).Slice(t.Context())
	if err != nil || len(stored) != want {
		t.Errorf("there are %d cards, not %d: %v", len(stored), want, err)
	}
	data, err := w.Privacy.Export(t.Context(), exambuddy.Caller{ID: candidate.ID})
	if err != nil || len(data.Cards) != want {
		t.Errorf("the copy has %d cards, not %d: %v", len(data.Cards), want, err)
	}
	plan, err := w.Learning.Plan(t.Context(), candidate)
	if err != nil || plan.Known != want {
		t.Errorf("%d questions are known in practice, not %d: %v", plan.Known, want, err)
	}
}

// TestCardsWaitForTheAnswers: the date of a card tells a right answer from a wrong one, so there is
// no card before the exam shows its answers.
func TestCardsWaitForTheAnswers(t *testing.T) {
	w := exambuddytest.Open(t)
	admin, candidate := w.Admin(t, "ada"), w.Candidate(t, "kim")
	settings, closes := exambuddytest.Settings("Networks"), exambuddytest.Start.Add(time.Hour)
	settings.Rules.Navigation, settings.Rules.Reveal, settings.Rules.ClosesAt = bank.Free, bank.RevealAtClose, &closes
	project := w.Published(t, admin, settings, 2)
	attempt := sit(t, w, candidate, project.ProjectID)
	for range 2 { // a stream delivers a change more than once
		if err := w.Learning.Learn(t.Context(), attempt); err != nil {
			t.Fatal(err)
		}
	}
	w.Work(t)
	cards(t, w, candidate, 0)
	w.At(time.Hour - time.Millisecond)
	w.Work(t)
	cards(t, w, candidate, 0)
	w.At(2 * time.Hour)
	w.Work(t)
	cards(t, w, candidate, 2)
	if err := w.Learning.RunLearn(t.Context(), candidate.ID, attempt.AttemptID); err != nil {
		t.Errorf("a second run: %v", err)
	}
	stored, err := w.Env.DB.ListCards(candidate.ID).Slice(t.Context())
	if err != nil || stored[0].Reviews != 1 || stored[1].Reviews != 1 {
		t.Errorf("the cards are %+v: %v", stored, err)
	}
}

func TestNoCardsFromAnExamThatNeverShowsItsAnswers(t *testing.T) {
	w := exambuddytest.Open(t)
	admin, candidate := w.Admin(t, "ada"), w.Candidate(t, "kim")
	settings := exambuddytest.Settings("Networks")
	settings.Rules.Navigation, settings.Rules.Reveal = bank.Free, bank.RevealNever
	project := w.Published(t, admin, settings, 2)
	if err := w.Learning.Learn(t.Context(), sit(t, w, candidate, project.ProjectID)); err != nil {
		t.Fatal(err)
	}
	w.At(1000 * time.Hour)
	w.Work(t)
	cards(t, w, candidate, 0)
}

// TestCardsOfEarlierAttemptsWhenTheAnswersAreShownAfterAll changes "never" to the hand-in and to the end of the exam.
func TestCardsOfEarlierAttemptsWhenTheAnswersAreShownAfterAll(t *testing.T) {
	for _, reveal := range []string{bank.RevealAtSubmit, bank.RevealAtClose} {
		w := exambuddytest.Open(t)
		admin, candidate := w.Admin(t, "ada"), w.Candidate(t, "kim")
		settings, closes := exambuddytest.Settings("Networks"), exambuddytest.Start.Add(time.Hour)
		settings.Rules.Navigation, settings.Rules.Reveal, settings.Rules.ClosesAt = bank.Free, bank.RevealNever, &closes
		project := w.Published(t, admin, settings, 2)
		if err := w.Learning.Learn(t.Context(), sit(t, w, candidate, project.ProjectID)); err != nil {
			t.Fatal(err)
		}
		w.Work(t)
		cards(t, w, candidate, 0)
		settings.Rules.Reveal = reveal
		if _, err := w.Bank.Edit(t.Context(), admin, project.ProjectID, w.Reload(t, admin, project).Version, settings); err != nil {
			t.Fatal(err)
		}
		w.Work(t)
		if reveal == bank.RevealAtClose {
			cards(t, w, candidate, 0)
			w.At(2 * time.Hour)
			w.Work(t)
		}
		cards(t, w, candidate, 2)
	}
}

func TestNoCardsAfterThePersonIsErased(t *testing.T) {
	w := exambuddytest.Open(t)
	admin, candidate := w.Admin(t, "ada"), w.Candidate(t, "kim")
	settings, closes := exambuddytest.Settings("Networks"), exambuddytest.Start.Add(time.Hour)
	settings.Rules.Navigation, settings.Rules.Reveal, settings.Rules.ClosesAt = bank.Free, bank.RevealAtClose, &closes
	project := w.Published(t, admin, settings, 2)
	if err := w.Learning.Learn(t.Context(), sit(t, w, candidate, project.ProjectID)); err != nil {
		t.Fatal(err)
	}
	if err := w.Privacy.Forget(t.Context(), candidate.ID); err != nil {
		t.Fatal(err)
	}
	w.At(2 * time.Hour)
	w.Work(t)
	cards(t, w, candidate, 0)
}

// TestCardsWaitForCandidatesWhoStillSit, as the answers do.
func TestCardsWaitForCandidatesWhoStillSit(t *testing.T) {
	w := exambuddytest.Open(t)
	admin, kim, lee := w.Admin(t, "ada"), w.Candidate(t, "kim"), w.Candidate(t, "lee")
	settings, closes := exambuddytest.Settings("Networks"), exambuddytest.Start.Add(time.Hour)
	settings.Rules.Navigation, settings.Rules.Reveal, settings.Rules.ClosesAt = bank.Free, bank.RevealAtClose, &closes
	project := w.Published(t, admin, settings, 2)
	if err := w.Learning.Learn(t.Context(), sit(t, w, kim, project.ProjectID)); err != nil {
		t.Fatal(err)
	}
	state, err := w.Sitting.Start(t.Context(), lee, sitting.Request{ProjectID: project.ProjectID, Mode: sitting.Exam, Difficulty: question.Medium, Count: 2})
	if err != nil {
		t.Fatal(err)
	}
	w.At(2 * time.Hour)
	w.Work(t)
	cards(t, w, kim, 0)
	if _, err := w.Sitting.Submit(t.Context(), lee, state.ID, state.Writer); err != nil {
		t.Fatal(err)
	}
	w.At(2*time.Hour + 10*time.Minute)
	w.Work(t)
	cards(t, w, kim, 2)
}
