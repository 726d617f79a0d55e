package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// BatchGetItem is a checked BatchGetItemInput.
type BatchGetItem struct {
	Tables   []TableGets
	Capacity CapacityDetail
}

// TableGets holds the reads of one table. Input is kept for UnprocessedKeys.
type TableGets struct {
	Table      string
	Keys       []dynamo.Item
	Projection *expression.Projection
	Consistent bool
	Input      dynamo.KeysAndAttributes
}

// CheckBatchGetItem checks the input of BatchGetItem. Duplicate keys are reported once the
// table is known to exist, which is checked first.
func (w Wording) CheckBatchGetItem(in *dynamo.BatchGetItemInput) (*BatchGetItem, error) {
	if err := w.checkBatchGetMembers(in); err != nil {
		return nil, err
	}
	if err := checkBatchGetMixed(in.RequestItems); err != nil {
		return nil, err
	}
	batch := &BatchGetItem{
		Tables:   make([]TableGets, 0, len(in.RequestItems)),
		Capacity: capacityDetails.value(in.ReturnConsumedCapacity),
	}
	total := 0
	for i := range in.RequestItems {
		gets, err := w.checkTableGets(&in.RequestItems[i])
		if err != nil {
			return nil, err
		}
		batch.Tables = append(batch.Tables, gets)
		total += len(gets.Keys)
	}
	if total > dynamo.MaxBatchGet {
		return nil, invalid("Too many items requested for the BatchGetItem call")
	}
	return batch, nil
}

// checkBatchGetMembers checks single members. A request with an invalid table name is
// checked entirely by the older validator.
func (w Wording) checkBatchGetMembers(in *dynamo.BatchGetItemInput) error {
	var v violations
	switch {
	case in.RequestItems == nil:
		v.missing("requestItems")
	case len(in.RequestItems) == 0:
		return w.emptyBatch()
	default:
		checkTableNames(in.RequestItems, &v)
		if len(v) > 0 {
			break
		}
		for i := range in.RequestItems {
			if err := checkKeysMember(&in.RequestItems[i], &v); err != nil {
				return err
			}
		}
	}
	capacityDetails.check(in.ReturnConsumedCapacity, &v)
	return v.err()
}

// checkTableNames reports all invalid table names of a batch as one violation.
func checkTableNames(tables []dynamo.KeysAndAttributes, v *violations) {
	for i := range tables {
		if !isTableName(tables[i].TableName) {
			v.broken(echoKeys(tables), "requestItems", mapKeysRule)
			return
		}
	}
}

// checkKeysMember checks the number of keys for one table.
func checkKeysMember(k *dynamo.KeysAndAttributes, v *violations) error {
	switch {
	case k.Keys == nil:
		v.missing("requestItems." + k.TableName + ".member.keys")
	case len(k.Keys) == 0:
		return newerViolation("RequestItems."+k.TableName+".member.Keys", lengthAtLeast(1))
	case len(k.Keys) > dynamo.MaxBatchGet:
		return newerViolation("RequestItems."+k.TableName+".member.Keys", lengthAtMost(dynamo.MaxBatchGet))
	}
	if k.AttributesToGet != nil {
		v.attributesToGet("requestItems."+k.TableName+".member.attributesToGet", k.AttributesToGet)
	}
	return nil
}

// checkBatchGetMixed rejects a projection for one table and AttributesToGet for another.
func checkBatchGetMixed(tables []dynamo.KeysAndAttributes) error {
	all := usage{expressions: expressions{{projectionExpression, nil}}, legacy: legacyParameters{{attributesToGet, false}}}
	for i := range tables {
		if tables[i].ProjectionExpression != nil {
			all.expressions[0].text = tables[i].ProjectionExpression
		}
		if len(tables[i].AttributesToGet) > 0 {
			all.legacy[0].sent = true
		}
	}
	return all.checkMixed()
}

// checkTableGets checks the reads of one table.
func (w Wording) checkTableGets(in *dynamo.KeysAndAttributes) (TableGets, error) {
	gets := TableGets{
		Table:      in.TableName,
		Keys:       make([]dynamo.Item, len(in.Keys)),
		Consistent: isTrue(in.ConsistentRead),
		Input:      *in,
	}
	use := usage{
		expressions: expressions{{projectionExpression, in.ProjectionExpression}},
		legacy:      legacyParameters{{attributesToGet, len(in.AttributesToGet) > 0}},
		names:       in.Names,
	}
	err := use.check()
	if err != nil {
		return gets, err
	}
	if gets.Projection, err = use.projection(in.ProjectionExpression, in.AttributesToGet); err != nil {
		return gets, err
	}
	for i, key := range in.Keys {
		if err := w.values().checkItem(key); err != nil {
			return gets, err
		}
		gets.Keys[i] = key.Item
	}
	return gets, nil
}

// mapKeysRule is the rule for the tables named in a batch.
const mapKeysRule = "Map keys must satisfy constraint: [Member must have length less than or equal to 255, " +
	"Member must have length greater than or equal to 3, " + namePattern + "]"
