package request

import (
	"slices"
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

// maxNonKeyAttributes is the maximum number of attributes that one index can include.
const maxNonKeyAttributes = 20

// globalIndex checks the members of a global index.
func (v *violations) globalIndex(g *dynamo.GlobalSecondaryIndex, path string) {
	v.index(g.IndexName, g.KeySchema, g.Projection, path)
	v.throughput(g.ProvisionedThroughput, path+".provisionedThroughput")
	v.warm(g.WarmThroughput, path+".warmThroughput")
}

// index checks the members that local and global indexes share.
func (v *violations) index(name *string, key []dynamo.KeySchemaElement, p *dynamo.Projection, path string) {
	v.requireIndexName(name, path+".indexName")
	v.keySchema(key, path+".keySchema")
	v.projection(p, path)
}

// projection checks the members of a projection.
func (v *violations) projection(p *dynamo.Projection, path string) {
	if p == nil {
		v.missing(path + ".projection")
		return
	}
	projectionTypes.checkAt(path+".projection.projectionType", p.ProjectionType, v)
	path += ".projection.nonKeyAttributes"
	if isEmptyList(p.NonKeyAttributes) {
		v.broken("[]", path, lengthAtLeast(1))
	}
	if len(p.NonKeyAttributes) > maxNonKeyAttributes {
		v.broken(bracketed(p.NonKeyAttributes), path, lengthAtMost(maxNonKeyAttributes))
	}
	for i, a := range p.NonKeyAttributes {
		v.length(1, dynamo.MaxKeyNameSize, a, memberPath(path, i))
	}
}

// requireIndexName checks an index name that must be sent.
func (v *violations) requireIndexName(name *string, path string) {
	if name == nil {
		v.missing(path)
		return
	}
	v.shortName(minIndexName, *name, path)
}

// checkIndexLists checks that a list of indexes is not empty.
func checkIndexLists(in *dynamo.CreateTableInput, _ *dynamo.TableDefinition) error {
	switch {
	case isEmptyList(in.LocalSecondaryIndexes):
		return invalid(invalidParameter + "List of LocalSecondaryIndexes is empty")
	case isEmptyList(in.GlobalSecondaryIndexes):
		return invalid(invalidParameter + "List of GlobalSecondaryIndexes is empty")
	default:
		return nil
	}
}

// defineLocalKeys checks the keys of the local indexes.
func defineLocalKeys(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) error {
	if len(in.LocalSecondaryIndexes) > 0 && len(d.Key.Sort) == 0 {
		return invalid(invalidParameter + "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
	}
	for i := range in.LocalSecondaryIndexes {
		l := &in.LocalSecondaryIndexes[i]
		key, err := plainKey(l.KeySchema, d.Attributes)
		if err != nil {
			return err
		}
		if len(key.Sort) == 0 {
			return invalid(invalidParameter + "Index KeySchema does not have a range key for index: " + *l.IndexName)
		}
		if own, table := key.Partition[0].Name, d.Key.Partition[0].Name; own != table {
			return invalid(invalidParameter + "Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
				*l.IndexName + ". index hash key: " + own + ", table hash key: " + table)
		}
		d.Local = append(d.Local, dynamo.IndexDefinition{Name: *l.IndexName, Key: key})
	}
	if len(d.Local) > dynamo.MaxLocalIndexes {
		return invalid(invalidParameter + "Number of LocalSecondaryIndexes exceeds per-table limit of 5")
	}
	return nil
}

// defineGlobalKeys checks the keys of the global indexes.
func defineGlobalKeys(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) error {
	for i := range in.GlobalSecondaryIndexes {
		g := &in.GlobalSecondaryIndexes[i]
		key, err := globalKey(g.KeySchema, d.Attributes)
		if err != nil {
			return err
		}
		d.Global = append(d.Global, dynamo.IndexDefinition{Name: *g.IndexName, Key: key})
	}
	return nil
}

// defineProjections checks the projections of the indexes. The number of included attributes
// is limited per table; an attribute in two indexes counts twice.
func defineProjections(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) error {
	total := 0
	for i := range in.LocalSecondaryIndexes {
		if err := defineProjection(in.LocalSecondaryIndexes[i].Projection, &d.Local[i], &total); err != nil {
			return err
		}
	}
	for i := range in.GlobalSecondaryIndexes {
		if err := defineProjection(in.GlobalSecondaryIndexes[i].Projection, &d.Global[i], &total); err != nil {
			return err
		}
	}
	for i := range in.VectorIndexes {
		if err := defineVectorProjection(in.VectorIndexes[i].Projection, &d.Vector[i], &total); err != nil {
			return err
		}
	}
	if total > dynamo.MaxProjectedAttributes {
		return invalid(invalidParameter + "Number of NonKeyAttributes over all indexes exceeds the per-table limit of 100: " + strconv.Itoa(total))
	}
	return nil
}

// defineProjection checks the projection of one index and counts its included attributes.
func defineProjection(p *dynamo.Projection, index *dynamo.IndexDefinition, total *int) error {
	switch included := p.ProjectionType == dynamo.ProjectInclude; {
	case p.ProjectionType == "":
		return invalid(invalidParameter + "Unknown ProjectionType: null")
	case !included && p.NonKeyAttributes != nil:
		return invalid(invalidParameter + "ProjectionType is " + p.ProjectionType + ", but NonKeyAttributes is specified")
	case included && p.NonKeyAttributes == nil:
		return invalid(invalidParameter + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
	}
	for i, a := range p.NonKeyAttributes {
		if slices.Contains(p.NonKeyAttributes[:i], a) {
			return invalid(invalidParameter + "Duplicate element in NonKeyAttributes: " + a)
		}
	}
	index.ProjectionType, index.NonKeyAttributes = p.ProjectionType, p.NonKeyAttributes
	*total += len(p.NonKeyAttributes)
	return nil
}

// defineGlobalThroughput checks the capacity of the global indexes.
func defineGlobalThroughput(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) (err error) {
	onDemand := d.BillingMode == dynamo.BillingOnDemand
	for i := range in.GlobalSecondaryIndexes {
		g, index := &in.GlobalSecondaryIndexes[i], &d.Global[i]
		switch {
		case onDemand && g.ProvisionedThroughput != nil:
			return invalid(invalidParameter + "ProvisionedThroughput should not be specified for index: " +
				index.Name + " when BillingMode is PAY_PER_REQUEST")
		case !onDemand && g.ProvisionedThroughput == nil:
			return invalid(invalidParameter + "ProvisionedThroughput is not specified for index: " + index.Name)
		case !onDemand:
			if index.Throughput, err = throughputOf(g.ProvisionedThroughput); err != nil {
				return err
			}
		}
		if err := checkOnDemand(g.OnDemandThroughput, d.BillingMode, "index"); err != nil {
			return err
		}
		index.OnDemand, index.Warm = capsOf(g.OnDemandThroughput), warmOf(g.WarmThroughput)
	}
	return nil
}

// checkIndexNames checks that index names are unique, and that there are not too many
// global indexes.
func checkIndexNames(_ *dynamo.CreateTableInput, d *dynamo.TableDefinition) error {
	var names []string
	for _, x := range slices.Concat(d.Local, d.Global) {
		names = append(names, x.Name)
	}
	for _, x := range d.Vector {
		names = append(names, x.Name)
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return invalid(invalidParameter + "Duplicate index name: " + name)
		}
	}
	if len(d.Global) > dynamo.MaxGlobalIndexes {
		return invalid(invalidParameter + "GlobalSecondaryIndex count exceeds the per-table limit of 20")
	}
	return nil
}
