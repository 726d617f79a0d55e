package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A memoryLoad is a load on a server of its own, from memoryCallers callers. The memory of the
// server is read before, during and after it.
type memoryLoad struct {
	id       string
	datasets []*dataset
	items    int      // in each table; 0: the tables are empty when the load begins
	work     []string // identifiers of workloads, one after the other
	requests int      // of each workload
}

const memoryCallers = 16

var (
	bigItems  = &dataset{name: "big", big: true}
	scanItems = &dataset{name: "scan", sorted: true}
)

// memoryWorkloads are workloads that only this section has.
var memoryWorkloads = []workload{
	{id: "scan", title: "Scan, pages of 1 MB", op: scan, dataset: scanItems},
	{id: "put-big", title: "PutItem 400 KB, fsync", op: putItem, dataset: bigItems, fsync: true},
	{id: "get-big", title: "GetItem 400 KB", op: getItem, dataset: bigItems},
	{id: "batch-big", title: "BatchWriteItem 25 x 400 KB, fsync", op: batchWrite, dataset: bigItems, fsync: true},
}

// memoryItems is the number of items of a table, and of different keys of writes to an empty one.
const memoryItems, memoryBigItems = 100_000, 500

var memoryLoads = []memoryLoad{
	{id: "puts", datasets: []*dataset{plainItems}, work: []string{"put-fsync"}, requests: memoryItems},
	{id: "batches", datasets: []*dataset{batchTarget}, work: []string{"batch-fsync"}, requests: memoryItems / batchItems},
	{id: "indexed-puts", datasets: []*dataset{twoStreamed}, work: []string{"put-fsync-2gsi-stream"}, requests: memoryItems},
	{id: "updates", datasets: []*dataset{updateItems}, items: memoryItems, work: []string{"update-fsync"}, requests: memoryItems},
	{id: "transactions", datasets: []*dataset{putTarget}, items: memoryItems, work: []string{"transact-puts-fsync"}, requests: memoryItems / putItems},
	{id: "gets", datasets: []*dataset{hotItems}, items: memoryItems, work: []string{"get"}, requests: memoryItems},
	{id: "queries", datasets: []*dataset{partitions}, items: memoryItems, work: []string{"query"}, requests: memoryItems / 10},
	{id: "scans", datasets: []*dataset{scanItems}, items: memoryItems, work: []string{"scan"}, requests: memoryItems / 100},
	{id: "big", datasets: []*dataset{bigItems}, items: memoryBigItems, work: []string{"put-big", "get-big", "batch-big"}, requests: memoryBigItems},
	{id: "mixed", datasets: []*dataset{hotItems, partitions, scanItems, twoStreamed, updateItems, putTarget}, items: memoryItems / 4,
		work: []string{"get", "query", "scan", "put-fsync-2gsi-stream", "update-fsync", "transact-puts-fsync"}, requests: memoryItems / 10},
}

// memoryResult holds the private memory of a server at a load: resident memory without the pages
// of files, such as the program.
type memoryResult struct {
	Load   string        `json:"load"`
	Took   time.Duration `json:"took_ns"`
	AtRest int64         `json:"at_rest_bytes"` // started and idle
	Peak   int64         `json:"peak_bytes"`    // the highest, from the first request on
	After  int64         `json:"after_bytes"`   // when the last request is answered
	Idle   int64         `json:"idle_bytes"`    // and when the server was idle again
}

// verdict is about the memory after the load: a peak can hold the bodies of large requests.
func (m memoryResult) verdict() verdict {
	return verdict{what: "private memory: " + m.Load, callers: fmt.Sprint(memoryCallers), system: ownServer,
		got: megabytes(m.After), want: "< " + megabytes(privateBelow), met: m.After < privateBelow}
}

