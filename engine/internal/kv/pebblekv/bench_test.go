package pebblekv_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/memkv"
	"sortkey.dev/engine/internal/kv/pebblekv"
)

// The benchmarks compare a store with the layer below it, inside one run:
//
//	go test -bench . -benchtime 0.5s ./engine/internal/kv/pebblekv
const benchRows = 100_000

func benchKey(n int) []byte {
	return fmt.Appendf([]byte{1}, "table/partition-%06d/sort-%06d", n/10, n)
}

func benchValue() []byte {
	v := make([]byte, 400)
	rand.NewChaCha8([32]byte{1}).Read(v[:200])
	return v
}

// rawPebble opens Pebble with the options that matter for speed.
func rawPebble(b *testing.B, fs vfs.FS, dir string) *pebble.DB {
	b.Helper()
	opts := &pebble.Options{FS: fs, CacheSize: 64 << 20, MemTableSize: 16 << 20, FormatMajorVersion: pebble.FormatValueSeparation, Logger: discard{}}
	opts.Levels[0].BlockSize = 16 << 10
	opts.Levels[0].FilterPolicy = bloom.FilterPolicy(10)
	db, err := pebble.Open(dir, opts)
	if err != nil {
		b.Fatal(err)
	}
	return db
}

type discard struct{}

func (discard) Infof(string, ...any)  {}
func (discard) Errorf(string, ...any) {}
func (discard) Fatalf(string, ...any) {}

// fillRaw loads the rows and compacts them into the last level.
func fillRaw(b *testing.B, db *pebble.DB) {
	b.Helper()
	v := benchValue()
	for n := range benchRows {
		if err := db.Set(benchKey(2*n), v, pebble.NoSync); err != nil {
			b.Fatal(err)
		}
	}
	if err := db.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := db.Compact(context.Background(), []byte{1}, []byte{2}, false); err != nil {
		b.Fatal(err)
	}
}

