package table

import (
	"sync"
	"sync/atomic"
)

// conflictMessage is the error message for an item that a transaction is using.
const conflictMessage = "Transaction is ongoing for the item"

// claims holds the items that transactions are using, from before they read
// them until they are durable. Writes of one item and other transactions that
// use such an item fail with a conflict, like on DynamoDB, so that
// callers are prepared for it. The isolation of
// transactions does not depend on it: the latches of the store ensure that.
type claims struct {
	count atomic.Int64 // of items; writes skip the mutex while it is zero
	mu    sync.RWMutex
	items map[string]struct{}
}

// take claims the items of a transaction. If some are already claimed, it
// claims nothing and returns their indexes.
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

// release releases the items that take claimed.
func (c *claims) release(keys [][]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		delete(c.items, string(key))
	}
	c.count.Store(int64(len(c.items)))
}

// has reports whether a transaction is using an item.
func (c *claims) has(key []byte) bool {
	if c.count.Load() == 0 {
		return false
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	_, claimed := c.items[string(key)]
	return claimed
}
