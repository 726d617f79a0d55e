package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// A Page holds the parameters that Query and Scan share.
type Page struct {
	Table      string
	Index      string // empty: the table itself
	Filter     *expression.Condition
	Projection *expression.Projection
	Consistent bool
	Start      dynamo.Item // ExclusiveStartKey; nil: from the start
	Limit      int         // 0: none
	MaxItems   int         // that one page returns; 0: no limit
	MaxSize    int         // of the items that one page evaluates; 0: the limit of the service
	Select     Select
	Capacity   CapacityDetail
	Visit      func(dynamo.Item) // nil: collect the items
}

// pageOf returns the page of checked members, its expressions not yet parsed.
func pageOf(in *dynamo.PageParameters) Page {
	return Page{
		Table:      *in.TableName,
		Index:      textOf(in.IndexName),
		Consistent: isTrue(in.ConsistentRead),
		Start:      in.ExclusiveStartKey.Item,
		Limit:      limitOf(in.Limit),
		Select:     selects.value(in.Select),
		Capacity:   capacityDetails.value(in.ReturnConsumedCapacity),
		Visit:      in.Visit,
	}
}

// minIndexName is the length of the shortest name of an index.
const minIndexName = 3

// indexName checks an IndexName, which is optional.
func (v *violations) indexName(name *string) {
	if name != nil {
		v.name(minIndexName, *name, "indexName")
	}
}

// legacy checks the members of the API before expressions that Query and Scan share.
func (v *violations) legacy(in *dynamo.PageParameters) {
	conditionalOperators.check(in.ConditionalOperator, v)
	v.attributesToGet("attributesToGet", in.AttributesToGet)
}

// parse parses the filter and the projection.
func (p *Page) parse(scope *expression.Scope, in *dynamo.PageParameters) (err error) {
	if in.FilterExpression != nil {
		if p.Filter, err = scope.ParseFilter(*in.FilterExpression); err != nil {
			return err
		}
	}
	if in.ProjectionExpression != nil {
		if p.Projection, err = scope.ParseProjection(*in.ProjectionExpression); err != nil {
			return err
		}
	}
	return nil
}

// checkSelect checks Select as far as that needs no table.
func (p *Page) checkSelect(in *dynamo.PageParameters) error {
	if p.Projection != nil {
		parameter := projectionExpression
		if in.ProjectionExpression == nil {
			parameter = attributesToGet
		}
		switch p.Select {
		case SelectCount:
			return invalid("Cannot specify the " + parameter + " when choosing to get only the Count")
		case SelectAllAttributes:
			return invalid("Cannot specify the " + parameter + " when choosing to get ALL_ATTRIBUTES")
		case SelectAllProjected:
			return invalid("Cannot specify the " + parameter + " when choosing to get ALL_PROJECTED_ATTRIBUTES")
		}
	}
	if p.Select == SelectAllProjected && p.Index == "" {
		return invalid("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
	}
	if p.Select == SelectSpecific && p.Projection == nil {
		return invalid("Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
	}
	return nil
}

// textOf returns the text of a parameter, empty when it was not sent.
func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// limitOf returns a checked Limit.
func limitOf(limit *int32) int {
	if limit == nil {
		return 0
	}
	return int(*limit)
}
