package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// Query is a checked QueryInput.
type Query struct {
	Page
	KeyCondition *expression.KeyCondition
	Backward     bool // ScanIndexForward is false
	// Statement says that the query is part of a SELECT: its filter may name key attributes,
	// and it can be restarted after any row.
	Statement bool
}

// CheckQuery checks the input of Query.
func (w Wording) CheckQuery(in *dynamo.QueryInput) (*Query, error) {
	if err := w.checkQueryMembers(in); err != nil {
		return nil, err
	}
	query := &Query{
		Page:     pageOf(&in.PageParameters),
		Backward: in.ScanIndexForward != nil && !*in.ScanIndexForward,
	}
	if err := query.checkUse(w, in); err != nil {
		return nil, err
	}
	if err := query.checkSelect(w, &in.PageParameters); err != nil {
		return nil, err
	}
	return query, nil
}

// checkQueryMembers checks single members. The newer validator checks an empty table name
// and the limit, each alone.
func (w Wording) checkQueryMembers(in *dynamo.QueryInput) error {
	wellNamed := in.TableName != nil && (*in.TableName == "" || isTableName(*in.TableName))
	if w.emptyTableName(in.TableName) {
		return emptyTableName()
	}
	if wellNamed && in.Limit != nil && *in.Limit < 1 {
		return newerViolation("Limit", valueAtLeast(1))
	}
	var v violations
	selects.check(in.Select, &v)
	v.indexName(in.IndexName)
	capacityDetails.check(in.ReturnConsumedCapacity, &v)
	v.tableName(in.TableName)
	if in.Limit != nil {
		v.atLeast(1, int64(*in.Limit), "limit")
	}
	v.legacy(&in.PageParameters)
	v.conditions("queryFilter", in.QueryFilter)
	v.conditions("keyConditions", in.KeyConditions)
	return v.err()
}

// checkUse checks how the parameters are combined and parses the expressions.
func (query *Query) checkUse(w Wording, in *dynamo.QueryInput) error {
	use := usage{
		expressions: expressions{
			{projectionExpression, in.ProjectionExpression},
			{"FilterExpression", in.FilterExpression},
			{"KeyConditionExpression", in.KeyConditionExpression},
		},
		legacy: legacyParameters{
			{attributesToGet, len(in.AttributesToGet) > 0},
			{"QueryFilter", len(in.QueryFilter) > 0},
			{"ConditionalOperator", in.ConditionalOperator != ""},
			{"KeyConditions", len(in.KeyConditions) > 0 && in.KeyConditionExpression != nil}, // may be combined with the others
		},
		names: in.Names, values: &in.Values,
		layer:      w.values(),
		valuesTail: ": FilterExpression and KeyConditionExpression are null",

		conditionalOperator: in.ConditionalOperator, conditions: len(in.QueryFilter),
	}
	if err := use.check(); err != nil {
		return err
	}
	if err := w.values().checkStartKey(in.ExclusiveStartKey); err != nil {
		return err
	}
	if in.KeyConditionExpression == nil && in.KeyConditions == nil {
		return invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	if err := query.translate(use.layer, in); err != nil {
		return err
	}
	if in.KeyConditionExpression == nil && in.FilterExpression == nil && in.ProjectionExpression == nil {
		return nil
	}
	return query.parseAll(&use, in)
}

// translate translates the parameters of the API before expressions.
func (query *Query) translate(l layer, in *dynamo.QueryInput) (err error) {
	if in.KeyConditionExpression == nil {
		if query.KeyCondition, err = l.keyConditions(in.KeyConditions, in.IndexName != nil); err != nil {
			return err
		}
	}
	if query.Filter, err = l.filter("QueryFilter", in.QueryFilter, in.ConditionalOperator); err != nil {
		return err
	}
	query.Projection, err = projectionOf(in.AttributesToGet)
	return err
}

// parseAll parses the expressions, at least one of which was sent.
func (query *Query) parseAll(use *usage, in *dynamo.QueryInput) error {
	scope, err := use.scope()
	if err != nil {
		return err
	}
	if in.KeyConditionExpression != nil {
		if query.KeyCondition, err = scope.ParseKeyCondition(*in.KeyConditionExpression); err != nil {
			return err
		}
	}
	if err := query.parse(scope, &in.PageParameters); err != nil {
		return err
	}
	return scope.CheckUnused()
}

// checkSelect is the check of a page, except that DynamoDB envelopes one of its messages
// for queries only.
func (query *Query) checkSelect(w Wording, in *dynamo.PageParameters) error {
	err := query.Page.checkSelect(in)
	if err != nil && query.Select == SelectSpecific {
		return w.enveloped(err)
	}
	return err
}
