package table

import (
	"sync"
	"sync/atomic"
)

// conflictMessage is what callers hear whose item a transaction is working on.
const conflictMessage = "Transaction is ongoing for the item"

// claims are the items that transactions are working on, from before they look at
// them until they are durable. Writers of one item and other transactions that
// want such an item are refused, as DynamoDB does it. That is a service to
// callers, who must be ready for it on DynamoDB, too. The isolation of
// transactions does not depend on it: the latches of the store see to that.
type claims struct {
	count atomic.Int64 // of items; lets writes pass without the mutex while there are none
	mu    sync.RWMutex
	items map[string]struct{}
}

// take claims the items of a transaction, unless some are claimed already: then it
// claims nothing and returns which ones.
func (c *claims) take(keys [][]byte) (conflicts []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, key := range keys {
		if _, claimed := c.items[string(key)]; claimed {
			conflicts = append(conflicts, i)
		}
	}
	if len(conflicts) > 0 {
		return conflicts
	}
	if c.items == nil {
		c.items = map[string]struct{}{}
	}
	for _, key := range keys {
		c.items[string(key)] = struct{}{}
	}
	c.count.Store(int64(len(c.items)))
	return nil
}

// release ends what take began.
func (c *claims) release(keys [][]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		delete(c.items, string(key))
	}
	c.count.Store(int64(len(c.items)))
}

// has reports whether a transaction is working on an item.
func (c *claims) has(key []byte) bool {
	if c.count.Load() == 0 {
		return false
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	_, claimed := c.items[string(key)]
	return claimed
}
