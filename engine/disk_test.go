package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/internal/effort"
)

var errBrokenDisk = errors.New("the disk is broken")

// A fault makes operations of some kinds fail, from one of them on.
type fault struct {
	name  string
	kinds []errorfs.OpKind
	err   error
	once  bool // only one of them

	from atomic.Int64 // the first that fails
	seen atomic.Int64
	hit  atomic.Bool
}

func (f *fault) tap(op errorfs.Op) error {
	for _, kind := range f.kinds {
		if op.Kind != kind {
			continue
		}
		n := f.seen.Add(1)
		if from := f.from.Load(); n == from || n > from && !f.once {
			f.hit.Store(true)
			return f.err
		}
	}
	return nil
}

var (
	writes  = []errorfs.OpKind{errorfs.OpFileWrite, errorfs.OpFileWriteAt}
	syncs   = []errorfs.OpKind{errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo}
	creates = []errorfs.OpKind{errorfs.OpCreate, errorfs.OpReuseForWrite, errorfs.OpRename, errorfs.OpMkdirAll}
	space   = append(append([]errorfs.OpKind{errorfs.OpFilePreallocate}, writes...), creates...)
)

func faults() []*fault {
	return []*fault{
		{name: "a write fails once", kinds: writes, err: errBrokenDisk, once: true},
		{name: "writes fail", kinds: writes, err: errBrokenDisk},
		{name: "a sync fails once", kinds: syncs, err: errBrokenDisk, once: true},
		{name: "syncs fail", kinds: syncs, err: errBrokenDisk},
		{name: "a new file fails once", kinds: creates, err: errBrokenDisk, once: true},
		{name: "new files fail", kinds: creates, err: errBrokenDisk},
		{name: "the disk is full", kinds: space, err: syscall.ENOSPC},
	}
}

// TestFailingDisk makes the disk fail at some point of a load. Callers get errors, reads
// succeed, nothing hangs, and after a restart all acknowledged writes are there.
func TestFailingDisk(t *testing.T) {
	rounds := effort.Rounds(8)
	if testing.Short() || effort.UnderRace {
		rounds = 1
	}
	seed := newSeed()
	rnd := rand.New(rand.NewPCG(seed, 200))
	for i, f := range faults() {
		t.Run(strings.ReplaceAll(f.name, " ", "-"), func(t *testing.T) {
			total := countOperations(t, seed, f.kinds)
			for range rounds {
				broken := faults()[i]
				broken.from.Store(1 + rnd.Int64N(total))
				failLoad(t, seed, broken)
			}
		})
	}
}

// countOperations returns the number of operations of some kinds in a load.
func countOperations(t *testing.T, seed uint64, kinds []errorfs.OpKind) int64 {
	f := &fault{kinds: kinds}
	f.from.Store(1 << 60)
	l := newLoad(tapDisk(vfs.NewCrashableMem(), f.tap), pebblekv.SyncEveryCommit, seed, 3, 30)
	if err := l.run(t.Context()); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if err := l.db.Close(); err != nil {
		t.Fatalf("seed %d: close: %v", seed, err)
	}
	return f.seen.Load()
}

// failLoad runs a load on a disk that fails, checks the database, and reopens it on a good
// disk: with everything that was written, and with only what was synced.
func failLoad(t *testing.T, seed uint64, f *fault) {
	disk := vfs.NewCrashableMem()
	l := newLoad(tapDisk(disk, f.tap), pebblekv.SyncEveryCommit, seed, 3, 30)
	label := fmt.Sprintf("-crash.seed=%d (%s, from operation %d on)", seed, f.name, f.from.Load())
	err := l.run(t.Context())
	if err != nil && !errors.Is(err, f.err) {
		t.Errorf("%s: the load ended with %v", label, err)
	}
	if l.db != nil {
		if err != nil {
			checkBroken(t, label, l, f.err)
		}
		closeBroken(t, label, l.db, f)
	}
	if effort.UnderRace { // what follows runs without concurrency
		return
	}
	w := &crashedDisk{label: label, disk: disk, acked: l.ackedSteps(), pasts: l.pasts(), now: l.now()}
	synced := *w
	synced.label += ", and a power loss"
	synced.disk = disk.CrashClone(vfs.CrashCloneCfg{})
	_ = checkCrashed(t, w) && checkCrashed(t, &synced)
}

