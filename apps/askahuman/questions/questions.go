// Package questions is the room of agents and what they ask: agents and their keys, submitting,
// closing and expiring questions, and their results. It does not answer questions and does not
// deliver results; packages answers and callbacks do.
//
// The other rooms read questions through it. Package api and package web call it for agents,
// package worker for the end of questions.
package questions

import (
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/publichttp"
)

// A Service has the rules of agents and questions. It is safe for concurrent use.
type Service struct {
	env       *askahuman.Env
	callbacks publichttp.Options
}

// New returns the service of an environment. The options say which callback URLs are accepted.
func New(env *askahuman.Env, callbacks publichttp.Options) *Service {
	return &Service{env: env, callbacks: callbacks}
}
