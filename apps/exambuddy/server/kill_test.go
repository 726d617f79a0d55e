package server_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/exambuddy/client"
	"sortkey.dev/apps/exambuddy/server"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/engine"
)

// killDirectory is the variable with the directory that the child process of the kill test serves.
const killDirectory = "SORTKEY_TEST_EXAMBUDDY_DATA"

// serveUntilKilled serves a directory. It is the child process of TestKillInTheMiddleOfSittings.
func serveUntilKilled(directory string) {
	apptest.ServeChild(func(ctx context.Context, base string) (apps.System, error) {
		database, err := engine.Open(directory, nil)
		if err != nil {
			return nil, err
		}
		return server.Open(ctx, apps.Config{
			CheapPasswords: true,
			DynamoDB:       database.API(), Streams: database.Streams(), Secret: []byte("a secret of tests"), PublicURL: base, LocalURL: base,
			Demo:    true, // addresses need no verification
			Setting: func(string) string { return "" }, Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		})
	})
}

const (
	sitters       = 50
	killQuestions = 6
)

// A sitter is a candidate with what the server has acknowledged.
type sitter struct {
	number   int
	tokens   client.Tokens
	session  client.Session
	acked    map[int]string // the text that was chosen, by position
	attempt  client.Attempt // zero before it was acknowledged
	deadline time.Time
}

func (s *sitter) client(base string) *client.Client {
	return client.New(base, client.WithTokens(s.tokens))
}

// choice returns the text that a sitter chooses for a question: two of three are right.
func (s *sitter) choice(text string) string {
	if (len(text)+int(text[len(text)-2])+s.number)%3 == 0 {
		return "Wrong"
	}
	return "Right"
}

// answers gives all answers that were not acknowledged, and hands in if all were. It ends at the
// first error, because the server is dead then.
func (s *sitter) answers(ctx context.Context, base string, submit bool, acknowledged *atomic.Int64) error {
	c := s.client(base)
	if s.session.ID == "" || s.deadline.IsZero() {
		return errors.New("the session has not begun")
	}
	sitting, err := c.Take(ctx, s.session.ID)
	if err != nil {
		return err
	}
	paper, err := sitting.Paper(ctx)
	if err != nil {
		return err
	}
	for _, asked := range paper.Items {
		if s.acked[asked.Position] != "" {
			continue
		}
		text := s.choice(asked.Question.Text)
		id := ""
		for _, o := range asked.Question.Options {
			if o.Text == text {
				id = o.ID
			}
		}
		if _, err := sitting.Answer(ctx, client.NewAnswer{Position: asked.Position, Answer: client.Answer{Chosen: []string{id}}, Sequence: 1 + int64(len(s.acked))}); err != nil {
			if errors.Is(err, errOld) { // it was stored, but its acknowledgement was lost
				s.acked[asked.Position] = text
				continue
			}
			return err
		}
		s.acked[asked.Position] = text
		acknowledged.Add(1)
	}
	if !submit {
		return nil
	}
	if s.attempt, err = sitting.Submit(ctx); err == nil {
		acknowledged.Add(1)
	}
	return err
}

var errOld = &client.Error{Code: "OLD_SEQUENCE"}

// TestKillInTheMiddleOfSittings kills the server while fifty candidates answer, and again while
// they hand in. Every acknowledged answer is there afterwards, clocks have gone on, and scores and
// statistics agree with what was acknowledged.
func TestKillInTheMiddleOfSittings(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	directory := t.TempDir()
	startChild := func() *apptest.Child { return apptest.StartChild(t, killDirectory+"="+directory) }
	child := startChild()
	admin, project := killExam(t, child.URL)
	all := enrol(t, child.URL, project)

	killAfter := func(acks int64, submit bool) {
		t.Helper()
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		var acknowledged atomic.Int64
		var group sync.WaitGroup
		dead := make(chan struct{})
		for _, s := range all {
			if s.attempt.ID != "" {
				continue
			}
			group.Go(func() { _ = s.answers(ctx, child.URL, submit, &acknowledged) }) // it fails when the server dies
		}
		go func() {
			defer close(dead)
			poll := time.NewTicker(time.Millisecond)
			defer poll.Stop()
			for acknowledged.Load() < acks && ctx.Err() == nil {
				<-poll.C
			}
			child.Kill()
		}()
		group.Wait()
		<-dead
		child = startChild()
		check(t, child.URL, all)
	}
	killAfter(1+chance.Int64N(sitters*killQuestions/2), false)
	killAfter(1+chance.Int64N(sitters), false)
	killAfter(sitters+chance.Int64N(sitters), true)

	var acknowledged atomic.Int64
	for _, s := range all {
		if s.attempt.ID == "" {
			finishSitting(t, child.URL, s, &acknowledged)
		}
	}
	check(t, child.URL, all)
	agree(t, client.New(child.URL, client.WithTokens(admin)), project, all)
}

// finishSitting hands in a session that may have been handed in without an acknowledgement.
func finishSitting(t *testing.T, base string, s *sitter, acknowledged *atomic.Int64) {
	t.Helper()
	err := s.answers(t.Context(), base, true, acknowledged)
	if errors.Is(err, client.ErrOver) {
		result, failed := s.client(base).Result(t.Context(), s.session.ID)
		s.attempt, err = result.Attempt, failed
	}
	if err != nil {
		t.Fatalf("candidate %d: %v", s.number, err)
	}
}

