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
