package bank_test

import (
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/internal/refusal"
)

// TestUploadsAreLimitedByAdmin: the papers of a course fit in a day. The refusal says when the next
// file is accepted, and that is true; another admin is not affected.
func TestUploadsAreLimitedByAdmin(t *testing.T) {
	w := exambuddytest.Open(t)
	ada, bob := w.Admin(t, "ada"), w.Admin(t, "bob")
	project, other := w.Project(t, ada, exambuddytest.Settings("Networks"), 0), w.Project(t, bob, exambuddytest.Settings("Plants"), 0)
	for i := range exambuddy.MaxUploads {
		if err := w.Bank.AllowUpload(t.Context(), ada, project.ProjectID); err != nil {
			t.Fatalf("file %d: %v", i+1, err)
		}
	}
	refused, ok := refusal.As(w.Bank.AllowUpload(t.Context(), ada, project.ProjectID), refusal.TooMany)
	if !ok || refused.Message != "You have uploaded 100 files within a day, and cannot upload more now. This file was not stored; your imports and drafts are as they were. Try again in 26 hours." {
		t.Fatalf("the file after the last one: %v", refused)
	}
	if err := w.Bank.AllowUpload(t.Context(), bob, other.ProjectID); err != nil {
		t.Errorf("another admin: %v", err)
	}
	if err := w.Bank.AllowUpload(t.Context(), bob, project.ProjectID); err == nil {
		t.Error("a file for an exam of another admin is accepted")
	}
	w.At(refused.Wait + time.Second)
	if err := w.Bank.AllowUpload(t.Context(), ada, project.ProjectID); err != nil {
		t.Errorf("after the wait that the refusal states: %v", err)
	}
}

// TestADocumentIsDeleted once it is not being worked on.
func TestADocumentIsDeleted(t *testing.T) {
	w := exambuddytest.Open(t)
	ada, bob := w.Admin(t, "ada"), w.Admin(t, "bob")
	project := w.Project(t, ada, exambuddytest.Settings("Networks"), 0)
	document, err := w.Bank.AddDocument(t.Context(), ada, project.ProjectID, bank.Upload{Format: "pdf", File: "uploads/f1", Name: "exam.pdf", ContentType: "application/pdf", Size: 1})
	if err == nil {
		_, _, err = w.Bank.Begin(t.Context(), project.ProjectID, document.DocumentID)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := refusal.As(w.Bank.DeleteDocument(t.Context(), ada, project.ProjectID, document.DocumentID), refusal.Conflict); !ok {
		t.Error("a file that is being read is deleted")
	}
	if err := w.Bank.Fail(t.Context(), document, "No question.", nil); err != nil {
		t.Fatal(err)
	}
	if _, ok := refusal.As(w.Bank.DeleteDocument(t.Context(), bob, project.ProjectID, document.DocumentID), refusal.NotFound); !ok {
		t.Error("another admin deletes the file")
	}
	if err := w.Bank.DeleteDocument(t.Context(), ada, project.ProjectID, document.DocumentID); err != nil {
		t.Fatal(err)
	}
	if all, err := w.Bank.Documents(t.Context(), ada, project.ProjectID); err != nil || len(all) != 0 {
		t.Errorf("%d documents are left: %v", len(all), err)
	}
}
