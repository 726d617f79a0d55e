package operators_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/questions"
)

func TestOperatorsHideUnreportedQuestions(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 2)
	for range 2 { // hiding what is hidden changes nothing
		if err := w.Operators.HideQuestion(t.Context(), "op", q.QuestionID); err != nil {
			t.Fatal(err)
		}
	}
	if !askahumantest.Question(t, w, q.QuestionID).Hidden {
		t.Error("the question is not hidden")
	}
	if _, err := w.Answers.Answer(t.Context(), w.Person(t, 1), askahumantest.Text(q.QuestionID, 20)); err == nil {
		t.Error("a hidden question takes an answer")
	}
	if err := w.Operators.ShowQuestion(t.Context(), "op", q.QuestionID); err != nil {
		t.Fatal(err)
	}
	if err := w.Operators.HideQuestion(t.Context(), "op", q.QuestionID); err != nil {
		t.Fatalf("hide it again after it was shown: %v", err)
	}
	if !askahumantest.Question(t, w, q.QuestionID).Hidden {
		t.Error("the question is not hidden the second time")
	}
	reports, err := w.DB.ListReports(q.QuestionID).Slice(t.Context())
	if err != nil || len(reports) != 2 {
		t.Fatalf("%d reports (%v)", len(reports), err)
	}
	for _, report := range reports {
		if report.State != askahumandb.QuestionReportStateUpheld || !operators.FromOperator(report) {
			t.Errorf("report of %s is %s", report.FingerprintHash, report.State)
		}
	}
	if err := w.Operators.HideQuestion(t.Context(), "op", "nothing"); !errors.Is(err, askahuman.ErrNoQuestion) {
		t.Errorf("hide nothing: %v", err)
	}
}

func TestOperatorsCloseAnyQuestion(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 2)
	askahumantest.Answer(t, w, askahumantest.Text(q.QuestionID, 20))
	for range 2 { // closing what is closed changes nothing
		if err := w.Operators.CloseByOperator(t.Context(), "op", q.QuestionID); err != nil {
			t.Fatal(err)
		}
	}
	got := askahumantest.Question(t, w, q.QuestionID)
	if got.Status != questions.StatusClosed || got.CurrentResponses != 1 || got.ClosedAt == nil {
		t.Errorf("the question is %s with %d answers, closed at %v", got.Status, got.CurrentResponses, got.ClosedAt)
	}
	agent, err := w.DB.GetAgent(t.Context(), "a")
	if err != nil || agent.OpenQuestions != 0 {
		t.Errorf("the agent has %d open questions (%v)", agent.OpenQuestions, err)
	}
	if err := w.Operators.CloseByOperator(t.Context(), "op", "nothing"); !errors.Is(err, askahuman.ErrNoQuestion) {
		t.Errorf("close nothing: %v", err)
	}
	askahumantest.Audited(t, w, "close question "+q.QuestionID)
}

func TestQueuesCountWhatWaits(t *testing.T) {
	w := askahumantest.Open(t)
	before, err := w.Operators.Queues(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(operators.Queues{}, before); diff != "" {
		t.Errorf("an empty system (-want +got):\n%s", diff)
	}
	q := w.Ask(t, "a", 5) // queues the search for people
	p := askahumantest.Answer(t, w, askahumantest.Fast(q.QuestionID))
	askahumantest.Answer(t, w, askahumantest.Fast(q.QuestionID))
	if err := w.Answers.Report(t.Context(), p, q.QuestionID, "It is rude."); err != nil {
		t.Fatal(err)
	}
	queues, err := w.Operators.Queues(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(operators.Queues{Flags: 2, Reports: 1, DueJobs: 1}, queues); diff != "" {
		t.Errorf("queues (-want +got):\n%s", diff)
	}
}

func TestHistoryHasWhatIsHiddenFromPeople(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 2)
	p := askahumantest.Answer(t, w, askahumantest.Text(q.QuestionID, 20))
	if err := w.Operators.HideQuestion(t.Context(), "op", q.QuestionID); err != nil {
		t.Fatal(err)
	}
	own, _, err := w.Answers.OwnAnswers(t.Context(), p, 0, "")
	if err != nil || len(own) != 1 || own[0].Prompt != "" {
		t.Fatalf("the person sees %+v (%v)", own, err)
	}
	history, _, err := w.Operators.History(t.Context(), p, 0, "")
	if err != nil || len(history) != 1 || history[0].Prompt != q.Prompt {
		t.Errorf("operators see %+v (%v)", history, err)
	}
}
