package pebblekv_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
)

// logWrite writes the record that belongs to a row into one of the shards.
type logWrite func(tx kv.Txn, shard uint32, value []byte)

// BenchmarkLog writes random rows, each with a record in the log of one of the shards. "two
// sets" writes a second row instead, with a key that grows like a record's: the difference is
// the cost of the log's order.
func BenchmarkLog(b *testing.B) {
	for _, policy := range []pebblekv.SyncPolicy{pebblekv.SyncEveryCommit, pebblekv.Relaxed} {
		for _, callers := range []int{1, 16} {
			for _, shards := range []uint32{4, 32} {
				next := make([]atomic.Uint64, shards)
				for name, write := range map[string]logWrite{
					"two sets": func(tx kv.Txn, shard uint32, value []byte) {
						key := binary.BigEndian.AppendUint32(make([]byte, 0, 13), 2<<24|shard)
						tx.Set(binary.BigEndian.AppendUint64(key, next[shard].Add(1)), value)
					},
					"set and log": func(tx kv.Txn, shard uint32, value []byte) { tx.Log(shard, value) },
				} {
					b.Run(fmt.Sprintf("policy=%d/callers=%d/shards=%d/%s", policy, callers, shards, name), func(b *testing.B) {
						s := open(b, b.TempDir(), &pebblekv.Options{Sync: policy})
						defer s.Close()
						benchLog(b, s, callers, shards, write)
					})
				}
			}
		}
	}
}

// benchLog shares b.N writes among callers.
func benchLog(b *testing.B, s kv.Store, callers int, shards uint32, write logWrite) {
	value := benchValue()
	keys := make([][]byte, 50_000)
	for i := range keys {
		keys[i] = benchKey(2 * i)
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	b.ReportAllocs()
	b.ResetTimer()
	for caller := range callers {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(1, uint64(caller)))
			latch := make([][]byte, 1)
			for left.Add(-1) >= 0 {
				key, shard := keys[rnd.IntN(len(keys))], rnd.Uint32N(shards)
				latch[0] = key
				err := s.Update(context.Background(), latch, func(tx kv.Txn) error {
					tx.Set(key, value)
					write(tx, shard, value)
					return nil
				})
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkReadLog reads the newest records of a shard, like followers, and old records, which
// are in files.
func BenchmarkReadLog(b *testing.B) {
	s := open(b, b.TempDir(), &pebblekv.Options{Sync: pebblekv.Relaxed})
	defer s.Close()
	const shards, records = 8, 10_000
	value := benchValue()
	for n := range shards * records {
		err := s.Update(context.Background(), nil, func(tx kv.Txn) error {
			tx.Set(benchKey(n), value)
			tx.Log(uint32(n%shards), value)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	for _, c := range []struct {
		name        string
		from, count uint64
	}{
		{"nothing new", records + 1, 0},
		{"newest 1", records, 1},
		{"newest 100", records - 99, 100},
		{"old 1", records / 10, 1},
		{"old 100", records / 10, 100},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				read := uint64(0)
				err := s.ReadLog(context.Background(), uint32(n%shards), c.from, func(uint64, []byte) bool { read++; return read < c.count })
				if err != nil || read != c.count {
					b.Fatalf("%d records, error %v", read, err)
				}
			}
		})
	}
}

// BenchmarkWaitLog measures a call for hundreds of shards: one that finds a new record in the
// last of them, and one that waits for a record there, which includes the commit.
func BenchmarkWaitLog(b *testing.B) {
	s := open(b, "/db", &pebblekv.Options{FS: vfs.NewMem(), Sync: pebblekv.Relaxed})
	defer s.Close()
	const shards = 300
	mustLog(b, s, shards-1, "first")
	after := make([]kv.LogPosition, shards)
	for i := range after {
		after[i].Shard = uint32(i)
	}
	b.Run("new record", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := s.WaitLog(context.Background(), after); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("notified", func(b *testing.B) {
		b.ReportAllocs()
		turn := make(chan struct{})
		defer close(turn)
		go func() {
			for range turn {
				err := s.Update(context.Background(), nil, func(tx kv.Txn) error {
					tx.Log(shards-1, []byte("next"))
					return nil
				})
				if err != nil {
					b.Error(err)
				}
			}
		}()
		for b.Loop() {
			horizon, err := s.LogHorizon(context.Background(), shards-1)
			if err != nil {
				b.Fatal(err)
			}
			after[shards-1].Sequence = horizon
			turn <- struct{}{}
			if err := s.WaitLog(context.Background(), after); err != nil {
				b.Fatal(err)
			}
		}
	})
}
