package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sortkey.dev/bench/internal/httpload"
)

// bench is one run.
type bench struct {
	config
	dir     string // for data, deleted at the end
	prefix  string // of table names, unique to this run
	results results
	program *serverProgram
}

// cacheBytes is the cache of every store in this process, ours and the floor's.
// What is read fits. Servers have their default.
const cacheBytes = 256 << 20

// data returns the run's data for tables of the usual size.
func (b *bench) data() dataRun {
	return dataRun{prefix: b.prefix, items: b.items, readItems: b.items, projection: b.projection}
}

// largeData returns the same with large tables to read. Loading them takes seconds in
// this process and minutes at a peer.
func (b *bench) largeData() dataRun {
	run := b.data()
	run.readItems = b.readItems
	return run
}

// progress prints a progress message.
func (b *bench) progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}

// run runs all sections. A failed section does not stop the others.
func (b *bench) run(ctx context.Context) error {
	var errs []error
	for _, section := range []func(context.Context) error{
		b.processSection, b.latencySection, b.httpSection, b.streamSection, b.backfillSection, b.flatSection, b.marshalSection, b.callsSection, b.startSection, b.memorySection,
	} {
		errs = append(errs, section(ctx))
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

// measureRows measures rows that have their systems.
func (b *bench) measureRows(ctx context.Context, rows []row) error {
	var errs []error
	for _, r := range rows {
		load := httpload.LoadAverage()
		all, err := measure(ctx, r.work, r.callers, r.systems, b.schedule)
		result := newRowResult(r, all)
		result.Load = load
		if err != nil {
			err = fmt.Errorf("%s: %w", r.label(), err)
			result.Systems, result.Error = nil, err.Error()
			errs = append(errs, err)
		}
		b.results.Rows = append(b.results.Rows, result)
		b.progress("%s", result.line())
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

// line returns a row in one line, for the progress.
func (r rowResult) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-35s", label(r.Section, r.Workload, r.Callers))
	for _, s := range r.Systems {
		fmt.Fprintf(&b, "  %s %s/s", s.System, thousands(s.Rate))
	}
	return b.String() + r.Error
}

func (b *bench) processSection(ctx context.Context) (err error) {
	rows := plannedRows(sectionProcess, workloads, b.callers, b.only)
	if len(rows) == 0 {
		return nil
	}
	dir := filepath.Join(b.dir, sectionProcess)
	data := b.largeData()
	b.progress("In process: loading tables of %d items to read and of %d to write.", data.readItems, data.items)
	own, err := openEngines(dir, cacheBytes, datasetsOf(rows), data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, own.close(), os.RemoveAll(dir)) }()
	floor, err := openPebbleFloor(dir, cacheBytes, datasetsOf(rows), data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, floor.close()) }()
	if err := own.verifyAll(workloadsOf(rows)); err != nil {
		return err
	}
	for i := range rows {
		rows[i].systems = []system{floor, jsonDoor{own}, apiDoor{own}, clientDoor{own}}
		rows[i].bases = []base{{name: floor.name()}}
	}
	return b.measureRows(ctx, rows)
}

func (b *bench) latencySection(ctx context.Context) (err error) {
	rows := plannedRows(sectionLatency, []workload{workloadByID("get"), workloadByID("put-nosync")}, []int{1}, b.only)
	if len(rows) == 0 {
		return nil
	}
	dir := filepath.Join(b.dir, sectionLatency)
	b.progress("Latency: loading tables of %d items.", b.items)
	own, err := openEngines(dir, cacheBytes, datasetsOf(rows), b.data())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, own.close(), os.RemoveAll(dir)) }()
	remote, err := b.startServers(dir, datasetsOf(rows))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remote.close()) }()
	tcp := sdkOverTCP{remote}
	for i := range rows {
		rows[i].systems = []system{tcp, clientDoor{own}, apiDoor{own}}
		rows[i].bases = []base{{name: tcp.name()}}
	}
	return b.measureRows(ctx, rows)
}

