package giving_test

import (
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/internal/effort"
)

// TestTheSameAnswerTwiceAtATime gives the answers of both sides twice at the same time, as a double click does. Both
// calls succeed, and the answer counts once.
func TestTheSameAnswerTwiceAtATime(t *testing.T) {
	for range effort.Rounds(10) {
		p := open(t, "")
		twice := func(what string, do func() (ecobiddb.Reservation, error)) {
			t.Helper()
			var calls sync.WaitGroup
			for range 2 {
				calls.Go(func() {
					if _, err := do(); err != nil {
						t.Errorf("%s: %v", what, err)
					}
				})
			}
			calls.Wait()
		}
		first := p.reserve(t, p.bert)
		twice("decline", func() (ecobiddb.Reservation, error) {
			return p.Giving.Decline(t.Context(), p.anna, first.ReservationID)
		})
		r := p.reserve(t, p.bert)
		pickup := p.Clock.Now().Add(5 * time.Hour)
		twice("confirm", func() (ecobiddb.Reservation, error) {
			return p.Giving.Confirm(t.Context(), p.anna, r.ReservationID, pickup, "")
		})
		twice("hand over", func() (ecobiddb.Reservation, error) { return p.Giving.PickedUp(t.Context(), p.anna, r.ReservationID) })
		code, err := p.Giving.Code(t.Context(), p.anna, r.ReservationID)
		if err != nil {
			t.Fatal(err)
		}
		twice("redeem", func() (ecobiddb.Reservation, error) {
			return p.Giving.Redeem(t.Context(), p.bert, r.ReservationID, code)
		})
		if user, err := p.People.Get(t.Context(), p.anna); err != nil || user.ItemsGiven != 1 {
			t.Errorf("given %d things, %v", user.ItemsGiven, err)
		}
		second := p.Item(t, p.anna, "")
		p.item = second
		other := p.reserve(t, p.bert)
		twice("cancel", func() (ecobiddb.Reservation, error) { return p.Giving.Cancel(t.Context(), p.bert, other.ReservationID) })
	}
}
