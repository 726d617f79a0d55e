package request

import (
	"slices"
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

// The types of search schema elements.
const (
	searchHash   = "HASH"
	searchFilter = "INLINE_FILTER"
)

// vectorIndex checks the members of a vector index.
func (v *violations) vectorIndex(x *dynamo.VectorIndex, path string) {
	v.requireIndexName(x.IndexName, path+".indexName")
	if x.VectorAttribute == nil {
		v.missing(path + ".vectorAttribute")
	} else {
		v.longAttributeName(x.VectorAttribute.AttributeName, path+".vectorAttribute.attributeName")
	}
	if x.Dimensions == nil {
		v.missing(path + ".dimensions")
	} else {
		v.atLeast(1, *x.Dimensions, path+".dimensions")
	}
	distanceFunctions.require(path+".distanceFunction", x.DistanceFunction, v)
	if isEmptyList(x.SearchSchema) {
		v.broken("[]", path+".searchSchema", lengthAtLeast(1))
	}
	for i, e := range x.SearchSchema {
		element := memberPath(path+".searchSchema", i)
		v.longAttributeName(e.AttributeName, element+".attributeName")
		searchTypes.require(element+".searchSchemaElementType", e.SearchSchemaElementType, v)
	}
	v.projection(x.Projection, path)
}

// longAttributeName checks the name of an attribute that need not be a key.
func (v *violations) longAttributeName(name *string, path string) {
	if name == nil {
		v.missing(path)
		return
	}
	v.length(1, dynamo.MaxAttributeNameSize, *name, path)
}

// defineVectors checks the vector indexes of a new table.
func defineVectors(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) error {
	if in.VectorIndexes == nil {
		return nil
	}
	switch {
	case len(in.VectorIndexes) == 0:
		return invalid(invalidParameter + "List of VectorIndexes is empty")
	case d.BillingMode != dynamo.BillingOnDemand:
		return ErrVectorBilling()
	case len(in.VectorIndexes) > dynamo.MaxVectorIndexes:
		return invalid(invalidParameter + "VectorIndex count exceeds the per-table limit of " + strconv.Itoa(dynamo.MaxVectorIndexes))
	}
	for i := range in.VectorIndexes {
		x, err := vectorDefinition(&in.VectorIndexes[i], d.Attributes)
		if err != nil {
			return err
		}
		if err := CheckSameDimensions(x, d.Vector); err != nil {
			return err
		}
		if slices.ContainsFunc(d.Attributes, func(a dynamo.KeyAttribute) bool { return a.Name == x.Attribute }) {
			return invalid(invalidParameter + "Conflicting attribute definition for '" + x.Attribute + "'. A vector attribute cannot be in AttributeDefinitions.")
		}
		d.Vector = append(d.Vector, *x)
	}
	return nil
}

// ErrVectorBilling returns the error for a vector index on a provisioned table.
func ErrVectorBilling() error {
	return invalid(invalidParameter + "Vector indexes are only supported for PAY_PER_REQUEST tables")
}

// CheckSameDimensions checks that a vector index has the same dimensions as the
// others on its attribute.
func CheckSameDimensions(x *dynamo.VectorDefinition, others []dynamo.VectorDefinition) error {
	for i := range others {
		if others[i].Attribute == x.Attribute && others[i].Dimensions != x.Dimensions {
			return invalid(invalidParameter + "Conflicting attribute definition for '" + x.Attribute +
				"'. All VectorIndexes on the same vector attribute must use the same dimensions.")
		}
	}
	return nil
}

// vectorDefinition checks one vector index, given the attributes that are defined.
func vectorDefinition(in *dynamo.VectorIndex, defined []dynamo.KeyAttribute) (*dynamo.VectorDefinition, error) {
	if *in.Dimensions > dynamo.MaxDimensions {
		return nil, invalid(invalidParameter + "Number of dimensions must be between 1 and 4096 inclusive.")
	}
	x := &dynamo.VectorDefinition{
		Name:       *in.IndexName,
		Attribute:  *in.VectorAttribute.AttributeName,
		Dimensions: int(*in.Dimensions),
		Distance:   in.DistanceFunction,
	}
	partitions, filters := 0, 0
	for _, e := range in.SearchSchema {
		at := slices.IndexFunc(defined, func(a dynamo.KeyAttribute) bool { return a.Name == *e.AttributeName })
		switch {
		case at < 0:
			return nil, invalid(invalidParameter + "One element in SearchSchema is not defined in attribute definitions")
		case x.Searches(*e.AttributeName):
			return nil, invalid(invalidParameter + "The SearchSchema contains multiple elements with the same name: " + *e.AttributeName)
		case e.SearchSchemaElementType == searchHash:
			partitions++
		default:
			filters++
		}
		x.Search = append(x.Search, dynamo.SearchAttribute{KeyAttribute: defined[at], Partitions: e.SearchSchemaElementType == searchHash})
	}
	switch {
	case partitions > 1:
		return nil, invalid(invalidParameter + "The SearchSchema exceeds the maximum allowed number of HASH elements: 1")
	case filters > dynamo.MaxInlineFilters:
		return nil, invalid(invalidParameter + "The SearchSchema exceeds the maximum allowed number of INLINE_FILTER elements: " + strconv.Itoa(dynamo.MaxInlineFilters))
	}
	return x, nil
}

// defineVectorProjection checks the projection of a vector index and counts it: the
// vector and each inline filter count like an included attribute.
func defineVectorProjection(p *dynamo.Projection, x *dynamo.VectorDefinition, total *int) error {
	var index dynamo.IndexDefinition
	if err := defineProjection(p, &index, total); err != nil {
		return err
	}
	x.ProjectionType, x.NonKeyAttributes = index.ProjectionType, index.NonKeyAttributes
	if x.ProjectionType == dynamo.ProjectInclude {
		*total++
		for _, a := range x.Search {
			if !a.Partitions {
				*total++
			}
		}
	}
	return nil
}

// CreateVector adds a vector index to a table that has items already.
type CreateVector struct {
	dynamo.VectorDefinition
	// Attributes lists all attribute definitions of the request, in the order they were sent.
	Attributes []dynamo.KeyAttribute
}

// vectorUpdate checks the members of a change of a vector index.
func (v *violations) vectorUpdate(u *dynamo.VectorIndexUpdate, path string) {
	if u.Create != nil {
		v.vectorIndex(u.Create, path+".create")
	}
	if u.Delete != nil {
		v.requireIndexName(u.Delete.IndexName, path+".delete.indexName")
	}
}

// setVectors checks the changes of the vector indexes and returns the number of added or removed ones.
func (u *UpdateTable) setVectors(in *dynamo.UpdateTableInput) (online int, err error) {
	for i := range in.VectorIndexUpdates {
		change := &in.VectorIndexUpdates[i]
		switch {
		case change.Create == nil && change.Delete == nil:
			return 0, invalid(invalidParameter + "One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null")
		case change.Create != nil && change.Delete != nil:
			return 0, invalid(invalidParameter + "Only one vector index action is allowed per VectorIndexUpdate object")
		case change.Delete != nil:
			u.DeleteVector = *change.Delete.IndexName
		default:
			if u.CreateVector, err = createVector(change.Create, in.AttributeDefinitions); err != nil {
				return 0, err
			}
		}
		online++
	}
	return online, nil
}

// createVector checks the definition of a new vector index. The attributes of its
// search schema must be defined in the request itself.
func createVector(in *dynamo.VectorIndex, definitions []dynamo.AttributeDefinition) (*CreateVector, error) {
	attributes, err := attributesOf(definitions)
	if err != nil {
		return nil, err
	}
	x, err := vectorDefinition(in, attributes)
	if err != nil {
		return nil, err
	}
	// The catalog checks the limit of included attributes over all indexes.
	if err := defineVectorProjection(in.Projection, x, new(int)); err != nil {
		return nil, err
	}
	return &CreateVector{VectorDefinition: *x, Attributes: attributes}, nil
}