// filledDir loads a directory once per benchmark and returns it closed, as a store.
func filledDir(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	db := rawPebble(b, vfs.Default, dir)
	fillRaw(b, db)
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(dir+"/SORTKEY", []byte("sortkey storage, format 2\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	return dir
}

func nop([]byte) error { return nil }

// BenchmarkGet reads random rows of a loaded store: present ones, and absent ones between
// them.
func BenchmarkGet(b *testing.B) {
	dir := filledDir(b)
	for name, odd := range map[string]int{"present": 0, "absent": 1} {
		pick := func(rnd *rand.Rand) []byte { return benchKey(2*rnd.IntN(benchRows) + odd) }
		b.Run(name+"/raw", func(b *testing.B) {
			db := rawPebble(b, vfs.Default, dir)
			defer db.Close()
			benchLoop(b, pick, func(key []byte) error {
				_, closer, err := db.Get(key)
				if err == pebble.ErrNotFound {
					return nil
				}
				if err != nil {
					return err
				}
				return closer.Close()
			})
		})
		b.Run(name+"/raw filtered iterator", func(b *testing.B) {
			db := rawPebble(b, vfs.Default, dir)
			defer db.Close()
			benchLoop(b, pick, func(key []byte) error {
				it, err := db.NewIter(&pebble.IterOptions{UseL6Filters: true})
				if err != nil {
					return err
				}
				it.SeekPrefixGE(key)
				return it.Close()
			})
		})
		for c, cname := range []string{"latest", "durable"} {
			b.Run(name+"/store "+cname, func(b *testing.B) {
				s := open(b, dir, nil)
				defer s.Close()
				benchLoop(b, pick, func(key []byte) error {
					_, err := s.Get(context.Background(), kv.Consistency(c), key, nop)
					return err
				})
			})
		}
		b.Run(name+"/store update without write", func(b *testing.B) {
			s := open(b, dir, nil)
			defer s.Close()
			benchLoop(b, pick, func(key []byte) error {
				return s.Update(context.Background(), [][]byte{key}, func(tx kv.Txn) error {
					_, err := tx.Get(key, nop)
					return err
				})
			})
		})
	}
}

// benchLoop calls op with keys from pick; making them is not measured.
func benchLoop(b *testing.B, pick func(*rand.Rand) []byte, op func(key []byte) error) {
	b.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	keys := make([][]byte, 20_000)
	for i := range keys {
		keys[i] = pick(rnd)
	}
	for _, key := range keys { // warm the caches
		if err := op(key); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if err := op(keys[i%len(keys)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

// BenchmarkScan reads 100 rows.
func BenchmarkScan(b *testing.B) {
	dir := filledDir(b)
	pick := func(rnd *rand.Rand) []byte { return benchKey(2 * rnd.IntN(benchRows-100)) }
	b.Run("raw", func(b *testing.B) {
		db := rawPebble(b, vfs.Default, dir)
		defer db.Close()
		benchLoop(b, pick, func(key []byte) error {
			it, err := db.NewIter(&pebble.IterOptions{LowerBound: key})
			if err != nil {
				return err
			}
			n := 0
			for ok := it.First(); ok && n < 100; ok = it.Next() {
				_ = it.Value()
				n++
			}
			return it.Close()
		})
	})
	b.Run("store view", func(b *testing.B) {
		s := open(b, dir, nil)
		defer s.Close()
		benchLoop(b, pick, func(key []byte) error {
			return s.View(context.Background(), kv.Durable, func(r kv.Reader) error {
				n := 0
				return r.Scan(key, nil, kv.ScanOptions{}, func(_, _ []byte) bool { n++; return n < 100 })
			})
		})
	})
}

// BenchmarkSet overwrites random rows.
func BenchmarkSet(b *testing.B) {
	pick := func(rnd *rand.Rand) []byte { return benchKey(2 * rnd.IntN(benchRows)) }
	value := benchValue()
	for name, sync := range map[string]bool{"relaxed": false, "synced": true} {
		b.Run(name+"/raw", func(b *testing.B) {
			db := rawPebble(b, vfs.Default, b.TempDir())
			defer db.Close()
			benchLoop(b, pick, func(key []byte) error { return db.Set(key, value, &pebble.WriteOptions{Sync: sync}) })
		})
		policy := pebblekv.Relaxed
		if sync {
			policy = pebblekv.SyncEveryCommit
		}
		b.Run(name+"/store", func(b *testing.B) {
			s := open(b, b.TempDir(), &pebblekv.Options{Sync: policy})
			defer s.Close()
			benchLoop(b, pick, func(key []byte) error {
				return s.Update(context.Background(), [][]byte{key}, func(tx kv.Txn) error {
					tx.Set(key, value)
					return nil
				})
			})
		})
		b.Run(name+"/store with log", func(b *testing.B) {
			s := open(b, b.TempDir(), &pebblekv.Options{Sync: policy})
			defer s.Close()
			benchLoop(b, pick, func(key []byte) error {
				return s.Update(context.Background(), [][]byte{key}, func(tx kv.Txn) error {
					tx.Set(key, value)
					tx.Log(1, value)
					return nil
				})
			})
		})
	}
}

// BenchmarkMemory compares the two stores without a disk.
func BenchmarkMemory(b *testing.B) {
	stores := map[string]func(b *testing.B) kv.Store{
		"memkv": func(*testing.B) kv.Store { return memkv.Open() },
		"pebble": func(b *testing.B) kv.Store {
			return open(b, "/db", &pebblekv.Options{FS: vfs.NewMem(), Sync: pebblekv.Relaxed})
		},
	}
	pick := func(rnd *rand.Rand) []byte { return benchKey(2 * rnd.IntN(benchRows)) }
	value := benchValue()
	for name, open := range stores {
		s := open(b)
		set := func(key []byte) error {
			return s.Update(context.Background(), [][]byte{key}, func(tx kv.Txn) error {
				tx.Set(key, value)
				return nil
			})
		}
		for n := range benchRows {
			if err := set(benchKey(2 * n)); err != nil {
				b.Fatal(err)
			}
		}
		b.Run("get/"+name, func(b *testing.B) {
			benchLoop(b, pick, func(key []byte) error {
				_, err := s.Get(context.Background(), kv.Durable, key, nop)
				return err
			})
		})
		b.Run("scan100/"+name, func(b *testing.B) {
			benchLoop(b, pick, func(key []byte) error {
				return s.View(context.Background(), kv.Durable, func(r kv.Reader) error {
					n := 0
					return r.Scan(key, nil, kv.ScanOptions{}, func(_, _ []byte) bool { n++; return n < 100 })
				})
			})
		})
		b.Run("set/"+name, func(b *testing.B) { benchLoop(b, pick, set) })
		b.Run("set and view/"+name, func(b *testing.B) {
			benchLoop(b, pick, func(key []byte) error {
				if err := set(key); err != nil {
					return err
				}
				return s.View(context.Background(), kv.Durable, func(r kv.Reader) error {
					_, err := r.Get(key, nop)
					return err
				})
			})
		})
		_ = s.Close()
	}
}

// BenchmarkOpen opens and closes an empty store in memory.
func BenchmarkOpenMemory(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_ = memkv.Open().Close()
	}
}

// BenchmarkHotKey increments one row with 64 writers; "latch held over sync" measures it
// without early release.
func BenchmarkHotKey(b *testing.B) {
	count := func(old []byte) []byte { return binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(old)+1) }
	key := rowKey("hot")
	b.Run("store", func(b *testing.B) {
		s := open(b, b.TempDir(), nil)
		defer s.Close()
		if err := write(b.Context(), s, "hot", make([]byte, 8)); err != nil {
			b.Fatal(err)
		}
		b.SetParallelism(64)
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				err := s.Update(context.Background(), [][]byte{key}, func(tx kv.Txn) error {
					var next []byte
					if _, err := tx.Get(key, func(v []byte) error { next = count(v); return nil }); err != nil {
						return err
					}
					tx.Set(key, next)
					return nil
				})
				if err != nil {
					b.Error(err)
				}
			}
		})
	})
	b.Run("latch held over sync", func(b *testing.B) {
		db := rawPebble(b, vfs.Default, b.TempDir())
		defer db.Close()
		if err := db.Set(key, make([]byte, 8), pebble.Sync); err != nil {
			b.Fatal(err)
		}
		var latch sync.Mutex
		b.SetParallelism(64)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				latch.Lock()
				old, closer, err := db.Get(key)
				if err == nil {
					next := count(old)
					_ = closer.Close()
					err = db.Set(key, next, pebble.Sync)
				}
				latch.Unlock()
				if err != nil {
					b.Error(err)
				}
			}
		})
	})
}
