// Package notices is the room of notifications as people see them: their subscriptions and the
// inbox. It does not choose recipients and does not send; package worker does.
//
// Package api and package web call it. Package operators ends the subscriptions of banned people.
package notices

import (
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
)

// A Service has the rules of notifications. It is safe for concurrent use.
type Service struct {
	env       *askahuman.Env
	questions *questions.Service
	people    *people.Service
}

// New returns the service of an environment and of the rooms below it.
func New(env *askahuman.Env, questions *questions.Service, people *people.Service) *Service {
	return &Service{env: env, questions: questions, people: people}
}
