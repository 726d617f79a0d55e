package jsonapi

import (
	"net/netip"
	"sync"
	"time"

	"sortkey.dev/apps/internal/serve"
)

// A Bucket is a token bucket per address: PerSecond tokens are added each second, up to
// Burst.
type Bucket struct {
	PerSecond int
	Burst     int
}

// maxBuckets is the maximum number of addresses that are tracked.
const maxBuckets = 20_000

// buckets holds a token bucket for each address. When there are too many, the least
// recently used half is dropped: an idle bucket is full soon, which is the same as none.
type buckets struct {
	limit Bucket
	now   func() time.Time

	mu            sync.Mutex
	recent, older map[netip.Addr]level
}

// A level is the fill level of a bucket at a time.
type level struct {
	tokens float64
	at     time.Time
}

func newBuckets(limit Bucket, now func() time.Time) *buckets {
	return &buckets{limit: limit, now: now, recent: make(map[netip.Addr]level)}
}

// take takes one token from the bucket of an address, and returns how long to wait if it is
// empty.
func (b *buckets) take(address netip.Addr) (wait time.Duration) {
	address = serve.Network(address)
	now := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	have, known := b.recent[address]
	if !known {
		have, known = b.older[address]
	}
	if !known {
		have = level{tokens: float64(b.limit.Burst), at: now}
	}
	if passed := now.Sub(have.at); passed > 0 { // clocks can go back
		have.tokens = min(have.tokens+passed.Seconds()*float64(b.limit.PerSecond), float64(b.limit.Burst))
	}
	have.at = now
	if have.tokens < 1 {
		wait = time.Duration((1 - have.tokens) / float64(b.limit.PerSecond) * float64(time.Second))
	} else {
		have.tokens--
	}
	if len(b.recent) >= maxBuckets/2 {
		b.older, b.recent = b.recent, make(map[netip.Addr]level)
	}
	b.recent[address] = have
	return wait
}
