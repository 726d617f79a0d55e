package table

import (
	"context"
	"hash/maphash"
	"math"
	"sync"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// usedTokens knows which client request tokens the store may hold, so that a transaction
// with a new token, like nearly all, does not look it up in two generations. It holds all
// tokens of the store: it reads those of a generation when it first sees the generation,
// and every other token is added before it is written.
type usedTokens struct {
	mu       sync.Mutex
	newest   uint32       // generation; 0: none is known
	current  *tokenFilter // of the newest generation; nil: it may hold any token
	previous *tokenFilter // of the one before it
}

// use records that the token is about to be stored in a generation. It returns the
// generations that may already hold the token.
func (u *usedTokens) use(ctx context.Context, store kv.Store, generation uint32, token string) (holders []uint32) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.advance(ctx, store, generation)
	hash := maphash.String(filterSeed, token)
	if generation < u.newest { // the clock was set back, or a later transaction was faster
		if generation == u.newest-1 {
			u.previous.add(hash)
		}
		return []uint32{u.newest, u.newest - 1, generation, generation - 1}
	}
	if u.current.may(hash) || u.previous.may(hash) {
		holders = []uint32{generation, generation - 1}
	}
	u.current.add(hash)
	return holders
}

// advance makes the newest generation at least the given one. The first call also finds those of
// the store, which are later if the clock was set back while the database was closed.
func (u *usedTokens) advance(ctx context.Context, store kv.Store, generation uint32) {
	if u.newest == 0 {
		generation = max(generation, newestTokens(ctx, store))
	}
	if generation <= u.newest {
		return
	}
	u.previous = u.current
	if generation != u.newest+1 || u.newest == 0 {
		u.previous = readTokens(ctx, store, generation-1)
	}
	u.current, u.newest = readTokens(ctx, store, generation), generation
}

// rewind makes the newest generation at most the given one, when the store holds no token of a
// much later one. The generation may hold any token.
func (u *usedTokens) rewind(generation uint32) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.newest > generation+1 {
		u.newest, u.current, u.previous = generation, nil, nil
	}
}

// newestTokens returns the latest generation with tokens in the store, 0 if there is none.
func newestTokens(ctx context.Context, store kv.Store) (newest uint32) {
	lo, hi := rowformat.TokenSpan(math.MaxUint32)
	// The transaction that follows returns the error of a store that cannot be read.
	_ = store.View(context.WithoutCancel(ctx), kv.Latest, func(r kv.Reader) error {
		return r.Scan(lo, hi, kv.ScanOptions{Reverse: true}, func(key, _ []byte) bool {
			newest = rowformat.TokenGeneration(key)
			return false
		})
	})
	return newest
}

// readTokens returns the filter of the tokens of a generation in the store; nil if it fails,
// or if there are too many to read quickly.
func readTokens(ctx context.Context, store kv.Store, generation uint32) *tokenFilter {
	const most = 100_000
	f, count := &tokenFilter{}, 0
	_, lo := rowformat.TokenSpan(generation)
	_, hi := rowformat.TokenSpan(generation + 1)
	// The filter outlives the caller.
	err := store.View(context.WithoutCancel(ctx), kv.Latest, func(r kv.Reader) error {
		return r.Scan(lo, hi, kv.ScanOptions{}, func(key, _ []byte) bool {
			f.add(maphash.Bytes(filterSeed, key[len(lo):]))
			count++
			return count <= most
		})
	})
	if err != nil || count > most {
		return nil
	}
	return f
}

// tokenFilter is a Bloom filter. Each hash has a few bits in one of its blocks. With
// millions of hashes it has more and more false positives.
// A nil filter reports every hash.
type tokenFilter struct {
	blocks []filterBlock // nil while it is empty
}

type filterBlock [8]uint64

var filterSeed = maphash.MakeSeed()

const (
	filterBlocks = 1 << 14 // a mebibyte
	filterBits   = 4       // for each hash
)

// add adds a hash to the filter.
func (f *tokenFilter) add(hash uint64) {
	if f == nil {
		return
	}
	if f.blocks == nil {
		f.blocks = make([]filterBlock, filterBlocks)
	}
	block, bits := &f.blocks[hash%filterBlocks], hash/filterBlocks
	for range filterBits {
		block[bits>>6&7] |= 1 << (bits & 63)
		bits >>= 9
	}
}

// may reports whether the hash may be in the filter. It has no false negatives.
func (f *tokenFilter) may(hash uint64) bool {
	if f == nil || f.blocks == nil {
		return f == nil
	}
	block, bits := &f.blocks[hash%filterBlocks], hash/filterBlocks
	for range filterBits {
		if block[bits>>6&7]&(1<<(bits&63)) == 0 {
			return false
		}
		bits >>= 9
	}
	return true
}
