package request

import (
	"slices"

	"sortkey.dev/engine/internal/dynamo"
)

// CreateIndex adds a global index to a table that has items already.
type CreateIndex struct {
	dynamo.IndexDefinition
	// Attributes lists all attribute definitions of the request, in the order they
	// were sent. The catalog checks whether they agree with those of the table.
	Attributes []dynamo.KeyAttribute
}

// UpdateIndex changes the capacity of one global index.
type UpdateIndex struct {
	Name       string
	Throughput *dynamo.Throughput
	OnDemand   *dynamo.Throughput
	Warm       *dynamo.Throughput
}

// indexUpdate checks the members of a change of a global index.
func (v *violations) indexUpdate(u *dynamo.GlobalSecondaryIndexUpdate, path string) {
	if a := u.Update; a != nil {
		path := path + ".update"
		v.requireIndexName(a.IndexName, path+".indexName")
		if a.ProvisionedThroughput == nil && a.OnDemandThroughput == nil && a.WarmThroughput == nil {
			v.missing(path + ".provisionedThroughput")
		}
		v.throughput(a.ProvisionedThroughput, path+".provisionedThroughput")
		v.warm(a.WarmThroughput, path+".warmThroughput")
	}
	if u.Create != nil {
		v.globalIndex(u.Create, path+".create")
	}
	if u.Delete != nil {
		v.requireIndexName(u.Delete.IndexName, path+".delete.indexName")
	}
}

// setIndexes checks the changes of the indexes.
func (u *UpdateTable) setIndexes(in *dynamo.UpdateTableInput) error {
	if err := checkChangedIndexes(in.GlobalSecondaryIndexUpdates); err != nil {
		return err
	}
	online := 0 // indexes that are added or removed
	for i := range in.GlobalSecondaryIndexUpdates {
		change := &in.GlobalSecondaryIndexUpdates[i]
		if change.Update == nil {
			online++
		}
		if err := u.setIndex(change, in.AttributeDefinitions); err != nil {
			return err
		}
	}
	vectors, err := u.setVectors(in)
	if err != nil {
		return err
	}
	if online+vectors > 1 {
		return dynamo.Errorf(dynamo.LimitExceeded, "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
	}
	return nil
}

// checkChangedIndexes checks that each update makes one change, and that no two updates
// name the same index.
func checkChangedIndexes(updates []dynamo.GlobalSecondaryIndexUpdate) error {
	named := make([]string, 0, len(updates))
	for i := range updates {
		name, err := changedIndex(&updates[i])
		if err != nil {
			return err
		}
		if slices.Contains(named, name) {
			return invalid(invalidParameter + "Only one global secondary index update per index is allowed simultaneously. Index: " + name)
		}
		named = append(named, name)
	}
	return nil
}

// setIndex checks one change of a global index.
func (u *UpdateTable) setIndex(change *dynamo.GlobalSecondaryIndexUpdate, definitions []dynamo.AttributeDefinition) (err error) {
	switch {
	case change.Create != nil:
		u.CreateIndex, err = createIndex(change.Create, definitions)
	case change.Delete != nil:
		u.DeleteIndex = *change.Delete.IndexName
	default:
		var index UpdateIndex
		index, err = updateIndex(change.Update)
		u.Indexes = append(u.Indexes, index)
	}
	return err
}

// createIndex checks the definition of a new index. Its key attributes must be
// defined in the request itself; other definitions may be unused.
func createIndex(g *dynamo.GlobalSecondaryIndex, definitions []dynamo.AttributeDefinition) (*CreateIndex, error) {
	create := &CreateIndex{IndexDefinition: dynamo.IndexDefinition{
		Name:     *g.IndexName,
		OnDemand: capsOf(g.OnDemandThroughput),
		Warm:     warmOf(g.WarmThroughput),
	}}
	if len(definitions) == 0 {
		return nil, invalid(invalidParameter + "AttributeDefinitions is not specified for index: " + create.Name)
	}
	var err error
	if create.Attributes, err = attributesOf(definitions); err != nil {
		return nil, err
	}
	if len(g.KeySchema) > len(definitions) {
		return nil, errFewDefinitions()
	}
	if create.Key, err = globalKey(g.KeySchema, create.Attributes); err != nil {
		return nil, err
	}
	// The catalog checks the limit of included attributes over all indexes.
	if err := defineProjection(g.Projection, &create.IndexDefinition, new(int)); err != nil {
		return nil, err
	}
	if create.OnDemand != nil {
		if err := checkCaps(g.OnDemandThroughput, 1, "index"); err != nil {
			return nil, err
		}
	}
	if g.ProvisionedThroughput != nil {
		create.Throughput, err = throughputOf(g.ProvisionedThroughput)
	}
	return create, err
}

// changedIndex returns the name of the index that an update changes.
func changedIndex(u *dynamo.GlobalSecondaryIndexUpdate) (name string, err error) {
	actions := 0
	if u.Update != nil {
		name = *u.Update.IndexName
		actions++
	}
	if u.Create != nil {
		name = *u.Create.IndexName
		actions++
	}
	if u.Delete != nil {
		name = *u.Delete.IndexName
		actions++
	}
	switch actions {
	case 0:
		return "", invalid(invalidParameter + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null")
	case 1:
		return name, nil
	default:
		return "", invalid(invalidParameter + "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object")
	}
}

// updateIndex checks the change of one index's capacity.
func updateIndex(a *dynamo.UpdateGlobalSecondaryIndexAction) (UpdateIndex, error) {
	index := UpdateIndex{
		Name:     *a.IndexName,
		OnDemand: changedCaps(a.OnDemandThroughput),
		Warm:     warmOf(a.WarmThroughput),
	}
	if a.WarmThroughput != nil && !warmed(a.WarmThroughput) {
		return index, invalid(invalidParameter + "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: " + index.Name)
	}
	if index.OnDemand != nil {
		if err := checkCaps(a.OnDemandThroughput, noCap, "index"); err != nil {
			return index, err
		}
	}
	if a.ProvisionedThroughput == nil {
		return index, nil
	}
	throughput, err := throughputOf(a.ProvisionedThroughput)
	index.Throughput = &throughput
	return index, err
}
