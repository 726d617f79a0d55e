package web

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/internal/webkit"
)

// settingsPages changes notifications, and deletes what is stored about a person.
type settingsPages struct {
	allow    allow
	notices  *notices.Service
	people   *people.Service
	pushKey  string
	site     *webkit.Site
	visitors *visitors
}

func (p *settingsPages) pages() map[string]page {
	return map[string]page{
		"GET /me/settings":            p.settings,
		"POST /me/notifications":      p.subscribe,
		"POST /me/notifications/push": p.subscribePush,
		"POST /me/notifications/stop": p.unsubscribe,
		"GET /me/forget":              p.confirmForget,
		"POST /me/forget":             p.forget,
	}
}

// settingsView holds the data of settings.html.
type settingsView struct {
	Tabs     webkit.Tabs
	Form     *webkit.Form
	Known    bool // something is stored about this person
	Active   []subscriptionView
	Inbox    bool // the inbox is on
	Interval string
	Chosen   []string // audiences
	// PushKey is the key for subscribing to web push; "" without web push.
	PushKey   string
	Push      bool // this person has a device that is notified
	Intervals []webkit.Option
	Audiences []webkit.Option
}

// subscriptionView is an active subscription.
type subscriptionView struct {
	ID, Channel, Text string
	Every             string
	Audience          []string
	LastAt            *time.Time
}

// channelNames maps channels to their labels.
var channelNames = map[notices.Channel]string{
	notices.ChannelInbox:   "Inbox on this site",
	notices.ChannelWebpush: "Notifications of this browser",
	notices.ChannelFCM:     "Notifications of the app",
}

func (p *settingsPages) settings(w http.ResponseWriter, r *http.Request) error {
	return p.showSettings(w, r, http.StatusOK, nil)
}

func (p *settingsPages) showSettings(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form) error {
	person := p.visitors.person(r)
	view := settingsView{
		Tabs: meTabs("/me/settings"), Form: form, Known: person.Hash != "", PushKey: p.pushKey,
		Interval: strconv.Itoa(int(askahuman.DefaultInterval / time.Minute)), Intervals: intervals(),
	}
	for _, audience := range askahuman.Audiences {
		view.Audiences = append(view.Audiences, webkit.Option{Value: audience, Text: capital(audience)})
	}
	if view.Known {
		subscriptions, err := p.notices.Subscriptions(r.Context(), person)
		if err != nil {
			return err
		}
		for _, s := range subscriptions {
			view.add(s)
		}
	}
	p.site.Render(w, r, status, "settings.html", view)
	return nil
}

func (view *settingsView) add(s notices.Subscription) {
	view.Inbox = view.Inbox || s.Channel == notices.ChannelInbox
	view.Push = view.Push || s.Channel == notices.ChannelWebpush
	view.Interval, view.Chosen = strconv.FormatInt(s.MinIntervalMinutes, 10), s.Audience
	view.Active = append(view.Active, subscriptionView{
		ID: s.SubscriptionID, Channel: string(s.Channel), Text: channelNames[s.Channel],
		Every: "at most every " + everyText(int(s.MinIntervalMinutes)), Audience: s.Audience, LastAt: s.LastNotifiedAt,
	})
}

// readSubscription reads the interval and the audience of notifications.
func readSubscription(form *webkit.Form) notices.SubscriptionRequest {
	minutes := form.Int("interval", int(askahuman.MinInterval/time.Minute), int(askahuman.MaxInterval/time.Minute))
	audience := form.Choices("audience", 0, len(askahuman.Audiences), askahuman.Audiences...)
	if len(audience) == len(askahuman.Audiences) {
		audience = nil // all audiences, including future ones
	}
	return notices.SubscriptionRequest{Interval: time.Duration(minutes) * time.Minute, Audience: audience}
}

// subscribe turns the inbox on, and applies the same settings to the person's other channels. With the field
// "keep" it only does the latter: who has notifications need not want the inbox.
func (p *settingsPages) subscribe(w http.ResponseWriter, r *http.Request) error {
	form := webkit.ReadForm(r).Label("interval", "How often?").Label("audience", "Topics")
	request := readSubscription(form)
	if !form.Valid() {
		return p.showSettings(w, r, http.StatusUnprocessableEntity, form)
	}
	person, err := p.visitors.ensurePerson(w, r)
	if err != nil {
		return err
	}
	done := "Saved."
	if form.Value("keep") == "" {
		request.Channel = notices.ChannelInbox
		done = "Saved. New questions come to your inbox on the first page."
	}
	if err := p.storeSubscription(r, person, request); err != nil {
		return err
	}
	p.site.Flash(w, r, webkit.Good, done)
	p.site.Redirect(w, r, "/me/settings")
	return nil
}

