package worker_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/refusal"
)

// follow runs the consumer until it has settled n changes, and stops it as a crash would.
func follow(t *testing.T, w *exambuddytest.World, n int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- w.Worker.Follow(ctx) }()
	for range n {
		select {
		case <-w.Settled:
		case err := <-done:
			t.Fatalf("the consumer ended: %v", err)
		}
	}
	stop()
	if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// TestStreamFeedsStatistics: exams, practice and cancelled sessions reach the totals, also when the
// consumer is stopped in between.
func TestStreamFeedsStatistics(t *testing.T) {
	w := exambuddytest.Open(t)
	if err := w.Worker.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	admin := w.Admin(t, "ada")
	project := w.Published(t, admin, exambuddytest.Settings("Networks"), 2)
	for i := range 6 {
		candidate := w.Candidate(t, fmt.Sprintf("kim%d", i))
		mode := sitting.Exam
		if i >= 4 {
			mode = sitting.Test
		}
		state, err := w.Sitting.Start(t.Context(), candidate, sitting.Request{ProjectID: project.ProjectID, Mode: mode, Difficulty: question.Medium, Count: 2})
		if err != nil {
			t.Fatal(err)
		}
		if i == 3 {
			err = w.Sitting.Cancel(t.Context(), candidate, state.ID)
		} else {
			_, err = w.Sitting.Submit(t.Context(), candidate, state.ID, state.Writer)
		}
		if err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			follow(t, w, 2)
		}
	}
	follow(t, w, 4)
	totals, err := w.Results.Totals(t.Context(), admin)
	if err != nil || len(totals) != 1 {
		t.Fatalf("%d totals: %v", len(totals), err)
	}
	if got := totals[0]; got.Attempts != 3 || got.Practices != 2 || got.Abandoned != 1 || got.Passed != 0 {
		t.Errorf("the totals are %+v", got)
	}
}

// TestFileOfADeletedDocumentIsDeleted, whether an admin deletes the document or it expires.
func TestFileOfADeletedDocumentIsDeleted(t *testing.T) {
	w := exambuddytest.Open(t)
	if err := w.Worker.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	admin := w.Admin(t, "ada")
	project := w.Project(t, admin, exambuddytest.Settings("Networks"), 0)
	document, err := w.Bank.AddDocument(t.Context(), admin, project.ProjectID, bank.Upload{Format: "pdf", File: "uploads/f1", Name: "exam.pdf", ContentType: "application/pdf", Size: 1})
	if err == nil {
		err = w.Bank.DeleteDocument(t.Context(), admin, project.ProjectID, document.DocumentID)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Worker.Follow(ctx) }()
	select {
	case file := <-w.Forgotten:
		if file != "uploads/f1" {
			t.Errorf("the file %q is deleted", file)
		}
	case err := <-done:
		t.Fatalf("the consumer ended: %v", err)
	}
	stop()
	<-done
}

func TestUnreadableFileFailsAndKeepsNothing(t *testing.T) {
	w := exambuddytest.Open(t)
	admin := w.Admin(t, "ada")
	project := w.Project(t, admin, exambuddytest.Settings("Networks"), 0)
	for _, want := range []struct {
		err     error
		message string
	}{
		{refusal.New(refusal.Invalid, "SCANNED", "This is a scanned document."), "This is a scanned document."},
		{nil, "There is no question in this file."},
	} {
		w.ParseError = want.err
		document, err := w.Bank.AddDocument(t.Context(), admin, project.ProjectID, bank.Upload{Format: "pdf", File: "f", Name: "exam.pdf", ContentType: "application/pdf", Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		w.Work(t)
		document, err = w.Bank.Document(t.Context(), admin, project.ProjectID, document.DocumentID)
		if err != nil || document.Status != exambuddydb.ProjectDocumentStatusFailed || *document.ErrorMessage != want.message {
			t.Errorf("the document is %+v: %v", document, err)
		}
		if _, err := w.Bank.PublishImport(t.Context(), admin, project.ProjectID, document.DocumentID); err == nil {
			t.Error("a failed document is published")
		}
	}
	if got := w.Reload(t, admin, project); got.QuestionCount != 0 {
		t.Errorf("the bank has %d questions", got.QuestionCount)
	}
	if _, err := w.Bank.AddDocument(t.Context(), admin, project.ProjectID, bank.Upload{Size: bank.MaxDocument + 1}); err == nil {
		t.Error("a file that is too large is accepted")
	}
}
