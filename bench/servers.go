package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// ownServer is the name of our server in reports.
const ownServer = "sortkey"

// A serverSystem is a DynamoDB over HTTP. Ours runs twice, with and without a
// sync for every commit; a peer runs once, as its owner has started it.
type serverSystem struct {
	title            string
	syncedURL        string
	unsyncedURL      string
	synced, unsynced *child // nil for a peer
	listening        []int  // the processes of a peer, if they run on this machine
	run              dataRun
	missing          missing // at a peer; ours is only asked what it can do
}

var (
	_ system      = (*serverSystem)(nil)
	_ cpuMeter    = (*serverSystem)(nil)
	_ memoryMeter = (*serverSystem)(nil)
)

func (s *serverSystem) name() string { return s.title }

// endpoint returns where requests of the workload go.
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
	if w.op == getRecords {
		c, err := dial(endpoint)
		if err != nil {
			return nil, err
		}
		return newStreamCaller(c, w, s.run, c.close)
	}
	return newHTTPCaller(endpoint, w, s.run, seed)
}

// processes lists the processes that do the workload, none if they are not known.
func (s *serverSystem) processes(w workload) []int {
	c := s.synced
	if !w.fsync && !w.reads() {
		c = s.unsynced
	}
	if c == nil {
		return s.listening
	}
	return []int{c.cmd.Process.Pid}
}

func (s *serverSystem) cpuTime(w workload) (all time.Duration, ok bool) {
	for _, pid := range s.processes(w) {
		one, known := processTime(pid)
		if !known {
			return 0, false
		}
		all, ok = all+one, true
	}
	return all, ok
}

func (s *serverSystem) memory(w workload) (all processPages) {
	for _, pid := range s.processes(w) {
		one := processMemory(pid)
		all.resident += one.resident
		all.private += one.private
	}
	return all
}

// startServers loads two directories and starts a server on each.
func startServers(program serverProgram, dir string, datasets []*dataset, run dataRun) (_ *serverSystem, err error) {
	s := &serverSystem{title: ownServer, run: run}
	defer func() {
		if err != nil {
			err = fmt.Errorf("start the servers: %w", errors.Join(err, s.close()))
		}
	}()
	if err := s.startSynced(program, dir, datasets); err != nil {
		return nil, err
	}
	if s.unsynced, err = startLoaded(program, filepath.Join(dir, "server-unsynced"), "relaxed", datasets, run); err != nil {
		return nil, err
	}
	s.unsyncedURL = s.unsynced.url
	return s, nil
}

// startSynced starts the server that syncs every commit.
func (s *serverSystem) startSynced(program serverProgram, dir string, datasets []*dataset) (err error) {
	if s.synced, err = startLoaded(program, filepath.Join(dir, "server-synced"), "every-commit", datasets, s.run); err != nil {
		return err
	}
	s.syncedURL = s.synced.url
	return nil
}

// startLoaded loads a directory and starts a server on it.
func startLoaded(program serverProgram, data, policy string, datasets []*dataset, run dataRun) (*child, error) {
	if err := loadDirectory(data, datasets, run); err != nil {
		return nil, err
	}
	return program.start(data, policy)
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

// preparePeer makes the tables at a peer that it needs for the rows it can do.
func preparePeer(p peer, rows []row, run dataRun) (*serverSystem, error) {
	s := &serverSystem{title: p.name, syncedURL: p.url, run: run, listening: listeners(p.url)}
	posters, hangUp, err := dialAll(p.url, 4)
	defer hangUp()
	if err == nil {
		s.missing, err = findMissing(posters[0], run, workloadsOf(rows))
	}
	if err == nil {
		err = prepare(posters, datasetsOf(s.missing.possible(rows)), run)
	}
	if err != nil {
		return nil, fmt.Errorf("peer %s: %w", p.name, err)
	}
	return s, nil
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
	_ system      = (*noopFloor)(nil)
	_ cpuMeter    = (*noopFloor)(nil)
	_ memoryMeter = (*noopFloor)(nil)
)

// noopName is the name of the no-op server in reports.
const noopName = "no-op HTTP"

func (f *noopFloor) name() string { return noopName }

func (f *noopFloor) cpuTime(workload) (time.Duration, bool) { return f.child.cpuTime() }

func (f *noopFloor) memory(workload) processPages { return processMemory(f.cmd.Process.Pid) }

func (f *noopFloor) caller(w workload, seed uint64) (caller, error) {
	c, err := newHTTPCaller(f.url, w, f.run, seed)
	if err != nil {
		return nil, err
	}
	c.plain = true
	return c, nil
}
