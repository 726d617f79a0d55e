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
		return fmt.Sprintf("ask-a-human: %s", e.Message)
	}
	return fmt.Sprintf("ask-a-human: %s: %s", e.Code, e.Message)
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
	ErrForbidden    = &Error{Code: "FORBIDDEN"}
	ErrQuota        = &Error{Code: "AGENT_QUOTA_EXCEEDED"}
	ErrNotFound     = &Error{Code: "QUESTION_NOT_FOUND"}
	ErrKeyReused    = &Error{Code: "IDEMPOTENCY_KEY_REUSED"}
	ErrRateLimited  = &Error{Code: "RATE_LIMITED"}
	ErrServer       = &Error{Code: "SERVER_ERROR"}
	ErrUnavailable  = &Error{Code: "UNAVAILABLE"} // temporarily; a retry may succeed
)

// refusal decodes an error response. Other responses, such as a proxy's page, become an *Error
// with their status.
func refusal(response *http.Response, text []byte) *Error {
	var envelope struct {
		Error struct {
			Code    string  `json:"code"`
			Message string  `json:"message"`
			Details Details `json:"details"`
		} `json:"error"`
	}
	e := &Error{Status: response.StatusCode}
	if err := json.Unmarshal(text, &envelope); err == nil && envelope.Error.Code != "" {
		e.Code, e.Message, e.Details = envelope.Error.Code, envelope.Error.Message, envelope.Error.Details
	} else {
		e.Message = fmt.Sprintf("the server answered %s", response.Status)
		switch {
		case response.StatusCode == http.StatusTooManyRequests:
			e.Code = ErrRateLimited.Code
		case response.StatusCode == http.StatusServiceUnavailable:
			e.Code = ErrUnavailable.Code
		case response.StatusCode >= http.StatusInternalServerError:
			e.Code = ErrServer.Code
		}
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
