package drift

import (
	"math"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// What a request can consume that is eventually consistent: half a unit for each 4 KB. An item has at most 400 KB,
// and a page 1 MB and the item that goes beyond.
const (
	mostForItem = 50.5
	mostForPage = 128 + mostForItem
)

// LeastMost is the least that Options.Most can be: one item may take so many units.
const LeastMost = 2 * mostForItem

// A budget keeps what is consumed below a limit: a request reserves the most that it can take, and gives back
// what it did not. It is safe for concurrent use.
type budget struct {
	mu       sync.Mutex
	returned *sync.Cond
	most     float64
	consumed float64
	reserved float64
}

func newBudget(most float64) *budget {
	if most <= 0 {
		most = math.Inf(1)
	}
	b := &budget{most: most}
	b.returned = sync.NewCond(&b.mu)
	return b
}

// reserve takes up to want units, but at least least; 0 if there are fewer. It waits for those that requests
// under way may give back.
func (b *budget) reserve(least, want float64) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		left := b.most - b.consumed - b.reserved
		switch {
		case left >= least && (left >= want || b.reserved == 0):
			got := min(want, left)
			b.reserved += got
			return got
		case b.reserved == 0:
			return 0
		}
		b.returned.Wait()
	}
}

// spend replaces a reservation by what was consumed. An endpoint that does not say how much is taken to have
// consumed all.
func (b *budget) spend(reserved float64, by *types.ConsumedCapacity) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved -= reserved
	if by == nil || by.CapacityUnits == nil {
		b.consumed += reserved
	} else {
		b.consumed += *by.CapacityUnits
	}
	b.returned.Broadcast()
}

func (b *budget) used() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.consumed
}
