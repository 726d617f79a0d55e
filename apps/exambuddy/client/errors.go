package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// An Error is an error response of the server. errors.Is compares it with the values below by
// code.
type Error struct {
	Status  int    // of HTTP
	Code    string // such as ACTIVE_SESSION
	Message string
	Details Details
	// RetryAfter is the delay before a retry; zero if the server does not say.
	RetryAfter time.Duration
}

// Details describes the invalid value and its constraints.
type Details struct {
	Field      string   `json:"field"`
	Constraint string   `json:"constraint"`
	Min        *int     `json:"min"`
	Max        *int     `json:"max"`
	Allowed    []string `json:"allowed"`
}

func (e *Error) Error() string {
	if e.Code == "" {
		return "exambuddy: " + e.Message
	}
	return fmt.Sprintf("exambuddy: %s: %s", e.Code, e.Message)
}

// Is reports whether target is an *Error of the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Errors to compare with errors.Is.
var (
	ErrInvalid      = &Error{Code: "VALIDATION_ERROR"}
	ErrUnauthorized = &Error{Code: "UNAUTHORIZED"}
	ErrWrongRole    = &Error{Code: "WRONG_ROLE"}
	ErrNoExam       = &Error{Code: "PROJECT_NOT_FOUND"}
	ErrNoSession    = &Error{Code: "SESSION_NOT_FOUND"}
	ErrNoAttempt    = &Error{Code: "ATTEMPT_NOT_FOUND"}
	ErrActive       = &Error{Code: "ACTIVE_SESSION"}    // the candidate is sitting the exam
	ErrWriter       = &Error{Code: "ANOTHER_WRITER"}    // the session goes on elsewhere; see Take
	ErrOver         = &Error{Code: "SESSION_OVER"}      // submitted, cancelled or expired
	ErrChanged      = &Error{Code: "CHANGED_MEANWHILE"} // the version is old
	ErrDuplicate    = &Error{Code: "DUPLICATE_QUESTION"}
	ErrHidden       = &Error{Code: "ANSWERS_HIDDEN"} // the exam does not show its answers yet
	ErrRateLimited  = &Error{Code: "RATE_LIMITED"}
	ErrUnavailable  = &Error{Code: "UNAVAILABLE"} // temporarily; a retry may succeed
)

// refusal decodes an error response. Other responses, such as a proxy's page, become an *Error
// with their status.
func refusal(response *http.Response, text []byte) *Error {
	var envelope struct {
		Error struct {
			Code    string          `json:"code"`
			Message string          `json:"message"`
			Details json.RawMessage `json:"details"`
		} `json:"error"`
	}
	e := &Error{Status: response.StatusCode, Message: "the server answered " + response.Status}
	if err := json.Unmarshal(text, &envelope); err == nil && envelope.Error.Code != "" {
		e.Code, e.Message = envelope.Error.Code, envelope.Error.Message
		_ = json.Unmarshal(envelope.Error.Details, &e.Details) // details of another form are left out
	}
	if seconds, err := strconv.Atoi(strings.TrimSpace(response.Header.Get("Retry-After"))); err == nil && seconds > 0 {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return e
}
