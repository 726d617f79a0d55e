package catalog

import (
	"sync"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
)

// A gate is a read-write lock of one table. Writes hold it for reading; a new version of
// the table is published while it is locked for writing. So every write sees one version
// from beginning to end, and no write spans two versions.
type gate struct {
	mu      sync.RWMutex
	current *Table // the latest version; nil: the table was deleted
	closed  bool   // the database was closed
}

// Enter starts a write to the table that a request names and returns the version
// it must use. The caller must call [Table.Leave].
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
		t.gate.mu.RUnlock() // the table has changed meanwhile
	}
}

// Leave ends the write that Enter started.
func (t *Table) Leave() { t.gate.mu.RUnlock() }

// Err returns [kv.ErrClosed] once the gates are closed, for operations that do not access the store.
func (c *Catalog) Err() error {
	if c.closed.Load() {
		return kv.ErrClosed
	}
	return nil
}

// CloseGates makes later writes and catalog changes fail, and waits for the writes under
// way.
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
