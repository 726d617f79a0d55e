package web

import (
	"net/http"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/internal/webhook"
	"sortkey.dev/apps/internal/webkit"
)

// hooksView holds the data of webhooks.html.
type hooksView struct {
	Form      *webkit.Form
	Endpoints []endpointRow
	Kinds     []webkit.Option
	Secret    string // of an endpoint that was added or got a new secret; shown once
}

// An endpointRow is an endpoint with its latest deliveries.
type endpointRow struct {
	webhook.Endpoint
	Deliveries []webhook.Delivery
}

func (web *Web) hooks(w http.ResponseWriter, r *http.Request) error {
	return web.showHooks(w, r, http.StatusOK, nil, "")
}

func (web *Web) showHooks(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form, secret string) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	view := hooksView{Form: form, Secret: secret}
	for _, kind := range ecobid.Kinds {
		view.Kinds = append(view.Kinds, webkit.Option{Value: kind, Text: kind})
	}
	endpoints, err := web.Domain.Hooks.Endpoints(r.Context(), me)
	if err != nil {
		return err
	}
	for _, e := range endpoints {
		deliveries, _, err := web.Domain.Hooks.EndpointDeliveries(r.Context(), me, e.ID, "")
		if err != nil {
			return err
		}
		view.Endpoints = append(view.Endpoints, endpointRow{e, deliveries[:min(len(deliveries), 10)]})
	}
	web.Site.Render(w, r, status, "webhooks.html", view)
	return nil
}

// addHook adds an endpoint, and shows its secret once.
func (web *Web) addHook(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r).Label("url", "Address").Label("events", "Events")
	chosen := form.Choices("events", 0, len(ecobid.Kinds), ecobid.Kinds...)
	if !form.Valid() {
		return web.showHooks(w, r, http.StatusUnprocessableEntity, form, "")
	}
	_, secret, err := web.Domain.Hooks.Add(r.Context(), me, webhook.NewEndpoint{URL: form.Value("url"), Events: chosen, Ping: true})
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil {
		return web.showHooks(w, r, http.StatusUnprocessableEntity, form, "")
	}
	return web.showHooks(w, r, http.StatusOK, nil, secret)
}

// changeHook does an action on an endpoint.
func (web *Web) changeHook(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	ctx, id, done := r.Context(), r.PathValue("id"), ""
	switch r.PathValue("action") {
	case "ping":
		done, err = "A test message is on its way.", web.Domain.Hooks.Ping(ctx, me, id)
	case "disable":
		done, err = "Stopped.", web.Domain.Hooks.Disable(ctx, me, id, "stopped by its owner")
	case "enable":
		done, err = "Messages are delivered again.", web.Domain.Hooks.Enable(ctx, me, id)
	case "drop":
		done, err = "Removed.", web.Domain.Hooks.Remove(ctx, me, id)
	case "rotate":
		secret, err := web.Domain.Hooks.Rotate(ctx, me, id)
		if err != nil {
			return err
		}
		return web.showHooks(w, r, http.StatusOK, nil, secret)
	default:
		return webhook.ErrNoEndpoint
	}
	if err != nil {
		return err
	}
	web.Site.Flash(w, r, webkit.Good, done)
	web.Site.Redirect(w, r, "/settings/webhooks")
	return nil
}
