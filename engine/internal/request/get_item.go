package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// GetItem is a checked GetItemInput.
type GetItem struct {
	Table      string
	Key        dynamo.Item
	Projection *expression.Projection // nil: the whole item
	Consistent bool
	Capacity   CapacityDetail
}

// CheckGetItem checks the input of GetItem. It is small enough to be inlined, so that
// the caller need not allocate the result.
func (w Wording) CheckGetItem(in *dynamo.GetItemInput) (*GetItem, error) {
	req, err := w.checkGetItem(in)
	if err != nil {
		return nil, err
	}
	return &req, nil
}

func (w Wording) checkGetItem(in *dynamo.GetItemInput) (req GetItem, err error) {
	if err := w.checkGetMembers(in); err != nil {
		return req, err
	}
	use := usage{
		expressions: expressions{{projectionExpression, in.ProjectionExpression}},
		legacy:      legacyParameters{{attributesToGet, len(in.AttributesToGet) > 0}},
		names:       in.Names,
	}
	if err := use.check(); err != nil {
		return req, err
	}
	if err := w.values().checkItem(in.Key); err != nil {
		return req, err
	}
	projection, err := use.projection(in.ProjectionExpression, in.AttributesToGet)
	if err != nil {
		return req, err
	}
	return GetItem{
		Table:      *in.TableName,
		Key:        in.Key.Item,
		Projection: projection,
		Consistent: isTrue(in.ConsistentRead),
		Capacity:   capacityDetails.value(in.ReturnConsumedCapacity),
	}, nil
}

// checkGetMembers checks single members.
func (w Wording) checkGetMembers(in *dynamo.GetItemInput) error {
	var v violations
	switch {
	case in.TableName == nil && in.Key.Item == nil:
		capacityDetails.check(in.ReturnConsumedCapacity, &v)
		v.missing("key")
		v.missing("tableName")
	case w.emptyTableName(in.TableName) && in.Key.Item != nil:
		return emptyTableName()
	default:
		capacityDetails.check(in.ReturnConsumedCapacity, &v)
		v.tableName(in.TableName)
		if in.Key.Item == nil {
			v.missing("key")
		}
	}
	v.attributesToGet("attributesToGet", in.AttributesToGet)
	return v.err()
}

// projection parses the ProjectionExpression of a request that has no other
// expression, or translates AttributesToGet.
func (u *usage) projection(text *string, names []string) (*expression.Projection, error) {
	if text == nil {
		return projectionOf(names)
	}
	scope, err := u.scope()
	if err != nil {
		return nil, err
	}
	projection, err := scope.ParseProjection(*text)
	if err != nil {
		return nil, err
	}
	return projection, scope.CheckUnused()
}

func isTrue(b *bool) bool { return b != nil && *b }
