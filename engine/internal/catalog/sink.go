package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// A Sink receives the changes of a table while a Kinesis destination is active. It is a log of the
// store, which package sink delivers. It outlives its destination and its table until everything
// is delivered.
type Sink struct {
	Log       uint32 `json:"-"` // of the store; never reused
	Table     string
	StreamARN string
	Precision string
	Closed    bool `json:",omitempty"` // there will be no more changes
}

const (
	sinkPrefix      = "sink/"
	deliveredPrefix = "delivered/"
)

func sinkRow(log uint32) string { return sinkPrefix + strconv.FormatUint(uint64(log), 10) }

func deliveredRow(log uint32) []byte {
	return rowformat.CatalogKey(deliveredPrefix + strconv.FormatUint(uint64(log), 10))
}

// loadSink loads the row of a sink.
func (c *Catalog) loadSink(name string, value []byte) error {
	log, err := strconv.ParseUint(name[len(sinkPrefix):], 10, 32)
	if err != nil {
		return err
	}
	s := Sink{Log: uint32(log)}
	if err := json.Unmarshal(value, &s); err != nil {
		return err
	}
	c.sinks[s.Log] = s
	return nil
}

// Sinks returns the sinks in creation order, and a channel that is closed when the sinks
// change.
func (c *Catalog) Sinks() ([]Sink, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]Sink, 0, len(c.sinks))
	for _, log := range slices.Sorted(maps.Keys(c.sinks)) {
		all = append(all, c.sinks[log])
	}
	return all, c.sinksChanged
}

// keepSink adds a sink to the map in memory after its row was written. The caller holds mu.
func (c *Catalog) keepSink(s Sink) {
	c.sinks[s.Log] = s
	close(c.sinksChanged)
	c.sinksChanged = make(chan struct{})
}

// Delivered returns the sequence number up to which the changes of a sink are delivered.
func (c *Catalog) Delivered(ctx context.Context, log uint32) (sequence uint64, err error) {
	_, err = c.store.Get(ctx, kv.Latest, deliveredRow(log), func(value []byte) error {
		sequence, err = strconv.ParseUint(string(value), 10, 64)
		return err
	})
	return sequence, err
}

// NoteDelivered records the sequence number up to which the changes of a sink are delivered.
func (c *Catalog) NoteDelivered(ctx context.Context, log uint32, sequence uint64) error {
	key := deliveredRow(log)
	return c.store.Update(ctx, [][]byte{key}, func(tx kv.Txn) error {
		tx.Set(key, strconv.AppendUint(nil, sequence, 10))
		return nil
	})
}

// DropSink removes a sink that is closed and delivered.
func (c *Catalog) DropSink(ctx context.Context, log uint32) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.commit(ctx, func(tx kv.Txn) error {
		tx.Delete(rowformat.CatalogKey(sinkRow(log)))
		tx.Delete(deliveredRow(log))
		return nil
	})
	if err != nil {
		return fmt.Errorf("drop sink %d: %w", log, err)
	}
	delete(c.sinks, log)
	return nil
}
