// Package callbacks is the room of webhooks: it delivers the end of a question to the callback
// URL that its agent gave, and shows the attempts. The transaction that ends a question queues
// the delivery (package questions); it runs as a background job.
//
// It does not decide when a question ends. Package domain opens it; package api and package web
// show the attempts to agents, package operators to operators.
package callbacks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/webhook"
)

// A Delivery is one attempt to deliver the end of a question.
type Delivery = webhook.Delivery

// A Service delivers the ends of questions. It is safe for concurrent use.
type Service struct {
	env       *askahuman.Env
	questions *questions.Service
	hooks     *webhook.Hooks
}

// New returns the service of an environment and registers its jobs. The options say which
// addresses it reaches.
func New(env *askahuman.Env, questions *questions.Service, http publichttp.Options) (*Service, error) {
	hooks, err := webhook.New(env.Platform, webhook.Options{
		Queue: env.Jobs, Lane: askahuman.LaneWebhooks, UserAgent: "ask-a-human", HTTP: http,
	})
	if err != nil {
		return nil, err
	}
	s := &Service{env: env, questions: questions, hooks: hooks}
	env.Jobs.Handle(askahuman.JobWebhook, askahuman.LaneWebhooks, webhook.Policy, s.deliver)
	return s, nil
}

// maxDeliveries is the number of attempts that are shown: those of several ends.
const maxDeliveries = 20

// Deliveries returns the latest attempts to deliver the ends of a question, oldest first.
func (s *Service) Deliveries(ctx context.Context, questionID string) ([]Delivery, error) {
	newest, _, err := s.hooks.Deliveries(ctx, questionID, "")
	if err != nil {
		return nil, err
	}
	newest = newest[:min(len(newest), maxDeliveries)]
	deliveries := make([]Delivery, len(newest))
	for i, d := range newest {
		deliveries[len(newest)-1-i] = d
	}
	return deliveries, nil
}

// deliver runs a job: it sends the question with its answers to its agent. A delivery that the
// agent has accepted is not repeated, even if the job runs twice.
func (s *Service) deliver(ctx context.Context, job jobs.Job) error {
	payload, err := jobs.Payload[askahuman.JobPayload](job)
	if err != nil {
		return err
	}
	q, err := s.questions.Question(ctx, payload.QuestionID)
	switch {
	case errors.Is(err, askahuman.ErrNoQuestion):
		return nil
	case err != nil:
		return fmt.Errorf("read question %s: %w", payload.QuestionID, err)
	case questions.IsOpen(q.Status) || q.CallbackURL == nil: // it was reopened; its next end has another job
		return nil
	}
	message, err := s.message(ctx, q)
	if err != nil {
		return err
	}
	err = s.hooks.Deliver(ctx, q.QuestionID, message, job.Tries)
	if errors.Is(err, webhook.ErrGone) { // the receiver wants no more deliveries
		return nil
	}
	return err
}

// message returns the message about the end of a question. Its id is the same for all attempts,
// so that the receiver can detect duplicates.
func (s *Service) message(ctx context.Context, q questions.Question) (webhook.Message, error) {
	results, err := s.questions.Results(ctx, q)
	if err != nil {
		return webhook.Message{}, fmt.Errorf("read the answers of question %s: %w", q.QuestionID, err)
	}
	body, err := json.Marshal(questions.AgentView(q, results))
	if err != nil {
		return webhook.Message{}, jobs.Final(fmt.Errorf("encode question %s: %w", q.QuestionID, err))
	}
	secret, err := s.questions.CallbackSecret(ctx, q.AgentID)
	if err != nil {
		return webhook.Message{}, err
	}
	id := "evt_" + q.QuestionID + "_" + strconv.FormatInt(questions.EndOf(q).UnixMilli(), 36)
	return webhook.Message{ID: id, URL: *q.CallbackURL, Secrets: []string{secret}, Body: body}, nil
}
