// Package api is the door of Telegram and of health checks: POST /webhook takes updates and
// GET /health reports that the process serves. It knows HTTP and no rules; package ingest takes the
// updates. Package server mounts it.
package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"sortkey.dev/apps/homeops/domain"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/internal/jsonapi"
)

// Options configures the door. Domain and Log are required.
type Options struct {
	Domain *domain.Domain
	Log    *slog.Logger
	// Secret returns the secret of the webhook; "" while there is none, and then every request is
	// refused. Settings may change while the process runs.
	Secret  func(ctx context.Context) (string, error)
	Version string
}

// New returns the handler of the door.
func New(options Options) http.Handler {
	mux := http.NewServeMux()
	door := &door{Options: options}
	mux.HandleFunc("POST /webhook", door.webhook)
	mux.HandleFunc("GET /health", door.health)
	return mux
}

type door struct {
	Options
}

type refusal struct {
	Error string `json:"error"`
}

type health struct {
	Status  string `json:"status"`
	Version string `json:"version"`
}

// webhook stores an update and answers. Any status but 200 makes Telegram deliver the update again,
// so only an update that could not be stored gets one: what cannot be decoded never will be.
func (d *door) webhook(w http.ResponseWriter, r *http.Request) {
	secret, err := d.Secret(r.Context())
	if err != nil {
		d.fail(w, r, "read the secret of the webhook", err)
		return
	}
	if !telegram.CheckSecret(r, secret) {
		d.write(w, r, http.StatusUnauthorized, refusal{"Unauthorized"})
		return
	}
	update, err := telegram.ReadUpdate(r.Body)
	switch {
	case errors.Is(err, telegram.ErrMalformed), errors.Is(err, telegram.ErrTooLarge):
		d.Domain.Ingest.Malformed()
		d.Log.WarnContext(r.Context(), "an update cannot be decoded", slog.Any("error", err))
		d.write(w, r, http.StatusOK, struct{}{})
		return
	case err != nil:
		d.fail(w, r, "read an update", err)
		return
	}
	if _, err := d.Domain.Ingest.Deliver(r.Context(), update); err != nil {
		d.fail(w, r, "store an update", err)
		return
	}
	d.write(w, r, http.StatusOK, struct{}{})
}

func (d *door) health(w http.ResponseWriter, r *http.Request) {
	d.write(w, r, http.StatusOK, health{"ok", d.Version})
}

// fail answers that Telegram should try again. A caller that disconnected is no failure of ours.
func (d *door) fail(w http.ResponseWriter, r *http.Request, doing string, err error) {
	level := slog.LevelError
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		level = slog.LevelDebug
	}
	d.Log.Log(r.Context(), level, "a webhook request failed", slog.String("doing", doing), slog.Any("error", err))
	d.write(w, r, http.StatusInternalServerError, refusal{"Internal Server Error"})
}

func (d *door) write(w http.ResponseWriter, r *http.Request, status int, value any) {
	if err := jsonapi.Write(w, status, value); err != nil {
		d.Log.DebugContext(r.Context(), "a response was not written", slog.Any("error", err))
	}
}
