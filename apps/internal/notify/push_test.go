package notify

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/refusal"
)

func TestANotificationReachesAllDevices(t *testing.T) {
	f := start(t, nil)
	phone, laptop, other := newPushService(t), newPushService(t), newPushService(t)
	f.subscribe("ann", phone.target())
	f.subscribe("ann", laptop.target())
	f.subscribe("bob", other.target())
	f.tell("ann", "e1")
	f.step()
	entries, _, err := f.Inbox(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	id := entries[0].ID
	for name, service := range map[string]*pushService{"phone": phone, "laptop": laptop} {
		got := service.messages()
		if len(got) != 1 {
			t.Fatalf("the %s got %d messages", name, len(got))
		}
		m := got[0]
		if m.Title != "Bob replied" || m.Body != "He says yes." || m.Tag != id || m.ttl != "86400" {
			t.Errorf("the %s shows %+v", name, m)
		}
		if m.Data["url"] != "https://shop.example/threads/7" || m.Data["kind"] != "reply" || m.Data["id"] != id {
			t.Errorf("the %s knows %v", name, m.Data)
		}
	}
	if n := len(other.messages()); n > 0 || f.jobsLeft() > 0 {
		t.Errorf("another person got %d messages, %d jobs are left", n, f.jobsLeft())
	}
}

func TestReadAndMutedNotificationsAreNotPushed(t *testing.T) {
	f := start(t, nil)
	service := newPushService(t)
	f.subscribe("ann", service.target())
	f.prefer("ann", Preferences{Zone: "UTC", Muted: []string{"like"}})
	f.tellAs(Notification{Recipient: "ann", Event: "e1", Kind: "like"})
	f.tell("ann", "e2")
	if _, err := f.ReadAll(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	f.tellAs(Notification{Recipient: "ann", Event: "e3", Kind: "like"})
	f.step()
	if n := len(service.messages()); n != 0 || f.jobsLeft() > 0 {
		t.Errorf("%d messages, %d jobs are left", n, f.jobsLeft())
	}
	f.tell("ann", "e4")
	f.step()
	if n := len(service.messages()); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
	checkUnread(t, f, "ann", 2) // muted kinds reach the inbox
}

// TestRepeatedJobsPushOnce repeats the jobs of a notification as after a crash of the worker.
func TestRepeatedJobsPushOnce(t *testing.T) {
	f := start(t, nil)
	phone, laptop := newPushService(t), newPushService(t)
	f.subscribe("ann", phone.target())
	device := f.subscribe("ann", laptop.target())
	f.tell("ann", "e1")
	f.step()
	entries, _, err := f.Inbox(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	id := entries[0].ID
	// The worker that found the devices did not live to finish its job.
	payload, err := json.Marshal(errand{Recipient: "ann", Notification: id})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.runPush(t.Context(), jobs.Job{ID: "again", Kind: jobPush, Payload: json.RawMessage(payload)}); err != nil {
		t.Fatal(err)
	}
	f.step()
	if n, m := len(phone.messages()), len(laptop.messages()); n != 1 || m != 1 {
		t.Errorf("the devices got %d and %d messages", n, m)
	}
	// The worker that sent a message did not: the message is repeated and replaces the first.
	if err := f.runSend(t.Context(), jobs.Job{ID: "again", Kind: jobSend, Payload: errand{Recipient: "ann", Notification: id, Device: device.ID}}); err != nil {
		t.Fatal(err)
	}
	got := laptop.messages()
	if len(got) != 2 || got[0].Tag != got[1].Tag || got[0].topic != got[1].topic {
		t.Errorf("the messages are %+v", got)
	}
}

func TestAMessageWaitsForItsPushService(t *testing.T) {
	f := start(t, nil)
	service := newPushService(t)
	f.subscribe("ann", service.target())
	service.answer(503)
	f.tell("ann", "e1")
	f.step()
	checkFailures(t, f, "ann", 1)
	service.answer(201)
	f.Clock.Advance(30*time.Second - time.Millisecond)
	f.step()
	if n := len(service.messages()); n != 1 {
		t.Errorf("%d attempts before the backoff", n)
	}
	f.Clock.Advance(time.Millisecond)
	f.step()
	if n := len(service.messages()); n != 2 || f.jobsLeft() > 0 {
		t.Errorf("%d attempts, %d jobs are left", n, f.jobsLeft())
	}
	checkFailures(t, f, "ann", 0)
}

func checkFailures(t *testing.T, f *fixture, recipient string, want int) {
	t.Helper()
	devices, err := f.Devices(t.Context(), recipient)
	if err != nil || len(devices) != 1 || devices[0].Failures != want {
		t.Errorf("the devices are %+v (%v), want one with %d failures", devices, err, want)
	}
}

func TestDeadDevicesAreRemoved(t *testing.T) {
	for _, status := range []int{404, 410} {
		f := start(t, nil)
		dead, alive := newPushService(t), newPushService(t)
		dead.answer(status)
		f.subscribe("ann", dead.target())
		f.subscribe("ann", alive.target())
		for _, event := range []string{"e1", "e2"} {
			f.tell("ann", event)
			f.step()
		}
		if len(dead.messages()) != 1 || len(alive.messages()) != 2 || f.jobsLeft() > 0 {
			t.Errorf("%d: the dead device got %d messages, the other one %d", status, len(dead.messages()), len(alive.messages()))
		}
		checkFailures(t, f, "ann", 0)
	}
}

func TestADeviceThatFailsTooOftenIsRemoved(t *testing.T) {
	f := start(t, nil)
	service := newPushService(t)
	f.subscribe("ann", service.target())
	service.answer(400) // final, so each message fails once
	for i := range MaxFailures - 1 {
		f.tell("ann", fmt.Sprintf("event %d", i))
		f.step()
	}
	checkFailures(t, f, "ann", MaxFailures-1)
	f.tell("ann", "the last")
	f.step()
	if devices, err := f.Devices(t.Context(), "ann"); err != nil || len(devices) != 0 {
		t.Errorf("the devices are %+v (%v)", devices, err)
	}
}

func TestAMessageThatIsUselessIsNotSent(t *testing.T) {
	f := start(t, nil)
	service := newPushService(t)
	f.subscribe("ann", service.target())
	until := f.World.Now().Add(10 * time.Minute)
	f.tellAs(Notification{Recipient: "ann", Event: "e1", Until: until})
	f.tellAs(Notification{Recipient: "ann", Event: "e2", Until: until.Add(time.Millisecond)})
	f.Clock.Advance(10 * time.Minute)
	f.step()
	if got := service.messages(); len(got) != 1 || got[0].ttl != "0" || f.jobsLeft() > 0 {
		t.Errorf("%d messages, %d jobs are left", len(got), f.jobsLeft())
	}
}

func TestDevicesOfOtherChannelsAreRefused(t *testing.T) {
	browser := newBrowser(t).target("https://push.example.com/1")
	for _, test := range []struct {
		name    string
		senders []Channel
		device  NewDevice
		field   string
	}{
		{"web push", []Channel{ChannelWebPush}, NewDevice{Channel: ChannelWebPush, Target: browser}, ""},
		{"web push not configured", nil, NewDevice{Channel: ChannelWebPush, Target: browser}, "channel"},
		{"web push with Firebase only", []Channel{ChannelFCM}, NewDevice{Channel: ChannelWebPush, Target: browser}, "channel"},
		{"Firebase", []Channel{ChannelFCM}, NewDevice{Channel: ChannelFCM, Target: Target{Token: "t"}}, ""},
		{"Firebase not configured", []Channel{ChannelWebPush}, NewDevice{Channel: ChannelFCM, Target: Target{Token: "t"}}, "channel"},
		{"no channel", []Channel{ChannelWebPush}, NewDevice{Channel: "pigeon", Target: browser}, "channel"},
		{"no token", []Channel{ChannelFCM}, NewDevice{Channel: ChannelFCM, Target: Target{}}, "token"},
		{"longest token", []Channel{ChannelFCM}, NewDevice{Channel: ChannelFCM, Target: Target{Token: strings.Repeat("x", maxToken)}}, ""},
		{"too long token", []Channel{ChannelFCM}, NewDevice{Channel: ChannelFCM, Target: Target{Token: strings.Repeat("x", maxToken+1)}}, "token"},
		{"no endpoint", []Channel{ChannelWebPush}, NewDevice{Channel: ChannelWebPush, Target: Target{P256DH: browser.P256DH, Auth: browser.Auth}}, "endpoint"},
		{"private endpoint", []Channel{ChannelWebPush}, NewDevice{Channel: ChannelWebPush, Target: Target{Endpoint: "https://10.0.0.1/", P256DH: browser.P256DH, Auth: browser.Auth}}, "endpoint"},
		{"no keys", []Channel{ChannelWebPush}, NewDevice{Channel: ChannelWebPush, Target: Target{Endpoint: browser.Endpoint}}, "keys"},
	} {
		f := start(t, func(o *Options) {
			push := o.Senders[ChannelWebPush]
			o.Senders, o.HTTP = map[Channel]Sender{}, publichttp.Options{}
			for _, channel := range test.senders {
				o.Senders[channel] = push
			}
		})
		_, err := f.Subscribe(t.Context(), "ann", test.device)
		refused, ok := errors.AsType[*refusal.Error](err)
		switch {
		case test.field == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.field != "" && (!ok || refused.Fields[0].Name != test.field):
			t.Errorf("%s: %v, want a refusal of %s", test.name, err, test.field)
		}
		if got := f.Channels(); len(got) != len(test.senders) {
			t.Errorf("%s: the channels are %v", test.name, got)
		}
	}
}

func TestANewDeviceReplacesTheOldest(t *testing.T) {
	f := start(t, nil)
	var ids []string
	subscribe := func(i int) {
		d := f.subscribe("ann", newBrowser(t).target(fmt.Sprintf("https://push.example.com/%d", i)))
		ids = append(ids, d.ID)
		f.Clock.Advance(time.Minute)
	}
	for i := range MaxDevices {
		subscribe(i)
	}
	f.subscribe("ann", newBrowser(t).target("https://push.example.com/3")) // renewed, not added
	devices, err := f.Devices(t.Context(), "ann")
	if err != nil || len(devices) != MaxDevices || devices[0].ID != ids[3] {
		t.Fatalf("%d devices (%v)", len(devices), err)
	}
	f.Clock.Advance(time.Minute)
	subscribe(MaxDevices)
	devices, err = f.Devices(t.Context(), "ann")
	if err != nil || len(devices) != MaxDevices {
		t.Fatalf("%d devices (%v)", len(devices), err)
	}
	for _, d := range devices {
		if d.ID == ids[0] {
			t.Error("the oldest device is still there")
		}
	}
	for range 2 {
		if err := f.Unsubscribe(t.Context(), "ann", ids[5]); err != nil {
			t.Fatal(err)
		}
	}
	if devices, err := f.Devices(t.Context(), "ann"); err != nil || len(devices) != MaxDevices-1 {
		t.Errorf("%d devices (%v)", len(devices), err)
	}
}

func TestARenewedDeviceKeepsTheOldest(t *testing.T) {
	f := start(t, nil)
	var ids []string
	for i := range MaxDevices {
		ids = append(ids, f.subscribe("ann", newBrowser(t).target(fmt.Sprintf("https://push.example.com/%d", i))).ID)
		f.Clock.Advance(time.Minute)
	}
	renewed, err := f.Subscribe(t.Context(), "ann", NewDevice{
		Channel: ChannelWebPush, Target: newBrowser(t).target("https://push.example.com/new"), Replaces: "https://push.example.com/5",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := append(slices.Delete(ids, 5, 6), renewed.ID)
	slices.Reverse(want)
	devices, err := f.Devices(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range devices {
		got = append(got, d.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the devices are %v, want %v", got, want)
	}
}

func TestFirebaseDevicesArePushed(t *testing.T) {
	google := newFirebase(t)
	f := start(t, func(o *Options) { o.Senders[ChannelFCM] = google.sender(t) })
	if _, err := f.Subscribe(t.Context(), "ann", NewDevice{Channel: ChannelFCM, Target: Target{Token: "device-1"}}); err != nil {
		t.Fatal(err)
	}
	f.tell("ann", "e1")
	f.step()
	select {
	case body := <-google.messages:
		if !strings.Contains(string(body), `"token":"device-1"`) {
			t.Errorf("Firebase got %s", body)
		}
	default:
		t.Error("Firebase got nothing")
	}
}

func TestAPushServiceThatRedirectsIsNotFollowed(t *testing.T) {
	f := start(t, nil)
	visits := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visits++
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	defer service.Close()
	f.subscribe("ann", newBrowser(t).target(service.URL))
	f.tell("ann", "e1")
	f.step()
	if visits != 1 {
		t.Errorf("%d requests", visits)
	}
}
