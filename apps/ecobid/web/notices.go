package web

import (
	"net/http"
	"slices"
	"strings"

	"sortkey.dev/apps/ecobid/events"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// noticesView holds the data of notices.html.
type noticesView struct {
	Form    *webkit.Form
	Digests []webkit.Option
	Kinds   []webkit.Option
	Wanted  []string // kinds that are not muted
	Digest  string
	Quiet   bool
	From    int // hours
	Until   int
	Zone    string
	Mail    bool // digests can be sent
	Devices []notify.Device
	// PushKey is the key for subscribing to web push; "" without web push.
	PushKey string
}

// kindNames maps the kinds of notifications to their labels.
var kindNames = map[string]string{
	events.KindNearby: "Saved searches", events.KindRequest: "Requests and answers", events.KindPickup: "Pickups", events.KindMessage: "Messages",
	events.KindAuction: "Auctions", events.KindRating: "Ratings", events.KindModeration: "Decisions of moderators",
}

// The usual quiet hours.
const usualFrom, usualUntil = 22, 7

func (web *Web) notices(w http.ResponseWriter, r *http.Request) error {
	return web.showNotices(w, r, http.StatusOK, nil)
}

func (web *Web) showNotices(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	preferences, err := web.Domain.Notifier.Preferences(r.Context(), me)
	if err != nil {
		return err
	}
	view := noticesView{
		Form: form, Digest: string(preferences.Digest), From: usualFrom, Until: usualUntil, Zone: web.Site.Zone(r).String(), Mail: web.Digests, PushKey: web.PushKey,
		Digests: []webkit.Option{
			{Value: string(notify.DigestNone), Text: "None"}, {Value: string(notify.DigestDaily), Text: "Every day"}, {Value: string(notify.DigestWeekly), Text: "Every week"},
		},
	}
	if preferences.Digest == "" {
		view.Digest = string(notify.DigestNone)
	}
	if q := preferences.Quiet; q != nil {
		view.Quiet, view.From, view.Until = true, q.From/60, q.Until/60
	}
	for _, kind := range events.Kinds {
		view.Kinds = append(view.Kinds, webkit.Option{Value: kind, Text: kindNames[kind]})
		if !slices.Contains(preferences.Muted, kind) {
			view.Wanted = append(view.Wanted, kind)
		}
	}
	if view.Devices, err = web.Domain.Notifier.Devices(r.Context(), me); err != nil {
		return err
	}
	web.Site.Render(w, r, status, "notices.html", view)
	return nil
}

// saveNotices stores how a person wants to be notified. The time zone is that of the browser.
func (web *Web) saveNotices(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r).Label("from", "From").Label("until", "Until").Label("digest", "Mail").Label("kinds", "Kinds")
	preferences, err := web.Domain.Notifier.Preferences(r.Context(), me)
	if err != nil {
		return err
	}
	preferences.Zone, preferences.Quiet, preferences.Muted = web.Site.Zone(r).String(), nil, nil
	preferences.Digest = notify.Digest(form.Choice("digest", string(notify.DigestNone), string(notify.DigestDaily), string(notify.DigestWeekly)))
	if form.Flag("quiet") {
		preferences.Quiet = &notify.Quiet{From: 60 * form.Int("from", 0, 23), Until: 60 * form.Int("until", 0, 23)}
	}
	wanted := form.Choices("kinds", 0, len(events.Kinds), events.Kinds...)
	for _, kind := range events.Kinds {
		if !slices.Contains(wanted, kind) {
			preferences.Muted = append(preferences.Muted, kind)
		}
	}
	if form.Valid() {
		err := web.Domain.Notifier.SetPreferences(r.Context(), me, preferences)
		if refused, ok := refusal.As(err, refusal.Invalid); ok && strings.HasPrefix(refused.Field(), "quiet_") {
			form.Fail(strings.TrimPrefix(refused.Field(), "quiet_"), refused.Message)
			err = nil
		}
		if failed := refuseForm(form, err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return web.showNotices(w, r, http.StatusUnprocessableEntity, form)
	}
	web.Site.Flash(w, r, webkit.Good, "Saved.")
	web.Site.Redirect(w, r, "/settings/notifications")
	return nil
}

// addDevice stores the web push subscription that a script sends.
func (web *Web) addDevice(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	_, err = web.Domain.Notifier.Subscribe(r.Context(), me, notify.NewDevice{
		Channel: notify.ChannelWebPush, Target: notify.Target{Endpoint: form.Value("endpoint"), P256DH: form.Value("p256dh"), Auth: form.Value("auth")},
		Replaces: form.Value("replaces"),
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (web *Web) dropDevice(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	if err := web.Domain.Notifier.Unsubscribe(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	web.Site.Flash(w, r, webkit.Good, "This device gets no more messages.")
	web.Site.Redirect(w, r, "/settings/notifications")
	return nil
}
