package table

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
)

// countedCommits is a store that counts its updates.
type countedCommits struct {
	kv.Store
	commits int
}

func (s *countedCommits) Update(ctx context.Context, latches [][]byte, fn func(kv.Txn) error) error {
	s.commits++
	return s.Store.Update(ctx, latches, fn)
}

// TestLargeBatchesAreSeveralCommits checks that a batch of small items is one commit, and that one of large items never
// commits more than maxBatchCommit at once.
func TestLargeBatchesAreSeveralCommits(t *testing.T) {
	w := newFixture(t)
	store := &countedCommits{Store: w.disk.Store}
	w.tables.store = store
	for _, test := range []struct{ items, size, commits int }{
		{25, 1_000, 1},
		{1, 400_000, 1},
		{5, 400_000, 1},
		{6, 400_000, 2},
		{25, 400_000, 5},
	} {
		store.commits = 0
		w.putBatch(test.items, test.size)
		if store.commits != test.commits {
			t.Errorf("%d items of %d bytes are written in %d commits, want %d", test.items, test.size, store.commits, test.commits)
		}
	}
}

// putBatch writes a batch of different items of a size, and checks that all of them are stored.
func (w *fixture) putBatch(items, size int) {
	w.Helper()
	writes := dynamo.TableWrites{TableName: "tab"}
	for i := range items {
		raw := item("pk", fmt.Sprint(i), "v", strings.Repeat("x", size))
		writes.Requests = append(writes.Requests, dynamo.WriteRequest{Put: &raw})
	}
	req, err := request.CheckBatchWriteItem(&dynamo.BatchWriteItemInput{RequestItems: []dynamo.TableWrites{writes}})
	if err != nil {
		w.Fatal(err)
	}
	if _, err := w.tables.BatchWriteItem(w.Context(), req); err != nil {
		w.Fatal(err)
	}
	t, err := w.tables.lookup("tab")
	if err != nil {
		w.Fatal(err)
	}
	for i, write := range writes.Requests {
		found, err := w.disk.Get(w.Context(), kv.Durable, rowKey(t, write.Put.Item), func([]byte) error { return nil })
		if !found || err != nil {
			w.Errorf("item %d of a batch of %d is missing: %v", i, items, err)
		}
	}
}
