package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sortkey.dev/engine"
)

// flatItems is the table whose size changes. Its items are small, so that
// millions of them fit the cache.
var flatItems = &dataset{name: "flat", sorted: true, small: true}

// flatWorkloads leave the number of items as it is. They do not wait for the
// disk: a sync costs the same on all tables and would hide what grows.
var flatWorkloads = []workload{
	{id: "get", title: "GetItem 100 B", op: getItem, dataset: flatItems},
	{id: "query", title: "Query 100 x 100 B", op: query, dataset: flatItems},
	{id: "put", title: "PutItem 100 B, no fsync", op: putItem, dataset: flatItems},
	{id: "update", title: "UpdateItem with condition, no fsync", op: updateItem, dataset: flatItems},
	{id: "transact", title: "TransactWriteItems of 3, no fsync", op: transactWrite, dataset: flatItems},
}

// flatCacheBytes holds the largest table: this is about the cost of a large
// table, not about that of a small cache.
const flatCacheBytes = 2 << 30

// rawSuffix marks the row in which raw Pebble does a workload of this section.
const rawSuffix = "-pebble"

// sizeResult holds the time it took to open a database of a size.
type sizeResult struct {
	Items int           `json:"items"`
	Open  time.Duration `json:"open_ns"`
}

// sizeName returns how a system of this section is called.
func sizeName(items int) string { return thousands(float64(items)) + " items" }

// A sizedDoor is the JSON door to a database of a certain size.
type sizedDoor struct{ jsonDoor }

func (d sizedDoor) name() string { return sizeName(d.run.items) }

// A sizedFloor is raw Pebble with as many rows.
type sizedFloor struct{ *pebbleFloor }

func (f sizedFloor) name() string { return sizeName(f.run.items) }

// flatSection compares tables of different sizes: the cost of an operation must
// not grow with the table. It takes minutes, so it has to be asked for by name.
func (b *bench) flatSection(ctx context.Context) (err error) {
	if !strings.Contains(b.only.String(), sectionFlat) {
		return nil
	}
	rows := b.flatRows()
	if len(rows) == 0 {
		return nil
	}
	dir := filepath.Join(b.dir, sectionFlat)
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, n := range b.sizes {
		door, floor, openErr := b.openSize(ctx, filepath.Join(dir, fmt.Sprint(n)), n)
		defer func() { err = errors.Join(err, door.close(), floor.close()) }()
		if openErr != nil {
			return openErr
		}
		if err := door.verifyAll(workloadsOf(rows)); err != nil {
			return err
		}
		for i := range rows {
			var s system = door
			if strings.HasSuffix(rows[i].work.id, rawSuffix) {
				s = floor
			}
			rows[i].systems = append(rows[i].systems, s)
			rows[i].bases = []base{{name: rows[i].systems[0].name()}}
		}
	}
	return b.measureRows(ctx, rows)
}

// flatRows has each workload twice, the second time for raw Pebble, which shows how
// much of the growth is the store's.
func (b *bench) flatRows() []row {
	var all []workload
	for _, w := range flatWorkloads {
		raw := w
		raw.id, raw.title = w.id+rawSuffix, w.title+", raw Pebble"
		all = append(all, w, raw)
	}
	return plannedRows(sectionFlat, all, []int{1}, b.only)
}

// openSize loads and opens a database and a raw store of n items, and reads
// everything once.
func (b *bench) openSize(ctx context.Context, dir string, n int) (sizedDoor, sizedFloor, error) {
	run := b.data()
	run.items, run.readItems = n, n
	run.progress = func(items int) { b.progress("Flat: %s loaded.", sizeName(items)) }
	door, floor := sizedDoor{jsonDoor{&engines{run: run}}}, sizedFloor{&pebbleFloor{run: run}}
	b.progress("Flat: loading a table of %s.", door.name())
	data := filepath.Join(dir, "engine")
	err := loadDirectory(data, []*dataset{flatItems}, run)
	if err != nil {
		return door, floor, err
	}
	begin := time.Now()
	if door.unsynced, err = engine.Open(data, engineOptions(engine.SyncRelaxed, flatCacheBytes)); err != nil {
		return door, floor, err
	}
	b.results.Sizes = append(b.results.Sizes, sizeResult{Items: n, Open: time.Since(begin)})
	b.progress("Flat: loading a raw store of %s.", door.name())
	if floor.unsynced, err = openRaw(filepath.Join(dir, "pebble"), flatCacheBytes, []*dataset{flatItems}, run); err != nil {
		return door, floor, fmt.Errorf("raw Pebble: %w", err)
	}
	b.progress("Flat: reading all %s.", door.name())
	return door, floor, errors.Join(door.readAll(ctx), floor.readAll())
}

// readAll fills the cache, and checks that all items are there.
func (d sizedDoor) readAll(ctx context.Context) error {
	items, err := flatItems.count(ctx, &handlerPoster{handler: d.unsynced}, d.run, "")
	if err == nil && items != d.run.items {
		err = fmt.Errorf("the table has %d items, want %d", items, d.run.items)
	}
	return err
}

// readAll fills the cache, and checks that all rows are there.
func (f sizedFloor) readAll() error {
	rows, err := countRaw(f.unsynced, flatItems, rawItems)
	if err == nil && rows != f.run.items {
		err = fmt.Errorf("raw Pebble has %d rows, want %d", rows, f.run.items)
	}
	return err
}

// costVerdict is about a ratio of costs, the inverse of that of rates; about
// nothing if it has no target.
func (r ratioResult) costVerdict() verdict {
	if r.Target == 0 {
		return verdict{}
	}
	return verdict{got: ratioText(1 / r.Ratio), want: "<= " + ratioText(1/r.Target), met: r.met()}
}

// reportFlat prints what an operation costs on tables of different sizes.
func (r *results) reportFlat(b *strings.Builder) {
	rows := r.rowsOf(sectionFlat)
	if len(rows) == 0 {
		return
	}
	t := &textTable{}
	t.add("workload", "", "table", "time/op", "x first", "target", "cpu/op", "x first")
	for _, row := range rows {
		if row.Error != "" {
			t.add(row.Title, "", "failed: "+row.Error)
			continue
		}
		title := row.Title
		for _, s := range row.Systems {
			ratio, target, cpuRatio := "", "", ""
			for _, r := range s.Ratios { // none for the first
				ratio, target = ratioText(1/r.Ratio), r.costVerdict().text()
				if first := row.Systems[0].CPUPerOp; first > 0 {
					cpuRatio = ratioText(float64(s.CPUPerOp) / float64(first))
				}
			}
			t.add(title, "", s.System, duration(time.Duration(1e9/s.Rate)), ratio, target, duration(s.CPUPerOp), cpuRatio)
			title = ""
		}
	}
	fmt.Fprintf(b, "\n%s\n\n%s\n", sectionTitles[sectionFlat], t)
	for _, s := range r.Sizes {
		fmt.Fprintf(b, "opening a database of %s: %s\n", sizeName(s.Items), duration(s.Open))
	}
}
