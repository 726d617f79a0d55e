package main

import (
	"context"
	crypto "crypto/rand"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"sortkey.dev/apps/exambuddy/client"
	"sortkey.dev/bench/internal/appbench"
	"sortkey.dev/bench/internal/httpload"
)

// bankSize is the number of questions of the exam.
const bankSize = 50

// A load holds the candidates and the exam they sit.
type load struct {
	record     *httpload.Recorder
	project    string
	questions  int
	candidates []*client.Client
}

// prepare builds the exam and signs the candidates up. It is not measured.
func prepare(ctx context.Context, cfg config, target *appbench.System, record *httpload.Recorder) (*load, error) {
	fmt.Fprintf(os.Stderr, "sign %d candidates up\n", cfg.candidates)
	run := strings.ToLower(crypto.Text()[:8]) // a system in another process may know people of an earlier run
	l := &load{record: record, questions: cfg.questions, candidates: make([]*client.Client, cfg.candidates)}
	admin := client.New(target.URL, client.WithHTTPClient(record.From(httpload.Address(0))))
	if _, err := admin.Register(ctx, client.Registration{Email: run + "-admin@bench.invalid", Password: password, Name: "Admin", Role: "admin"}); err != nil {
		return nil, err
	}
	project, err := admin.CreateProject(ctx, client.NewProject{Title: "Load", Rules: &client.Rules{Practice: true, Navigation: "forward", Offline: "strict", Reveal: "submit", Overdue: "submit"}})
	if err != nil {
		return nil, err
	}
	for i := range bankSize {
		if _, err := admin.AddQuestion(ctx, project.ID, client.NewQuestion{
			Question: client.Question{Type: "single_choice", Text: fmt.Sprintf("Which of the four is the answer to question %d?", i), Options: []client.Option{{Text: "The first"}, {Text: "The second"}, {Text: "The third"}, {Text: "The fourth"}}},
			Key:      client.Key{Correct: []string{"The third"}, Explanation: "Because the third is right."},
		}); err != nil {
			return nil, err
		}
	}
	if _, err := admin.Publish(ctx, project.ID); err != nil {
		return nil, err
	}
	l.project = project.ID
	if err := l.enrol(ctx, target, run); err != nil {
		return nil, err
	}
	record.Reset()
	return l, nil
}

const password = "Correct Horse 9"

func (l *load) enrol(ctx context.Context, target *appbench.System, run string) error {
	failures := make([]error, len(l.candidates))
	slots := make(chan struct{}, 4)
	var group sync.WaitGroup
	for i := range l.candidates {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			c := client.New(target.URL, client.WithHTTPClient(l.record.From(httpload.Address(i+1))))
			_, failures[i] = c.Register(ctx, client.Registration{Email: fmt.Sprintf("%s-c%d@bench.invalid", run, i), Password: password, Name: fmt.Sprintf("Candidate %d", i)})
			l.candidates[i] = c
		})
	}
	group.Wait()
	return errors.Join(failures...)
}

// run lets all candidates sit until the time is over and the exams they have begun are handed in. It
// returns how long that took.
func (l *load) run(ctx context.Context, d time.Duration) (time.Duration, error) {
	began := time.Now()
	failures := make([]error, len(l.candidates))
	var group sync.WaitGroup
	for i, c := range l.candidates {
		group.Go(func() {
			chance := rand.New(rand.NewPCG(uint64(i), 1))
			for time.Since(began) < d && failures[i] == nil {
				failures[i] = l.sit(ctx, c, chance)
			}
		})
	}
	group.Wait()
	return time.Since(began), errors.Join(failures...)
}

// sit plays one exam: every question is shown, answered, and changed once.
func (l *load) sit(ctx context.Context, c *client.Client, chance *rand.Rand) error {
	if _, err := c.Catalogue(ctx, ""); err != nil {
		return err
	}
	sitting, err := c.Start(ctx, client.Start{ProjectID: l.project, Mode: "exam", Difficulty: "medium", QuestionCount: l.questions})
	if err != nil {
		return err
	}
	for position := 1; position <= l.questions; position++ {
		shown, err := sitting.Present(ctx, position)
		if err != nil {
			return err
		}
		for sequence := int64(1); sequence <= 2; sequence++ {
			chosen := shown.Asked.Question.Options[chance.IntN(4)].ID
			if _, err := sitting.Answer(ctx, client.NewAnswer{Position: position, Answer: client.Answer{Chosen: []string{chosen}}, Sequence: sequence}); err != nil {
				return err
			}
		}
	}
	if _, err := c.Resume(ctx, sitting.ID); err != nil {
		return err
	}
	attempt, err := sitting.Submit(ctx)
	if err != nil {
		return err
	}
	_, err = c.Result(ctx, attempt.ID)
	return err
}
