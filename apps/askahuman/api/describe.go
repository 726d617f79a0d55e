package api

import (
	_ "embed"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/jsonapi"
)

//go:embed openapi.json
var openAPI string

// relativeServer is the server entry of the document that refers to the document's own
// address.
const relativeServer = `"url": "/"`

// description returns the document for an address.
func description(publicURL string) []byte {
	if publicURL == "" {
		return []byte(openAPI)
	}
	return []byte(strings.Replace(openAPI, relativeServer, `"url": `+strconv.Quote(publicURL), 1))
}

func (a *api) describe(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=300")
	_, _ = w.Write(a.document) // a disconnected client does not matter
	return nil
}

// nobodysQuestion is a valid id that is never assigned.
const nobodysQuestion = "00000000000000000000000000"

// health reads from and writes to the database: a full or read-only database can still be
// read.
func (a *api) health(w http.ResponseWriter, r *http.Request) error {
	_, err := a.domain.Questions.Question(r.Context(), nobodysQuestion)
	if err != nil && !errors.Is(err, askahuman.ErrNoQuestion) {
		a.log.Error("the database cannot be read", "request", jsonapi.RequestID(r), "error", err)
		return &jsonapi.Error{Status: http.StatusServiceUnavailable, Code: jsonapi.CodeUnavailable, Message: "The database cannot be read."}
	}
	if err := a.domain.Writable(r.Context()); err != nil {
		a.log.Error("the database cannot be written", "request", jsonapi.RequestID(r), "error", err)
		return &jsonapi.Error{
			Status: http.StatusServiceUnavailable, Code: jsonapi.CodeUnavailable,
			Message: "The database can be read, but nothing can be written. Questions and answers are not taken until that is mended.",
		}
	}
	return jsonapi.Write(w, http.StatusOK, map[string]string{"status": "ok"})
}
