package jsonapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Read reads the body of a request, which is one JSON object, into a struct. Unlike
// encoding/json it matches names exactly, and rejects unknown names, duplicate names,
// invalid UTF-8 and anything after the object. A null is the same as an absent value.
// The error is an *Error that names the field.
func Read(r *http.Request, into any) error {
	if err := checkMediaType(r.Header.Get("Content-Type")); err != nil {
		return err
	}
	body, err := io.ReadAll(r.Body)
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &Error{
			Status:  http.StatusRequestEntityTooLarge,
			Code:    CodeTooLarge,
			Message: fmt.Sprintf("A body has at most %d bytes.", tooLarge.Limit),
		}
	}
	if err != nil {
		return Invalid("", "syntax", "The body did not arrive whole.")
	}
	return Decode(body, into)
}

// checkMediaType rejects content types other than JSON. A missing one is accepted.
func checkMediaType(given string) error {
	if given == "" {
		return nil
	}
	media, _, err := mime.ParseMediaType(given)
	if err == nil && (media == "application/json" || strings.HasSuffix(media, "+json")) {
		return nil
	}
	return &Error{
		Status:  http.StatusUnsupportedMediaType,
		Code:    CodeMediaType,
		Message: "The body has to be JSON: send it with Content-Type: application/json.",
	}
}

// Decode decodes one JSON object into a struct, as Read does.
func Decode(body []byte, into any) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return Invalid("", "required", "The body is missing; it has to be a JSON object.")
	}
	if !utf8.Valid(body) {
		return Invalid("", "format", "The body is not text in UTF-8.")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		return notJSON(err)
	}
	if err := checkShape(body, into); err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("read a body whose shape was right: %w", err)
	}
	return nil
}

func notJSON(err error) error {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return Invalid("", "syntax", "The body is not valid JSON.")
	}
	return Invalid("", "syntax", fmt.Sprintf("The body is not valid JSON: %s (byte %d).", syntax.Error(), syntax.Offset))
}
