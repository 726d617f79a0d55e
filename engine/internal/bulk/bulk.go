// Package bulk runs bulk operations: it puts the items of many files into a table. Where AWS reads
// from an S3 bucket, it reads from a folder.
//
// Items take the path of PutItem, through packages request and table. The state of an operation
// is stored when it starts and when it ends; an operation that was running when the database was
// closed has failed, and can be started again. Only the engine calls this package.
package bulk

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/clock"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
	"sortkey.dev/engine/internal/table"
)

// Options configures the clock, the buckets and the source of ids.
type Options struct {
	Clock   clock.Clock
	Dir     string // folder of the buckets; empty: none
	Rand    io.Reader
	Wording request.Wording
}

// Operations runs the bulk operations of one store. It is safe for concurrent use.
type Operations struct {
	store   kv.Store
	catalog *catalog.Catalog
	tables  *table.Tables
	opts    Options

	mu    sync.Mutex
	known map[string]*operation // by id
}

// rowPrefix is the prefix of the names of the operations' rows, beside those of the catalog.
const rowPrefix = "bulk/"

const (
	tokenLife = 8 * time.Hour       // how long a token identifies its operation
	listed    = 90 * 24 * time.Hour // how long an operation is listed
)

// Open reads the operations of a store. Operations that were running have failed.
func Open(ctx context.Context, store kv.Store, c *catalog.Catalog, tables *table.Tables, o Options) (*Operations, error) {
	s := &Operations{store: store, catalog: c, tables: tables, opts: o, known: map[string]*operation{}}
	err := store.View(ctx, kv.Durable, func(r kv.Reader) error {
		lo := rowformat.CatalogKey(rowPrefix)
		var bad error
		err := r.Scan(lo, rowformat.Successor(lo), kv.ScanOptions{}, func(_, value []byte) bool {
			op := &operation{}
			if bad = json.Unmarshal(value, &op.record); bad == nil {
				s.known[op.ID] = op
			}
			return bad == nil
		})
		if err == nil {
			err = bad
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the bulk operations: %w", err)
	}
	for id, op := range s.known {
		switch {
		case c.Now().Sub(op.Started) >= listed:
			delete(s.known, id)
			if err := s.forget(ctx, id); err != nil {
				return nil, err
			}
			continue
		case op.ended():
			continue
		}
		op.end(dynamo.BulkFailed, c.Now(), "Interrupted", "The database was closed while the operation was running. Start it again.")
		if err := s.save(ctx, op.record); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// save stores the state of an operation.
func (s *Operations) save(ctx context.Context, rec record) error {
	b, err := json.Marshal(rec)
	if err != nil {
		return fmt.Errorf("encode bulk operation %s: %w", rec.ID, err)
	}
	key := rowformat.CatalogKey(rowPrefix + rec.ID)
	err = s.store.Update(ctx, [][]byte{key}, func(tx kv.Txn) error { tx.Set(key, b); return nil })
	if err != nil {
		return fmt.Errorf("store bulk operation %s: %w", rec.ID, err)
	}
	return nil
}

// forget removes an operation that is no longer listed.
func (s *Operations) forget(ctx context.Context, id string) error {
	key := rowformat.CatalogKey(rowPrefix + id)
	err := s.store.Update(ctx, [][]byte{key}, func(tx kv.Txn) error { tx.Delete(key); return nil })
	if err != nil {
		return fmt.Errorf("remove bulk operation %s: %w", id, err)
	}
	return nil
}

// Start starts an operation. It returns the function that does the work, nil when it returns
// the running operation with the same token.
func (s *Operations) Start(ctx context.Context, req *request.StartBulkPutItems) (d *dynamo.BulkOperationDescription, run func(context.Context) error, err error) {
	if s.opts.Dir == "" {
		return nil, nil, dynamo.Invalid("Bulk operations need a folder that holds the buckets: set Options.BulkDir, or run serve with --bulk-dir")
	}
	t, err := s.target(req.Table)
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	rec, err := s.newRecord(t, req)
	if err != nil {
		return nil, nil, err
	}
	if same, err := s.replayed(rec); same != nil || err != nil {
		return same, nil, err
	}
	if err := s.save(ctx, rec); err != nil {
		return nil, nil, err
	}
	op := &operation{record: rec}
	var cancelled context.Context
	cancelled, op.cancel = context.WithCancel(context.Background())
	s.known[op.ID] = op
	return op.describe(), func(ctx context.Context) error { return s.run(ctx, cancelled, op) }, nil
}

// target finds the table of an operation, which must not be building an index.
func (s *Operations) target(name string) (*catalog.Table, error) {
	t, err := s.catalog.Find(name)
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return nil, dynamo.TableNotFound()
	case t.Building != "":
		return nil, dynamo.Errorf(dynamo.ResourceInUse, "Attempt to change a resource which is still in use: "+
			"Can't start a bulk operation when an index is being created. Table: %s Indexes: [%s]", t.Name(), t.Building)
	}
	return t, nil
}

func (s *Operations) newRecord(t *catalog.Table, req *request.StartBulkPutItems) (record, error) {
	var random [20]byte
	if _, err := io.ReadFull(s.opts.Rand, random[:]); err != nil {
		return record{}, fmt.Errorf("generate the id of a bulk operation: %w", err)
	}
	now := s.catalog.Now()
	rec := record{
		ID:    fmt.Sprintf("%014d-%x", now.UnixMilli(), random[:4]),
		Table: t.Name(), TableID: t.UUID, Token: req.Token,
		Input: req.Input, Output: req.Output, MaxUnits: req.MaxUnits, Tier: req.Tier,
		Started: now, Status: dynamo.BulkInProgress,
	}
	rec.ARN = t.ARN() + "/bulk/" + rec.ID
	asked, err := json.Marshal([]any{rec.Table, rec.Input, rec.Output, rec.MaxUnits, rec.Tier})
	if err != nil {
		return record{}, fmt.Errorf("encode a bulk operation: %w", err)
	}
	rec.Asked = string(asked)
	if rec.Token == "" {
		rec.Token = fmt.Sprintf("%x", random[4:])
	}
	return rec, nil
}

// replayed returns the operation that was started with the same token, nil when there is none.
func (s *Operations) replayed(rec record) (*dynamo.BulkOperationDescription, error) {
	for _, op := range s.known {
		if op.Token != rec.Token || rec.Started.Sub(op.Started) >= tokenLife {
			continue
		}
		if op.Asked != rec.Asked {
			return nil, dynamo.Errorf(dynamo.IdempotentParameterMismatch,
				"DynamoDB rejected the request because you retried a request with a different payload but with an idempotent token that was already used.")
		}
		return op.describe(), nil
	}
	return nil, nil
}

func (s *Operations) find(arn string) (*operation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if op := s.known[arn[strings.LastIndexByte(arn, '/')+1:]]; op != nil && op.ARN == arn {
		return op, nil
	}
	return nil, dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: BulkOperation: %s not found", arn)
}

// Describe describes an operation.
func (s *Operations) Describe(arn string) (*dynamo.BulkOperationDescription, error) {
	op, err := s.find(arn)
	if err != nil {
		return nil, err
	}
	return op.describe(), nil
}

// Cancel cancels an operation.
func (s *Operations) Cancel(arn string) (*dynamo.CancelBulkOperationOutput, error) {
	op, err := s.find(arn)
	if err != nil {
		return nil, err
	}
	if err := op.startCancelling(); err != nil {
		return nil, err
	}
	return &dynamo.CancelBulkOperationOutput{BulkOperationArn: &op.ARN, BulkOperationStatus: dynamo.BulkCancelling}, nil
}

// List lists the operations of the last 90 days, the latest first.
func (s *Operations) List(req *request.ListBulkOperations) *dynamo.ListBulkOperationsOutput {
	s.mu.Lock()
	var ids []string
	for id, op := range s.known {
		if s.catalog.Now().Sub(op.Started) < listed && (req.Start == "" || id < req.Start) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	all := make([]*operation, len(ids))
	for i, id := range ids {
		all[i] = s.known[id]
	}
	s.mu.Unlock()
	out := &dynamo.ListBulkOperationsOutput{BulkOperationsSummaryList: []dynamo.BulkOperationSummary{}}
	for i, op := range all {
		if i == req.Limit {
			out.NextToken = request.NextToken(ids[i-1])
			break
		}
		d := op.describe()
		out.BulkOperationsSummaryList = append(out.BulkOperationsSummaryList, dynamo.BulkOperationSummary{
			BulkOperationArn: d.BulkOperationArn, BulkOperationStatus: d.BulkOperationStatus, EndTime: d.EndTime, StartTime: d.StartTime,
		})
	}
	return out
}
