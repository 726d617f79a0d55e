package api

import (
	"sortkey.dev/apps/internal/refusal"
)

// invalid returns the error about an invalid header or parameter.
func invalid(field, constraint, message string) *refusal.Error {
	return refusal.OfField(refusal.Field{Name: field, Constraint: constraint}, "%s", message)
}

// outside returns the error about a number outside its range.
func outside(field string, least, most int, message string) *refusal.Error {
	return refusal.OutOfRange(field, "range", least, most, "%s", message)
}
