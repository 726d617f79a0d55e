package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/contract"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/staff"
)

// status describes the API and says how the system is.
type status struct {
	document  []byte
	log       *slog.Logger
	loops     func() []background.State
	expose    func(context.Context, *metrics.Exposition) error
	operators *operators.Service
	questions *questions.Service
	staff     *staff.Staff
	stored    func(ctx context.Context, hours int) (askahuman.Metrics, error)
	traffic   *jsonapi.Traffic
	writable  func(context.Context) error
}

func (h *status) operations() []openapi.Operation {
	return []openapi.Operation{
		openapi.HandleRaw(contract.GetHealth, nobody, h.health),
		openapi.HandleRaw(contract.GetMetrics, h.operator, h.metrics),
		openapi.HandleRaw(contract.GetDescription, nobody, h.describe),
	}
}

// nobody identifies no caller.
func nobody(http.ResponseWriter, *http.Request) (contract.None, error) { return contract.None{}, nil }

func (h *status) describe(w http.ResponseWriter, _ *http.Request, _, _ contract.None) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=300")
	_, _ = w.Write(h.document) // a disconnected client does not matter
	return nil
}

// nobodysQuestion is a valid id that is never assigned.
const nobodysQuestion = "00000000000000000000000000"

// health reads from and writes to the database: a full or read-only database can still be
// read.
func (h *status) health(w http.ResponseWriter, r *http.Request, _, _ contract.None) error {
	_, err := h.questions.Question(r.Context(), nobodysQuestion)
	if fenced, ok := errors.AsType[*access.FencedError](err); ok && !fenced.Overtaken && fenced.Cause == nil {
		h.log.Error("this process is too old for the data", "request", jsonapi.RequestID(r), "error", err)
		return &jsonapi.Error{
			Status: http.StatusServiceUnavailable, Code: jsonapi.CodeUnavailable, Message: "This process has an older version than the data. A newer one has to be started.",
		}
	}
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
	return jsonapi.Write(w, http.StatusOK, contract.Health{Status: "ok"})
}
