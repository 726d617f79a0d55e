// Package answers is the room of what people see and answer: the feed, a question as a card,
// judging, storing and rewarding an answer, a person's own answers, and reporting a question. It
// does not decide about flagged answers and reports; package operators does.
//
// Package api and package web call it. Package notices shows its cards.
package answers

import (
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
)

// A Service has the rules of answers. It is safe for concurrent use.
type Service struct {
	env       *askahuman.Env
	questions *questions.Service
	people    *people.Service
}

// New returns the service of an environment and of the rooms below it.
func New(env *askahuman.Env, questions *questions.Service, people *people.Service) *Service {
	return &Service{env: env, questions: questions, people: people}
}
