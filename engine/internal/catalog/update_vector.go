package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// createVector adds a vector index. Writes maintain it from now on; existing items must
// still be added.
func (c *Catalog) createVector(ctx context.Context, old *Table, rec record, index *request.CreateVector) (*dynamo.TableDescription, error) {
	if err := checkNewVector(old, &rec.Definition, index); err != nil {
		return nil, err
	}
	def := &rec.Definition
	added := index.VectorDefinition
	added.Search = slices.Clone(added.Search)
	for i, a := range added.Search {
		added.Search[i].Kind = knownKind(def.Attributes, a.KeyAttribute)
	}
	def.Vector = append(slices.Clone(def.Vector), added)
	def.Attributes = mergeAttributes(def.Attributes, index.Attributes, added.Searches)
	rec.startBuilding(index.Name)
	t, err := c.publish(ctx, old, rec, nil)
	if err != nil {
		return nil, err
	}
	d := t.describe(dynamo.StatusUpdating)
	d.VectorIndexes[len(d.VectorIndexes)-1].Backfilling = new(bool)
	return d, nil
}

func checkNewVector(t *Table, def *dynamo.TableDefinition, index *request.CreateVector) error {
	switch {
	case t.Index(index.Name) != nil || t.Vector(index.Name) != nil:
		return dynamo.Invalid("Attempting to create an index which already exists")
	case def.BillingMode != dynamo.BillingOnDemand:
		return request.ErrVectorBilling()
	case t.Building != "":
		return errOneAtATime()
	case len(def.Vector) >= dynamo.MaxVectorIndexes:
		return dynamo.Errorf(dynamo.LimitExceeded, "Subscriber limit exceeded: Number of vector secondary indexes exceeds per-table limit of %d", dynamo.MaxVectorIndexes)
	case def.Key.Has(index.Attribute):
		return errRedefined(def.Key, &index.VectorDefinition)
	case slices.ContainsFunc(def.Attributes, func(a dynamo.KeyAttribute) bool { return a.Name == index.Attribute }):
		return dynamo.Invalid("One or more parameter values were invalid: Attributes cannot be redefined. "+
			"A vector attribute cannot be in AttributeDefinitions: %s", index.Attribute)
	}
	return request.CheckSameDimensions(&index.VectorDefinition, def.Vector)
}

// errRedefined returns the error for vectors in an attribute of the table's key.
func errRedefined(key dynamo.KeySchema, x *dynamo.VectorDefinition) error {
	var elements []string
	for _, e := range describeKey(key) {
		kind := knownKind(key.Attributes(), dynamo.KeyAttribute{Name: *e.AttributeName})
		elements = append(elements, fmt.Sprintf("SchemaElement: key{%s:%s:%s}", *e.AttributeName, kind, e.KeyType))
	}
	return dynamo.Invalid("One or more parameter values were invalid: Attributes cannot be redefined. "+
		"Please check that your attribute has the same type as previously defined. "+
		"Existing schema: Schema:[%s] New schema: VectorIndexSchema:[VectorAttribute: key{%s:L:%d}]",
		strings.Join(elements, ", "), x.Attribute, x.Dimensions)
}

// deleteVector drops a vector index, even one that is being built.
func (c *Catalog) deleteVector(ctx context.Context, old *Table, rec record, name string) (*dynamo.TableDescription, error) {
	x := old.Vector(name)
	switch {
	case x == nil:
		return nil, dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: Index %s for table %s", name, old.Name())
	case old.Building != "" && old.Building != name:
		return nil, errOneAtATime()
	}
	def := &rec.Definition
	def.Vector = slices.DeleteFunc(slices.Clone(def.Vector), func(v dynamo.VectorDefinition) bool { return v.Name == name })
	if err := c.dropIndex(ctx, old, rec, name, x.Path); err != nil {
		return nil, err
	}
	d := old.describe(dynamo.StatusUpdating)
	for i := range d.VectorIndexes {
		if v := &d.VectorIndexes[i]; *v.IndexName == name {
			v.IndexStatus, v.Backfilling = dynamo.StatusDeleting, nil
		}
	}
	return d, nil
}
