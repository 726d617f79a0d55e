package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"sortkey.dev/bench/internal/httpload"
	"sortkey.dev/engine"
)

// lateIndex is a table that gets its index while it is written to.
var lateIndex = &dataset{name: "backfill"}

// backfillWorkloads are measured together: what adding an index takes, and what a
// writer gets done meanwhile.
var backfillWorkloads = []workload{
	{id: "add-gsi", title: "UpdateTable adds a GSI, items", op: addIndex, dataset: lateIndex, fsync: true},
	{id: "add-gsi-writer", title: "PutItem 1 KB, fsync, meanwhile", op: putItem, dataset: lateIndex, fsync: true},
}

// backfillSection adds an index to a table while one writer goes on, repeatedly, and
// does the same without an engine.
func (b *bench) backfillSection(ctx context.Context) (err error) {
	add, put := backfillWorkloads[0], backfillWorkloads[1]
	rows := plannedRows(sectionBackfill, []workload{add}, []int{1}, b.only)
	if len(rows) == 0 {
		return nil
	}
	dir, run := filepath.Join(b.dir, sectionBackfill), b.data()
	run.items = b.backfillItems
	b.progress("Backfill: loading tables of %d items.", run.items)
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	floor := &pebbleFloor{run: run}
	if floor.synced, err = openRaw(filepath.Join(dir, "pebble"), cacheBytes, datasetsOf(rows), run); err != nil {
		return fmt.Errorf("raw Pebble: %w", err)
	}
	defer func() { err = errors.Join(err, floor.close()) }()
	own := &engines{run: run}
	if own.synced, err = openEngine(filepath.Join(dir, "engine"), engine.SyncEveryCommit, cacheBytes, datasetsOf(rows), run); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, own.close()) }()
	load := httpload.LoadAverage()
	built, written, err := measureBackfill(ctx, []indexBuilder{
		&rawBuilder{pebbleFloor: floor, dataset: lateIndex},
		&engineBuilder{jsonDoor: jsonDoor{own}, dataset: lateIndex, poster: &handlerPoster{handler: own.synced}},
	}, put, run.items, b.rounds)
	for i, all := range [][]*series{built, written} {
		r := row{section: sectionBackfill, work: backfillWorkloads[i], callers: 1, bases: []base{{name: floor.name()}}}
		result := newRowResult(r, all)
		result.Load = load
		if err != nil {
			result.Systems, result.Error = nil, err.Error()
		}
		b.results.Rows = append(b.results.Rows, result)
		b.progress("%s", result.line())
	}
	return err
}

// An indexBuilder is a system whose table can get an index and lose it again.
type indexBuilder interface {
	system
	build() error // returns when the index is complete
	check() error // looks whether it is
	drop() error
}

// measureBackfill lets the builders take turns. It returns how many items a second
// were indexed, and what the writer did in that time.
func measureBackfill(ctx context.Context, builders []indexBuilder, put workload, items, rounds int) (built, written []*series, err error) {
	for _, builder := range builders {
		built = append(built, &series{system: builder.name()})
		written = append(written, &series{system: builder.name()})
	}
	for round := range rounds {
		for i, builder := range builders {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			if err := backfillOnce(builder, put, uint64(round), items, built[i], written[i]); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", builder.name(), err)
			}
		}
	}
	return built, written, nil
}

// backfillOnce adds one round to both series.
func backfillOnce(builder indexBuilder, put workload, seed uint64, items int, built, written *series) error {
	writer, err := builder.caller(put, seed)
	if err != nil {
		return err
	}
	var done atomic.Bool
	var writes sliceResult
	writeErr := make(chan error)
	begin := time.Now()
	go func() {
		var err error
		writes, err = writeUntil(&done, writer, begin)
		writeErr <- err
	}()
	err = builder.build()
	took := time.Since(begin)
	done.Store(true)
	if err = errors.Join(err, <-writeErr, writer.close()); err != nil {
		return err
	}
	built.rates = append(built.rates, float64(items)/took.Seconds())
	built.ops += items
	built.lat.add(took)
	written.rates = append(written.rates, float64(writes.ops)/writes.elapsed.Seconds())
	written.ops += writes.ops
	written.lat.merge(&writes.lat)
	return errors.Join(builder.check(), builder.drop())
}

// writeUntil lets a writer work until the index is built and its last request is
// answered. A writer that gets its turn late still does one, because a round without
// work has no rate.
func writeUntil(done *atomic.Bool, writer caller, begin time.Time) (r sliceResult, err error) {
	for r.ops == 0 || !done.Load() {
		if err := writer.do(r.ops%checkEvery == 0); err != nil {
			return r, err
		}
		now := time.Since(begin)
		r.lat.add(now - r.elapsed)
		r.elapsed = now
		r.ops++
	}
	return r, nil
}

// engineBuilder adds an index to a table of our engine.
type engineBuilder struct {
	jsonDoor
	dataset *dataset
	poster  poster
}

