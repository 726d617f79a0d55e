package web

import (
	"net/http"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/internal/webhook"
	"sortkey.dev/apps/internal/webkit"
)

// hookPages manages the webhooks of a person.
type hookPages struct {
	site     *webkit.Site
	webhooks *webhook.Hooks
}

func (p *hookPages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /settings/webhooks":                p.hooks,
		"POST /settings/webhooks":               p.addHook,
		"POST /settings/webhooks/{id}/{action}": p.changeHook,
	}
}

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

func (p *hookPages) hooks(w http.ResponseWriter, r *http.Request) error {
	return p.showHooks(w, r, http.StatusOK, nil, "")
}

func (p *hookPages) showHooks(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form, secret string) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	view := hooksView{Form: form, Secret: secret}
	for _, kind := range ecobid.Kinds {
		view.Kinds = append(view.Kinds, webkit.Option{Value: kind, Text: kind})
	}
	endpoints, err := p.webhooks.Endpoints(r.Context(), me)
	if err != nil {
		return err
	}
	for _, e := range endpoints {
		deliveries, _, err := p.webhooks.EndpointDeliveries(r.Context(), me, e.ID, "")
		if err != nil {
			return err
		}
		view.Endpoints = append(view.Endpoints, endpointRow{e, deliveries[:min(len(deliveries), 10)]})
	}
	p.site.Render(w, r, status, "webhooks.html", view)
	return nil
}

// addHook adds an endpoint, and shows its secret once.
func (p *hookPages) addHook(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r).Label("url", "Address").Label("events", "Events")
	chosen := form.Choices("events", 0, len(ecobid.Kinds), ecobid.Kinds...)
	if !form.Valid() {
		return p.showHooks(w, r, http.StatusUnprocessableEntity, form, "")
	}
	_, secret, err := p.webhooks.Add(r.Context(), me, webhook.NewEndpoint{URL: form.Value("url"), Events: chosen, Ping: true})
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil {
		return p.showHooks(w, r, http.StatusUnprocessableEntity, form, "")
	}
	return p.showHooks(w, r, http.StatusOK, nil, secret)
}

// changeHook does an action on an endpoint.
func (p *hookPages) changeHook(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	ctx, id, done := r.Context(), r.PathValue("id"), ""
	switch r.PathValue("action") {
	case "ping":
		done, err = "A test message is on its way.", p.webhooks.Ping(ctx, me, id)
	case "disable":
		done, err = "Stopped.", p.webhooks.Disable(ctx, me, id, "stopped by its owner")
	case "enable":
		done, err = "Messages are delivered again.", p.webhooks.Enable(ctx, me, id)
	case "drop":
		done, err = "Removed.", p.webhooks.Remove(ctx, me, id)
	case "rotate":
		secret, err := p.webhooks.Rotate(ctx, me, id)
		if err != nil {
			return err
		}
		return p.showHooks(w, r, http.StatusOK, nil, secret)
	default:
		return webhook.ErrNoEndpoint
	}
	if err != nil {
		return err
	}
	p.site.Flash(w, r, webkit.Good, done)
	p.site.Redirect(w, r, "/settings/webhooks")
	return nil
}
