package catalog

import (
	"sync"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
)

// A gate stands before the writes to one table. Writes pass it one beside the
// other; a new version of the table passes it alone. So every write sees one
// version from beginning to end, and there is a moment in which no write is
// under way with the version before and none has begun with the next.
type gate struct {
	mu      sync.RWMutex
	current *Table // the latest version; nil: the table was deleted
	closed  bool   // the database was
}

// Enter lets a write to the table that a request names in and returns the
// version it has to work with. [Table.Leave] must follow.
func (c *Catalog) Enter(table string) (*Table, error) {
	if c.saved.Load() {
		if err := c.forgetCounts(); err != nil {
			return nil, err
		}
	}
	for {
		t, err := c.Find(table)
		if err != nil {
			return nil, err
		}
		if t == nil {
			return nil, dynamo.TableNotFound()
		}
		t.gate.mu.RLock()
		switch {
		case t.gate.closed:
			t.gate.mu.RUnlock()
			return nil, kv.ErrClosed
		case t.gate.current == t:
			return t, nil
		}
		t.gate.mu.RUnlock() // the table has changed in between
	}
}

// Leave ends what Enter began.
func (t *Table) Leave() { t.gate.mu.RUnlock() }

// Err is [kv.ErrClosed] once the gates are closed, for operations that need nothing of the store.
func (c *Catalog) Err() error {
	if c.closed.Load() {
		return kv.ErrClosed
	}
	return nil
}

// CloseGates lets no more writes in, makes the catalog refuse changes, and returns
// when the writes inside are out.
func (c *Catalog) CloseGates() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed.Store(true)
	for _, t := range *c.tables.Load() {
		t.gate.mu.Lock()
		t.gate.closed = true
		t.gate.mu.Unlock()
	}
}