// closeBroken closes a database whose disk may have failed.
func closeBroken(t *testing.T, label string, db *DB, f *fault) {
	closed := make(chan error, 1)
	go func() { closed <- db.Close() }()
	select {
	case err := <-closed:
		if err != nil && !errors.Is(err, f.err) {
			t.Errorf("%s: close: %v", label, err)
		}
		if err == nil && f.hit.Load() {
			t.Errorf("%s: close does not return the failure", label)
		}
	case <-time.After(time.Minute):
		t.Fatalf("%s: close does not return", label)
	}
}

// checkBroken checks what a database with a failed disk still does.
func checkBroken(t *testing.T, label string, l *load, cause error) {
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: %s", label, fmt.Sprintf(format, args...))
	}
	select {
	case <-l.db.Failed():
	default:
		fail("the database does not say that it has failed")
	}
	if l.err != nil && (!errors.Is(l.err, kv.ErrFailed) || !errors.Is(l.err, cause)) {
		fail("the first error: %v, want one because of %v", l.err, cause)
	}
	var wg sync.WaitGroup
	for _, w := range l.workers {
		wg.Go(func() { // later writes also fail, and do not block
			if len(w.states[0].items) == 0 && len(l.admin.states) < 4 {
				return // there are no tables yet
			}
			s := &step{next: w.last().clone()}
			w.put(s)
			if problem := internal(s.run(context.Background(), l.db.API()), cause); problem != "" {
				fail("a later write of %s: %s", w.name, problem)
			}
		})
	}
	wg.Wait()
	for _, a := range l.actors {
		for id, want := range a.states[a.acked].items {
			deleted := id.table == "temp" // perhaps, unacknowledged
			if !deleted && (id.owner() != "stock" || strings.HasSuffix(id.pk, "7")) {
				checkRead(l, a, id, want, cause, fail)
			}
		}
	}
	checkHTTP(l.db, fail)
}

// internal says why err is not the error that callers must get from a failed disk.
func internal(err, cause error) string {
	if _, ok := errors.AsType[*types.InternalServerError](err); !ok {
		return fmt.Sprintf("%v, want an InternalServerError", err)
	}
	if !errors.Is(err, kv.ErrFailed) || !errors.Is(err, cause) {
		return fmt.Sprintf("%v, want one because of %v", err, cause)
	}
	return ""
}

// checkRead reads an item. An eventually consistent read returns the acknowledged item or a
// later one; a consistent read does too, or fails.
func checkRead(l *load, a *actor, id itemID, want string, cause error, fail func(string, ...any)) {
	good := map[string]bool{want: true}
	for _, s := range a.states[a.acked:] {
		good[s.items[id]] = true
	}
	if _, expires := numberOf(want, "until"); expires {
		good[""] = true
	}
	for _, consistent := range []bool{false, true} {
		out, err := l.db.API().GetItem(context.Background(), &dynamodb.GetItemInput{TableName: &id.table, Key: id.key(), ConsistentRead: &consistent})
		if err != nil {
			if problem := internal(err, cause); problem != "" || !consistent {
				fail("read %v, consistent %v: %v", id, consistent, err)
			}
			continue
		}
		got := ""
		for candidate := range good {
			if sameItem(out.Item, candidate) {
				got = "good"
			}
		}
		if got == "" {
			fail("read %v, consistent %v: %v, want one of %d", id, consistent, out.Item, len(good))
		}
	}
}

// sameItem compares a response with a stored item.
func sameItem(answer map[string]types.AttributeValue, item string) bool {
	d := doc{}
	for name, value := range answer {
		switch v := value.(type) {
		case *types.AttributeValueMemberS:
			d[name] = v.Value
		case *types.AttributeValueMemberN:
			n := 0
			if _, err := fmt.Sscan(v.Value, &n); err != nil {
				return false
			}
			d[name] = n
		}
	}
	return answer == nil && item == "" || answer != nil && d.stored() == item
}

// checkHTTP checks the responses to HTTP clients.
func checkHTTP(db *DB, fail func(string, ...any)) {
	for _, c := range []struct {
		operation, body, want string
		status                int
	}{
		{"ListTables", `{}`, "TableNames", http.StatusOK},
		{"CreateTable", `{"TableName":"another","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],` +
			`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`, "InternalServerError", http.StatusInternalServerError},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+c.operation)
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
		answer := httptest.NewRecorder()
		db.ServeHTTP(answer, r)
		body, _ := io.ReadAll(answer.Body)
		if answer.Code != c.status || !strings.Contains(string(body), c.want) {
			fail("%s over HTTP: %d %s, want %d with %s", c.operation, answer.Code, body, c.status, c.want)
		}
	}
}

