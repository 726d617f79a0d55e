// Package table runs the item operations: it takes checked requests, finds the
// table, checks what depends on the table (its key schema, its indexes),
// reads or writes rows and computes the cost.
//
// All writes end in write.go, where the rows of the item and of its index
// entries, its expiry and its stream record are derived from the item before and
// after, in one atomic commit. The package also implements the background jobs
// that access items: it expires them, builds indexes and counts rows.
// The package returns DynamoDB's errors; those of the store are
// wrapped. Only the engine calls it.
package table

import (
	"sync"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
)

// Tables runs item operations on the tables of one store. It is safe for
// concurrent use.
type Tables struct {
	store   kv.Store
	catalog *catalog.Catalog
	claims  claims
	tokens  tokens
	used    usedTokens
	counter sync.Mutex // held while rows are counted: concurrent counts would add up
}

// New returns the Tables of a store and its catalog.
func New(store kv.Store, c *catalog.Catalog) *Tables { return &Tables{store: store, catalog: c} }

// lookup returns the table that a reading request names. Writes use
// the table's gate: see catalog.Enter.
func (s *Tables) lookup(name string) (*catalog.Table, error) {
	t, err := s.catalog.Find(name)
	if t == nil && err == nil {
		err = dynamo.TableNotFound()
	}
	return t, err
}

// checkStillThere is called after a read that found nothing: the rows of a table that
// is deleted meanwhile are removed after the table itself, and it must not look like an empty table.
func (s *Tables) checkStillThere(t *catalog.Table) error {
	now, err := s.lookup(t.Name())
	if err == nil && now.ID != t.ID {
		return dynamo.TableNotFound()
	}
	return err
}

// consistency maps ConsistentRead to the store's terms.
func consistency(consistent bool) kv.Consistency {
	if consistent {
		return kv.Durable
	}
	return kv.Latest
}
