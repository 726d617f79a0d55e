package learning_test

import (
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/sitting"
)

// practise sits a practice with the given questions, or with three, and answers all of them; "" says: I
// do not know.
func practise(t *testing.T, w *exambuddytest.World, candidate exambuddy.Candidate, projectID, choice string, questions []string) exambuddydb.Attempt {
	t.Helper()
	request := sitting.Request{ProjectID: projectID, Mode: sitting.Test, Difficulty: question.Medium, Count: 3, NoLimit: true, Questions: questions}
	if questions != nil {
		request.Count = len(questions)
	}
	state, err := w.Sitting.Start(t.Context(), candidate, request)
	if err != nil {
		t.Fatal(err)
	}
	for position := 1; position <= request.Count; position++ {
		if _, _, err := w.Sitting.Present(t.Context(), candidate, state.ID, state.Writer, position); err != nil {
			t.Fatal(err)
		}
		answer := question.Answer{Chosen: []string{choice}}
		if choice == "" {
			answer = question.Answer{}
		}
		if _, err := w.Sitting.Practise(t.Context(), candidate, state.ID, state.Writer, sitting.Input{Position: position, Sequence: 1, Answer: answer}); err != nil {
			t.Fatal(err)
		}
	}
	attempt, err := w.Sitting.Submit(t.Context(), candidate, state.ID, state.Writer)
	if err != nil {
		t.Fatal(err)
	}
	return attempt
}

// TestQuestionsComeBackWhenTheyAreDue answers three questions wrongly, and finds them due ten minutes
// later; right answers put them off.
func TestQuestionsComeBackWhenTheyAreDue(t *testing.T) {
	w := exambuddytest.Open(t)
	admin, candidate := w.Admin(t, "ada"), w.Candidate(t, "kim")
	project := w.Published(t, admin, exambuddytest.Settings("Networks"), 3)
	if plan, err := w.Learning.Plan(t.Context(), candidate); err != nil || plan.Known != 0 || len(plan.Decks) != 0 {
		t.Fatalf("a new candidate has %+v: %v", plan, err)
	}
	attempt := practise(t, w, candidate, project.ProjectID, "a", nil)
	for range 2 { // a stream delivers a change more than once
		if err := w.Learning.Learn(t.Context(), attempt); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := w.Learning.Plan(t.Context(), candidate)
	if err != nil || plan.Known != 3 || len(plan.Decks) != 0 || plan.NextAt == nil {
		t.Fatalf("right after the practice: %+v: %v", plan, err)
	}
	if soon := w.Clock.Now().Add(11 * time.Minute); plan.Missed != 3 || plan.NextAt.After(soon) {
		t.Errorf("%d are missed and come back at %s", plan.Missed, plan.NextAt)
	}
	w.Clock.Set(plan.NextAt.Add(-time.Second))
	if before, err := w.Learning.Plan(t.Context(), candidate); err != nil || len(before.Decks) != 0 {
		t.Errorf("a second before: %+v: %v", before, err)
	}
	w.Clock.Set(*plan.NextAt)
	plan, err = w.Learning.Plan(t.Context(), candidate)
	if err != nil || len(plan.Decks) != 1 || plan.Decks[0].Due != 3 || len(plan.Decks[0].Questions) != 3 || plan.NextAt != nil {
		t.Fatalf("when they are due: %+v: %v", plan, err)
	}
	if err := w.Learning.Learn(t.Context(), practise(t, w, candidate, project.ProjectID, "c", plan.Decks[0].Questions)); err != nil {
		t.Fatal(err)
	}
	later, err := w.Learning.Plan(t.Context(), candidate)
	if err != nil || len(later.Decks) != 0 || later.Missed != 0 || !later.NextAt.After(w.Clock.Now().Add(24*time.Hour)) {
		t.Errorf("after right answers: %+v: %v", later, err)
	}
	if other, err := w.Learning.Plan(t.Context(), w.Candidate(t, "lee")); err != nil || other.Known != 0 {
		t.Errorf("another candidate has %+v: %v", other, err)
	}
	if _, err := w.Bank.Archive(t.Context(), admin, project.ProjectID); err != nil {
		t.Fatal(err)
	}
	if hidden, err := w.Learning.Plan(t.Context(), candidate); err != nil || hidden.Known != 0 {
		t.Errorf("of an archived exam: %+v: %v", hidden, err)
	}
	if err := w.Learning.Forget(t.Context(), candidate.ID); err != nil {
		t.Fatal(err)
	}
	if cards, err := w.Env.DB.ListCards(candidate.ID).Slice(t.Context()); err != nil || len(cards) != 0 {
		t.Errorf("%d cards are left: %v", len(cards), err)
	}
}

// TestAQuestionThatIsSkippedInPracticeComesBack: who chooses "I do not know" has not learned it.
func TestAQuestionThatIsSkippedInPracticeComesBack(t *testing.T) {
	w := exambuddytest.Open(t)
	admin, candidate := w.Admin(t, "ada"), w.Candidate(t, "kim")
	project := w.Published(t, admin, exambuddytest.Settings("Networks"), 3)
	if err := w.Learning.Learn(t.Context(), practise(t, w, candidate, project.ProjectID, "", nil)); err != nil {
		t.Fatal(err)
	}
	if plan, err := w.Learning.Plan(t.Context(), candidate); err != nil || plan.Missed != 3 {
		t.Errorf("the plan is %+v: %v", plan, err)
	}
}
