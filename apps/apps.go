// Package apps defines a system: an application with one design that needs only a DynamoDB.
// The systems are the packages below this one; the command line runs them and passes them a
// Config.
//
// It contains no system.
package apps

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/access/stream"
)

// DynamoDB is the database access of a system. *dynamodb.Client implements it, and so does
// the API of an embedded engine.
type DynamoDB interface {
	access.API
	provision.API
	stream.TableAPI
}

// Config holds the environment of a system.
type Config struct {
	DynamoDB DynamoDB
	Streams  stream.StreamsAPI
	// TablePrefix is prepended to the name of every table, so that several systems or stages
	// can share an account.
	TablePrefix string
	// AcceptShape takes tables whose items have another shape than the design of the system gives
	// them; see provision.Options.
	AcceptShape bool
	// Keeper brings data of older versions of the system's designs to those of the program. It may be nil.
	Keeper Keeper
	// Secret is the secret from which keys for signing, hashing and sealing are derived. Its
	// holder can impersonate any user; losing it invalidates every identity.
	Secret []byte
	// PublicURL is the public URL of the system, without a trailing slash.
	PublicURL string
	// LocalURL is the URL of this process, without a trailing slash. A system calls itself
	// there, because the public URL may lead elsewhere or not exist yet.
	LocalURL string
	// Setting returns the value of a setting of the system's Kind; "" if not set.
	Setting func(name string) string
	// Demo reports that the users will be simulated, so that pages can say so.
	Demo bool
	// DemoMemory is the file in which the demo remembers its run; "" if the database is not kept
	// in a directory.
	DemoMemory string
	// FilesDir is the directory for the files of a system whose settings name no store; "" if the
	// database is not kept in a directory. Then such files end with the process.
	FilesDir string
	// CheapPasswords hashes passwords with as little work as possible, so that tests can sign in many people. No setting
	// leads here.
	CheapPasswords bool
	Log            *slog.Logger
	Now            func() time.Time
}

// A System is an open system: it serves requests at once, and does its background work while
// Run runs. Several processes may run the same system on the same tables.
type System interface {
	http.Handler
	// Run runs the background work, such as expiry, notifications and retention. It returns
	// when ctx is done and its work has stopped.
	Run(ctx context.Context) error
}

// A Demo is a system with a demo: Play fills it with simulated users until ctx is done,
// through the same HTTP API that users call.
type Demo interface {
	Play(ctx context.Context) error
}

// ErrNoDemo is the error of Play for a system without simulated users.
var ErrNoDemo = errors.New("this system has no demo")

// A Guide is a system that has more pages to show once it is open, such as one behind a
// generated secret.
type Guide interface {
	Pages() []Page
}

// A Kind is a system that can be opened.
type Kind struct {
	Name     string // as on the command line
	Title    string
	Summary  string // one line without a full stop
	Settings []Setting
	// Pages lists the pages to visit first.
	Pages []Page
	// Check returns a *SettingError for a setting that the system cannot use. It reads Setting, PublicURL and Demo of the
	// Config and opens nothing; Open checks the same. It may be nil.
	Check func(config Config) error
	Open  func(ctx context.Context, config Config) (System, error)
}

// A Setting is an optional setting of a system.
type Setting struct {
	Name string // of the environment variable
	Doc  string // what it is for, and what happens without it
}

// A SettingError is a setting with a value that its system cannot use. It shows no secrets.
type SettingError struct {
	Name   string // of the environment variable
	Err    error  // what is wrong, which continues the name to a sentence
	Advice string // what to do, a sentence
}

func (e *SettingError) Error() string { return e.Name + " " + e.Err.Error() + "\n  " + e.Advice }

// Unwrap returns what is wrong.
func (e *SettingError) Unwrap() error { return e.Err }

// A Page is a page worth a first visit: its path, a description, and whom to sign in as.
type Page struct {
	Path, Doc      string
	Name, Password string // "" if there is nothing to sign in to, or the password is not shown
}

// Text returns the description with whom to sign in as, as one line of text.
func (p Page) Text() string {
	if p.Name == "" {
		return p.Doc
	}
	return p.Doc + "; sign in as " + p.Name + " with " + p.Password
}
