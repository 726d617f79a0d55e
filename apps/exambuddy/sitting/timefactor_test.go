package sitting_test

import (
	"testing"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/sitting"
)

// TestExtraTimeOfAnAdminHoldsInOwnExamsOnly: an editor of an exam is not its owner.
func TestExtraTimeOfAnAdminHoldsInOwnExamsOnly(t *testing.T) {
	s := open(t, 1, nil)
	bob := s.Admin(t, "bob")
	if err := s.Bank.AddEditor(t.Context(), s.admin, s.project.ProjectID, bob); err != nil {
		t.Fatal(err)
	}
	if err := s.People.SetTimeFactor(t.Context(), exambuddy.Caller{ID: bob.ID, Role: exambuddy.RoleAdmin}, s.candidate.Email, 300, "", nil); err != nil {
		t.Fatal(err)
	}
	if state := s.start(t, sitting.Exam, question.Medium, 1); state.FactorPercent != 100 || state.Seconds != 60 {
		t.Errorf("in the exam of another admin the factor is %d, with %d s", state.FactorPercent, state.Seconds)
	}
	s.project = s.Published(t, bob, exambuddytest.Settings("Own"), 1)
	if state := s.start(t, sitting.Exam, question.Medium, 1); state.FactorPercent != 300 || state.Seconds != 180 {
		t.Errorf("in the own exam the factor is %d, with %d s", state.FactorPercent, state.Seconds)
	}
}
