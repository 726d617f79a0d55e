package table

import (
	"context"
	"hash/maphash"
	"sync"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// usedTokens knows which client request tokens the store may hold, so that a transaction
// with a new one, as nearly all are, does not look for it in two generations. All tokens of
// the store are in it: it reads those of a generation when it first meets the generation,
// and hears of every other before it is written.
type usedTokens struct {
	mu       sync.Mutex
	newest   uint32       // generation; 0: none is known
	current  *tokenFilter // of the newest generation; nil: it may hold any token
	previous *tokenFilter // of the one before it
}

// use notes that the token is going to be kept in a generation. It reports whether the
// generation or the one before it may hold the token already.
func (u *usedTokens) use(ctx context.Context, store kv.Store, generation uint32, token string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if generation > u.newest {
		u.previous = u.current
		if generation != u.newest+1 || u.newest == 0 {
			u.previous = readTokens(ctx, store, generation-1)
		}
		u.current, u.newest = readTokens(ctx, store, generation), generation
	}
	hash := maphash.String(filterSeed, token)
	if generation < u.newest { // a clock that was set back, or a transaction that was overtaken
		if generation == u.newest-1 {
			u.previous.add(hash)
		}
		return true
	}
	may := u.current.may(hash) || u.previous.may(hash)
	u.current.add(hash)
	return may
}

// readTokens makes the filter of the tokens of a generation in the store; nil when it cannot,
// or when there are so many that reading them would take long.
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

// tokenFilter is a Bloom filter. Each hash has a few bits in one of its blocks. When there
// are millions it takes more and more of the others for used, too.
// A nil filter takes all for used.
type tokenFilter struct {
	blocks []filterBlock // nil while it is empty
}

type filterBlock [8]uint64

var filterSeed = maphash.MakeSeed()

const (
	filterBlocks = 1 << 14 // a mebibyte
	filterBits   = 4       // for each hash
)

// add puts a hash into the filter.
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

// may reports whether the hash may be in the filter. It never misses one that is.
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
