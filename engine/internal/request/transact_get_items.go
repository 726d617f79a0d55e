package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// TransactGetItems is a checked TransactGetItemsInput.
type TransactGetItems struct {
	Gets     []TransactGet
	Capacity CapacityDetail
}

// A TransactGet is one read of a transaction.
type TransactGet struct {
	Table      string // as the request names it: a name or an ARN
	Key        dynamo.Item
	Projection *expression.Projection // nil: the whole item
}

// CheckTransactGetItems checks the input of TransactGetItems. Duplicate items can only be
// found with the key of their table.
func CheckTransactGetItems(in *dynamo.TransactGetItemsInput) (*TransactGetItems, error) {
	if err := checkTransactGetMembers(in); err != nil {
		return nil, err
	}
	transaction := &TransactGetItems{
		Gets:     make([]TransactGet, len(in.TransactItems)),
		Capacity: capacityDetails.value(in.ReturnConsumedCapacity),
	}
	for i := range in.TransactItems {
		get, err := checkTransactGet(in.TransactItems[i].Get)
		if err != nil {
			return nil, err
		}
		transaction.Gets[i] = get
	}
	return transaction, nil
}

// checkTransactGetMembers checks single members.
func checkTransactGetMembers(in *dynamo.TransactGetItemsInput) error {
	var v violations
	capacityDetails.check(in.ReturnConsumedCapacity, &v)
	checkTransactItems(in.TransactItems, javaTransactGet, &v)
	for i := range in.TransactItems {
		if len(v) >= maxViolations {
			break
		}
		get, path := in.TransactItems[i].Get, memberPath("transactItems", i)+".get"
		if get == nil {
			v.missing(path)
			continue
		}
		v.tableNameAt(path+".tableName", get.TableName)
		if get.Key.Item == nil {
			v.missing(path + ".key")
		}
	}
	return v.err()
}

// checkTransactGet checks one read whose members are valid.
func checkTransactGet(in *dynamo.TransactGet) (get TransactGet, err error) {
	get = TransactGet{Table: *in.TableName, Key: in.Key.Item}
	use := usage{
		expressions: expressions{{projectionExpression, in.ProjectionExpression}},
		names:       in.Names,
	}
	if err := use.check(); err != nil {
		return get, err
	}
	if get.Projection, err = use.projection(in.ProjectionExpression, nil); err != nil {
		return get, err
	}
	return get, olderValues.checkItem(in.Key)
}
