package catalog

import (
	"slices"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/rowformat"
)

// A Vector is a vector index of a table.
type Vector struct {
	dynamo.VectorDefinition
	Path rowformat.Path
	// Partition is the attribute that entries are partitioned by; nil when all are
	// in one partition.
	Partition *dynamo.KeyAttribute
	// Projected lists the attributes an entry holds besides the vector, sorted;
	// nil means all.
	Projected []string
	Building  bool // it is not complete yet and cannot be searched
	Counter   *Counter
}

// Vector returns the vector index called name, or nil.
func (t *Table) Vector(name string) *Vector {
	for _, x := range t.Vectors {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// ProjectsAll reports whether entries hold the whole item.
func (x *Vector) ProjectsAll() bool { return x.Projected == nil }

// SearchAttribute returns the attribute called name that search conditions can use, or nil.
func (x *Vector) SearchAttribute(name string) *dynamo.SearchAttribute {
	for i := range x.Search {
		if x.Search[i].Name == name {
			return &x.Search[i]
		}
	}
	return nil
}

func newVector(rec record, def dynamo.VectorDefinition) *Vector {
	x := &Vector{
		VectorDefinition: def,
		Path:             rowformat.Path{Table: rec.ID, Index: rec.IndexIDs[def.Name]},
		Building:         rec.Building == def.Name,
		Counter:          &Counter{},
	}
	for i := range def.Search {
		if def.Search[i].Partitions {
			x.Partition = &def.Search[i].KeyAttribute
		}
	}
	if def.ProjectionType == dynamo.ProjectAll {
		return x
	}
	x.Projected = slices.Clone(def.NonKeyAttributes)
	for _, a := range rec.Definition.Key.Attributes() {
		x.Projected = append(x.Projected, a.Name)
	}
	for _, a := range def.Search {
		x.Projected = append(x.Projected, a.Name)
	}
	slices.Sort(x.Projected)
	x.Projected = slices.Compact(x.Projected)
	x.Projected = slices.DeleteFunc(x.Projected, func(name string) bool { return name == x.Attribute })
	return x
}

func (t *Table) describeVector(d *dynamo.TableDescription, x *Vector, status string) {
	entries, size := x.Counter.Sum()
	arn := t.arn + "/index/" + x.Name
	dimensions := int64(x.Dimensions)
	v := dynamo.VectorIndexDescription{
		Dimensions: &dimensions, DistanceFunction: x.Distance,
		IndexArn: &arn, IndexName: &x.Name, IndexSizeBytes: &size, IndexStatus: status, ItemCount: &entries,
		Projection:      &dynamo.Projection{ProjectionType: x.ProjectionType, NonKeyAttributes: slices.Sorted(slices.Values(x.NonKeyAttributes))},
		VectorAttribute: &dynamo.VectorAttributeDefinition{AttributeName: &x.Attribute},
	}
	for i := range x.Search {
		element := dynamo.SearchSchemaElement{AttributeName: &x.Search[i].Name, SearchSchemaElementType: "INLINE_FILTER"}
		if x.Search[i].Partitions {
			element.SearchSchemaElementType = "HASH"
		}
		v.SearchSchema = append(v.SearchSchema, element)
	}
	if x.Building {
		building := true
		v.IndexStatus, v.Backfilling = dynamo.StatusCreating, &building
	}
	d.VectorIndexes = append(d.VectorIndexes, v)
}
