// Package operators is the room of the people who run the system: the review of flagged answers,
// reports of questions, moderation of people and agents, and the queues. Every change it makes
// writes an audit event in the same transaction. It does not know who the operators are; package
// staff does.
//
// Package web calls it for the operators' pages, package api for the queues.
package operators

import (
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/callbacks"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
)

// A Service has the rules of operators. It is safe for concurrent use.
type Service struct {
	env       *askahuman.Env
	questions *questions.Service
	answers   *answers.Service
	people    *people.Service
	notices   *notices.Service
	callbacks *callbacks.Service
}

// New returns the service of an environment and of the rooms below it.
func New(env *askahuman.Env, questions *questions.Service, answers *answers.Service, people *people.Service, notices *notices.Service, callbacks *callbacks.Service) *Service {
	return &Service{
		env: env, questions: questions, answers: answers, people: people, notices: notices, callbacks: callbacks,
	}
}
