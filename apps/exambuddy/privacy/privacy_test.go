package privacy_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/exambuddy/sitting"
)

// TestExportAndErase finds everything about a candidate in the copy, and nothing after the deletion,
// while the statistics and the other candidate stay.
func TestExportAndErase(t *testing.T) {
	w := exambuddytest.Open(t)
	admin, kim, lee := w.Admin(t, "ada"), w.Candidate(t, "kim"), w.Candidate(t, "lee")
	settings := exambuddytest.Settings("Networks")
	settings.Rules.Navigation, settings.Rules.Certificates = bank.Free, true
	project := w.Published(t, admin, settings, 1)
	var codes []string
	for _, candidate := range []exambuddy.Candidate{kim, lee} {
		state, err := w.Sitting.Start(t.Context(), candidate, sitting.Request{ProjectID: project.ProjectID, Mode: sitting.Exam, Difficulty: question.Medium, Count: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Sitting.Answer(t.Context(), candidate, state.ID, state.Writer, sitting.Input{Position: 1, Sequence: 1, Answer: question.Answer{Chosen: []string{"c"}}}); err != nil {
			t.Fatal(err)
		}
		attempt, err := w.Sitting.Submit(t.Context(), candidate, state.ID, state.Writer)
		if err != nil {
			t.Fatal(err)
		}
		certificate, err := w.Results.Certificate(t.Context(), candidate, attempt.AttemptID)
		if err := errors.Join(err, w.Results.Settle(t.Context(), attempt), w.Learning.Learn(t.Context(), attempt)); err != nil {
			t.Fatal(err)
		}
		codes = append(codes, certificate.Code)
	}
	group, err := w.People.CreateGroup(t.Context(), admin, "7b", exambuddy.Repeat{})
	if err == nil {
		_, err = w.People.AddMember(t.Context(), admin, group.GroupID, kim.Email)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []exambuddy.Caller{{ID: admin.ID, Role: exambuddy.RoleAdmin}, w.SignUp(t, "olga", exambuddy.RoleOperator)} {
		if err := w.People.SetTimeFactor(t.Context(), by, kim.Email, 150, "A reason", nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Sitting.Start(t.Context(), kim, sitting.Request{ProjectID: project.ProjectID, Mode: sitting.Exam, Difficulty: question.Medium, Count: 1}); err != nil {
		t.Fatal(err)
	}

	data, err := w.Privacy.Export(t.Context(), exambuddy.Caller{ID: kim.ID, Email: kim.Email, Role: exambuddy.RoleCandidate})
	if err != nil || data.Email != kim.Email || len(data.Attempts) != 1 || len(data.Attempts[0].Answers) != 1 || len(data.Cards) != 1 || !slices.Equal(data.Groups, []string{"7b"}) {
		t.Fatalf("the copy is %+v: %v", data, err)
	}
	if f := data.TimeFactors; len(f) != 2 || f[0].Exams != "exams of ada" || f[0].Percent != 150 || f[0].Note != "A reason" || f[1].Exams != "all exams" {
		t.Errorf("the extra time in the copy is %+v", data.TimeFactors)
	}
	if text, err := json.Marshal(data); err != nil || strings.Contains(string(text), "Explanation") {
		t.Errorf("the copy holds a key: %s, %v", text, err)
	}
	built, err := w.Privacy.Export(t.Context(), exambuddy.Caller{ID: admin.ID, Name: admin.Name, Role: exambuddy.RoleAdmin})
	if err != nil || len(built.Exams) != 1 || built.Exams[0].Title != "Networks" || built.Exams[0].Questions != 1 || !slices.Equal(built.OwnGroups, []string{"7b"}) || len(built.Attempts) != 0 {
		t.Errorf("the copy of the admin is %+v: %v", built, err)
	}
	if err := w.Accounts.People.Erase(t.Context(), kim.ID, kim.ID, w.Privacy.Erase); err != nil {
		t.Fatal(err)
	}
	w.Work(t)
	if err := w.Privacy.Forget(t.Context(), kim.ID); err != nil {
		t.Errorf("a second time: %v", err)
	}
	after, err := w.Privacy.Export(t.Context(), exambuddy.Caller{ID: kim.ID})
	if err != nil || len(after.Attempts)+len(after.Cards)+len(after.Groups)+len(after.TimeFactors) != 0 {
		t.Errorf("what is left is %+v: %v", after, err)
	}
	if _, err := w.Results.VerifyCertificate(t.Context(), codes[0]); !errors.Is(err, results.ErrNoCertificate) {
		t.Errorf("the certificate: %v", err)
	}
	if active, err := w.Sitting.Active(t.Context(), kim); err != nil || len(active) != 0 {
		t.Errorf("%d sessions run: %v", len(active), err)
	}
	if _, err := w.People.ByEmail(t.Context(), kim.Email); err == nil {
		t.Error("the profile is left")
	}
	if _, err := w.Results.VerifyCertificate(t.Context(), codes[1]); err != nil {
		t.Errorf("the certificate of another candidate: %v", err)
	}
	if totals, err := w.Results.Totals(t.Context(), admin); err != nil || totals[0].Attempts != 2 {
		t.Errorf("the totals are %+v: %v", totals, err)
	}
}
