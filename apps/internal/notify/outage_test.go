package notify

import (
	"fmt"
	"testing"
	"time"
)

// TestAnOutageRemovesNoDevice: a message is tried several times, and still fails once.
func TestAnOutageRemovesNoDevice(t *testing.T) {
	f := start(t, nil)
	service := newPushService(t)
	f.subscribe("ann", service.target())
	service.answer(503)
	for i := range 4 {
		f.tell("ann", fmt.Sprintf("event %d", i))
	}
	for range 200 {
		f.step()
		f.Clock.Advance(time.Minute)
	}
	if n := len(service.messages()); n != 4*sendPolicy.Tries {
		t.Errorf("%d attempts, want %d", n, 4*sendPolicy.Tries)
	}
	checkFailures(t, f, "ann", 4)
	service.answer(201)
	f.tell("ann", "after the outage")
	f.step()
	checkFailures(t, f, "ann", 0)
}

// TestABrokenServiceAccountRemovesNoDevice: Firebase names the tokens that are dead; other failures are not about the device.
func TestABrokenServiceAccountRemovesNoDevice(t *testing.T) {
	google := newFirebase(t)
	f := start(t, func(o *Options) { o.Senders = map[Channel]Sender{ChannelFCM: google.sender(t)} })
	if _, err := f.Subscribe(t.Context(), "ann", NewDevice{Channel: ChannelFCM, Target: Target{Token: "phone"}}); err != nil {
		t.Fatal(err)
	}
	google.tokenStatus = 401
	for i := range MaxFailures + 1 {
		f.tell("ann", fmt.Sprintf("event %d", i))
		f.step()
	}
	checkFailures(t, f, "ann", 0)
	google.tokenStatus = 200
	f.tell("ann", "after the repair")
	f.step()
	if n := len(google.messages); n != 1 {
		t.Errorf("%d messages arrived, want 1", n)
	}
}
