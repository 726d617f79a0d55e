package web

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/internal/webkit"
)

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

func (web *Web) settings(w http.ResponseWriter, r *http.Request) error {
	return web.showSettings(w, r, http.StatusOK, nil)
}

func (web *Web) showSettings(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form) error {
	person := web.person(r)
	view := settingsView{
		Tabs: meTabs("/me/settings"), Form: form, Known: person.Hash != "", PushKey: web.options.VAPIDPublicKey,
		Interval: strconv.Itoa(int(askahuman.DefaultInterval / time.Minute)), Intervals: intervals(),
	}
	for _, audience := range askahuman.Audiences {
		view.Audiences = append(view.Audiences, webkit.Option{Value: audience, Text: capital(audience)})
	}
	if view.Known {
		subscriptions, err := web.domain.Notices.Subscriptions(r.Context(), person)
		if err != nil {
			return err
		}
		for _, s := range subscriptions {
			view.add(s)
		}
	}
	web.site.Render(w, r, status, "settings.html", view)
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
func (web *Web) subscribe(w http.ResponseWriter, r *http.Request) error {
	form := webkit.ReadForm(r).Label("interval", "How often?").Label("audience", "Topics")
	request := readSubscription(form)
	if !form.Valid() {
		return web.showSettings(w, r, http.StatusUnprocessableEntity, form)
	}
	person, err := web.ensurePerson(w, r)
	if err != nil {
		return err
	}
	done := "Saved."
	if form.Value("keep") == "" {
		request.Channel = notices.ChannelInbox
		done = "Saved. New questions come to your inbox on the first page."
	}
	if err := web.storeSubscription(r, person, request); err != nil {
		return err
	}
	web.site.Flash(w, r, webkit.Good, done)
	web.site.Redirect(w, r, "/me/settings")
	return nil
}

// allowSubscribing counts a change of notifications.
func (web *Web) allowSubscribing(r *http.Request, person askahuman.Person) error {
	if _, err := web.domain.Allow(r.Context(), askahuman.LimitSubscribe, person.Hash); err != nil {
		return err
	}
	_, err := web.domain.Allow(r.Context(), askahuman.LimitSubscribeFrom, web.network(r))
	return err
}

// storeSubscription turns a channel on, if the request has one, and gives the others the same settings.
func (web *Web) storeSubscription(r *http.Request, person askahuman.Person, request notices.SubscriptionRequest) error {
	if err := web.allowSubscribing(r, person); err != nil {
		return err
	}
	if request.Channel != "" {
		if _, err := web.domain.Notices.Subscribe(r.Context(), person, request); err != nil {
			return err
		}
	}
	others, err := web.domain.Notices.Subscriptions(r.Context(), person)
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
		if _, err := web.domain.Notices.RefreshSubscription(r.Context(), person, other.SubscriptionID, same); err != nil {
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
func (web *Web) subscribePush(w http.ResponseWriter, r *http.Request) error {
	if web.options.VAPIDPublicKey == "" {
		web.site.NotFound(w, r)
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
		return web.showSettings(w, r, http.StatusUnprocessableEntity, form)
	}
	if renewal {
		return web.renewPush(w, r, form.Value("replaces"), request.WebPush)
	}
	person, err := web.ensurePerson(w, r)
	if err != nil {
		return err
	}
	if err := web.storeSubscription(r, person, request); err != nil {
		return err
	}
	web.site.Flash(w, r, webkit.Good, "This browser will tell you when somebody needs an answer.")
	web.site.Redirect(w, r, "/me/settings")
	return nil
}

// renewPush stores the subscription that a browser renewed by itself.
func (web *Web) renewPush(w http.ResponseWriter, r *http.Request, replaces string, renewed notices.WebPush) error {
	person := web.person(r)
	if person.Hash == "" {
		return askahuman.ErrNobody
	}
	if err := web.allowSubscribing(r, person); err != nil {
		return err
	}
	if err := web.domain.Notices.RenewWebPush(r.Context(), person, replaces, renewed); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (web *Web) unsubscribe(w http.ResponseWriter, r *http.Request) error {
	form := webkit.ReadForm(r)
	err := web.domain.Notices.Unsubscribe(r.Context(), web.person(r), form.Value("id"))
	if err != nil {
		return err
	}
	web.site.Flash(w, r, webkit.Good, "Stopped. You will get no more notifications this way.")
	web.site.Redirect(w, r, "/me/settings")
	return nil
}

func (web *Web) confirmForget(w http.ResponseWriter, r *http.Request) error {
	stats, err := web.statsOf(r)
	if err != nil {
		return err
	}
	web.site.Render(w, r, http.StatusOK, "forget.html", stats)
	return nil
}

func (web *Web) forget(w http.ResponseWriter, r *http.Request) error {
	if person := web.person(r); person.Hash != "" {
		if err := web.domain.People.Forget(r.Context(), person); err != nil {
			return err
		}
	}
	for _, cookie := range []string{personCookie, rewardCookie, skippedCookie, welcomeCookie} {
		web.site.DropCookie(w, cookie)
	}
	// Pages cached for offline use show data that was just deleted.
	w.Header().Set("Clear-Site-Data", `"cache", "storage"`)
	web.site.Flash(w, r, webkit.Good, "Your data is deleted. This browser is new here again.")
	web.site.Redirect(w, r, "/")
	return nil
}
