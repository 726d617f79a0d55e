package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// A namespace has its own tables. It is identified by the access key and the region in the
// credential scope of a request, as in DynamoDB Local. Nothing is authenticated.
type namespace struct{ accessKey, region string }

const maxAccessKey = 128

var regionPattern = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

// namespaceOf returns the namespace of a request. Requests without credentials share a
// namespace, in the region of the flags.
func namespaceOf(r *http.Request, region string) (namespace, error) {
	_, credential, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	credential, _, _ = strings.Cut(credential, ",")
	// An access key may have slashes; the parts after it have none: date, region, service, aws4_request.
	parts := strings.Split(strings.TrimSpace(credential), "/")
	if len(parts) < 5 {
		return namespace{"", region}, nil
	}
	scope := len(parts) - 4
	n := namespace{strings.Join(parts[:scope], "/"), parts[scope+1]}
	switch {
	case len(n.accessKey) > maxAccessKey:
		return n, fmt.Errorf("the access key has more than %d characters", maxAccessKey)
	case !regionPattern.MatchString(n.region):
		return n, fmt.Errorf("the region in the credential scope is not made of letters, digits and hyphens: %q", n.region)
	}
	return n, nil
}

var unsafeInNames = regexp.MustCompile(`[^a-z0-9-]+`)

// dir returns the name of a namespace's directory. The first part is readable; the last one
// makes it unique, even where file names are case-insensitive.
func (n namespace) dir() string {
	readable := func(text string) string {
		text = unsafeInNames.ReplaceAllString(strings.ToLower(text), "_")
		return text[:min(len(text), 40)]
	}
	sum := sha256.Sum256([]byte(n.accessKey + "\n" + n.region))
	return cmp.Or(readable(n.accessKey), "anonymous") + "." + readable(n.region) + "." + hex.EncodeToString(sum[:8])
}

// namespaces holds a database for each namespace, opened by the first request for it.
type namespaces struct {
	cfg    serveConfig
	log    *slog.Logger
	open   func(serveConfig, *slog.Logger) (database, error)
	front  database // serves requests without a namespace
	failed chan struct{}
	once   sync.Once // closes failed

	mu     sync.Mutex
	byName map[namespace]database
	closed bool
	done   chan struct{} // closed by Close
}

// openNamespaces prepares databases below the directory of the flags.
func openNamespaces(cfg serveConfig, logger *slog.Logger) (database, error) {
	if cfg.data != "" {
		if _, err := os.Stat(filepath.Join(cfg.data, "SORTKEY")); err == nil {
			return nil, advise(fmt.Errorf("%s holds one database, and with --namespaces it would hold several", cfg.data),
				"Give --data another directory, or leave --namespaces out.")
		}
	}
	front := cfg
	front.data = ""
	db, err := openEngine(front, logger)
	if err != nil {
		return nil, err
	}
	return &namespaces{
		cfg: cfg, log: logger, open: openEngine, front: db,
		failed: make(chan struct{}), done: make(chan struct{}), byName: map[namespace]database{},
	}, nil
}

// ServeHTTP passes a request to the database of its namespace.
func (n *namespaces) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		n.front.ServeHTTP(w, r)
		return
	}
	name, err := namespaceOf(r, cmp.Or(n.cfg.region, "us-east-1"))
	if err != nil {
		refuse(w, http.StatusBadRequest, "com.amazon.coral.validate#ValidationException", err.Error())
		return
	}
	db, err := n.find(name)
	var full *namespacesFullError
	switch {
	case errors.As(err, &full):
		refuse(w, http.StatusBadRequest, "com.amazon.coral.validate#ValidationException", full.Error())
	case err != nil:
		n.log.Error("namespace cannot be opened", slog.String("directory", name.dir()), slog.Any("error", err))
		refuse(w, http.StatusInternalServerError, "com.amazonaws.dynamodb.v20120810#InternalServerError", err.Error())
	default:
		db.ServeHTTP(w, r)
	}
}

// A namespacesFullError says that the limit of namespaces is reached.
type namespacesFullError struct{ most int }

func (e *namespacesFullError) Error() string {
	return fmt.Sprintf("sortkey serves %d pairs of access key and region, and this request is from another one: start it with a larger number for --namespaces", e.most)
}

// find returns the database of a namespace, and opens it if necessary.
func (n *namespaces) find(name namespace) (database, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if db, ok := n.byName[name]; ok {
		return db, nil
	}
	switch {
	case n.closed:
		return nil, errors.New("the server is being stopped")
	case len(n.byName) >= n.cfg.namespaces:
		return nil, &namespacesFullError{n.cfg.namespaces}
	}
	cfg := n.cfg
	cfg.region = name.region
	if cfg.data != "" {
		cfg.data = filepath.Join(cfg.data, name.dir())
	}
	if cfg.kinesisDir != "" { // a file of records has one writer
		cfg.kinesisDir = filepath.Join(cfg.kinesisDir, name.dir())
	}
	db, err := n.open(cfg, n.log)
	if err != nil {
		return nil, err
	}
	n.byName[name] = db
	go n.watch(db.Failed())
	return db, nil
}

// watch reports the failure of one database.
func (n *namespaces) watch(failed <-chan struct{}) {
	select {
	case <-failed:
		n.once.Do(func() { close(n.failed) })
	case <-n.done:
	}
}

// Failed returns a channel that is closed when one of the databases has failed.
func (n *namespaces) Failed() <-chan struct{} { return n.failed }

// Close closes all databases.
func (n *namespaces) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil
	}
	n.closed = true
	close(n.done)
	err := n.front.Close()
	for _, db := range n.byName {
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
