package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// A serverSystem is a DynamoDB over HTTP. Ours runs twice, with and without a
// sync for every commit; a peer runs once, as its owner has started it.
type serverSystem struct {
	title            string
	syncedURL        string
	unsyncedURL      string
	synced, unsynced *child // nil for a peer
	run              dataRun
}

var (
	_ system   = (*serverSystem)(nil)
	_ cpuMeter = (*serverSystem)(nil)
)

func (s *serverSystem) name() string { return s.title }

// endpoint is where requests of the workload go.
func (s *serverSystem) endpoint(w workload) (string, error) {
	endpoint := s.syncedURL
	if !w.fsync && !w.reads() {
		endpoint = s.unsyncedURL
	}
	if endpoint == "" {
		return "", fmt.Errorf("%s has no server for %s", s.title, w.title)
	}
	return endpoint, nil
}

func (s *serverSystem) caller(w workload, seed uint64) (caller, error) {
	endpoint, err := s.endpoint(w)
	if err != nil {
		return nil, err
	}
	return newHTTPCaller(endpoint, w, s.run, seed)
}

func (s *serverSystem) cpuTime(w workload) (time.Duration, bool) {
	c := s.synced
	if !w.fsync && !w.reads() {
		c = s.unsynced
	}
	if c == nil {
		return 0, false
	}
	return c.cpuTime()
}

// startServers loads two directories and starts a server on each.
func startServers(program serverProgram, dir string, datasets []*dataset, run dataRun) (_ *serverSystem, err error) {
	s := &serverSystem{title: "sortkey", run: run}
	defer func() {
		if err != nil {
			err = fmt.Errorf("start the servers: %w", errors.Join(err, s.close()))
		}
	}()
	start := func(name, policy string) (*child, error) {
		data := filepath.Join(dir, name)
		if err := loadDirectory(data, datasets, run); err != nil {
			return nil, err
		}
		return program.start(data, policy)
	}
	if s.synced, err = start("server-synced", "every-commit"); err != nil {
		return nil, err
	}
	s.syncedURL = s.synced.url
	if s.unsynced, err = start("server-unsynced", "relaxed"); err != nil {
		return nil, err
	}
	s.unsyncedURL = s.unsynced.url
	return s, nil
}

// close stops the servers we have started.
func (s *serverSystem) close() error {
	var errs []error
	for _, c := range []*child{s.synced, s.unsynced} {
		if c != nil {
			errs = append(errs, c.stop())
		}
	}
	return errors.Join(errs...)
}

// A serverProgram starts servers.
type serverProgram struct {
	path     string
	profiles string // where profiles go; without it there are none
}

func (p serverProgram) start(data, policy string) (*child, error) {
	if p.profiles != "" {
		return p.startProfiled(data, policy)
	}
	args := []string{"serve", "--addr", "127.0.0.1:0", "--json", "--sync", policy}
	if data != "" {
		args = append(args, "--data", data)
	}
	return startChild(p.path, args...)
}

// A peer is another DynamoDB that runs already.
type peer struct{ name, url string }

// peerList is the value of --peer, which can be given more than once.
type peerList []peer

func (l *peerList) String() string { return "" }

func (l *peerList) Set(text string) error {
	name, endpoint, ok := strings.Cut(text, "=")
	if !ok || name == "" || endpoint == "" {
		return fmt.Errorf("want NAME=URL, such as other=http://127.0.0.1:9000")
	}
	*l = append(*l, peer{name, strings.TrimSuffix(endpoint, "/")})
	return nil
}

// preparePeer makes our tables at a peer.
func preparePeer(p peer, datasets []*dataset, run dataRun) (*serverSystem, error) {
	posters, hangUp, err := dialAll(p.url, 4)
	defer hangUp()
	if err == nil {
		err = prepare(posters, datasets, run)
	}
	if err != nil {
		return nil, fmt.Errorf("peer %s: %w", p.name, err)
	}
	return &serverSystem{title: p.name, syncedURL: p.url, run: run}, nil
}

// cleanPeer drops the tables we made at a peer, those that are there.
func cleanPeer(p peer, datasets []*dataset, run dataRun) error {
	posters, hangUp, err := dialAll(p.url, 1)
	defer hangUp()
	if err != nil {
		return fmt.Errorf("peer %s: %w", p.name, err)
	}
	var errs []error
	for _, d := range datasets {
		if err := d.dropTable(posters[0], run); err != nil && !strings.Contains(err.Error(), "ResourceNotFound") {
			errs = append(errs, fmt.Errorf("peer %s: %w", p.name, err))
		}
	}
	return errors.Join(errs...)
}

// dialAll opens connections to a server.
func dialAll(endpoint string, n int) (posters []poster, hangUp func(), err error) {
	hangUp = func() {
		for _, p := range posters {
			_ = p.(*connection).close() // nothing is written any more
		}
	}
	for range n {
		c, err := dial(endpoint)
		if err != nil {
			return posters, hangUp, err
		}
		posters = append(posters, c)
	}
	return posters, hangUp, nil
}

// noopFloor is the HTTP server of the standard library without a database.
type noopFloor struct {
	*child
	run dataRun
}

var (
	_ system   = (*noopFloor)(nil)
	_ cpuMeter = (*noopFloor)(nil)
)

func (f *noopFloor) name() string { return "no-op HTTP" }

func (f *noopFloor) cpuTime(workload) (time.Duration, bool) { return f.child.cpuTime() }

func (f *noopFloor) caller(w workload, seed uint64) (caller, error) {
	c, err := newHTTPCaller(f.url, w, f.run, seed)
	if err != nil {
		return nil, err
	}
	c.plain = true
	return c, nil
}
