package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sortkey.dev/bench/internal/httpload"
)

// The system's rate limits apply per hour to an agent, a person or an address. So the load
// is many of them: an agent is followed by another after some questions, and so is a person
// after as many answers as one may give within a minute.
const (
	questionsOfAgent = 40
	pollsOfQuestion  = 3
	questionsOfList  = 10 // after so many it lists them
	answersOfPerson  = 5
	wanted           = 5 // answers of a question
)

// A load is agents and people at work.
type load struct {
	url            string
	recorder       *httpload.Recorder
	agents, people int
	left           atomic.Int64 // requests that may still be sent
	names          atomic.Int64 // of agents and addresses that were used
}

// run returns the load for some time. It gives how long it took until the last answer.
func (l *load) run(ctx context.Context, d time.Duration) (time.Duration, error) {
	end := time.Now().Add(d)
	working := func() bool { return ctx.Err() == nil && time.Now().Before(end) }
	began := time.Now()
	failures := make([]error, l.agents+l.people)
	var group sync.WaitGroup
	for i := range failures {
		group.Go(func() {
			turn := l.person
			if i < l.agents {
				turn = l.agent
			}
			for failures[i] == nil && working() {
				failures[i] = turn(ctx, working)
			}
		})
	}
	group.Wait()
	for i, err := range failures {
		if errors.Is(err, errSpent) {
			failures[i] = nil
		}
	}
	return time.Since(began), errors.Join(append(failures, ctx.Err())...)
}

// address returns an unused address.
func (l *load) address() (name string, n int64) {
	n = l.names.Add(1)
	return fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255), n
}

// agent asks its questions and polls each a few times, and now and then lists them.
func (l *load) agent(ctx context.Context, working func() bool) error {
	address, n := l.address()
	who := request{agent: fmt.Sprintf("load-%d", n), address: address}
	ids := make([]string, 0, questionsOfAgent)
	for range questionsOfAgent {
		if !working() {
			return nil
		}
		ask := who
		ask.method, ask.path, ask.body = http.MethodPost, "/agent/questions", question()
		var submitted struct {
			ID string `json:"question_id"`
		}
		if err := l.send(ctx, ask, &submitted); err != nil {
			return err
		}
		if submitted.ID != "" {
			ids = append(ids, submitted.ID)
		}
		for range pollsOfQuestion {
			if len(ids) == 0 || !working() {
				return nil
			}
			poll := who
			poll.method, poll.path = http.MethodGet, "/agent/questions/"+ids[rand.IntN(len(ids))]
			if err := l.send(ctx, poll, nil); err != nil {
				return err
			}
		}
		if len(ids)%questionsOfList != 0 {
			continue
		}
		list := who
		list.method, list.path = http.MethodGet, "/agent/questions"
		if err := l.send(ctx, list, nil); err != nil {
			return err
		}
	}
	return nil
}

// question returns a body of about the size that questions have; every other one is a
// choice.
func question() []byte {
	body := map[string]any{
		"prompt": "Which of these two sentences would you rather read at the top of a page?", "type": "text", "min_responses": wanted,
		"context": strings.Repeat("It is a page about mountains, for people who have never seen one. ", 4),
	}
	if rand.IntN(2) == 0 {
		body["type"], body["options"] = "multiple_choice", []string{"They are high", "They are old", "They are there"}
	}
	text, _ := json.Marshal(body) // a map of texts and numbers
	return text
}

// person arrives, reads, answers, and looks at the leaderboard and at what it has.
func (l *load) person(ctx context.Context, working func() bool) error {
	address, _ := l.address()
	who := request{address: address}
	join := who
	join.method, join.path, join.body = http.MethodPost, "/human/identity", []byte("{}")
	var identity struct{ Fingerprint string }
	if err := l.send(ctx, join, &identity); err != nil {
		return err
	}
	who.person = identity.Fingerprint
	for range answersOfPerson {
		if !working() {
			return nil
		}
		if err := l.answerOne(ctx, who); err != nil {
			return err
		}
	}
	for _, path := range []string{"/human/leaderboard", "/human/stats"} {
		look := who
		look.method, look.path = http.MethodGet, path
		if err := l.send(ctx, look, nil); err != nil {
			return err
		}
	}
	return nil
}

// answerOne reads the feed and answers one of its questions.
func (l *load) answerOne(ctx context.Context, who request) error {
	look := who
	look.method, look.path = http.MethodGet, "/human/questions"
	var feed struct {
		Questions []struct {
			ID   string `json:"question_id"`
			Type string `json:"type"`
		} `json:"questions"`
	}
	if err := l.send(ctx, look, &feed); err != nil || len(feed.Questions) == 0 {
		return err
	}
	card := feed.Questions[rand.IntN(len(feed.Questions))]
	body := map[string]any{"question_id": card.ID, "response_time_ms": 20_000, "confidence": 4}
	if card.Type == "text" {
		body["answer"] = "The second one, because it says what I did not know before."
	} else {
		body["selected_option"] = rand.IntN(3)
	}
	answer := who
	answer.method, answer.path = http.MethodPost, "/human/responses"
	answer.body, _ = json.Marshal(body) // a map of texts and numbers
	return l.send(ctx, answer, nil)
}
