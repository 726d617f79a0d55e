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

// noticePages changes how a person is notified.
type noticePages struct {
	digests  bool
	notifier *notify.Notifier
	pushKey  string
	site     *webkit.Site
}

func (p *noticePages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /settings/notifications":      p.notices,
		"POST /settings/notifications":     p.saveNotices,
		"POST /settings/devices":           p.addDevice,
		"POST /settings/devices/{id}/drop": p.dropDevice,
	}
}

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

func (p *noticePages) notices(w http.ResponseWriter, r *http.Request) error {
	return p.showNotices(w, r, http.StatusOK, nil)
}

func (p *noticePages) showNotices(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	preferences, err := p.notifier.Preferences(r.Context(), me)
	if err != nil {
		return err
	}
	view := noticesView{
		Form: form, Digest: string(preferences.Digest), From: usualFrom, Until: usualUntil, Zone: p.site.Zone(r).String(), Mail: p.digests, PushKey: p.pushKey,
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
	if view.Devices, err = p.notifier.Devices(r.Context(), me); err != nil {
		return err
	}
	p.site.Render(w, r, status, "notices.html", view)
	return nil
}

// saveNotices stores how a person wants to be notified. The time zone is that of the browser.
func (p *noticePages) saveNotices(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r).Label("from", "From").Label("until", "Until").Label("digest", "Mail").Label("kinds", "Kinds")
	preferences, err := p.notifier.Preferences(r.Context(), me)
	if err != nil {
		return err
	}
	preferences.Zone, preferences.Quiet, preferences.Muted = p.site.Zone(r).String(), nil, nil
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
		err := p.notifier.SetPreferences(r.Context(), me, preferences)
		if refused, ok := refusal.As(err, refusal.Invalid); ok && strings.HasPrefix(refused.Field(), "quiet_") {
			form.Fail(strings.TrimPrefix(refused.Field(), "quiet_"), refused.Message)
			err = nil
		}
		if failed := refuseForm(form, err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return p.showNotices(w, r, http.StatusUnprocessableEntity, form)
	}
	p.site.Flash(w, r, webkit.Good, "Saved.")
	p.site.Redirect(w, r, "/settings/notifications")
	return nil
}

// addDevice stores the web push subscription that a script sends.
func (p *noticePages) addDevice(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	_, err = p.notifier.Subscribe(r.Context(), me, notify.NewDevice{
		Channel: notify.ChannelWebPush, Target: notify.Target{Endpoint: form.Value("endpoint"), P256DH: form.Value("p256dh"), Auth: form.Value("auth")},
		Replaces: form.Value("replaces"),
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (p *noticePages) dropDevice(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	if err := p.notifier.Unsubscribe(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	p.site.Flash(w, r, webkit.Good, "This device gets no more messages.")
	p.site.Redirect(w, r, "/settings/notifications")
	return nil
}
