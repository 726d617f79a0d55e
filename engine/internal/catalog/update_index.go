package catalog

import (
	"context"
	"maps"
	"slices"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// createIndex adds a global index. Writes maintain it from now on; existing items must
// still be added.
func (c *Catalog) createIndex(ctx context.Context, old *Table, rec record, index *request.CreateIndex) (*dynamo.TableDescription, error) {
	if err := checkNewIndex(old, &rec.Definition, index); err != nil {
		return nil, err
	}
	def := &rec.Definition
	def.Global = append(def.Global, index.IndexDefinition)
	def.Attributes = mergeAttributes(def.Attributes, index.Attributes, index.Key.Has)
	rec.startBuilding(index.Name)
	t, err := c.publish(ctx, old, rec, nil)
	if err != nil {
		return nil, err
	}
	d := t.describe(dynamo.StatusUpdating)
	d.GlobalSecondaryIndexes[len(d.GlobalSecondaryIndexes)-1].Backfilling = new(bool)
	return d, nil
}

func checkNewIndex(t *Table, def *dynamo.TableDefinition, index *request.CreateIndex) error {
	provisioned := index.Throughput != dynamo.Throughput{}
	switch {
	case t.Index(index.Name) != nil || t.Vector(index.Name) != nil:
		return dynamo.Invalid("Attempting to create an index which already exists")
	case def.BillingMode == dynamo.BillingProvisioned && !provisioned:
		return dynamo.Invalid("One or more parameter values were invalid: Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: %s", index.Name)
	case def.BillingMode == dynamo.BillingOnDemand && provisioned:
		return dynamo.Invalid("One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: %s when BillingMode is PAY_PER_REQUEST", index.Name)
	}
	if err := checkKinds(t, index.Key); err != nil {
		return err
	}
	switch {
	case t.Building != "":
		return errOneAtATime()
	case len(def.Global) >= dynamo.MaxGlobalIndexes:
		return dynamo.Errorf(dynamo.LimitExceeded, "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of %d", dynamo.MaxGlobalIndexes)
	}
	return nil
}

func errOneAtATime() error {
	return dynamo.Errorf(dynamo.LimitExceeded, "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
}

// checkKinds rejects a key that defines an attribute with another kind than an existing
// key.
func checkKinds(t *Table, index dynamo.KeySchema) error {
	keys := []dynamo.KeySchema{t.Key()}
	for _, x := range t.Indexes {
		keys = append(keys, x.Key)
	}
	for _, key := range keys {
		for _, a := range key.Attributes() {
			redefined := func(n dynamo.KeyAttribute) bool { return n.Name == a.Name && n.Kind != a.Kind }
			if slices.ContainsFunc(index.Attributes(), redefined) {
				return dynamo.Invalid("One or more parameter values were invalid: Attributes cannot be redefined. "+
					"Please check that your attribute has the same type as previously defined. "+
					"Existing schema: %s New schema: %s", schemaText(key), schemaText(index))
			}
		}
	}
	return nil
}

// schemaText formats a key as messages do: Schema:[SchemaElement: key{pk:S:HASH}].
func schemaText(key dynamo.KeySchema) string {
	var elements []string
	for _, a := range key.Partition {
		elements = append(elements, "SchemaElement: key{"+a.Name+":"+a.Kind.String()+":HASH}")
	}
	for _, a := range key.Sort {
		elements = append(elements, "SchemaElement: key{"+a.Name+":"+a.Kind.String()+":RANGE}")
	}
	return "Schema:[" + strings.Join(elements, ", ") + "]"
}

// knownKind returns the kind of an attribute in known, or else its own.
func knownKind(known []dynamo.KeyAttribute, a dynamo.KeyAttribute) dynamo.Kind {
	if i := slices.IndexFunc(known, func(k dynamo.KeyAttribute) bool { return k.Name == a.Name }); i >= 0 {
		return known[i].Kind
	}
	return a.Kind
}

// mergeAttributes adds the sent definitions that a new index needs to those of the table.
func mergeAttributes(known, sent []dynamo.KeyAttribute, needs func(name string) bool) []dynamo.KeyAttribute {
	merged := slices.Clone(known)
	for _, a := range sent {
		has := slices.ContainsFunc(merged, func(k dynamo.KeyAttribute) bool { return k.Name == a.Name })
		if !has && needs(a.Name) {
			merged = append(merged, a)
		}
	}
	return merged
}

// deleteIndex drops a global index, even one that is being built.
func (c *Catalog) deleteIndex(ctx context.Context, old *Table, rec record, name string) (*dynamo.TableDescription, error) {
	x := old.Index(name)
	switch {
	case x == nil:
		return nil, dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: Index %s for table %s", name, old.Name())
	case x.Local:
		return nil, dynamo.Invalid("Cannot delete an index that is not a GlobalSecondaryIndex: %s", name)
	case old.Building != "" && old.Building != name:
		return nil, errOneAtATime()
	}
	def := &rec.Definition
	def.Global = slices.DeleteFunc(def.Global, func(g dynamo.IndexDefinition) bool { return g.Name == name })
	if err := c.dropIndex(ctx, old, rec, name, x.Path); err != nil {
		return nil, err
	}
	d := old.describe(dynamo.StatusUpdating)
	for i := range d.GlobalSecondaryIndexes {
		if g := &d.GlobalSecondaryIndexes[i]; *g.IndexName == name {
			g.IndexStatus, g.Backfilling, g.WarmThroughput = dynamo.StatusDeleting, nil, nil
		}
	}
	return d, nil
}

// dropIndex publishes a table without an index, whose definition is already removed from
// rec, and drops its rows.
func (c *Catalog) dropIndex(ctx context.Context, old *Table, rec record, name string, path rowformat.Path) error {
	rec.Definition.Attributes = usedAttributes(&rec.Definition)
	rec.IndexIDs = maps.Clone(rec.IndexIDs)
	rec.takePathID() // so that the id of the index is not reused
	delete(rec.IndexIDs, name)
	rec.IndexHistory = maps.Clone(rec.IndexHistory)
	delete(rec.IndexHistory, name)
	rec.Insights = maps.Clone(rec.Insights)
	delete(rec.Insights, name)
	rec.Building = ""
	_, err := c.publish(ctx, old, rec, func(tx kv.Txn) error { return endBuild(tx, path) })
	if err != nil {
		return err
	}
	return c.finishDrop(ctx, path)
}

// usedAttributes returns the attribute definitions that an index or the table's key still uses.
func usedAttributes(def *dynamo.TableDefinition) []dynamo.KeyAttribute {
	used := func(name string) bool {
		has := func(x dynamo.IndexDefinition) bool { return x.Key.Has(name) }
		searches := func(x dynamo.VectorDefinition) bool { return x.Searches(name) }
		return def.Key.Has(name) || slices.ContainsFunc(def.Local, has) || slices.ContainsFunc(def.Global, has) ||
			slices.ContainsFunc(def.Vector, searches)
	}
	return slices.DeleteFunc(slices.Clone(def.Attributes), func(a dynamo.KeyAttribute) bool { return !used(a.Name) })
}
