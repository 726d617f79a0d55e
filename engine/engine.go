// Package engine is an embedded DynamoDB. A program opens it like a file and
// talks to it with the AWS SDK for Go, without a server, a socket or an account:
//
//	db, err := engine.Open(dir, nil)
//	if err != nil {
//		return err
//	}
//	defer db.Close()
//	client := db.Client()
//
// There are three doors to the same tables:
//
//   - [DB.Client] is a real *dynamodb.Client of aws-sdk-go-v2 whose calls stay
//     in the process. Use it wherever code wants that type.
//   - [DB.API] has the client's methods without the SDK's middleware stack. It
//     is the fastest door; use it behind an interface of your own.
//   - DB is an [http.Handler] that speaks DynamoDB's JSON protocol to any AWS
//     SDK in any language.
//
// The streams of tables are read with [DB.Streams], a real
// *dynamodbstreams.Client, or followed with [DB.Changes].
//
// Acknowledged writes are durable: a write returns after it was synced to disk,
// together with its index entries, and consistent reads never return data that could
// still be lost. [Options] relaxes that. With an empty directory name everything
// is kept in memory, which suits tests: opening takes microseconds.
//
// The engine follows DynamoDB's behaviour down to the error messages. It is one
// process on one machine; conformance/DIFFERENCES.md in the repository lists what it
// does not do.
package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/bulk"
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/memkv"
	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
	"sortkey.dev/engine/internal/sink"
	"sortkey.dev/engine/internal/stream"
	"sortkey.dev/engine/internal/table"
	"sortkey.dev/engine/internal/wire"
)

//go:generate go run ./internal/sdk/apigen

// DB is an open database. It is safe for concurrent use.
type DB struct {
	store      kv.Store
	api        *API
	wire       *wire.Handler
	background *background
	clock      Clock
	closeOnce  sync.Once
	closeErr   error
}

// API has the method set of *dynamodb.Client, called directly: no middleware
// runs, nothing is signed or serialised, and functional options are ignored.
// Operations that the engine does not support return an error that says why.
// An API is safe for concurrent use.
type API struct{ ops *operations }

// operations implements the operations in the engine's own types. All doors call it.
type operations struct {
	region     string
	wording    request.Wording
	catalog    *catalog.Catalog
	tables     *table.Tables
	streams    *stream.Streams
	sinks      *sink.Sinks
	bulk       *bulk.Operations
	background *background
}

var _ dynamo.API = (*operations)(nil)

// Open opens the database in dir, creating it if there is none. With an empty
// dir everything is kept in memory until Close. A nil opts means the defaults.
//
// Only one DB can have a directory open: opening it twice fails with [ErrLocked]. Opening a
// directory that holds other files fails with [ErrForeign], and one that was written by a
// newer version with [ErrFormat]. A failed Open changes nothing in these cases.
func Open(dir string, opts *Options) (*DB, error) {
	o := opts.withDefaults()
	store, err := openStore(dir, o)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db, err := open(store, o)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", errors.Join(err, store.Close()))
	}
	return db, nil
}

func openStore(dir string, o Options) (kv.Store, error) {
	if dir == "" {
		return memkv.Open(), nil
	}
	sync := pebblekv.SyncEveryCommit
	if o.Sync == SyncRelaxed {
		sync = pebblekv.Relaxed
	}
	return pebblekv.Open(dir, &pebblekv.Options{CacheBytes: o.CacheBytes, Sync: sync, Logger: o.Logger})
}

// open creates a DB on a store.
func open(store kv.Store, o Options) (*DB, error) {
	c, err := catalog.Open(context.Background(), store, catalog.Options{Now: o.Clock.Now, Rand: o.Rand, Region: o.Region, Account: o.Account})
	if err != nil {
		return nil, err
	}
	streams := stream.New(store, c)
	if err := streams.RecoverClock(context.Background()); err != nil {
		return nil, err
	}
	ops := &operations{
		region: o.Region, wording: request.Wording(o.Wording),
		catalog: c, tables: table.New(store, c), streams: streams, sinks: sink.New(store, c, o.KinesisDir, pebblekv.LockDir),
	}
	ops.bulk, err = bulk.Open(context.Background(), store, c, ops.tables, bulk.Options{Clock: o.Clock, Dir: o.BulkDir, Rand: o.Rand, Wording: ops.wording})
	if err != nil {
		return nil, err
	}
	ops.background = newBackground(ops, o)
	ops.background.resume()
	if store.Failed() != nil { // a store in memory cannot fail, and does not outlive a crash
		ops.background.keepCounts()
	}
	db := &DB{store: store, api: &API{ops}, background: ops.background, clock: o.Clock}
	db.wire = wire.NewHandler(ops, wire.Options{Logger: o.Logger, Region: o.Region, AllowOrigin: o.AllowOrigin, Warnings: db.Warnings})
	if state := db.ClockState(); state.ahead() > maxAhead {
		o.Logger.Warn("the newest time in the database is ahead of the clock", slog.Time("newest", state.Newest), slog.Time("clock", state.Now))
	}
	return db, nil
}

// Client returns an SDK client whose calls run in this process. Each call returns
// a new client; they all use the same tables.
func (db *DB) Client() *dynamodb.Client {
	return sdk.NewClient(db.api.ops, sdk.ClientOptions{Region: db.api.ops.region})
}

// API returns the operations as plain methods.
func (db *DB) API() *API { return db.api }

// ServeHTTP serves DynamoDB's JSON protocol.
func (db *DB) ServeHTTP(w http.ResponseWriter, r *http.Request) { db.wire.ServeHTTP(w, r) }

// Failed returns a channel that is closed when the disk has failed. From then on every
// write fails, and reads succeed where they can. To recover, close the database and open
// it again: all acknowledged writes are there. Close returns the cause.
func (db *DB) Failed() <-chan struct{} { return db.store.Failed() }

// Close waits for running operations and closes the database. Later operations fail
// with [ErrClosed]. Closing twice is harmless.
func (db *DB) Close() error {
	db.closeOnce.Do(func() {
		if err := db.close(); err != nil {
			db.closeErr = fmt.Errorf("close database: %w", err)
		}
	})
	return db.closeErr
}

// close stops the background jobs and the writes, so that it saves correct counters.
func (db *DB) close() error {
	counted := db.background.stop()
	c := db.api.ops.catalog
	c.CloseGates()
	save := c.SaveCounts
	if !counted {
		save = c.NoteCounts
	}
	err := save(context.Background())
	err = errors.Join(err, db.api.ops.sinks.Close())
	if closeErr := db.store.Close(); closeErr != nil {
		return closeErr // also the cause when the counters could not be saved
	}
	return err
}