func (b *bench) httpSection(ctx context.Context) (err error) {
	rows := plannedRows(sectionHTTP, workloads, b.callers, b.only)
	if len(rows) == 0 {
		return nil
	}
	dir := filepath.Join(b.dir, sectionHTTP)
	b.progress("HTTP: loading tables of %d items.", b.items)
	own, err := b.startServers(dir, datasetsOf(rows))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, own.close(), os.RemoveAll(dir)) }()
	floor, err := b.startNoop()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, floor.stop()) }()
	others, clean, err := b.preparePeers(rows, b.data())
	defer func() { err = errors.Join(err, clean()) }()
	if err != nil {
		return err
	}
	for _, s := range append([]*serverSystem{own}, others...) {
		if err := s.verifyAll(workloadsOf(rows)); err != nil {
			return err
		}
	}
	for i := range rows {
		rows[i].systems = []system{floor, own}
		rows[i].bases = []base{{name: floor.name()}}
		rows[i].addPeers(others)
	}
	return b.measureRows(ctx, rows)
}

// addPeers adds the peers that can do the row's workload.
func (r *row) addPeers(others []*serverSystem) {
	if !r.work.fsync && !r.work.reads() {
		return // how a peer syncs is its owner's choice: it is taken as durable
	}
	for _, other := range others {
		if _, kept := other.missing.keep(r.work); !kept {
			r.systems = append(r.systems, other)
			r.bases = append(r.bases, base{name: other.name(), isPeer: true})
		}
	}
}

// preparePeers makes the tables of the rows at all peers. The function it returns
// drops them again.
func (b *bench) preparePeers(rows []row, run dataRun) (systems []*serverSystem, clean func() error, err error) {
	clean = func() error {
		var errs []error
		for _, p := range b.peers {
			errs = append(errs, cleanPeer(p, datasetsOf(rows), run))
		}
		return errors.Join(errs...)
	}
	for _, p := range b.peers {
		b.progress("Peer %s: loading tables of %d items.", p.name, run.items)
		s, err := preparePeer(p, rows, run)
		if err != nil {
			return nil, clean, err
		}
		systems = append(systems, s)
	}
	return systems, clean, nil
}

// verifyAll checks every workload in process.
func (e *engines) verifyAll(all []workload) error {
	for _, w := range all {
		if err := w.verify(&handlerPoster{handler: e.db(w)}, e.run); err != nil {
			return fmt.Errorf("in process, %s: %w", w.title, err)
		}
	}
	return nil
}

// verifyAll checks every workload the server is measured with.
func (s *serverSystem) verifyAll(all []workload) error {
	for _, w := range all {
		endpoint, err := s.endpoint(w)
		if _, kept := s.missing.keep(w); err != nil || kept {
			continue // not measured with this one
		}
		c, err := dial(endpoint)
		if err == nil {
			err = errors.Join(w.verify(c, s.run), c.close())
		}
		if err != nil {
			return fmt.Errorf("%s, %s: %w", s.title, w.title, err)
		}
	}
	return nil
}

// startServers starts our servers on loaded directories.
func (b *bench) startServers(dir string, datasets []*dataset) (*serverSystem, error) {
	program, err := b.serverProgram()
	if err != nil {
		return nil, err
	}
	return startServers(*program, dir, datasets, b.data())
}

// serverProgram returns the server to measure, built once.
func (b *bench) serverProgram() (*serverProgram, error) {
	if b.program != nil {
		return b.program, nil
	}
	p := &serverProgram{path: b.server, profiles: b.profiles}
	if p.path == "" {
		b.progress("Building the server.")
		var err error
		if p.path, err = buildServer(b.dir); err != nil {
			return nil, err
		}
	}
	b.program = p
	return p, nil
}

// startNoop starts this program again, as the server that does nothing.
func (b *bench) startNoop() (*noopFloor, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	c, err := startChild(self, noopCommand)
	if err != nil {
		return nil, err
	}
	return &noopFloor{child: c, run: b.data()}, nil
}
