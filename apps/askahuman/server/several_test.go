package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman/client"
)

// pair returns two processes on one database.
func pair(t *testing.T) (one, other *site) {
	t.Helper()
	config := memory(t)
	return start(t, config, usual), start(t, config, usual)
}

// TestSeveralProcessesAreOneSystem: an identity is valid in all processes.
func TestSeveralProcessesAreOneSystem(t *testing.T) {
	one, other := pair(t)
	id, person := one.ask(t, "bot", 2), other.newcomer(t)
	other.must(t, http.StatusCreated, says(person, id, "The second one, it does not shout."))
	if status, answer, err := one.send(t.Context(), says(person, id, "Once more, with feeling this time.")); status != http.StatusConflict {
		t.Errorf("a second answer elsewhere: %d %v %v", status, answer, err)
	}
	for name, s := range map[string]*site{"one": one, "other": other} {
		question, err := s.agent("bot").Get(t.Context(), id)
		if err != nil || question.CurrentResponses != 1 {
			t.Errorf("%s: %+v, %v", name, question, err)
		}
	}
}

// TestAnswerReachesOtherProcesses: a stream of one process hears of what was done at the other
// before it looks again by itself, which is after 15 seconds.
func TestAnswerReachesOtherProcesses(t *testing.T) {
	one, other := pair(t)
	id := one.ask(t, "bot", 2)
	next := one.events(t, "bot", id)
	if name, data := next(); name != "question" || responsesOf(t, data) != 0 {
		t.Fatalf("the first event: %s %s", name, data)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 14*time.Second)
	defer cancel()
	heard := make(chan string, 1)
	go func() { _, data := next(); heard <- data }()
	other.must(t, http.StatusCreated, says(other.newcomer(t), id, "The second one, it does not shout."))
	select {
	case data := <-heard:
		if got := responsesOf(t, data); got != 1 {
			t.Errorf("it heard of %d answers: %s", got, data)
		}
	case <-ctx.Done():
		t.Error("the other process was not heard of")
	}
}

// TestManyAnswerAtBothProcesses: counters are exact, the last places are given away once.
func TestManyAnswerAtBothProcesses(t *testing.T) {
	one, other := pair(t)
	sites := []*site{one, other}
	const people, wanted = 100, 50
	id := one.ask(t, "bot", wanted)
	var crowd [people]string
	for i := range crowd {
		crowd[i] = sites[i%2].newcomer(t)
	}
	var taken, late atomic.Int64
	var group sync.WaitGroup
	for i, person := range crowd {
		group.Go(func() {
			status, answer, err := sites[i%2].send(t.Context(), says(person, id, fmt.Sprintf("The answer of somebody who is number %d.", i)))
			switch {
			case err != nil:
				t.Errorf("%d: %v", i, err)
			case status == http.StatusCreated:
				taken.Add(1)
			case status == http.StatusGone:
				late.Add(1)
			default:
				t.Errorf("%d: %d %v", i, status, answer)
			}
		})
	}
	group.Wait()
	question, err := other.agent("bot").Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if taken.Load() != wanted || late.Load() != people-wanted || question.CurrentResponses != wanted || len(question.Responses) != wanted || question.Status != client.Closed {
		t.Errorf("taken %d, late %d, counted %d, listed %d, %s; want %d taken", taken.Load(), late.Load(), question.CurrentResponses, len(question.Responses), question.Status, wanted)
	}
}

// TestWebhooksOfSeveralProcessesComeOnce: each end of a question is delivered once.
func TestWebhooksOfSeveralProcessesComeOnce(t *testing.T) {
	const questions = 6
	arrived := make(chan string, 4*questions)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		arrived <- r.Header.Get("webhook-id")
	}))
	defer receiver.Close()
	one, other := pair(t)
	sites := []*site{one, other}
	for i := range questions {
		submitted, err := sites[i%2].agent("bot").Submit(t.Context(), client.Ask{
			Prompt: "Which of these sounds friendlier?", Type: client.Text, MinResponses: new(1), CallbackURL: receiver.URL})
		if err != nil {
			t.Fatal(err)
		}
		s := sites[(i+1)%2]
		s.must(t, http.StatusCreated, says(s.newcomer(t), submitted.QuestionID, "The second one, it does not shout."))
	}
	times := map[string]int{}
	for len(times) < questions {
		times[<-arrived]++
	}
	for _, s := range sites { // what was begun is finished
		s.end()
		s.closed()
	}
	close(arrived)
	for id := range arrived {
		times[id]++
	}
	for id, n := range times {
		if n != 1 {
			t.Errorf("%s was told %d times", id, n)
		}
	}
}
