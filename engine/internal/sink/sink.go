// Package sink delivers the changes of tables with a Kinesis destination. Where AWS puts records
// into a Kinesis data stream, it appends them as JSON lines to a file that is named after the
// stream, in one folder.
//
// Package table writes records into a log of the store, in the commit of the change itself. They
// are removed from the log after they are synced to the file. So no record is lost, those of a
// table are in order, and after a crash some may be delivered twice, with the same event id.
// Package catalog keeps the list of sinks. Only the engine calls this package.
package sink

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// Sinks delivers changes of the tables of one store. Run is used by one goroutine at a time.
type Sinks struct {
	store   kv.Store
	catalog *catalog.Catalog
	dir     string
	lock    Lock

	mu     sync.Mutex
	held   io.Closer // the lock of dir; nil until a file in it is opened
	closed bool
}

// A Lock claims a folder, which exists, until it is closed. It fails if another holds it.
type Lock func(dir string) (io.Closer, error)

// New returns the Sinks of a store and its catalog, which claim dir when they first need it. Without
// a folder nothing can be delivered.
func New(store kv.Store, c *catalog.Catalog, dir string, lock Lock) *Sinks {
	return &Sinks{store: store, catalog: c, dir: dir, lock: lock}
}

// Close lets another database have the folder. Nothing is delivered any more.
func (s *Sinks) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	return s.release()
}

// release gives up the lock of the folder.
func (s *Sinks) release() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held == nil {
		return nil
	}
	err := s.held.Close()
	s.held = nil
	return err
}

// errNoFolder is also returned to callers, as the reason why a destination cannot be enabled.
var errNoFolder = errors.New("there is no folder for the records of Kinesis streams: set Options.KinesisDir, or run serve with --kinesis-dir")

// Reason says why the stream with an ARN cannot be a destination; empty if it can.
func (s *Sinks) Reason(streamARN string) string {
	arn, ok := request.ParseKinesisARN(streamARN)
	switch {
	case s.dir == "":
		return errNoFolder.Error()
	case !ok:
		return "User does not have a permission to use kinesis stream"
	case arn.Region != s.catalog.Region():
		return "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in the current region"
	}
	file, err := s.open(arn.Name)
	if err != nil {
		return err.Error()
	}
	if err := file.Close(); err != nil {
		return err.Error()
	}
	return ""
}

// open opens the file of a stream for appending. It removes an incomplete last line, which a
// crash left: its record is not recorded as delivered, so it is delivered again.
func (s *Sinks) open(stream string) (*os.File, error) {
	file, err := s.openFile(stream)
	if errors.Is(err, fs.ErrNotExist) { // the folder was removed, with the file of its lock
		if err := s.release(); err != nil {
			return nil, err
		}
		file, err = s.openFile(stream)
	}
	if err != nil {
		return nil, err
	}
	end, err := seekWhole(file)
	if err == nil && end == 0 {
		err = s.syncDirs() // the file may be new
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func (s *Sinks) openFile(stream string) (*os.File, error) {
	if err := s.claim(); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(s.dir, stream+".jsonl"), os.O_CREATE|os.O_RDWR, 0o644)
}

// claim makes the folder and locks it: two databases that append to a file would overwrite each
// other's records.
func (s *Sinks) claim() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return kv.ErrClosed
	case s.held != nil:
		return nil
	case s.dir == "":
		return errNoFolder
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	if s.held, err = s.lock(s.dir); err != nil {
		return fmt.Errorf("the folder %s for the records of Kinesis streams cannot be used: %w; give each database a folder of its own", s.dir, err)
	}
	return nil
}

// syncDirs makes the entries of a new file, and of a new folder, durable: records are removed from
// the log once their file is synced, so the file must not disappear in a power loss.
func (s *Sinks) syncDirs() error {
	if runtime.GOOS == "windows" { // cannot sync directories
		return nil
	}
	for _, path := range []string{s.dir, filepath.Dir(s.dir)} {
		dir, err := os.Open(path)
		if err != nil {
			return err
		}
		if err := errors.Join(dir.Sync(), dir.Close()); err != nil {
			return err
		}
	}
	return nil
}

