package dynamo

// The parameters of the API before expressions, which all operations on items
// except the transactions still take. Their maps are lists by ascending name here,
// each name once; a nil list was not sent.

// A RawCondition is a condition on one attribute, of KeyConditions, QueryFilter
// or ScanFilter.
type RawCondition struct {
	Name     string
	Operator string  // ComparisonOperator
	Values   []Value // AttributeValueList; nil: not sent
	Fault    error   // the first fault found in the values
}

// A RawExpectation is one entry of Expected. Its fault may also
// be a fault of Value.
type RawExpectation struct {
	RawCondition
	Exists *bool
	Value  Value // nil: not sent
}

// A RawAttributeUpdate is one entry of AttributeUpdates.
type RawAttributeUpdate struct {
	Name   string
	Action string
	Value  Value // nil: not sent
	Fault  error // of the value
}
