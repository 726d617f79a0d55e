package askahuman

import (
	"fmt"
	"net/http"
	"time"
)

// A Code identifies an error for programs.
type Code string

// Codes of all errors a caller can get.
const (
	CodeValidation      Code = "VALIDATION_ERROR"
	CodeUnauthorized    Code = "UNAUTHORIZED"
	CodeForbidden       Code = "FORBIDDEN"
	CodeQuota           Code = "AGENT_QUOTA_EXCEEDED"
	CodeNotFound        Code = "NOT_FOUND"
	CodeNoQuestion      Code = "QUESTION_NOT_FOUND"
	CodeAlreadyAnswered Code = "ALREADY_ANSWERED"
	CodeKeyReused       Code = "IDEMPOTENCY_KEY_REUSED"
	CodeConflict        Code = "CONFLICT"
	CodeClosed          Code = "QUESTION_CLOSED"
	CodeRateLimited     Code = "RATE_LIMITED"
	CodeServer          Code = "SERVER_ERROR"
)

// Status returns the HTTP status of a code.
func (c Code) Status() int {
	switch c {
	case CodeValidation:
		return http.StatusBadRequest
	case CodeUnauthorized:
		return http.StatusUnauthorized
	case CodeForbidden, CodeQuota:
		return http.StatusForbidden
	case CodeNotFound, CodeNoQuestion:
		return http.StatusNotFound
	case CodeAlreadyAnswered, CodeKeyReused, CodeConflict:
		return http.StatusConflict
	case CodeClosed:
		return http.StatusGone
	case CodeRateLimited:
		return http.StatusTooManyRequests
	}
	return http.StatusInternalServerError
}

// An Error is an error that the caller can understand and act on. Every other error is a
// failure of the system.
type Error struct {
	Code    Code
	Message string // a sentence for people
	// Field describes the invalid value; nil for other codes.
	Field *FieldError
	// Rate is the exceeded limit; nil for other codes.
	Rate *Allowance
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Is reports whether target is an *Error of the same code, so that errors.Is works with
// the values below.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Errors to compare with errors.Is.
var (
	ErrNoQuestion      = &Error{Code: CodeNoQuestion, Message: "There is no such question."}
	ErrClosed          = &Error{Code: CodeClosed, Message: "This question takes no more answers."}
	ErrAlreadyAnswered = &Error{Code: CodeAlreadyAnswered, Message: "You have answered this question."}
	ErrQuota           = &Error{Code: CodeQuota, Message: fmt.Sprintf("You have %d open questions, which is as many as there may be. Close one, or wait until one is answered.", MaxOpenQuestions)}
	ErrKeyReused       = &Error{Code: CodeKeyReused, Message: "This idempotency key was used for another question within the last 24 hours. Use a new one, or send that question again as it was."}
	ErrUnauthorized    = &Error{Code: CodeUnauthorized, Message: "This agent has a key, and it is missing or wrong. Send it in the header Authorization: Bearer KEY."}
	ErrBanned          = &Error{Code: CodeForbidden, Message: "You cannot use this service any more."}
)

// A FieldError says which value is wrong and what it may be.
type FieldError struct {
	Field      string   `json:"field"`
	Constraint string   `json:"constraint"` // required, length, range, count, allowed, type, unique, format
	Min        *int     `json:"min,omitempty"`
	Max        *int     `json:"max,omitempty"`
	Allowed    []string `json:"allowed,omitempty"`
}

// invalid returns the error about an invalid value.
func invalid(field FieldError, format string, args ...any) *Error {
	return &Error{Code: CodeValidation, Message: fmt.Sprintf(format, args...), Field: &field}
}

// outside returns the error about a value outside its range.
func outside(field, constraint string, least, most int, format string, args ...any) *Error {
	return invalid(FieldError{Field: field, Constraint: constraint, Min: &least, Max: &most}, format, args...)
}

// An Allowance is the remainder of a rate limit.
type Allowance struct {
	Limit     Limit
	Remaining int
	Reset     time.Time     // when the window ends
	Wait      time.Duration // time until the next attempt can succeed; zero while something remains
}
