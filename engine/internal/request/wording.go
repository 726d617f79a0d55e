package request

import "sortkey.dev/engine/internal/dynamo"

// A Wording selects the error messages of the operations on items. AWS is replacing its
// validation region by region; where both versions are known, [Current] has the messages
// of most regions and [Older] those they had before. Operations that have not changed
// yet in most regions have one wording only.
type Wording int

// The wordings.
const (
	Current Wording = iota
	Older
)

// of returns the wording for a write of a single item, given the faults of its item or key
// and of its expression attribute values: the older validator checks a write with a value
// that is nested beyond FarNesting.
func (w Wording) of(subject, values error) Wording {
	if far := error(dynamo.FaultFarNesting); subject == far || values == far {
		return Older
	}
	return w
}

// values returns the layer of messages about attribute values.
func (w Wording) values() layer {
	if w == Older {
		return olderValues
	}
	return newerValues
}

// enveloped adds the envelope to an error, if the wording has it.
func (w Wording) enveloped(err error) error {
	if w == Older {
		return err
	}
	return enveloped(err)
}

// tailOf returns the suffix that the older wording adds to its message about values without an expression.
func (w Wording) tailOf(names string) string {
	if w == Older {
		return ": " + names
	}
	return ""
}

// emptyTableName reports whether a table name is empty and the newer validator reports it.
func (w Wording) emptyTableName(name *string) bool {
	return w == Current && name != nil && *name == ""
}

// emptyBatch returns the error for a BatchGetItem without a table.
func (w Wording) emptyBatch() error {
	if w == Older {
		return invalid("The requestItems parameter is required for BatchGetItem")
	}
	return newerViolation("RequestItems", lengthAtLeast(1))
}
