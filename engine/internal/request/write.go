package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// A Write holds the parameters that PutItem, DeleteItem and UpdateItem share.
type Write struct {
	Table           string                // as the request names it: a name or an ARN
	Condition       *expression.Condition // nil: none
	Return          ReturnValues          // ReturnNone or ReturnAllOld, except for an update
	ReturnOnFailure bool                  // a failed condition returns the item
	Insert          bool                  // a failed condition is reported as a duplicate item
	Capacity        CapacityDetail
	Metrics         bool // ReturnItemCollectionMetrics is SIZE
}

// writeOf returns the write of checked members, its condition not yet parsed.
func writeOf(in *dynamo.WriteParameters) Write {
	return Write{
		Table:           *in.TableName,
		Return:          returnValues.value(in.ReturnValues),
		ReturnOnFailure: returnOnFailure.value(in.ReturnValuesOnConditionCheckFailure),
		Capacity:        capacityDetails.value(in.ReturnConsumedCapacity),
		Metrics:         collectionMetrics.value(in.ReturnItemCollectionMetrics),
	}
}

// writeMembers holds the members that all writes share.
type writeMembers struct {
	*dynamo.WriteParameters
	subject     dynamo.RawItem // the item or the key
	subjectPath string
	updates     []dynamo.RawAttributeUpdate
}

// A writeMember identifies a member in a memberOrder.
type writeMember int

const (
	memberTableName writeMember = iota
	memberSubject
	memberCapacity
	memberMetrics
	memberReturnValues
	memberOnFailure
	memberLegacy // all of the API before expressions
)

// A memberOrder is the order in which an operation reports its members.
type memberOrder struct {
	// older is the order of the older validator, which checks the requests without a
	// valid table name, item or key.
	older []writeMember
	// newer is the order of the newer validator, after the table name.
	newer []writeMember
	// first means that the newer validator reports only the first broken member.
	first bool
}

var (
	putOrder = &memberOrder{
		older: []writeMember{memberCapacity, memberTableName, memberSubject, memberReturnValues, memberMetrics, memberOnFailure, memberLegacy},
		newer: []writeMember{memberCapacity, memberReturnValues, memberMetrics, memberOnFailure, memberLegacy},
	}
	updateOrder = &memberOrder{
		older: []writeMember{memberCapacity, memberTableName, memberMetrics, memberReturnValues, memberSubject, memberOnFailure, memberLegacy},
		newer: []writeMember{memberReturnValues, memberCapacity, memberMetrics, memberOnFailure, memberLegacy},
		first: true,
	}
	deleteOrder = &memberOrder{
		older: []writeMember{memberCapacity, memberTableName, memberReturnValues, memberMetrics, memberSubject, memberOnFailure, memberLegacy},
		newer: []writeMember{memberCapacity, memberReturnValues, memberMetrics, memberOnFailure, memberLegacy},
	}
)

// check checks single members.
func (w *writeMembers) check(wording Wording, order *memberOrder) error {
	var v violations
	switch {
	case wording == Older, w.TableName == nil, w.subject.Item == nil, *w.TableName != "" && !isTableName(*w.TableName):
		for _, m := range order.older {
			w.checkOlder(m, &v)
		}
		return v.err()
	case *w.TableName == "":
		return emptyTableName()
	}
	for _, m := range order.newer {
		w.checkNewer(m, &v)
		if order.first && len(v) > 0 {
			break
		}
	}
	return v.err()
}

// checkOlder checks a member with the older validator.
func (w *writeMembers) checkOlder(m writeMember, v *violations) {
	switch m {
	case memberTableName:
		v.tableName(w.TableName)
	case memberSubject:
		if w.subject.Item == nil {
			v.missing(w.subjectPath)
		}
	case memberCapacity:
		capacityDetails.check(w.ReturnConsumedCapacity, v)
	case memberMetrics:
		collectionMetrics.check(w.ReturnItemCollectionMetrics, v)
	case memberReturnValues:
		returnValues.check(w.ReturnValues, v)
	case memberOnFailure:
		returnOnFailure.check(w.ReturnValuesOnConditionCheckFailure, v)
	case memberLegacy:
		v.attributeUpdates(w.updates)
		v.expected(w.Expected)
		conditionalOperators.check(w.ConditionalOperator, v)
	}
}

// checkNewer checks a member with the newer validator, which so far has its own
// message for ReturnValues only.
func (w *writeMembers) checkNewer(m writeMember, v *violations) {
	if m != memberReturnValues {
		w.checkOlder(m, v)
	} else if !returnValues.has(w.ReturnValues) {
		*v = append(*v, newerReturnValues)
	}
}

// conditionUse returns the usage of a write whose only expression is its condition.
func conditionUse(w Wording, in *dynamo.WriteParameters) usage {
	return usage{
		expressions: expressions{{"ConditionExpression", in.ConditionExpression}},
		legacy: legacyParameters{
			{"Expected", len(in.Expected) > 0},
			{"ConditionalOperator", in.ConditionalOperator != ""},
		},
		names: in.Names, values: &in.Values,
		valuesTail: w.tailOf("ConditionExpression is null"),
		layer:      w.values(),

		conditionalOperator: in.ConditionalOperator, conditions: len(in.Expected),
	}
}

// checkReplace checks how the parameters of a put or a delete are combined,
// and the item or key.
func (w *Write) checkReplace(wording Wording, use *usage, subject dynamo.RawItem) error {
	if err := use.check(); err != nil {
		return err
	}
	if err := wording.values().checkItem(subject); err != nil {
		return err
	}
	if w.Return != ReturnNone && w.Return != ReturnAllOld {
		return invalid("ReturnValues can only be ALL_OLD or NONE")
	}
	return nil
}

// parseCondition parses the condition of a put or a delete, or translates Expected.
func (w *Write) parseCondition(use *usage, in *dynamo.WriteParameters) (err error) {
	if in.ConditionExpression == nil {
		w.Condition, err = use.layer.expected(in.Expected, in.ConditionalOperator)
		return err
	}
	scope, err := use.scope()
	if err != nil {
		return err
	}
	if w.Condition, err = scope.ParseCondition(*in.ConditionExpression); err != nil {
		return err
	}
	return scope.CheckUnused()
}