// TestFailingDiskWhileOpening makes every operation of opening after a crash fail. Either Open
// fails or the database fails later; the next Open, on a good disk, finds everything.
func TestFailingDiskWhileOpening(t *testing.T) {
	effort.SkipUnderRace(t)
	seed := newSeed()
	disk := vfs.NewCrashableMem()
	l := newLoad(disk, pebblekv.SyncEveryCommit, seed, 3, 30)
	if err := l.run(t.Context()); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	crashed := crashedDisk{disk: disk, acked: l.ackedSteps(), pasts: l.pasts(), now: l.now()}
	image := func() *vfs.MemFS { return disk.CrashClone(vfs.CrashCloneCfg{}) }
	every := 1
	if testing.Short() {
		every = 29
	}
	failures := 0
	for n, hit := 1, true; hit; n += every {
		f := &fault{name: "opening fails", kinds: append(append([]errorfs.OpKind{}, space...), syncs...), err: errBrokenDisk, once: n%2 == 0}
		f.from.Store(int64(n))
		w := crashed
		w.label = fmt.Sprintf("-crash.seed=%d (operation %d fails while opening, once: %v)", seed, n, f.once)
		target := image()
		w.disk = target
		db, err := openDisk(tapDisk(target, f.tap), pebblekv.SyncEveryCommit, l.now, time.Hour, silent)
		switch {
		case err == nil:
			closeBroken(t, w.label, db, f)
		case !errors.Is(err, errBrokenDisk):
			t.Errorf("%s: %v", w.label, err)
		default:
			failures++
		}
		hit = f.hit.Load()
		if !checkCrashed(t, &w) {
			break
		}
	}
	if err := l.db.Close(); err != nil {
		t.Error(err)
	}
	if failures == 0 {
		t.Errorf("seed %d: opening never failed: the test proves nothing", seed)
	}
}

// TestFailingDiskEndsChanges makes the disk fail while a program waits for changes.
func TestFailingDiskEndsChanges(t *testing.T) {
	f := &fault{kinds: writes, err: errBrokenDisk}
	f.from.Store(1 << 60)
	l := newLoad(tapDisk(vfs.NewMem(), f.tap), pebblekv.SyncEveryCommit, newSeed(), 1, 0)
	if err := l.open(); err != nil {
		t.Fatal(err)
	}
	if err := l.setUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	changes, err := l.db.Changes(t.Context(), "main", FromNow)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		for _, err := range changes {
			ended <- err
		}
	}()
	f.from.Store(0)
	s := &step{next: l.workers[0].last().clone()}
	l.workers[0].put(s)
	if problem := internal(s.run(t.Context(), l.db.API()), errBrokenDisk); problem != "" {
		t.Errorf("put: %s", problem)
	}
	if err := <-ended; !errors.Is(err, errBrokenDisk) {
		t.Errorf("the changes end with %v, want %v", err, errBrokenDisk)
	}
	closeBroken(t, "after a failed write", l.db, f)
}

// TestUnreadableDisk makes reads fail for a while. Only the calls that need them fail.
func TestUnreadableDisk(t *testing.T) {
	var unreadable atomic.Bool
	disk := tapDisk(vfs.NewMem(), func(op errorfs.Op) error {
		if unreadable.Load() && op.Kind == errorfs.OpFileReadAt {
			return errBrokenDisk
		}
		return nil
	})
	seed := newSeed()
	l := newLoad(disk, pebblekv.SyncEveryCommit, seed, 3, 30)
	if err := l.run(t.Context()); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if err := l.db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.open(); err != nil { // so that nothing is in the cache
		t.Fatal(err)
	}
	t.Cleanup(func() { l.db.Close() })
	unreadable.Store(true)
	failed := 0
	for range 50 {
		_, err := l.db.API().Scan(t.Context(), &dynamodb.ScanInput{TableName: new("plain")})
		if err != nil {
			failed++
			if _, ok := errors.AsType[*types.InternalServerError](err); !ok {
				t.Errorf("scan: %v, want an InternalServerError", err)
			}
		}
	}
	if failed == 0 {
		t.Fatalf("seed %d: nothing was read from the disk: the test proves nothing", seed)
	}
	unreadable.Store(false)
	if err := l.half(t.Context(), nil); err != nil {
		t.Errorf("seed %d: after the disk could be read again: %v", seed, err)
	}
}