// memorySection loads servers and reads their memory. It takes minutes, so it has to be asked for
// by name.
func (b *bench) memorySection(ctx context.Context) error {
	if !strings.Contains(b.only.String(), sectionMemory) {
		return nil
	}
	program, err := b.serverProgram()
	if err != nil {
		return err
	}
	var errs []error
	for _, load := range memoryLoads {
		if !b.only.MatchString(label(sectionMemory, load.id, memoryCallers)) {
			continue
		}
		result, err := b.measureMemory(ctx, *program, load)
		if err != nil {
			errs = append(errs, fmt.Errorf("memory, %s: %w", load.id, err))
			continue
		}
		b.results.Memory = append(b.results.Memory, result)
		b.progress("%-35s  at rest %s, peak %s, after %s, idle %s", label(sectionMemory, load.id, memoryCallers),
			megabytes(result.AtRest), megabytes(result.Peak), megabytes(result.After), megabytes(result.Idle))
	}
	return errors.Join(errs...)
}

// measureMemory starts a server on an empty directory, fills its tables, applies the load and waits.
func (b *bench) measureMemory(ctx context.Context, program serverProgram, load memoryLoad) (result memoryResult, err error) {
	dir := filepath.Join(b.dir, sectionMemory)
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	server, err := program.start(dir, "every-commit")
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	private := func() int64 { return processMemory(server.cmd.Process.Pid).private }
	time.Sleep(min(settleTime, b.idle))
	result.Load, result.AtRest = load.id, private()

	watch, stop := context.WithCancel(ctx)
	defer stop()
	peak := watchPeak(watch, private)
	begin := time.Now()
	if err := b.applyLoad(ctx, server.url, load); err != nil {
		return result, err
	}
	result.Took, result.After = time.Since(begin), private()
	stop()
	result.Peak = max(<-peak, result.After)
	time.Sleep(b.idle)
	result.Idle = private()
	return result, nil
}

// watchPeak returns the highest value of read until ctx is done.
func watchPeak(ctx context.Context, read func() int64) <-chan int64 {
	peak := make(chan int64, 1)
	go func() {
		var highest int64
		for ctx.Err() == nil {
			highest = max(highest, read())
			time.Sleep(10 * time.Millisecond)
		}
		peak <- highest
	}()
	return peak
}

// applyLoad makes the tables and sends the requests of a load, over the same connections.
func (b *bench) applyLoad(ctx context.Context, url string, load memoryLoad) error {
	posters, hangUp, err := dialAll(url, memoryCallers)
	defer hangUp()
	if err != nil {
		return err
	}
	run := b.data()
	run.items = cmp.Or(min(load.items, b.memoryItems), min(memoryItems, b.memoryItems))
	run.readItems = run.items
	for _, d := range load.datasets {
		if load.items == 0 {
			err = d.createTable(posters[0], run)
		} else {
			err = prepare(posters, []*dataset{d}, run)
		}
		if err != nil {
			return err
		}
	}
	for _, id := range load.work {
		requests := max(1, load.requests*run.items/cmp.Or(load.items, memoryItems))
		if err := repeat(ctx, url, workloadByID(id), run, requests); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return nil
}

// repeat sends the requests of a workload.
func repeat(ctx context.Context, url string, w workload, run dataRun, requests int) error {
	var sent atomic.Int64
	var callers sync.WaitGroup
	errs := make([]error, memoryCallers)
	for n := range memoryCallers {
		callers.Go(func() {
			c, err := newHTTPCaller(url, w, run, uint64(n)+1)
			if err != nil {
				errs[n] = err
				return
			}
			for i := sent.Add(1); err == nil && ctx.Err() == nil && i <= int64(requests); i = sent.Add(1) {
				err = c.do(i%checkEvery == 0)
			}
			errs[n] = errors.Join(err, c.close())
		})
	}
	callers.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

func (r *results) reportMemory(b *strings.Builder) {
	if len(r.Memory) == 0 {
		return
	}
	t := &textTable{}
	t.add("load", "", "", "took", "at rest", "peak", "after load", "target", "idle again")
	for _, m := range r.Memory {
		t.add(m.Load, "", "", duration(m.Took), megabytes(m.AtRest), megabytes(m.Peak), megabytes(m.After), m.verdict().text(), megabytes(m.Idle))
	}
	fmt.Fprintf(b, "\nPrivate memory of sortkey serve, %d callers\n\n%s", memoryCallers, t)
}
