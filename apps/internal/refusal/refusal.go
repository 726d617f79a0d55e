// Package refusal is the error that the domains of all systems return when a caller asks for
// something that cannot be done: it says why, in words for people and in a code for programs.
// Every other error is a failure of the system.
//
// Domains make refusals and know no transport. Package jsonapi and package webkit render them.
package refusal

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A Kind says what is wrong with a request. It determines the status of an HTTP response.
type Kind uint8

// The kinds.
const (
	Invalid         Kind = iota + 1 // a value is wrong
	Unauthenticated                 // the caller is not known
	Forbidden                       // the caller is known and may not
	NotFound                        // there is no such thing, or the caller may not know of it
	Conflict                        // the thing is in another state
	Gone                            // the thing was here and is over
	TooMany                         // too often in a while
	TooLarge                        // more than is accepted
)

// codes lists the codes of refusals that have no code of their own.
var codes = map[Kind]string{
	Invalid: "VALIDATION_ERROR", Unauthenticated: "UNAUTHORIZED", Forbidden: "FORBIDDEN", NotFound: "NOT_FOUND",
	Conflict: "CONFLICT", Gone: "GONE", TooMany: "RATE_LIMITED", TooLarge: "TOO_LARGE",
}

// String returns the code of a refusal that has no code of its own.
func (k Kind) String() string {
	if code, ok := codes[k]; ok {
		return code
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// An Error is a refusal.
type Error struct {
	Kind    Kind
	Code    string // for programs; "" for the code of the kind
	Message string // sentences for people: what is wrong and what to do
	Fields  []Field
	// Wait is the time until the same request can succeed; zero if time alone does not help.
	Wait time.Duration
	// Limit is the exceeded limit of a refusal of kind TooMany; nil if it is not told.
	Limit *Limit
}

// A Field says what is wrong with a value. Name is the domain's name of the value; a front may
// have another.
type Field struct {
	Name       string
	Constraint string // required, length, range, count, allowed, type, unique, format
	Message    string // a sentence for people; "" for that of the refusal
	Min, Max   *int
	Allowed    []string
}

// A Limit is a limit over a time.
type Limit struct {
	Name   string
	Most   int
	Window time.Duration
	Reset  time.Time // when there is room again
}

func (e *Error) Error() string { return e.CodeText() + ": " + e.Message }

// CodeText returns the code for programs: Code, or that of the kind.
func (e *Error) CodeText() string { return cmp.Or(e.Code, e.Kind.String()) }

// Field returns the name of the only value that is wrong; "" if there is none or several.
func (e *Error) Field() string {
	if len(e.Fields) != 1 {
		return ""
	}
	return e.Fields[0].Name
}

// Is reports whether target is a refusal of the same code, so that errors.Is works with values
// that a domain declares.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.CodeText() == e.CodeText()
}

// As returns the refusal in an error, if it is one of the given kinds; of any kind if none is
// given.
func As(err error, kinds ...Kind) (*Error, bool) {
	refused, ok := errors.AsType[*Error](err)
	if !ok || len(kinds) > 0 && !slices.Contains(kinds, refused.Kind) {
		return nil, false
	}
	return refused, true
}

// New returns a refusal. Without a code it has that of its kind.
func New(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: cmp.Or(code, kind.String()), Message: fmt.Sprintf(format, args...)}
}

// OfField returns the refusal of a value.
func OfField(field Field, format string, args ...any) *Error {
	e := New(Invalid, "", format, args...)
	e.Fields = []Field{field}
	return e
}

// OutOfRange returns the refusal of a number, a length or a count outside its range.
func OutOfRange(name, constraint string, least, most int, format string, args ...any) *Error {
	return OfField(Field{Name: name, Constraint: constraint, Min: &least, Max: &most}, format, args...)
}

// BadCursor returns the refusal of a cursor that was not made for this list.
func BadCursor() *Error {
	return OfField(Field{Name: "cursor", Constraint: "format"}, "This page of the list does not exist. Begin with the first page.")
}
