package dynamo

// SearchVectorsInput is the input of SearchVectors.
type SearchVectorsInput struct {
	TableName                 *string
	IndexName                 *string
	SearchVector              RawVector
	TopK                      *int32
	SearchConditionExpression *string
	ProjectionExpression      *string
	Expressions
	ReturnConsumedCapacity string
}

// A RawVector is a vector as a door decoded it: a list value, with the first fault
// found in its elements. List is nil if it was not sent.
type RawVector struct {
	List  Value
	Fault error
}

// SearchVectorsOutput is the output of SearchVectors, the most similar item first.
type SearchVectorsOutput struct {
	SearchResults    []SearchResult
	ConsumedCapacity *VectorCapacity
}

// A SearchResult is an item that a search found.
type SearchResult struct {
	Item  Item
	Score float64
}

// VectorCapacity is the capacity that a search consumed on a vector index.
type VectorCapacity struct {
	SearchBytes float64
}
