// Package jsonapi is the base of the systems' JSON APIs: it decodes bodies strictly, writes
// responses and errors in one form, and wraps the routes with request ids, panic recovery, size
// and rate limits, and CORS.
//
// It knows no system and no rules; each system's api package calls it and translates its own
// errors. Package webkit serves pages.
package jsonapi

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"time"
)

// Error codes of the front. Systems have more.
const (
	CodeValidation  = "VALIDATION_ERROR"
	CodeNotFound    = "NOT_FOUND"
	CodeMethod      = "METHOD_NOT_ALLOWED"
	CodeTooLarge    = "BODY_TOO_LARGE"
	CodeMediaType   = "UNSUPPORTED_MEDIA_TYPE"
	CodeRateLimited = "RATE_LIMITED"
	CodeServer      = "SERVER_ERROR"
	CodeUnavailable = "UNAVAILABLE"
)

// An Error is an error response. All of it is sent to the caller.
type Error struct {
	Status  int         `json:"-"`
	Header  http.Header `json:"-"` // additional headers of the response
	Code    string      `json:"code"`
	Message string      `json:"message"` // a sentence for people
	Details any         `json:"details,omitempty"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// FieldDetails describes an invalid value.
type FieldDetails struct {
	Field      string   `json:"field"` // "" for the body as a whole
	Constraint string   `json:"constraint"`
	Message    string   `json:"message,omitempty"`
	Min        *int     `json:"min,omitempty"`
	Max        *int     `json:"max,omitempty"`
	Allowed    []string `json:"allowed,omitempty"`
	Suggestion string   `json:"suggestion,omitempty"`
}

// Invalid returns the error about an invalid value.
func Invalid(field, constraint, message string) *Error {
	return &Error{
		Status:  http.StatusBadRequest,
		Code:    CodeValidation,
		Message: message,
		Details: FieldDetails{Field: field, Constraint: constraint},
	}
}

// slowCaller is the write timeout of a response.
const slowCaller = 2 * time.Minute

// Write responds with a value as JSON. Encoding errors are returned before anything is sent.
func Write(w http.ResponseWriter, status int, value any) error {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // this is never HTML, and the header says so
	if err := encoder.Encode(value); err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "no-store")
	}
	// A long poll has no deadline any more, and its client could leave the response unread for
	// ever. Writers without deadlines are left alone.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(slowCaller))
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // a disconnected client does not matter
	return nil
}

// writeError responds with an error in its envelope.
func writeError(w http.ResponseWriter, e *Error) error {
	maps.Copy(w.Header(), e.Header)
	return Write(w, e.Status, map[string]*Error{"error": e})
}
