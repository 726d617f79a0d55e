package request

import (
	"errors"
	"strconv"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
)

// DynamoDB has two validators. The older one words a broken member constraint
// as "Value 'x' at 'tableName' failed to satisfy constraint: ..." and reports
// all of a request's broken constraints in one sentence. The newer one names
// the member and not the value, and stops at the first. Requests may be checked by
// both: which validator checks which member depends on the operation.

// envelope is the prefix of a message with one validation error. The single-item writes put
// it before every error that does not depend on the table.
const envelope = "1 validation error detected: "

// maxViolations is the maximum number of broken constraints that one error lists.
const maxViolations = 10

// violations collects the broken member constraints of a request in the words
// of the older validator. It stays nil, and costs nothing, for a valid request.
type violations []string

// broken records that the value at path violates a rule.
func (v *violations) broken(value, path, rule string) {
	*v = append(*v, "Value '"+value+"' at '"+path+"' failed to satisfy constraint: "+rule)
}

// missing records that a required member was not sent.
func (v *violations) missing(path string) {
	*v = append(*v, "Value null at '"+path+"' failed to satisfy constraint: Member must not be null")
}

// atLeast checks the minimum of a number.
func (v *violations) atLeast(least, value int64, path string) {
	if value < least {
		v.broken(strconv.FormatInt(value, 10), path, valueAtLeast(least))
	}
}

// atMost checks the maximum of a number.
func (v *violations) atMost(most, value int64, path string) {
	if value > most {
		v.broken(strconv.FormatInt(value, 10), path, "Member must have value less than or equal to "+strconv.FormatInt(most, 10))
	}
}

// length checks the length of a text.
func (v *violations) length(least, most int, value, path string) {
	if len(value) < least {
		v.broken(value, path, lengthAtLeast(least))
	}
	if len(value) > most {
		v.broken(value, path, lengthAtMost(most))
	}
}

// name checks the name of a table or an index: its characters, then its length.
func (v *violations) name(least int, value, path string) {
	if !isName(value) {
		v.broken(value, path, namePattern)
	}
	v.length(least, maxNameLength, value, path)
}

// shortName is name for the operations that check the minimum length first.
func (v *violations) shortName(least int, value, path string) {
	if len(value) < least {
		v.broken(value, path, lengthAtLeast(least))
		least = 0
	}
	v.name(least, value, path)
}

// err returns the error for the violations; nil when there are none.
func (v violations) err() error {
	switch n := min(len(v), maxViolations); n {
	case 0:
		return nil
	case 1:
		return invalid(envelope + v[0])
	default:
		return invalid(strconv.Itoa(n) + " validation errors detected: " + strings.Join(v[:n], "; "))
	}
}

// namePattern is the rule for the characters of table and index names.
const namePattern = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"

func lengthAtLeast(n int) string {
	return "Member must have length greater than or equal to " + strconv.Itoa(n)
}

func lengthAtMost(n int) string {
	return "Member must have length less than or equal to " + strconv.Itoa(n)
}

func valueAtLeast(n int64) string {
	return "Member must have value greater than or equal to " + strconv.FormatInt(n, 10)
}

// newerViolation returns a broken constraint in the words of the newer validator.
func newerViolation(path, rule string) error {
	return invalid(envelope + "Value at '" + path + "' failed to satisfy constraint: " + rule)
}

// invalid returns a ValidationException with a complete message.
func invalid(sentence string) error {
	return &dynamo.Error{Code: dynamo.Validation, Message: sentence}
}

// invalidParameter is the prefix of many messages about values.
const invalidParameter = "One or more parameter values were invalid: "

// enveloped adds the envelope to an error.
func enveloped(err error) error {
	var complaint *dynamo.Error
	if errors.As(err, &complaint) && complaint.Code == dynamo.Validation {
		return invalid(envelope + complaint.Message)
	}
	return err
}

// memberPath returns the path of the i-th element of a list, counted from zero.
func memberPath(list string, i int) string {
	return list + "." + strconv.Itoa(i+1) + ".member"
}