// seekWhole truncates the file after its last complete line, seeks there and returns that
// offset.
func seekWhole(file *os.File) (whole int64, err error) {
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	whole = end
	block := make([]byte, 64<<10)
	for whole > 0 {
		n := min(whole, int64(len(block)))
		if _, err := file.ReadAt(block[:n], whole-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			whole += int64(i) + 1 - n
			break
		}
		whole -= n
	}
	if whole < end {
		if err := file.Truncate(whole); err != nil {
			return 0, err
		}
	}
	return file.Seek(whole, io.SeekStart)
}

// Run delivers changes as they are made until ctx ends or the sinks change, and then
// returns nil. It waits for changes if there are none.
func (s *Sinks) Run(ctx context.Context) error {
	sinks, changed := s.catalog.Sinks()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-changed:
			cancel()
		case <-ctx.Done():
		}
	}()
	err := s.run(ctx, sinks)
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, kv.ErrClosed)) {
		return nil
	}
	return err
}

func (s *Sinks) run(ctx context.Context, sinks []catalog.Sink) error {
	for {
		after, err := s.deliverAll(ctx, sinks)
		if err != nil {
			return err
		}
		sinks = slices.DeleteFunc(sinks, func(sink catalog.Sink) bool {
			return !slices.ContainsFunc(after, func(p kv.LogPosition) bool { return p.Shard == sink.Log })
		})
		if len(after) == 0 {
			<-ctx.Done()
			return ctx.Err()
		}
		if err := s.store.WaitLog(ctx, after); err != nil {
			return err
		}
	}
}

// deliverAll delivers all changes and returns the remaining sinks with their positions. A sink
// that fails does not block the others.
func (s *Sinks) deliverAll(ctx context.Context, sinks []catalog.Sink) (left []kv.LogPosition, err error) {
	for _, sink := range sinks {
		p := delivery{more: true}
		var failed error
		for p.more && failed == nil {
			p, failed = s.deliver(ctx, sink)
		}
		switch {
		case failed != nil:
			err = errors.Join(err, fmt.Errorf("deliver the changes of table %s to %s: %w", sink.Table, sink.StreamARN, failed))
		case !p.removed:
			left = append(left, kv.LogPosition{Shard: sink.Log, Sequence: p.sequence})
		}
	}
	return left, err
}

// A delivery is the result of delivering a batch of a sink.
type delivery struct {
	sequence uint64
	more     bool // there may be more changes
	removed  bool // the sink was closed, and is removed
}

// batch is the number of bytes of records written between two syncs.
const batch = 1 << 20

// deliver appends a batch of changes of a sink to its file, and records the position.
func (s *Sinks) deliver(ctx context.Context, sink catalog.Sink) (p delivery, err error) {
	if err := ctx.Err(); err != nil {
		return p, err
	}
	if p.sequence, err = s.catalog.Delivered(ctx, sink.Log); err != nil {
		return p, err
	}
	var lines []byte
	var bad error
	last := p.sequence
	err = s.store.ReadLog(ctx, sink.Log, p.sequence+1, func(sequence uint64, raw []byte) bool {
		change, err := rowformat.ParseChange(raw)
		if err != nil {
			bad = err
			return false
		}
		lines = appendRecord(lines, s.catalog.Region(), sink, sequence, &change)
		last, p.more = sequence, len(lines) >= batch
		return !p.more
	})
	if err = errors.Join(err, bad); err != nil {
		return p, err
	}
	if len(lines) == 0 {
		if sink.Closed {
			p.removed = true
			return p, s.forget(ctx, sink.Log)
		}
		return p, nil
	}
	if err := s.append(sink, lines); err != nil {
		return p, err
	}
	ctx = context.WithoutCancel(ctx) // delivered records must be recorded as such
	if err := s.catalog.NoteDelivered(ctx, sink.Log, last); err != nil {
		return p, err
	}
	p.sequence, p.more = last, p.more || sink.Closed
	return p, s.store.TrimLog(ctx, sink.Log, last+1)
}

// forget removes a sink that is closed and delivered.
func (s *Sinks) forget(ctx context.Context, log uint32) error {
	if err := s.store.TrimLog(ctx, log, math.MaxUint64); err != nil {
		return err
	}
	return s.catalog.DropSink(ctx, log)
}

// append appends lines to the file of a stream and syncs it.
func (s *Sinks) append(sink catalog.Sink, lines []byte) error {
	arn, _ := request.ParseKinesisARN(sink.StreamARN)
	file, err := s.open(arn.Name)
	if err != nil {
		return err
	}
	_, err = file.Write(lines)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}
