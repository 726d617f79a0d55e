// Package exambuddytest opens ExamBuddy's domain for a test: a real database, the domain on it, and
// a clock that the test moves. Only tests import it.
package exambuddytest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/domain"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/worker"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/secret"
)

// A World is a system under test.
type World struct {
	Database apptest.Database
	DB       *exambuddydb.DB
	Env      *exambuddy.Env
	Accounts *accounts.Accounts
	*domain.Domain
	Clock *apptest.Clock
	Mail  *Mail

	Worker     *worker.Worker
	Files      files.Store
	Parsed     worker.Parsed // what the parsing of the next document finds
	ParseError error
	Settled    chan string // the attempts that the stream has brought into the statistics
	Forgotten  chan string // the files of documents that were deleted
}

// Start is the initial time of a new world's clock: a Monday at noon, UTC. It is in the future,
// because a database deletes expired items by its own clock.
var Start = platformtest.Start

// Mail keeps the mail that is sent.
type Mail struct{ Sent []mail.Message }

// Post keeps a message.
func (m *Mail) Post(_ context.Context, message mail.Message) error {
	m.Sent = append(m.Sent, message)
	return nil
}

// Open returns a new world without people and exams.
func Open(t testing.TB, options ...access.Option) *World {
	t.Helper()
	box, err := secret.NewBox([]byte("a secret of tests"))
	if err != nil {
		t.Fatal(err)
	}
	w := &World{Database: apptest.Open(t, slices.Concat(exambuddydb.Tables(), platformdb.Tables())), Clock: apptest.NewClock(Start), Mail: &Mail{}, Settled: make(chan string, 1000), Forgotten: make(chan string, 1000)}
	ground := platformtest.On(t, w.Database, box, w.Clock, options...)
	options = append([]access.Option{access.WithTablePrefix(w.Database.Prefix), access.WithoutState()}, options...)
	w.DB = exambuddydb.New(w.Database.DynamoDB, options...)
	if w.Env, err = exambuddy.New(w.DB, exambuddy.Options{Platform: ground}); err != nil {
		t.Fatal(err)
	}
	w.Accounts, err = accounts.New(ground, accounts.Options{
		Name: "ExamBuddy", PublicURL: "https://exams.test", Mail: w.Mail, Argon: accounts.Cheap,
	})
	if err != nil {
		t.Fatal(err)
	}
	if w.Files, err = files.Open("file://"+t.TempDir(), files.Options{}); err != nil {
		t.Fatal(err)
	}
	w.Domain = domain.New(w.Env, w.Accounts, w.Files)
	if w.Worker, err = worker.New(worker.Options{
		Env: w.Env, Domain: w.Domain, Streams: w.Database.Streams, DB: w.Database.DynamoDB, Poll: 5 * time.Millisecond,
		Parse: func(context.Context, exambuddydb.ProjectDocument) (worker.Parsed, error) {
			return w.Parsed, w.ParseError
		},
		Forget: func(_ context.Context, document exambuddydb.ProjectDocument) error {
			w.Forgotten <- document.ObjectKey
			return nil
		},
		Settled: func(attempt string) { w.Settled <- attempt },
	}); err != nil {
		t.Fatal(err)
	}
	return w
}

// Work runs the jobs that are due.
func (w *World) Work(t testing.TB) {
	t.Helper()
	if _, err := w.Env.Jobs.Step(t.Context()); err != nil {
		t.Fatalf("run jobs: %v", err)
	}
}

// SignUp creates an account and returns who it is.
func (w *World) SignUp(t testing.TB, name string, role exambuddy.Role) exambuddy.Caller {
	t.Helper()
	account, err := w.People.SignUpAs(t.Context(), accounts.NewAccount{Name: name, Address: strings.ToLower(name) + "@example.org", Password: "Correct Horse 9"}, role)
	if err != nil {
		t.Fatalf("sign up %s: %v", name, err)
	}
	return people.Caller(account)
}

// Admin creates an admin.
func (w *World) Admin(t testing.TB, name string) exambuddy.Admin {
	t.Helper()
	admin, err := w.SignUp(t, name, exambuddy.RoleAdmin).Admin()
	if err != nil {
		t.Fatal(err)
	}
	return admin
}

// Candidate creates a candidate.
func (w *World) Candidate(t testing.TB, name string) exambuddy.Candidate {
	t.Helper()
	candidate, err := w.SignUp(t, name, exambuddy.RoleCandidate).Candidate()
	if err != nil {
		t.Fatal(err)
	}
	return candidate
}

// Settings returns the settings of an exam that every candidate may sit.
func Settings(title string) bank.Settings {
	return bank.Settings{Title: title, PassMark: exambuddy.DefaultPassMark, Rules: bank.DefaultRules()}
}

// Choice returns a single choice question with four options, of which the one with the id "c" is
// right.
func Choice(n int) (question.Question, question.Key) {
	q := question.Question{Type: question.SingleChoice, Text: fmt.Sprintf("Question number %d?", n), Difficulty: question.Medium, Options: []question.Option{
		{ID: "a", Text: "Alpha"}, {ID: "b", Text: "Beta"}, {ID: "c", Text: "Gamma"}, {ID: "d", Text: "Delta"},
	}}
	return q, question.Key{Correct: []string{"c"}, Explanation: "Gamma is the third letter."}
}

// Project creates a draft with n questions.
func (w *World) Project(t testing.TB, admin exambuddy.Admin, settings bank.Settings, n int) exambuddydb.Project {
	t.Helper()
	project, err := w.Bank.Create(t.Context(), admin, settings)
	if err != nil {
		t.Fatalf("create a project: %v", err)
	}
	for i := range n {
		q, k := Choice(i + 1)
		if _, err := w.Bank.Add(t.Context(), admin, project.ProjectID, q, k, exambuddy.Repeat{}); err != nil {
			t.Fatalf("add question %d: %v", i+1, err)
		}
	}
	return w.Reload(t, admin, project)
}

// Published creates a published exam with n questions.
func (w *World) Published(t testing.TB, admin exambuddy.Admin, settings bank.Settings, n int) exambuddydb.Project {
	t.Helper()
	project, err := w.Bank.Publish(t.Context(), admin, w.Project(t, admin, settings, n).ProjectID)
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	return project
}

// Reload returns a project as it is now.
func (w *World) Reload(t testing.TB, admin exambuddy.Admin, project exambuddydb.Project) exambuddydb.Project {
	t.Helper()
	project, err := w.Bank.Project(t.Context(), admin, project.ProjectID)
	if err != nil {
		t.Fatal(err)
	}
	return project
}

// At moves the clock to a time after the start.
func (w *World) At(after time.Duration) { w.Clock.Set(Start.Add(after)) }
