package bank_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

// TestParallelAddsAreCounted is vector 2: adds need no lock, and a refused one changes nothing.
func TestParallelAddsAreCounted(t *testing.T) {
	w := exambuddytest.Open(t)
	admin := w.Admin(t, "ada")
	project := w.Project(t, admin, exambuddytest.Settings("Networks"), 0)
	var group sync.WaitGroup
	errs := make([]error, 3)
	for i := range errs {
		group.Go(func() {
			q, k := exambuddytest.Choice(i)
			_, errs[i] = w.Bank.Add(t.Context(), admin, project.ProjectID, q, k, exambuddy.Repeat{})
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	q, k := exambuddytest.Choice(0)
	q.Text = "  QUESTION number 0? "
	if _, err := w.Bank.Add(t.Context(), admin, project.ProjectID, q, k, exambuddy.Repeat{}); !errors.Is(err, exambuddy.ErrDuplicate) {
		t.Errorf("the same text again gives %v", err)
	}
	if got := w.Reload(t, admin, project); got.QuestionCount != 3 || got.KeyedCount != 3 {
		t.Errorf("%d questions, %d keys", got.QuestionCount, got.KeyedCount)
	}
	page, err := w.Bank.Questions(t.Context(), admin, project.ProjectID, 0, "")
	if err != nil || len(page.Items) != 3 {
		t.Fatalf("%d questions: %v", len(page.Items), err)
	}
	if err := w.Bank.Remove(t.Context(), admin, project.ProjectID, page.Items[0].ID); err != nil {
		t.Fatal(err)
	}
	if got := w.Reload(t, admin, project); got.QuestionCount != 2 || got.KeyedCount != 2 {
		t.Errorf("after a removal %d questions, %d keys", got.QuestionCount, got.KeyedCount)
	}
}

// TestArchiveMovesTheProject is vector 3 as the design can promise it.
func TestArchiveMovesTheProject(t *testing.T) {
	w := exambuddytest.Open(t)
	admin := w.Admin(t, "ada")
	project := w.Published(t, admin, exambuddytest.Settings("Networks"), 1)
	yes, no := true, false
	listed := func(archived *bool) int {
		page, err := w.Bank.List(t.Context(), admin, archived, 0, "")
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Items)
	}
	if listed(&no) != 1 || listed(&yes) != 0 || listed(nil) != 1 {
		t.Error("an active project is not in the list of active projects")
	}
	if _, err := w.Bank.Archive(t.Context(), admin, project.ProjectID); err != nil {
		t.Fatal(err)
	}
	if listed(&no) != 0 || listed(&yes) != 1 || listed(nil) != 1 {
		t.Error("an archived project is not in the list of archived projects")
	}
	if _, err := w.Bank.Published(t.Context(), project.ProjectID); !errors.Is(err, exambuddy.ErrNoProject) {
		t.Errorf("an archived project is published: %v", err)
	}
	page, err := w.Bank.Catalogue(t.Context(), nil, 0, "")
	if err != nil || len(page.Items) != 0 {
		t.Errorf("the catalogue has %d projects: %v", len(page.Items), err)
	}
}

// TestTwoAdminsEditOneQuestion is vector 12: the second writer is refused and sees the current
// question.
func TestTwoAdminsEditOneQuestion(t *testing.T) {
	w := exambuddytest.Open(t)
	ada, bob := w.Admin(t, "ada"), w.Admin(t, "bob")
	project := w.Project(t, ada, exambuddytest.Settings("Networks"), 1)
	page, err := w.Bank.Questions(t.Context(), ada, project.ProjectID, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	item := page.Items[0]
	if _, err := w.Bank.Question(t.Context(), bob, project.ProjectID, item.ID); !errors.Is(err, exambuddy.ErrNoProject) {
		t.Errorf("another admin reads the question: %v", err)
	}
	if err := w.Bank.AddEditor(t.Context(), ada, project.ProjectID, bob); err != nil {
		t.Fatal(err)
	}
	changed := item.Question
	changed.Text = "What is new?"
	first, err := w.Bank.Change(t.Context(), bob, project.ProjectID, item.ID, item.Version, changed, item.Key)
	if err != nil || first.Revision != item.Revision+1 {
		t.Fatalf("the first edit gives revision %d, %v", first.Revision, err)
	}
	changed.Text = "What is newer?"
	_, err = w.Bank.Change(t.Context(), ada, project.ProjectID, item.ID, item.Version, changed, item.Key)
	var stale *bank.StaleError
	if !errors.As(err, &stale) || stale.Current.Question.Text != "What is new?" || !errors.Is(err, exambuddy.ErrChanged) {
		t.Fatalf("the second edit gives %v", err)
	}
	if _, ok := refusal.As(err, refusal.Conflict); !ok {
		t.Error("a stale edit is no conflict")
	}
	tagged := first.Question
	tagged.Tags = []string{"layer 2"}
	again, err := w.Bank.Change(t.Context(), ada, project.ProjectID, item.ID, first.Version, tagged, first.Key)
	if err != nil || again.Revision != first.Revision {
		t.Errorf("a tag gives revision %d, %v", again.Revision, err)
	}
	q, k := exambuddytest.Choice(1)
	if _, err := w.Bank.Add(t.Context(), ada, project.ProjectID, q, k, exambuddy.Repeat{}); err != nil {
		t.Errorf("the text of before is still taken: %v", err)
	}
}

func TestPublishNeedsAllKeys(t *testing.T) {
	w := exambuddytest.Open(t)
	admin := w.Admin(t, "ada")
	project := w.Project(t, admin, exambuddytest.Settings("Networks"), 0)
	if _, err := w.Bank.Publish(t.Context(), admin, project.ProjectID); !hasCode(err, exambuddy.CodeNotReady) {
		t.Errorf("an exam without questions: %v", err)
	}
	q, k := exambuddytest.Choice(1)
	item, err := w.Bank.Add(t.Context(), admin, project.ProjectID, q, question.Key{}, exambuddy.Repeat{})
	if err != nil || item.Complete {
		t.Fatalf("add a question without a key: %v", err)
	}
	if _, err := w.Bank.Publish(t.Context(), admin, project.ProjectID); !hasCode(err, exambuddy.CodeNotReady) {
		t.Errorf("a question without a key: %v", err)
	}
	if _, err := w.Bank.Change(t.Context(), admin, project.ProjectID, item.ID, item.Version, item.Question, k); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Bank.Publish(t.Context(), admin, project.ProjectID); err != nil {
		t.Error(err)
	}
}

func hasCode(err error, code string) bool {
	refused, ok := refusal.As(err)
	return ok && refused.CodeText() == code
}

func found(from, to int) []bank.Found {
	var all []bank.Found
	for i := from; i <= to; i++ {
		q, k := exambuddytest.Choice(i)
		all = append(all, bank.Found{Question: q, Key: k, Page: 1, Line: i, Reason: "one letter in the answer line", Confidence: 95})
	}
	return all
}

// drawsAtMost fails the test unless a paper can have n questions of a project, and no more.
func drawsAtMost(t *testing.T, w *exambuddytest.World, project exambuddydb.Project, n int) {
	t.Helper()
	if drawn, err := w.Bank.Draw(t.Context(), project, bank.Pick{Count: n}); err != nil || len(drawn) != n {
		t.Errorf("%d of %d questions were drawn: %v", len(drawn), n, err)
	}
	_, err := w.Bank.Draw(t.Context(), project, bank.Pick{Count: n + 1})
	if want := fmt.Sprintf("At most %d are available.", n); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("drawing %d questions: %v, want %q", n+1, err, want)
	}
}

// imported uploads a document whose parsing finds questions.
func imported(t *testing.T, w *exambuddytest.World, admin exambuddy.Admin, project exambuddydb.Project, found []bank.Found) exambuddydb.ProjectDocument {
	t.Helper()
	document, err := w.Bank.AddDocument(t.Context(), admin, project.ProjectID, bank.Upload{Format: "pdf", File: "f", Name: "exam.pdf", ContentType: "application/pdf", Size: 100})
	if err != nil {
		t.Fatal(err)
	}
	w.Parsed.Found = found
	w.Work(t)
	document, err = w.Bank.Document(t.Context(), admin, project.ProjectID, document.DocumentID)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// TestImportSkipsAndOverwritesDuplicates is vector 13: 35 questions of which 5 exist.
func TestImportSkipsAndOverwritesDuplicates(t *testing.T) {
	for _, choice := range []string{bank.Skip, bank.Overwrite} {
		t.Run(choice, func(t *testing.T) {
			w := exambuddytest.Open(t)
			admin := w.Admin(t, "ada")
			project := w.Project(t, admin, exambuddytest.Settings("Networks"), 5)
			before, err := w.Bank.Questions(t.Context(), admin, project.ProjectID, 100, "")
			if err != nil {
				t.Fatal(err)
			}
			files := found(1, 35)
			for i := range files {
				files[i].Key.Explanation = "From the file."
				files[i].Key.Correct = []string{"d"}
			}
			document := imported(t, w, admin, project, files)
			if *document.Found != 35 || *document.Duplicates != 5 || *document.Valid != 35 {
				t.Fatalf("found %d, duplicates %d, valid %d", *document.Found, *document.Duplicates, *document.Valid)
			}
			if got := w.Reload(t, admin, project); got.QuestionCount != 5 {
				t.Errorf("before it is published the bank has %d questions", got.QuestionCount)
			}
			drafts, err := w.Bank.Drafts(t.Context(), admin, project.ProjectID, document.DocumentID, 100, "")
			if err != nil || len(drafts.Items) != 35 {
				t.Fatalf("%d drafts: %v", len(drafts.Items), err)
			}
			for _, d := range drafts.Items {
				if d.DuplicateOf != "" {
					if _, err := w.Bank.EditDraft(t.Context(), admin, project.ProjectID, document.DocumentID, d.Position, d.Version, d.Question, d.Key, choice); err != nil {
						t.Fatal(err)
					}
				}
			}
			if _, err := w.Bank.PublishImport(t.Context(), admin, project.ProjectID, document.DocumentID); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Bank.Publish(t.Context(), admin, project.ProjectID); !hasCode(err, exambuddy.CodeNotReady) {
				t.Errorf("a project with half an import: %v", err)
			}
			drawsAtMost(t, w, w.Reload(t, admin, project), 5) // before the import is complete
			w.Work(t)
			got := w.Reload(t, admin, project)
			if got.QuestionCount != 35 || got.KeyedCount != 35 || len(got.Importing) != 0 {
				t.Errorf("%d questions, %d keys, importing %v", got.QuestionCount, got.KeyedCount, got.Importing)
			}
			drawsAtMost(t, w, got, 35)
			for _, old := range before.Items {
				now, err := w.Bank.Question(t.Context(), admin, project.ProjectID, old.ID)
				if err != nil {
					t.Fatalf("question %s lost its id: %v", old.ID, err)
				}
				if overwritten := now.Key.Correct[0] == "d"; overwritten != (choice == bank.Overwrite) {
					t.Errorf("%s: overwritten is %v", choice, overwritten)
				}
			}
		})
	}
}

// TestImportGoesOnAfterACrash runs the publication of an import twice, as after a crash, and with a
// question that was typed meanwhile.
func TestImportGoesOnAfterACrash(t *testing.T) {
	w := exambuddytest.Open(t)
	admin := w.Admin(t, "ada")
	project := w.Project(t, admin, exambuddytest.Settings("Networks"), 0)
	document := imported(t, w, admin, project, found(1, 40))
	q, k := exambuddytest.Choice(20)
	if _, err := w.Bank.Add(t.Context(), admin, project.ProjectID, q, k, exambuddy.Repeat{}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Bank.PublishImport(t.Context(), admin, project.ProjectID, document.DocumentID); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Bank.RunPublish(t.Context(), project.ProjectID, document.DocumentID); err != nil {
			t.Fatal(err)
		}
	}
	w.Work(t)
	if got := w.Reload(t, admin, project); got.QuestionCount != 40 || got.KeyedCount != 40 {
		t.Errorf("%d questions, %d keys", got.QuestionCount, got.KeyedCount)
	}
	document, err := w.Bank.Document(t.Context(), admin, project.ProjectID, document.DocumentID)
	if err != nil || document.Status != exambuddydb.ProjectDocumentStatusCompleted || *document.Imported != 39 {
		t.Errorf("the document is %s with %d imported: %v", document.Status, *document.Imported, err)
	}
}

// TestImportWithoutKeys is vector 14.
func TestImportWithoutKeys(t *testing.T) {
	w := exambuddytest.Open(t)
	admin := w.Admin(t, "ada")
	project := w.Project(t, admin, exambuddytest.Settings("Networks"), 0)
	files := found(1, 3)
	files[1].Key = question.Key{}
	document := imported(t, w, admin, project, files)
	if _, err := w.Bank.PublishImport(t.Context(), admin, project.ProjectID, document.DocumentID); err != nil {
		t.Fatal(err)
	}
	w.Work(t)
	if got := w.Reload(t, admin, project); got.QuestionCount != 3 || got.KeyedCount != 2 {
		t.Errorf("%d questions, %d keys", got.QuestionCount, got.KeyedCount)
	}
	if _, err := w.Bank.Publish(t.Context(), admin, project.ProjectID); !hasCode(err, exambuddy.CodeNotReady) {
		t.Errorf("a question has no key: %v", err)
	}
}

func TestDeleteWaitsForStartsUnderWay(t *testing.T) {
	w := exambuddytest.Open(t)
	admin := w.Admin(t, "ada")
	project := w.Published(t, admin, exambuddytest.Settings("Networks"), 3)
	if err := w.Bank.Delete(t.Context(), admin, project.ProjectID); !hasCode(err, exambuddy.CodeState) {
		t.Errorf("a published exam: %v", err)
	}
	if _, err := w.Bank.Archive(t.Context(), admin, project.ProjectID); err != nil {
		t.Fatal(err)
	}
	w.At(exambuddy.DeleteAfter - time.Millisecond)
	if err := w.Bank.Delete(t.Context(), admin, project.ProjectID); !hasCode(err, exambuddy.CodeState) {
		t.Errorf("before its time: %v", err)
	}
	w.At(exambuddy.DeleteAfter)
	if err := w.Bank.Delete(t.Context(), admin, project.ProjectID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Bank.Project(t.Context(), admin, project.ProjectID); !errors.Is(err, exambuddy.ErrNoProject) {
		t.Errorf("after it: %v", err)
	}
}

// TestThousandQuestionsArePaged: an exam of a thousand questions is read in pages, and drawn from.
func TestThousandQuestionsArePaged(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a thousand questions")
	}
	w := exambuddytest.Open(t)
	admin := w.Admin(t, "ada")
	project := w.Project(t, admin, exambuddytest.Settings("Networks"), 0)
	document := imported(t, w, admin, project, found(1, exambuddy.MaxQuestions))
	if _, err := w.Bank.PublishImport(t.Context(), admin, project.ProjectID, document.DocumentID); err != nil {
		t.Fatal(err)
	}
	w.Work(t)
	seen, cursor := map[string]bool{}, ""
	for {
		page, err := w.Bank.Questions(t.Context(), admin, project.ProjectID, 100, cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			seen[item.ID] = true
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if len(seen) != exambuddy.MaxQuestions {
		t.Errorf("the pages have %d questions", len(seen))
	}
	project = w.Reload(t, admin, project)
	drawn, err := w.Bank.Draw(t.Context(), project, bank.Pick{Count: 150, Seed: "s"})
	if err != nil || len(drawn) != 150 {
		t.Fatalf("%d drawn: %v", len(drawn), err)
	}
	q, k := exambuddytest.Choice(exambuddy.MaxQuestions + 1)
	if _, err := w.Bank.Add(t.Context(), admin, project.ProjectID, q, k, exambuddy.Repeat{}); !hasCode(err, exambuddy.CodeFull) {
		t.Errorf("one more question: %v", err)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	w := exambuddytest.Open(t)
	admin := w.Admin(t, "ada")
	late, early := exambuddytest.Start.Add(time.Hour), exambuddytest.Start
	for name, change := range map[string]func(*bank.Settings){
		"title":           func(s *bank.Settings) { s.Title = "ab" },
		"pass_mark":       func(s *bank.Settings) { s.PassMark = 101 },
		"navigation":      func(s *bank.Settings) { s.Rules.Navigation = "back" },
		"exam_count":      func(s *bank.Settings) { s.Rules.ExamCount = new(int64(151)) },
		"closes_at":       func(s *bank.Settings) { s.Rules.OpensAt, s.Rules.ClosesAt = &late, &early },
		"exam_difficulty": func(s *bank.Settings) { s.Rules.ExamDifficulty = new("insane") },
	} {
		settings := exambuddytest.Settings("Networks")
		change(&settings)
		_, err := w.Bank.Create(t.Context(), admin, settings)
		refused, ok := refusal.As(err, refusal.Invalid)
		if !ok || refused.Field() != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	settings := exambuddytest.Settings("abc")
	settings.PassMark, settings.Rules.ExamCount = 100, new(int64(150))
	if _, err := w.Bank.Create(t.Context(), admin, settings); err != nil {
		t.Errorf("the limits themselves: %v", fmt.Errorf("%w", err))
	}
}

// TestSearchReorderAndDuplicate finds questions by each part of a filter, moves one and copies one.
func TestSearchReorderAndDuplicate(t *testing.T) {
	w := exambuddytest.Open(t)
	admin := w.Admin(t, "ada")
	project := w.Project(t, admin, exambuddytest.Settings("Geography"), 0)
	id := project.ProjectID
	for i, tags := range [][]string{{"north"}, {"north", "sea"}, nil} {
		q, k := exambuddytest.Choice(i)
		q.Text, q.Tags = fmt.Sprintf("Question %d about Malmö?", i+1), tags
		if i == 2 {
			q.Difficulty, k = question.Hard, question.Key{}
		}
		if _, err := w.Bank.Add(t.Context(), admin, id, q, k, exambuddy.Repeat{}); err != nil {
			t.Fatal(err)
		}
	}
	texts := func(filter bank.Filter) string {
		t.Helper()
		found, err := w.Bank.Search(t.Context(), admin, id, filter)
		if err != nil || found.Total != 3 || !slices.Equal(found.Tags, []string{"north", "sea"}) {
			t.Fatalf("%+v: %v", found, err)
		}
		all := ""
		for _, item := range found.Items {
			all += item.Question.Text[9:10]
		}
		return all
	}
	for want, filter := range map[string]bank.Filter{
		"123": {Text: "MALMÖ"}, "12": {Tag: "north"}, "2": {Tag: "sea", Type: question.SingleChoice}, "3": {Unanswered: true}, "": {Type: question.Ordering}, "1": {Text: "question 1"},
	} {
		if got := texts(filter); got != want {
			t.Errorf("%+v finds %q, want %q", filter, got, want)
		}
	}
	found, err := w.Bank.Search(t.Context(), admin, id, bank.Filter{Difficulty: question.Hard})
	if err != nil || len(found.Items) != 1 {
		t.Fatalf("%d hard questions: %v", len(found.Items), err)
	}
	third := found.Items[0].ID
	if err := w.Bank.Reorder(t.Context(), admin, id, third, 1); err != nil || texts(bank.Filter{}) != "312" {
		t.Errorf("after a move the order is %s: %v", texts(bank.Filter{}), err)
	}
	for _, place := range []int{0, 4} {
		if _, ok := refusal.As(w.Bank.Reorder(t.Context(), admin, id, third, place), refusal.Invalid); !ok {
			t.Errorf("place %d is accepted", place)
		}
	}
	for _, want := range []string{"Question 3 about Malmö? (copy)", "Question 3 about Malmö? (copy 2)"} {
		if copied, err := w.Bank.Duplicate(t.Context(), admin, id, third, exambuddy.Repeat{}); err != nil || copied.Question.Text != want || copied.ID == third {
			t.Errorf("the copy is %q: %v", copied.Question.Text, err)
		}
	}
	if _, err := w.Bank.Search(t.Context(), w.Admin(t, "bob"), id, bank.Filter{}); !errors.Is(err, exambuddy.ErrNoProject) {
		t.Errorf("another admin: %v", err)
	}
}
