// Package jsonapi is the ground of the systems' JSON APIs: it reads bodies strictly, writes
// answers and errors in one form, and stands in front of the routes with what every one of
// them needs: a request id, recovery, limits of size and rate, answers to other origins.
//
// It knows no system and no rules; each system's api package calls it and says how its
// errors look to the outside. Pages for people are the business of package webkit.
package jsonapi

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"time"
)

// Codes of errors that the front finds by itself. Systems have more.
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

// An Error is an answer that says no. Everything in it is sent to the caller.
type Error struct {
	Status  int         `json:"-"`
	Header  http.Header `json:"-"` // set on the answer, besides the usual
	Code    string      `json:"code"`
	Message string      `json:"message"` // a sentence for people
	Details any         `json:"details,omitempty"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// FieldDetails say which value is wrong, and why.
type FieldDetails struct {
	Field      string `json:"field"` // "" for the body as a whole
	Constraint string `json:"constraint"`
	Suggestion string `json:"suggestion,omitempty"`
}

// Invalid returns the error about a value that was given.
func Invalid(field, constraint, message string) *Error {
	return &Error{
		Status:  http.StatusBadRequest,
		Code:    CodeValidation,
		Message: message,
		Details: FieldDetails{Field: field, Constraint: constraint},
	}
}

// slowCaller is how long somebody may take to read an answer.
const slowCaller = 2 * time.Minute

// Write answers with a value. What cannot be written becomes an error before anything is
// sent.
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
	// Who waited for the answer has no time limit any more, and could leave it unread for ever. Not
	// every writer knows deadlines; one that does not has none.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(slowCaller))
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // who left does not want to know
	return nil
}

// writeError answers with an error in its envelope.
func writeError(w http.ResponseWriter, e *Error) error {
	maps.Copy(w.Header(), e.Header)
	return Write(w, e.Status, map[string]*Error{"error": e})
}
