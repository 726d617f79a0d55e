// Package namespaces keeps the tables of callers apart: each pair of access key and region has a
// database of its own behind one HTTP handler. It opens no database itself; sortkey serve calls it.
package namespaces

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	"sortkey.dev/internal/lazyregexp"
)

// A Name identifies a namespace by the access key and the region in the credential scope of a
// request, as in DynamoDB Local. Nothing is authenticated.
type Name struct{ AccessKey, Region string }

const maxAccessKey = 128

var regionPattern = lazyregexp.New(`^[A-Za-z0-9-]{1,64}$`)

// nameOf returns the namespace of a request. Requests without credentials share a
// namespace, in the region of the flags.
func nameOf(r *http.Request, region string) (Name, error) {
	_, credential, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	credential, _, _ = strings.Cut(credential, ",")
	// An access key may have slashes; the parts after it have none: date, region, service, aws4_request.
	parts := strings.Split(strings.TrimSpace(credential), "/")
	if len(parts) < 5 {
		return Name{"", region}, nil
	}
	scope := len(parts) - 4
	n := Name{strings.Join(parts[:scope], "/"), parts[scope+1]}
	switch {
	case len(n.AccessKey) > maxAccessKey:
		return n, fmt.Errorf("the access key has more than %d characters", maxAccessKey)
	case !regionPattern.MatchString(n.Region):
		return n, fmt.Errorf("the region in the credential scope is not made of letters, digits and hyphens: %q", n.Region)
	}
	return n, nil
}

var unsafeInNames = lazyregexp.New(`[^a-z0-9-]+`)

// Dir returns the name of a namespace's directory. The first part is readable; the last one
// makes it unique, even where file names are case-insensitive.
func (n Name) Dir() string {
	readable := func(text string) string {
		text = unsafeInNames.ReplaceAllString(strings.ToLower(text), "_")
		return text[:min(len(text), 40)]
	}
	sum := sha256.Sum256([]byte(n.AccessKey + "\n" + n.Region))
	return cmp.Or(readable(n.AccessKey), "anonymous") + "." + readable(n.Region) + "." + hex.EncodeToString(sum[:8])
}

// A Database serves the requests of one namespace.
type Database interface {
	http.Handler
	// Failed returns a channel that is closed when the database accepts no more writes.
	Failed() <-chan struct{}
	// Warnings returns the lines that the database adds to its response to a health check.
	Warnings() []string
	Close() error
}

// Options describe a Set.
type Options struct {
	Region string                            // of requests without credentials
	Most   int                               // number of namespaces
	Front  Database                          // serves requests without a namespace; Close closes it
	Open   func(name Name) (Database, error) // opens the database of a namespace
	Log    *slog.Logger
}

// A Set holds a database for each namespace, opened by the first request for it.
type Set struct {
	options Options
	failed  chan struct{}
	once    sync.Once // closes failed

	mu     sync.Mutex
	byName map[Name]Database
	closed bool
	done   chan struct{} // closed by Close
}

// New returns a set without databases.
func New(options Options) *Set {
	return &Set{options: options, failed: make(chan struct{}), done: make(chan struct{}), byName: map[Name]Database{}}
}

// ServeHTTP passes a request to the database of its namespace.
func (s *Set) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		s.front().ServeHTTP(w, r)
		return
	}
	name, err := nameOf(r, s.options.Region)
	if err != nil {
		refuse(w, http.StatusBadRequest, "com.amazon.coral.validate#ValidationException", err.Error())
		return
	}
	db, err := s.find(name)
	var full *fullError
	switch {
	case errors.As(err, &full):
		refuse(w, http.StatusBadRequest, "com.amazon.coral.validate#ValidationException", full.Error())
	case err != nil:
		s.options.Log.Error("namespace cannot be opened", slog.String("directory", name.Dir()), slog.Any("error", err))
		refuse(w, http.StatusInternalServerError, "com.amazonaws.dynamodb.v20120810#InternalServerError", err.Error())
	default:
		db.ServeHTTP(w, r)
	}
}

// front returns the database that serves requests without a namespace, such as health checks:
// one with warnings if there is any.
func (s *Set) front() Database {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, db := range s.byName {
		if len(db.Warnings()) > 0 {
			return db
		}
	}
	return s.options.Front
}

// A fullError says that the limit of namespaces is reached.
type fullError struct{ most int }

func (e *fullError) Error() string {
	return fmt.Sprintf("sortkey serves %d pairs of access key and region, and this request is from another one: start it with a larger number for --namespaces", e.most)
}

// find returns the database of a namespace, and opens it if necessary.
func (s *Set) find(name Name) (Database, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if db, ok := s.byName[name]; ok {
		return db, nil
	}
	switch {
	case s.closed:
		return nil, errors.New("the server is being stopped")
	case len(s.byName) >= s.options.Most:
		return nil, &fullError{s.options.Most}
	}
	db, err := s.options.Open(name)
	if err != nil {
		return nil, err
	}
	s.byName[name] = db
	go s.watch(db.Failed())
	return db, nil
}

// watch reports the failure of one database.
func (s *Set) watch(failed <-chan struct{}) {
	select {
	case <-failed:
		s.once.Do(func() { close(s.failed) })
	case <-s.done:
	}
}

// Failed returns a channel that is closed when one of the databases has failed.
func (s *Set) Failed() <-chan struct{} { return s.failed }

// Warnings returns the warnings of a database that has some.
func (s *Set) Warnings() []string { return s.front().Warnings() }

// Close closes all databases.
func (s *Set) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	close(s.done)
	err := s.options.Front.Close()
	for _, db := range s.byName {
		err = errors.Join(err, db.Close())
	}
	return err
}

// refuse writes an error in DynamoDB's format for a request that reaches no database.
func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"__type": code, "message": message}) // an error means that the client has disconnected
}