// allowSubscribing counts a change of notifications.
func (p *settingsPages) allowSubscribing(r *http.Request, person askahuman.Person) error {
	if _, err := p.allow(r.Context(), askahuman.LimitSubscribe, person.Hash); err != nil {
		return err
	}
	_, err := p.allow(r.Context(), askahuman.LimitSubscribeFrom, p.visitors.network(r))
	return err
}

// storeSubscription turns a channel on, if the request has one, and gives the others the same settings.
func (p *settingsPages) storeSubscription(r *http.Request, person askahuman.Person, request notices.SubscriptionRequest) error {
	if err := p.allowSubscribing(r, person); err != nil {
		return err
	}
	if request.Channel != "" {
		if _, err := p.notices.Subscribe(r.Context(), person, request); err != nil {
			return err
		}
	}
	others, err := p.notices.Subscriptions(r.Context(), person)
	if err != nil {
		return err
	}
	for _, other := range others {
		minutes := int64(request.Interval / time.Minute)
		if other.Channel == request.Channel || other.MinIntervalMinutes == minutes && slices.Equal(other.Audience, request.Audience) {
			continue
		}
		same := notices.SubscriptionRequest{
			Interval: request.Interval, Audience: request.Audience, FCMToken: text(other.FCMToken),
			WebPush: notices.WebPush{Endpoint: text(other.Endpoint), P256DH: text(other.P256dh), Auth: text(other.Auth)},
		}
		if _, err := p.notices.RefreshSubscription(r.Context(), person, other.SubscriptionID, same); err != nil {
			return err
		}
	}
	return nil
}

func text(optional *string) string {
	if optional == nil {
		return ""
	}
	return *optional
}

// subscribePush stores the web push subscription that a script sends. The worker of a browser that renewed its subscription
// sends no wishes, and the endpoint that it replaces.
func (p *settingsPages) subscribePush(w http.ResponseWriter, r *http.Request) error {
	if p.pushKey == "" {
		p.site.NotFound(w, r)
		return nil
	}
	form := webkit.ReadForm(r).Label("interval", "How often?").Label("audience", "Topics")
	renewal := !form.Has("interval")
	var request notices.SubscriptionRequest
	if !renewal {
		request = readSubscription(form)
	}
	request.Channel = notices.ChannelWebpush
	request.WebPush = notices.WebPush{
		Endpoint: form.Line("endpoint", 10, 2000), P256DH: form.Line("p256dh", 10, 200), Auth: form.Line("auth", 5, 100),
	}
	if !form.Valid() {
		return p.showSettings(w, r, http.StatusUnprocessableEntity, form)
	}
	if renewal {
		return p.renewPush(w, r, form.Value("replaces"), request.WebPush)
	}
	person, err := p.visitors.ensurePerson(w, r)
	if err != nil {
		return err
	}
	if err := p.storeSubscription(r, person, request); err != nil {
		return err
	}
	p.site.Flash(w, r, webkit.Good, "This browser will tell you when somebody needs an answer.")
	p.site.Redirect(w, r, "/me/settings")
	return nil
}

// renewPush stores the subscription that a browser renewed by itself.
func (p *settingsPages) renewPush(w http.ResponseWriter, r *http.Request, replaces string, renewed notices.WebPush) error {
	person := p.visitors.person(r)
	if person.Hash == "" {
		return askahuman.ErrNobody
	}
	if err := p.allowSubscribing(r, person); err != nil {
		return err
	}
	if err := p.notices.RenewWebPush(r.Context(), person, replaces, renewed); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (p *settingsPages) unsubscribe(w http.ResponseWriter, r *http.Request) error {
	form := webkit.ReadForm(r)
	err := p.notices.Unsubscribe(r.Context(), p.visitors.person(r), form.Value("id"))
	if err != nil {
		return err
	}
	p.site.Flash(w, r, webkit.Good, "Stopped. You will get no more notifications this way.")
	p.site.Redirect(w, r, "/me/settings")
	return nil
}

func (p *settingsPages) confirmForget(w http.ResponseWriter, r *http.Request) error {
	stats, err := p.visitors.statsOf(r)
	if err != nil {
		return err
	}
	p.site.Render(w, r, http.StatusOK, "forget.html", stats)
	return nil
}

func (p *settingsPages) forget(w http.ResponseWriter, r *http.Request) error {
	if person := p.visitors.person(r); person.Hash != "" {
		if err := p.people.Forget(r.Context(), person); err != nil {
			return err
		}
	}
	for _, cookie := range []string{personCookie, rewardCookie, skippedCookie, welcomeCookie} {
		p.site.DropCookie(w, cookie)
	}
	// Pages cached for offline use show data that was just deleted.
	w.Header().Set("Clear-Site-Data", `"cache", "storage"`)
	p.site.Flash(w, r, webkit.Good, "Your data is deleted. This browser is new here again.")
	p.site.Redirect(w, r, "/")
	return nil
}
