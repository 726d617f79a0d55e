// Package apps says what a system is: a program for people that stands on one design
// and needs nothing but a DynamoDB. The systems are the packages below this one;
// the command line runs them and hands them what is in Config.
//
// It holds no system and knows none.
package apps

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/access/stream"
)

// DynamoDB is what a system needs of its database. *dynamodb.Client has it, and so has the
// API of an embedded engine.
type DynamoDB interface {
	access.API
	provision.API
	stream.TableAPI
}

// Config is what a system gets when it is opened.
type Config struct {
	DynamoDB DynamoDB
	Streams  stream.StreamsAPI
	// TablePrefix stands before the name of every table, so that several systems or stages
	// can share an account.
	TablePrefix string
	// Secret is what keys for signing, hashing and sealing are derived from. Whoever has it
	// can pretend to be anybody; who loses it loses every identity.
	Secret []byte
	// PublicURL is where people reach the system, without a slash at the end.
	PublicURL string
	// LocalURL is where this very process answers, without a slash at the end. What a system
	// asks of itself goes there: the public address may lead through others, or nowhere yet.
	LocalURL string
	// Setting answers the settings of the system's Kind; "" is not set.
	Setting func(name string) string
	// Demo says that the people in it will be invented ones, so that it does not promise
	// others.
	Demo bool
	Log  *slog.Logger
	Now  func() time.Time
}

// A System is open: it answers requests at once, and does its own work while Run runs.
// Several processes may run the same system on the same tables.
type System interface {
	http.Handler
	// Run does what nobody asks for: expiry, notifications, retention. It returns when ctx
	// is done, and waits for what it began.
	Run(ctx context.Context) error
}

// A Demo is a system that can show itself: Play fills it with invented life until ctx
// is done, through the same doors that people and programs use.
type Demo interface {
	Play(ctx context.Context) error
}

// A Guide is a system that knows more places to look at once it is open, such as one
// behind a secret that it made itself.
type Guide interface {
	Pages() []Page
}

// A Kind is a system that can be opened.
type Kind struct {
	Name     string // as on the command line
	Title    string
	Summary  string // one line without a full stop
	Settings []Setting
	// Pages are places to look at first: a path and what is there.
	Pages []Page
	Open  func(ctx context.Context, config Config) (System, error)
}

// A Setting connects a system with the outside. Without it the system is still whole.
type Setting struct {
	Name string // of the environment variable
	Doc  string // what it is for, and what happens without it
}

// A Page is a place in a system worth a first look.
type Page struct{ Path, Doc string }
