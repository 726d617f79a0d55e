package giving_test

import (
	"fmt"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/internal/refusal"
)

// tooMany reports whether an error is the refusal of a rate limit.
func tooMany(err error) bool {
	_, ok := refusal.As(err, refusal.TooMany)
	return ok
}

// TestAFloodOfRequestsAndMessagesEnds lets a person reserve and cancel again and again, and write without end.
func TestAFloodOfRequestsAndMessagesEnds(t *testing.T) {
	p := open(t, "")
	for i := range ecobid.LimitRequests.Most + 1 {
		r, err := p.Giving.Reserve(t.Context(), giving.Request{UserID: p.bert, ItemID: p.item.ItemID})
		if over := i == ecobid.LimitRequests.Most; tooMany(err) != over || !over && err != nil {
			t.Fatalf("request %d: %v", i+1, err)
		} else if over {
			break
		}
		if _, err := p.Giving.Cancel(t.Context(), p.bert, r.ReservationID); err != nil {
			t.Fatal(err)
		}
	}
	p.Clock.Advance(27 * time.Hour)
	r := p.confirm(t, p.reserve(t, p.bert))
	for i := range ecobid.LimitMessages.Most + 1 {
		_, err := p.Giving.Send(t.Context(), p.bert, r.ReservationID, fmt.Sprint("Hello ", i), "")
		if over := i == ecobid.LimitMessages.Most; tooMany(err) != over || !over && err != nil {
			t.Fatalf("message %d: %v", i+1, err)
		}
	}
	if _, err := p.Giving.Send(t.Context(), p.anna, r.ReservationID, "Enough", ""); err != nil {
		t.Errorf("the other person: %v", err)
	}
}
