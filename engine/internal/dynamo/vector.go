package dynamo

import "slices"

// The distance functions of vector indexes.
const (
	DistanceCosine     = "COSINE"
	DistanceDotProduct = "DOT_PRODUCT"
	DistanceEuclidean  = "EUCLIDEAN"
)

// The limits of vector indexes.
const (
	MaxVectorIndexes = 5 // per table
	MaxDimensions    = 4096
	MaxInlineFilters = 18 // per index
	MaxTopK          = 100
	// MaxSearchResponse is the size of all items of one search, in bytes.
	MaxSearchResponse = 16 << 20
)

// VectorIndex defines a vector index.
type VectorIndex struct {
	Dimensions       *int64
	DistanceFunction string // COSINE, EUCLIDEAN or DOT_PRODUCT
	IndexName        *string
	Projection       *Projection
	SearchSchema     []SearchSchemaElement
	VectorAttribute  *VectorAttributeDefinition
}

// SearchSchemaElement names an attribute that search conditions of a vector index can use.
type SearchSchemaElement struct {
	AttributeName           *string
	SearchSchemaElementType string // HASH or INLINE_FILTER
}

// VectorAttributeDefinition names the attribute that holds the vectors.
type VectorAttributeDefinition struct {
	AttributeName *string
}

// VectorIndexUpdate adds or removes one vector index.
type VectorIndexUpdate struct {
	Create *VectorIndex
	Delete *DeleteVectorIndexAction
}

// DeleteVectorIndexAction drops a vector index.
type DeleteVectorIndexAction struct {
	IndexName *string
}

// VectorIndexDescription describes a vector index.
type VectorIndexDescription struct {
	Backfilling      *bool
	Dimensions       *int64
	DistanceFunction string
	IndexArn         *string
	IndexName        *string
	IndexSizeBytes   *int64
	IndexStatus      string
	ItemCount        *int64
	Projection       *Projection
	SearchSchema     []SearchSchemaElement
	VectorAttribute  *VectorAttributeDefinition
}

// A VectorDefinition is a vector index as the user defined it.
type VectorDefinition struct {
	Name             string
	Attribute        string // holds the vectors
	Dimensions       int
	Distance         string
	Search           []SearchAttribute `json:",omitempty"` // in the order they were sent
	ProjectionType   string
	NonKeyAttributes []string `json:",omitempty"` // of an INCLUDE projection, as sent
}

// A SearchAttribute is an attribute that search conditions of a vector index can use.
type SearchAttribute struct {
	KeyAttribute
	Partitions bool `json:",omitempty"` // it is the HASH element; else an inline filter
}

// Searches reports whether search conditions can use the attribute called name.
func (d *VectorDefinition) Searches(name string) bool {
	return slices.ContainsFunc(d.Search, func(a SearchAttribute) bool { return a.Name == name })
}
