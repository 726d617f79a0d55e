package request

import "sortkey.dev/engine/internal/dynamo"

// writeMembers are the members that PutItem, UpdateItem and DeleteItem share.
type writeMembers struct {
	tableName    *string
	subject      dynamo.RawItem // the item or the key
	subjectPath  string
	capacity     string
	metrics      string
	returnValues string
	onFailure    string
}

// A writeMember is one of them, in the orders below.
type writeMember int

const (
	memberTableName writeMember = iota
	memberSubject
	memberCapacity
	memberMetrics
	memberReturnValues
	memberOnFailure
)

// A memberOrder says in which order an operation reports its members.
type memberOrder struct {
	// older is the order of the older validator, which gets the requests that
	// name no proper table or lack the item or key.
	older []writeMember
	// newer is the order of the newer validator, after the table name.
	newer []writeMember
	// first: the newer validator reports the first broken member only.
	first bool
}

var (
	putOrder = &memberOrder{
		older: []writeMember{memberCapacity, memberTableName, memberSubject, memberReturnValues, memberMetrics, memberOnFailure},
		newer: []writeMember{memberCapacity, memberReturnValues, memberMetrics, memberOnFailure},
	}
	updateOrder = &memberOrder{
		older: []writeMember{memberCapacity, memberTableName, memberMetrics, memberReturnValues, memberSubject, memberOnFailure},
		newer: []writeMember{memberReturnValues, memberCapacity, memberMetrics, memberOnFailure},
		first: true,
	}
	deleteOrder = &memberOrder{
		older: []writeMember{memberCapacity, memberTableName, memberReturnValues, memberMetrics, memberSubject, memberOnFailure},
		newer: []writeMember{memberCapacity, memberReturnValues, memberMetrics, memberOnFailure},
	}
)

// check makes the complaints about single members.
func (w *writeMembers) check(order *memberOrder) error {
	var v violations
	switch {
	case w.tableName == nil, w.subject.Item == nil, *w.tableName != "" && !isTableName(*w.tableName):
		for _, m := range order.older {
			w.checkOlder(m, &v)
		}
		return v.err()
	case *w.tableName == "":
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
		v.tableName(w.tableName)
	case memberSubject:
		if w.subject.Item == nil {
			v.missing(w.subjectPath)
		}
	case memberCapacity:
		capacityDetails.check(w.capacity, v)
	case memberMetrics:
		collectionMetrics.check(w.metrics, v)
	case memberReturnValues:
		returnValues.check(w.returnValues, v)
	case memberOnFailure:
		returnOnFailure.check(w.onFailure, v)
	}
}

// checkNewer checks a member with the newer validator, which words only
// ReturnValues in its own way so far.
func (w *writeMembers) checkNewer(m writeMember, v *violations) {
	if m != memberReturnValues {
		w.checkOlder(m, v)
	} else if !returnValues.has(w.returnValues) {
		*v = append(*v, newerReturnValues)
	}
}

// checkReturnsOld refuses the ReturnValues that only an update has.
func checkReturnsOld(r ReturnValues) error {
	if r != ReturnNone && r != ReturnAllOld {
		return invalid("ReturnValues can only be ALL_OLD or NONE")
	}
	return nil
}