var _ indexBuilder = (*engineBuilder)(nil)

func (e *engineBuilder) build() error { return e.dataset.addIndex(e.poster, e.run) }
func (e *engineBuilder) drop() error  { return e.dataset.dropIndex(e.poster, e.run) }

// check fails unless every item has an entry.
func (e *engineBuilder) check() error {
	entries, err := e.dataset.count(context.Background(), e.poster, e.run, addedIndex)
	if err == nil && entries != e.run.items {
		err = fmt.Errorf("the index has %d entries for %d items", entries, e.run.items)
	}
	return err
}

// addedIndex is the index that is added and dropped.
const addedIndex = "by-g1"

// addIndex adds an index to the table and returns when it can be used.
func (d *dataset) addIndex(p poster, run dataRun) error {
	err := d.updateIndexes(p, run, `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g1","AttributeType":"S"}],`,
		`"Create":{"IndexName":"`+addedIndex+`","KeySchema":[{"AttributeName":"g1","KeyType":"HASH"}],`+
			`"Projection":{"ProjectionType":"`+run.projection+`"}}`)
	if err != nil {
		return err
	}
	return d.waitIndex(p, run, "ACTIVE")
}

// dropIndex removes it and returns when it is gone.
func (d *dataset) dropIndex(p poster, run dataRun) error {
	if err := d.updateIndexes(p, run, "", `"Delete":{"IndexName":"`+addedIndex+`"}`); err != nil {
		return err
	}
	return d.waitIndex(p, run, "")
}

func (d *dataset) updateIndexes(p poster, run dataRun, definitions, update string) error {
	_, err := call(p, string(addIndex), []byte(`{"TableName":"`+d.tableName(run.prefix)+`",`+definitions+
		`"GlobalSecondaryIndexUpdates":[{`+update+`}]}`))
	return err
}

// indexPoll is the time between two looks at an index that is being built. Who
// looks all the time takes the processor from the builder.
const indexPoll = time.Millisecond

// waitIndex asks until the index has a status; "" means that it is gone.
func (d *dataset) waitIndex(p poster, run dataRun, want string) error {
	body := []byte(`{"TableName":"` + d.tableName(run.prefix) + `"}`)
	for ; ; time.Sleep(indexPoll) {
		answer, err := call(p, "DescribeTable", body)
		if err != nil {
			return err
		}
		var described struct {
			Table struct {
				TableStatus            string
				GlobalSecondaryIndexes []struct{ IndexName, IndexStatus string }
			}
		}
		if err := json.Unmarshal(answer, &described); err != nil {
			return fmt.Errorf("DescribeTable: %w", err)
		}
		status := ""
		for _, index := range described.Table.GlobalSecondaryIndexes {
			if index.IndexName == addedIndex {
				status = index.IndexStatus
			}
		}
		if status == want && (want != "" || described.Table.TableStatus == "ACTIVE") {
			return nil
		}
	}
}

// rawBuilder writes an entry for every row of a raw store: the least that
// building an index needs.
type rawBuilder struct {
	*pebbleFloor
	dataset *dataset
}

var _ indexBuilder = (*rawBuilder)(nil)

// rawBuildBatch is the number of entries in one commit.
const rawBuildBatch = 1000

// build scans the rows and writes an entry for each. What is written meanwhile
// is not indexed: there is no engine that could.
func (r *rawBuilder) build() error {
	it, err := rawRows(r.synced, r.dataset, rawItems)
	if err != nil {
		return err
	}
	batch, entry, key := r.synced.NewBatch(), make([]byte, rawEntrySizeOf(r.run)), []byte(nil)
	for ok := it.First(); ok && err == nil; ok = it.Next() {
		var value []byte
		if value, err = it.ValueAndErr(); err != nil {
			break
		}
		copy(entry, value)
		group := int(value[0]) * int(value[1]) % groups
		key = append(rawPartition(key[:0], r.dataset, rawEntries, groupPrefix, group), it.Key()[rawHeadSize:]...)
		if err = batch.Set(key, entry, nil); err == nil && batch.Count() == rawBuildBatch {
			err = errors.Join(batch.Commit(pebble.NoSync), batch.Close())
			batch = r.synced.NewBatch()
		}
	}
	return errors.Join(err, it.Close(), batch.Commit(pebble.Sync), batch.Close())
}

// check fails unless every row has an entry.
func (r *rawBuilder) check() error {
	entries, err := countRaw(r.synced, r.dataset, rawEntries)
	if err == nil && entries != r.run.items {
		err = fmt.Errorf("%d entries for %d rows", entries, r.run.items)
	}
	return err
}

func (r *rawBuilder) drop() error {
	return r.synced.DeleteRange(rawSpace(nil, r.dataset, rawEntries), rawSpace(nil, r.dataset, rawEntries+1), pebble.Sync)
}
