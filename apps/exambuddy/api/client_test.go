package api_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/client"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/worker"
)

// enter returns the client of a new person.
func (s *site) enter(t *testing.T, name, role string) *client.Client {
	t.Helper()
	c := client.New(s.url + "/")
	registered, err := c.Register(t.Context(), client.Registration{Email: name + "@example.org", Password: password, Name: name, Role: role})
	if err != nil || registered.VerifyAddress || registered.Tokens == nil {
		t.Fatalf("%+v, %v", registered, err)
	}
	return c
}

func choice(text string) client.NewQuestion {
	return client.NewQuestion{
		Question: client.Question{Type: "single_choice", Text: text, Options: []client.Option{{Text: "Yes"}, {Text: "No"}}},
		Key:      client.Key{Correct: []string{"Yes"}, Explanation: "Because."},
	}
}

// TestClientBuildsAndSitsAnExam uses the Go client against the API.
func TestClientBuildsAndSitsAnExam(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	ada, cleo := s.enter(t, "ada", "admin"), s.enter(t, "cleo", "candidate")
	project, err := ada.CreateProject(ctx, client.NewProject{Title: "Yes or no"})
	if err != nil {
		t.Fatal(err)
	}
	item, err := ada.AddQuestion(ctx, project.ID, choice("Is it?"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ada.AddQuestion(ctx, project.ID, choice(" is  IT?")); !errors.Is(err, client.ErrDuplicate) {
		t.Errorf("a duplicate: %v", err)
	}
	if _, err := ada.ChangeQuestion(ctx, item.ID, client.NewQuestion{Question: item.Question, Key: item.Key, Version: item.Version + 7}); !errors.Is(err, client.ErrChanged) {
		t.Errorf("an old version: %v", err)
	}
	if _, err := ada.Publish(ctx, project.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := cleo.Projects(ctx, ""); !errors.Is(err, client.ErrWrongRole) {
		t.Errorf("a candidate at the exams of admins: %v", err)
	}
	catalogue, err := cleo.Catalogue(ctx, "")
	if err != nil || len(catalogue.Items) != 1 {
		t.Fatalf("%+v, %v", catalogue, err)
	}
	if err := ada.SetTimeFactor(ctx, client.TimeFactor{Email: "cleo@example.org", Percent: 150}); err != nil {
		t.Error(err)
	}
	start := client.Start{ProjectID: project.ID, Mode: "exam", Difficulty: "medium", QuestionCount: 1}
	sitting, err := cleo.Start(ctx, start)
	if err != nil || sitting.SecondsPerQuestion != 90 {
		t.Fatalf("%+v, %v", sitting, err)
	}
	if _, err := cleo.Start(ctx, start); !errors.Is(err, client.ErrActive) {
		t.Errorf("a second start: %v", err)
	}
	shown, err := sitting.Present(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(70 * time.Minute) // the access tokens have expired, and so has the question
	receipt, err := sitting.Answer(ctx, client.NewAnswer{Position: 1, Answer: client.Answer{Chosen: []string{shown.Asked.Question.Options[0].ID}}, Sequence: 1})
	if err != nil || receipt.Accepted || receipt.LateMillis != (70*60-90)*1000 {
		t.Errorf("%+v, %v", receipt, err)
	}
	if running, err := ada.Running(ctx, project.ID); err != nil || len(running.Items) != 1 {
		t.Errorf("%+v, %v", running, err)
	}
	elsewhere, err := cleo.Take(ctx, sitting.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sitting.Submit(ctx); !errors.Is(err, client.ErrWriter) {
		t.Errorf("the session was taken: %v", err)
	}
	attempt, err := elsewhere.Submit(ctx)
	again, err2 := elsewhere.Submit(ctx)
	if err != nil || err2 != nil || attempt.ScorePercent != 0 || attempt.ID != again.ID {
		t.Errorf("%+v, %v, %+v, %v", attempt, err, again, err2)
	}
	readResults(t, ada, cleo, project, attempt)
	if err := cleo.Logout(ctx); err != nil {
		t.Error(err)
	}
	if _, err := cleo.Me(ctx); !errors.Is(err, client.ErrUnauthorized) {
		t.Errorf("signed out: %v", err)
	}
}

func readResults(t *testing.T, ada, cleo *client.Client, project client.Project, attempt client.Attempt) {
	t.Helper()
	ctx := t.Context()
	result, err := cleo.Result(ctx, attempt.ID)
	if err != nil || len(result.Questions) != 1 || result.Questions[0].CorrectAnswer.Explanation != "Because." {
		t.Errorf("%+v, %v", result, err)
	}
	if list, err := ada.Attempts(ctx, client.Filter{ProjectID: project.ID, Email: "cleo@example.org"}); err != nil || len(list.Items) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	if file, err := cleo.Report(ctx, attempt.ID, "pdf"); err != nil || !bytes.HasPrefix(file, []byte("%PDF")) {
		t.Errorf("%.10q, %v", file, err)
	}
	if file, err := ada.Export(ctx, project.ID, "gift"); err != nil || !bytes.Contains(file, []byte("Is it?")) {
		t.Errorf("%s, %v", file, err)
	}
	if outcome, err := ada.PreviewRegrade(ctx, project.ID, client.NewRegrade{QuestionID: result.Questions[0].QuestionID, Rule: "full_marks"}); err != nil || outcome.NowPassed != 1 {
		t.Errorf("%+v, %v", outcome, err)
	}
	if _, err := cleo.Certificate(ctx, attempt.ID); err == nil {
		t.Error("there is a certificate of a failed exam")
	}
}

// TestClientImportsAFile uploads a file and imports what is in it.
func TestClientImportsAFile(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	ada := s.enter(t, "ada", "admin")
	project, err := ada.CreateProject(ctx, client.NewProject{Title: "Imported"})
	if err != nil {
		t.Fatal(err)
	}
	q, k := exambuddytest.Choice(1)
	s.Parsed = worker.Parsed{Found: []bank.Found{{Question: q, Key: k, Confidence: 90}}}
	document, err := ada.Import(ctx, project.ID, "questions.txt", []byte("Which?\nA) Yes\nB) No\nANSWER: A\n"))
	if err != nil || document.Format != "aiken" {
		t.Fatalf("%+v, %v", document, err)
	}
	s.Work(t)
	drafts, err := ada.Drafts(ctx, project.ID, document.ID, "")
	if err != nil || len(drafts.Items) != 1 || drafts.Items[0].Choice != "take" {
		t.Fatalf("%+v, %v", drafts, err)
	}
	if _, err := ada.PublishImport(ctx, project.ID, document.ID); err != nil {
		t.Fatal(err)
	}
	s.Work(t)
	if document, err = ada.Document(ctx, project.ID, document.ID); err != nil || *document.Imported != 1 {
		t.Errorf("%+v, %v", document, err)
	}
	if file, err := ada.UploadImage(ctx, picture(t).content); err != nil || file == "" {
		t.Errorf("%q, %v", file, err)
	}
}
