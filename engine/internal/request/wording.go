package request

import "sortkey.dev/engine/internal/dynamo"

// A Wording is the way in which the operations on items say what is wrong with a
// request. AWS is replacing its validation region by region; where both are
// known, [Current] is what most regions say and [Older] what they said before.
// Operations that have not changed yet in most regions have one wording only.
type Wording int

// The wordings.
const (
	Current Wording = iota
	Older
)

// of is the wording for a write of a single item, given the faults of its item or key
// and of its expression attribute values: one with a value nested far too deeply is
// left to the older validator.
func (w Wording) of(subject, values error) Wording {
	if far := error(dynamo.FaultFarNesting); subject == far || values == far {
		return Older
	}
	return w
}

// values is how the wording speaks of attribute values.
func (w Wording) values() layer {
	if w == Older {
		return olderValues
	}
	return newerValues
}

// enveloped puts the envelope around a complaint, where the wording does so.
func (w Wording) enveloped(err error) error {
	if w == Older {
		return err
	}
	return enveloped(err)
}

// tailOf is what the older wording adds when there are values without an expression.
func (w Wording) tailOf(names string) string {
	if w == Older {
		return ": " + names
	}
	return ""
}

// emptyTableName reports whether a table name is an empty one that the newer validator looks at.
func (w Wording) emptyTableName(name *string) bool {
	return w == Current && name != nil && *name == ""
}

// emptyBatch is the complaint about a BatchGetItem without a table.
func (w Wording) emptyBatch() error {
	if w == Older {
		return invalid("The requestItems parameter is required for BatchGetItem")
	}
	return newerViolation("RequestItems", lengthAtLeast(1))
}