// killExam builds an exam in which questions can be answered in any order.
func killExam(t *testing.T, base string) (client.Tokens, string) {
	t.Helper()
	ctx := t.Context()
	c := client.New(base)
	if _, err := c.Register(ctx, client.Registration{Email: "ada@example.org", Password: "Correct Horse 9", Name: "Ada", Role: "admin"}); err != nil {
		t.Fatal(err)
	}
	project, err := c.CreateProject(ctx, client.NewProject{Title: "Under fire", Rules: &client.Rules{Navigation: "free", Offline: "strict", Reveal: "submit", Overdue: "submit"}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range killQuestions {
		q := client.NewQuestion{
			Question: client.Question{Type: "single_choice", Text: fmt.Sprintf("Question number %d?", i), Options: []client.Option{{Text: "Right"}, {Text: "Wrong"}}},
			Key:      client.Key{Correct: []string{"Right"}},
		}
		if _, err := c.AddQuestion(ctx, project.ID, q); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Publish(ctx, project.ID); err != nil {
		t.Fatal(err)
	}
	return c.Tokens(), project.ID
}

// enrol signs the candidates up, and starts their sessions.
func enrol(t *testing.T, base, project string) []*sitter {
	t.Helper()
	all := make([]*sitter, sitters)
	failures := make([]error, sitters)
	slots := make(chan struct{}, 4)
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			c := client.New(base)
			if _, failures[i] = c.Register(t.Context(), client.Registration{Email: fmt.Sprintf("kim%d@example.org", i), Password: "Correct Horse 9", Name: fmt.Sprintf("Kim %d", i)}); failures[i] != nil {
				return
			}
			var s *client.Sitting
			if s, failures[i] = c.Start(t.Context(), client.Start{ProjectID: project, Mode: "exam", Difficulty: "easy", QuestionCount: killQuestions}); failures[i] == nil {
				all[i] = &sitter{number: i, tokens: c.Tokens(), session: s.Session, acked: map[int]string{}, deadline: *s.Deadline}
			}
		})
	}
	group.Wait()
	if err := errors.Join(failures...); err != nil {
		t.Fatal(err)
	}
	return all
}

// check compares what the server has with what it has acknowledged.
func check(t *testing.T, base string, all []*sitter) {
	t.Helper()
	for _, s := range all {
		c := s.client(base)
		resumed, err := c.Resume(t.Context(), s.session.ID)
		if err != nil {
			t.Fatalf("candidate %d: %v", s.number, err)
		}
		if resumed.Session.Status == "STARTED" && !resumed.Session.Deadline.Equal(s.deadline) {
			t.Errorf("candidate %d: the exam ends at %s, before the kill at %s", s.number, resumed.Session.Deadline, s.deadline)
		}
		stored := map[int]bool{}
		for _, a := range resumed.Answers {
			stored[a.Position] = true
		}
		for position := range s.acked {
			if !stored[position] {
				t.Errorf("candidate %d: the acknowledged answer %d is lost", s.number, position)
			}
		}
		if s.attempt.ID == "" {
			continue
		}
		result, err := c.Result(t.Context(), s.attempt.ID)
		if err != nil {
			t.Errorf("candidate %d: the acknowledged attempt: %v", s.number, err)
			continue
		}
		right := 0
		for _, q := range result.Questions {
			if want := s.choice(q.Question.Text) == "Right"; q.Correct != want || !q.Accepted {
				t.Errorf("candidate %d: question %d is %+v", s.number, q.Position, q)
			}
			if q.Correct {
				right++
			}
		}
		if int(result.Attempt.CorrectCount) != right || result.Attempt.AnsweredCount != killQuestions || result.Attempt.CorrectCount != s.attempt.CorrectCount {
			t.Errorf("candidate %d: the attempt is %+v", s.number, result.Attempt)
		}
	}
}

// agree waits until the stream has brought all attempts into the statistics, and compares them.
func agree(t *testing.T, c *client.Client, project string, all []*sitter) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	correct, passed := int64(0), int64(0)
	for _, s := range all {
		correct += s.attempt.CorrectCount
		if s.attempt.Passed {
			passed++
		}
	}
	poll := time.NewTicker(20 * time.Millisecond) // slower than the rate limit
	defer poll.Stop()
	for ; ; <-poll.C {
		stats, err := c.Stats(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if len(stats.Items) != 1 || stats.Items[0].Attempts < sitters {
			continue
		}
		if got := stats.Items[0]; got.Attempts != sitters || got.Passed != passed {
			t.Errorf("the totals are %+v, want %d attempts and %d passed", got, sitters, passed)
		}
		break
	}
	var answers, right int64
	for ; answers < sitters*killQuestions; <-poll.C {
		items, err := c.Items(ctx, project)
		if err != nil {
			t.Fatal(err)
		}
		answers, right = 0, 0
		for _, i := range items.Items {
			answers, right = answers+i.Answers, right+i.Correct
		}
	}
	if answers != sitters*killQuestions || right != correct {
		t.Errorf("the statistics have %d answers, %d of them right; want %d and %d", answers, right, sitters*killQuestions, correct)
	}
}
