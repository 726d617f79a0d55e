// Package people is the room of the people who answer: their anonymous identity, their points,
// streaks and badges, the leaderboards, and forgetting a person. It does not count answers;
// package answers does.
//
// The rooms answers, notices and operators read people through it. Package api and package web
// call it.
package people

import "sortkey.dev/apps/askahuman"

// A Service has the rules of people. It is safe for concurrent use.
type Service struct {
	env    *askahuman.Env
	firsts firstPlaces
}

// New returns the service of an environment.
func New(env *askahuman.Env) *Service { return &Service{env: env} }
