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
	Code    string // such as ALREADY_RESERVED
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
		return "ecobid: " + e.Message
	}
	return fmt.Sprintf("ecobid: %s: %s", e.Code, e.Message)
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
	ErrNoItem       = &Error{Code: "ITEM_NOT_FOUND"}
	ErrReserved     = &Error{Code: "ALREADY_RESERVED"}
	ErrTooLow       = &Error{Code: "BID_TOO_LOW"} // Details.Min has the least bid
	ErrEnded        = &Error{Code: "AUCTION_ENDED"}
	ErrLate         = &Error{Code: "DEADLINE_PASSED"}
	ErrKeyReused    = &Error{Code: "IDEMPOTENCY_KEY_REUSED"}
	ErrPlaceHidden  = &Error{Code: "PLACE_HIDDEN"}
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
