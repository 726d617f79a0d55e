package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sortkey.dev/engine"
)

// sizeResult is how long it took to open a database of a size.
type sizeResult struct {
	Items int           `json:"items"`
	Open  time.Duration `json:"open_ns"`
}

// A sizedDoor is the JSON door to a database of a certain size.
type sizedDoor struct{ jsonDoor }

func (d sizedDoor) name() string { return thousands(float64(d.run.items)) + " items" }

// sizeSection compares tables of different sizes: the cost of an operation must
// not grow with the table.
func (b *bench) sizeSection(ctx context.Context) (err error) {
	rows := plannedRows(sectionSize, []string{"get", "put-nosync"}, b.callers, b.only)
	if len(rows) == 0 || len(b.sizes) == 0 {
		return nil
	}
	dir := filepath.Join(b.dir, sectionSize)
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, n := range b.sizes {
		b.progress("Size: loading tables of %d items.", n)
		door, openErr := b.openSize(filepath.Join(dir, fmt.Sprint(n)), n, datasetsOf(rows))
		if openErr != nil {
			return openErr
		}
		defer func() { err = errors.Join(err, door.close()) }()
		for i := range rows {
			rows[i].systems = append(rows[i].systems, door)
		}
	}
	for i := range rows {
		rows[i].bases = []base{{name: rows[i].systems[0].name()}}
	}
	return b.measureRows(ctx, rows)
}

// openSize loads and opens a database of n items a table.
func (b *bench) openSize(dir string, n int, datasets []*dataset) (sizedDoor, error) {
	run := b.data()
	run.items, run.readItems = n, n
	if err := loadDirectory(dir, datasets, run); err != nil {
		return sizedDoor{}, err
	}
	begin := time.Now()
	db, err := engine.Open(dir, engineOptions(engine.SyncRelaxed, cacheBytes))
	if err != nil {
		return sizedDoor{}, err
	}
	b.results.Sizes = append(b.results.Sizes, sizeResult{Items: n * len(datasets), Open: time.Since(begin)})
	return sizedDoor{jsonDoor{&engines{synced: db, unsynced: db, run: run}}}, nil
}
