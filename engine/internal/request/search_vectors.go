package request

import (
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
	"sortkey.dev/engine/internal/vector"
)

// SearchVectors is a checked SearchVectorsInput.
type SearchVectors struct {
	Table      string
	Index      string
	Vector     []float32
	TopK       int
	Condition  *expression.SearchCondition // nil: none
	Projection *expression.Projection      // nil: all but the vector
	Capacity   CapacityDetail
}

// CheckSearchVectors checks the input of SearchVectors.
func (w Wording) CheckSearchVectors(in *dynamo.SearchVectorsInput) (*SearchVectors, error) {
	if err := checkSearchMembers(in); err != nil {
		return nil, err
	}
	search := &SearchVectors{
		Table:    *in.TableName,
		Index:    *in.IndexName,
		TopK:     int(*in.TopK),
		Capacity: capacityDetails.value(in.ReturnConsumedCapacity),
	}
	if search.TopK < 1 || search.TopK > dynamo.MaxTopK {
		return nil, invalid("Provided TopK value '" + strconv.Itoa(search.TopK) +
			"' is out of valid range. The value must be between 1 and 100 inclusive")
	}
	if err := search.setVector(w, &in.SearchVector); err != nil {
		return nil, err
	}
	if err := search.parse(w, in); err != nil {
		return nil, err
	}
	return search, nil
}

// checkSearchMembers checks single members. Missing members are reported first, and alone.
func checkSearchMembers(in *dynamo.SearchVectorsInput) error {
	missing := ""
	switch {
	case in.TableName == nil:
		missing = "TableName"
	case in.IndexName == nil:
		missing = "IndexName"
	case in.SearchVector.List == nil:
		missing = "SearchVector"
	case in.TopK == nil:
		missing = "TopK"
	}
	if missing != "" {
		return invalid("missing field `" + missing + "`")
	}
	var v violations
	v.indexName(in.IndexName)
	capacityDetails.check(in.ReturnConsumedCapacity, &v)
	v.tableName(in.TableName)
	return v.err()
}

// setVector decodes the search vector. Its number of dimensions is checked against the
// index later.
func (search *SearchVectors) setVector(w Wording, raw *dynamo.RawVector) (err error) {
	if err := w.values().complaint(raw.Fault); err != nil {
		return err
	}
	if search.Vector, err = vector.Parse(make([]float32, 0, raw.List.Len()), raw.List); err != nil {
		return invalid("Search vector contains invalid values. All values in the search vector must be a 32-bit floating-point number attribute")
	}
	return nil
}

// parse checks how the parameters are combined and parses the expressions.
func (search *SearchVectors) parse(w Wording, in *dynamo.SearchVectorsInput) error {
	use := usage{
		expressions: expressions{
			{projectionExpression, in.ProjectionExpression},
			{"SearchConditionExpression", in.SearchConditionExpression},
		},
		names: in.Names, values: &in.Values,
		layer: w.values(),
	}
	if err := use.check(); err != nil {
		return err
	}
	scope, err := use.scope()
	if err != nil {
		return err
	}
	if in.SearchConditionExpression != nil {
		if search.Condition, err = scope.ParseSearchCondition(*in.SearchConditionExpression); err != nil {
			return err
		}
	}
	if in.ProjectionExpression != nil {
		if search.Projection, err = scope.ParseProjection(*in.ProjectionExpression); err != nil {
			return err
		}
	}
	return scope.CheckUnused()
}
