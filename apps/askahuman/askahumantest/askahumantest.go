// Package askahumantest opens Ask-a-Human's domain for a test: a real database, the domain
// on it, and a clock that the test moves. Only tests import it.
package askahumantest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/secret"
)

// A World is a system under test.
type World struct {
	Database apptest.Database
	DB       *askahumandb.DB
	Env      *askahuman.Env
	*domain.Domain
	Platform *platform.Platform
	Clock    *apptest.Clock
	Box      *secret.Box
	// Options configures the domain of other processes, which Through opens.
	Options domain.Options
	// Parts is askahuman.Options.Parts of worlds that Through opens.
	Parts int
}

// Start is the initial time of a new world's clock: a Monday at noon, UTC. It is in the
// future, because a database deletes expired items by its own clock.
var Start = time.Date(2037, time.February, 2, 12, 0, 0, 0, time.UTC)

// Open returns a new world without people and questions.
func Open(t testing.TB, options ...access.Option) *World {
	t.Helper()
	box, err := secret.NewBox([]byte("a secret of tests"))
	if err != nil {
		t.Fatal(err)
	}
	w := &World{Database: apptest.Open(t, slices.Concat(askahumandb.Tables(), platformdb.Tables())), Clock: apptest.NewClock(Start), Box: box}
	w.Options.Notices.Senders = map[notices.Channel]notify.Sender{notices.ChannelWebpush: nowhere{}, notices.ChannelFCM: nowhere{}}
	return w.Through(t, w.Database.DynamoDB, options...)
}

// nowhere is a sender whose messages all arrive.
type nowhere struct{}

func (nowhere) Send(context.Context, notify.Target, notify.Message) error { return nil }

// Through returns the world as another process sees it, through another connection to the same
// tables.
func (w *World) Through(t testing.TB, dynamo access.API, options ...access.Option) *World {
	t.Helper()
	sealer, err := access.NewSealer(w.Box.Key("seal", 32))
	if err != nil {
		t.Fatal(err)
	}
	options = append([]access.Option{access.WithSealer(sealer), access.WithTablePrefix(w.Database.Prefix), access.WithoutState()}, options...)
	other := *w
	other.DB = askahumandb.New(dynamo, options...)
	ground, err := platform.New(platformdb.New(dynamo, options...), w.Box, nil, w.Clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	other.Platform = ground
	if other.Env, err = askahuman.New(other.DB, askahuman.Options{Platform: ground, Random: w.Options.Notices.Random, Parts: w.Parts}); err != nil {
		t.Fatal(err)
	}
	if other.Domain, err = domain.New(other.Env, w.Options); err != nil {
		t.Fatal(err)
	}
	return &other
}

// Person returns the nth person of the world, at UTC.
func (w *World) Person(t testing.TB, n int) askahuman.Person {
	t.Helper()
	p, err := w.People.Identify(w.People.NewIdentity(), fmt.Sprintf("192.0.2.%d", n%250), 0)
	if err != nil {
		t.Fatalf("identify person %d: %v", n, err)
	}
	return p
}

// Ask submits a text question that needs the given number of answers.
func (w *World) Ask(t testing.TB, agent string, required int) askahumandb.Question {
	t.Helper()
	return w.Submit(t, questions.Ask{AgentID: agent, Prompt: "Which of these sounds friendlier?", Type: "text", Required: &required})
}

// AskChoice submits a multiple-choice question.
func (w *World) AskChoice(t testing.TB, agent string, required int, choices ...string) askahumandb.Question {
	t.Helper()
	return w.Submit(t, questions.Ask{AgentID: agent, Prompt: "Which of these sounds friendlier?", Type: "multiple_choice", Options: choices, Required: &required})
}

// Submit submits a question and fails the test if it is refused.
func (w *World) Submit(t testing.TB, ask questions.Ask) askahumandb.Question {
	t.Helper()
	submitted, err := w.Questions.Submit(t.Context(), ask)
	if err != nil {
		t.Fatalf("submit %q: %v", ask.Prompt, err)
	}
	return submitted.Question
}

// DueJobs returns the jobs of all kinds that are due at a time, in order.
func (w *World) DueJobs(t testing.TB, at time.Time) []jobs.Job {
	t.Helper()
	waiting, err := w.Jobs.Waiting(t.Context(), "", 0, "")
	if err != nil || waiting.Next != "" {
		t.Fatalf("list jobs: %v (next %q)", err, waiting.Next)
	}
	return slices.DeleteFunc(waiting.Items, func(job jobs.Job) bool { return job.Due.After(at) })
}

// Text returns an answer of the given length that took a minute.
func Text(questionID string, length int) answers.Answer {
	took := time.Minute
	return answers.Answer{QuestionID: questionID, Text: strings.Repeat("a", length), Took: &took, Source: askahumandb.ResponseSourceFeed}
}

// Choice returns an answer that chooses an option and took a minute.
func Choice(questionID string, option int) answers.Answer {
	took := time.Minute
	return answers.Answer{QuestionID: questionID, Option: &option, Took: &took, Source: askahumandb.ResponseSourceFeed}
}
