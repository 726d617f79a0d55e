// Package table runs the item operations: it takes checked requests, finds the
// table, checks what only the table can tell (its key schema, its indexes),
// reads or writes rows and counts the cost.
//
// All writes end in write.go, where the rows of the item and of its index
// entries, its expiry and its stream record are derived from the item before and
// after, in one atomic commit. The package also does the work in the background
// that touches items: it expires them, builds indexes and counts rows.
// The package speaks DynamoDB's errors; those of the store pass through it
// wrapped. The engine is its only caller.
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
	counter sync.Mutex // held while rows are counted: two counts at a time would add up
}

// New returns the Tables of a store and its catalog.
func New(store kv.Store, c *catalog.Catalog) *Tables { return &Tables{store: store, catalog: c} }

// lookup finds the table that a reading request calls name. Writes go through
// the table's gate: see catalog.Enter.
func (s *Tables) lookup(name string) (*catalog.Table, error) {
	t, err := s.catalog.Find(name)
	if t == nil && err == nil {
		err = dynamo.TableNotFound()
	}
	return t, err
}

// checkStillThere is called after a read that found nothing: the rows of a table that
// is deleted meanwhile go after the table itself, and must not pass for an empty table.
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
