package api

import (
	"context"
	_ "embed"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/staff"
)

// status describes the API and says how the system is.
type status struct {
	document  []byte
	log       *slog.Logger
	loops     func() []background.State
	operators *operators.Service
	questions *questions.Service
	staff     *staff.Staff
	stored    func(ctx context.Context, hours int) (askahuman.Metrics, error)
	traffic   *jsonapi.Traffic
	writable  func(context.Context) error
}

func (h *status) routes() []jsonapi.Route {
	return []jsonapi.Route{
		{Pattern: "GET /health", Handler: h.health},
		{Pattern: "GET /metrics", Handler: h.metrics},
		{Pattern: "GET /openapi.json", Handler: h.describe},
	}
}

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

func (h *status) describe(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=300")
	_, _ = w.Write(h.document) // a disconnected client does not matter
	return nil
}

// nobodysQuestion is a valid id that is never assigned.
const nobodysQuestion = "00000000000000000000000000"

// health reads from and writes to the database: a full or read-only database can still be
// read.
func (h *status) health(w http.ResponseWriter, r *http.Request) error {
	_, err := h.questions.Question(r.Context(), nobodysQuestion)
	if err != nil && !errors.Is(err, askahuman.ErrNoQuestion) {
		h.log.Error("the database cannot be read", "request", jsonapi.RequestID(r), "error", err)
		return &jsonapi.Error{Status: http.StatusServiceUnavailable, Code: jsonapi.CodeUnavailable, Message: "The database cannot be read."}
	}
	if err := h.writable(r.Context()); err != nil {
		h.log.Error("the database cannot be written", "request", jsonapi.RequestID(r), "error", err)
		return &jsonapi.Error{
			Status: http.StatusServiceUnavailable, Code: jsonapi.CodeUnavailable,
			Message: "The database can be read, but nothing can be written. Questions and answers are not taken until that is mended.",
		}
	}
	return jsonapi.Write(w, http.StatusOK, map[string]string{"status": "ok"})
}
