package jsonapi

import (
	"net/netip"
	"sync"
	"time"
)

// A Bucket limit lets so many requests of one address through each second, and so many
// more at once after a rest.
type Bucket struct {
	PerSecond int
	Burst     int
}

// maxBuckets bounds how many addresses are remembered.
const maxBuckets = 20_000

// buckets count requests by address. Those that were not used lately are forgotten, half of
// all at a time: an address that rests has a full bucket soon, which is as good as none.
type buckets struct {
	limit Bucket
	now   func() time.Time

	mu            sync.Mutex
	recent, older map[netip.Addr]level
}

// A level is how full a bucket was at a time.
type level struct {
	tokens float64
	at     time.Time
}

func newBuckets(limit Bucket, now func() time.Time) *buckets {
	return &buckets{limit: limit, now: now, recent: make(map[netip.Addr]level)}
}

// take takes one request from the bucket of an address, and says how long to wait if it
// is empty.
func (b *buckets) take(address netip.Addr) (wait time.Duration) {
	address = network(address)
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
	if passed := now.Sub(have.at); passed > 0 { // clocks have been seen going back
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

// network is what one household has: an address, or 64 bits of IPv6 addresses.
func network(address netip.Addr) netip.Addr {
	if address.Is6() {
		if prefix, err := address.Prefix(64); err == nil {
			return prefix.Addr()
		}
	}
	return address
}
