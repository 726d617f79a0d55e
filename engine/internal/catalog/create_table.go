package catalog

import (
	"context"
	"fmt"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
)

// CreateTable creates a table. It is usable when CreateTable returns; the
// response says CREATING, like DynamoDB's.
func (c *Catalog) CreateTable(ctx context.Context, def dynamo.TableDefinition) (*dynamo.TableDescription, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Lookup(def.Name) != nil {
		return nil, dynamo.Errorf(dynamo.ResourceInUse, "Table already exists: %s", def.Name)
	}
	rec, err := c.newRecord(def)
	if err != nil {
		return nil, err
	}
	var stream *Stream
	if def.StreamView != "" {
		stream = c.enableStream(&rec, def.StreamView)
	}
	err = c.commit(ctx, func(tx kv.Txn) error {
		if err := setRow(tx, nextIDRow, rec.ID+1); err != nil {
			return err
		}
		if stream != nil {
			if err := c.setStream(tx, nil, stream); err != nil {
				return err
			}
		}
		return setRow(tx, tablePrefix+def.Name, rec)
	})
	if err != nil {
		return nil, fmt.Errorf("create table %s: %w", def.Name, err)
	}
	c.nextID = rec.ID + 1
	if stream != nil {
		c.keepStream(stream)
	}
	t := c.newTable(rec)
	c.replace(def.Name, t)
	return t.describe(dynamo.StatusCreating), nil
}

func (c *Catalog) newRecord(def dynamo.TableDefinition) (record, error) {
	uuid, err := c.newUUID()
	if err != nil {
		return record{}, fmt.Errorf("create table %s: %w", def.Name, err)
	}
	rec := record{ID: c.nextID, UUID: uuid, Created: c.opts.Now(), Definition: def, IndexIDs: map[string]uint16{}}
	for _, x := range def.Local {
		rec.IndexIDs[x.Name] = rec.takePathID()
	}
	for _, x := range def.Global {
		rec.IndexIDs[x.Name] = rec.takePathID()
	}
	for _, x := range def.Vector {
		rec.IndexIDs[x.Name] = rec.takePathID()
	}
	if def.BillingMode == dynamo.BillingOnDemand {
		rec.History.BecameOnDemand = &rec.Created
	}
	if def.Policy != nil {
		rec.Definition.Policy = &dynamo.ResourcePolicy{Document: def.Policy.Document, Revision: c.newRevision(nil)}
	}
	return rec, nil
}

func (c *Catalog) newUUID() (string, error) {
	var b [16]byte
	if _, err := c.opts.Rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("generate a table id: %w", err)
	}
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), nil
}
