package apiclient

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Codes of errors that every system has.
const (
	CodeInvalid      = "VALIDATION_ERROR"
	CodeUnauthorized = "UNAUTHORIZED"
	CodeForbidden    = "FORBIDDEN"
	CodeKeyReused    = "IDEMPOTENCY_KEY_REUSED"
	CodeRateLimited  = "RATE_LIMITED"
	CodeServer       = "SERVER_ERROR"
	CodeUnavailable  = "UNAVAILABLE"
)

// An Error is an error response of the server. errors.Is compares errors by their codes.
type Error struct {
	Status  int    // of HTTP
	Code    string // such as VALIDATION_ERROR
	Message string
	Details Details
	// RetryAfter is the delay before a retry; zero if the server does not say.
	RetryAfter time.Duration
	// The rate limit as the server reports it; zero if it does not.
	Limit, Remaining int
	Reset            time.Time
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
		return e.Message
	}
	return e.Code + ": " + e.Message
}

// Is reports whether target is an *Error of the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Errors of every system, to compare with errors.Is.
var (
	ErrInvalid      = &Error{Code: CodeInvalid}
	ErrUnauthorized = &Error{Code: CodeUnauthorized}
	ErrForbidden    = &Error{Code: CodeForbidden}
	ErrKeyReused    = &Error{Code: CodeKeyReused}
	ErrRateLimited  = &Error{Code: CodeRateLimited}
	ErrServer       = &Error{Code: CodeServer}
	ErrUnavailable  = &Error{Code: CodeUnavailable} // temporarily; a retry may succeed
)

// refusal decodes an error response. Other responses, such as a proxy's page, become an *Error
// with their status, and the code that fits it.
func refusal(response *http.Response, text []byte) *Error {
	var envelope struct {
		Error struct {
			Code    string          `json:"code"`
			Message string          `json:"message"`
			Details json.RawMessage `json:"details"`
		} `json:"error"`
	}
	e := &Error{Status: response.StatusCode}
	if err := json.Unmarshal(text, &envelope); err == nil && envelope.Error.Code != "" {
		e.Code, e.Message = envelope.Error.Code, envelope.Error.Message
		_ = json.Unmarshal(envelope.Error.Details, &e.Details) // details of another form are left out
	} else {
		e.Code, e.Message = codeOf(response.StatusCode), "the server answered "+response.Status
	}
	header := response.Header
	if seconds, err := strconv.Atoi(strings.TrimSpace(header.Get("Retry-After"))); err == nil && seconds > 0 {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	e.Limit, _ = strconv.Atoi(header.Get("X-RateLimit-Limit"))
	e.Remaining, _ = strconv.Atoi(header.Get("X-RateLimit-Remaining"))
	if unix, err := strconv.ParseInt(header.Get("X-RateLimit-Reset"), 10, 64); err == nil {
		e.Reset = time.Unix(unix, 0)
	}
	return e
}

// codeOf returns the code of a response without one; "" if none fits.
func codeOf(status int) string {
	switch {
	case status == http.StatusTooManyRequests:
		return CodeRateLimited
	case status == http.StatusServiceUnavailable:
		return CodeUnavailable
	case status >= http.StatusInternalServerError:
		return CodeServer
	}
	return ""
}
