package giving_test

import (
	"testing"

	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/giving"
)

// TestARepeatedRequestShowsTheReservationAsItIsNow repeats a reservation, and the join of an empty queue, before and after
// the person has cancelled.
func TestARepeatedRequestShowsTheReservationAsItIsNow(t *testing.T) {
	for allocation, ask := range map[ecobiddb.ItemAllocation]func(pair, giving.Request) (ecobiddb.Reservation, error){
		ecobiddb.ItemAllocationFirstCome: func(p pair, in giving.Request) (ecobiddb.Reservation, error) {
			return p.Giving.Reserve(t.Context(), in)
		},
		ecobiddb.ItemAllocationQueue: func(p pair, in giving.Request) (ecobiddb.Reservation, error) {
			joined, err := p.Giving.Join(t.Context(), in)
			if err != nil {
				return ecobiddb.Reservation{}, err
			}
			return *joined.Reservation, nil
		},
	} {
		p := open(t, allocation)
		in := giving.Request{UserID: p.bert, ItemID: p.item.ItemID, Key: "once"}
		first, err := ask(p, in)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ask(p, in); err != nil || again.ReservationID != first.ReservationID || again.Status != ecobiddb.ReservationStatusPending {
			t.Errorf("%s: again: %+v, %v", allocation, again, err)
		}
		if _, err := p.Giving.Cancel(t.Context(), p.bert, first.ReservationID); err != nil {
			t.Fatal(err)
		}
		if again, err := ask(p, in); err != nil || again.ReservationID != first.ReservationID || again.Status != ecobiddb.ReservationStatusCancelled {
			t.Errorf("%s: after it was cancelled: %+v, %v", allocation, again, err)
		}
	}
}

// TestARepeatedJoinOfAWithdrawnItem has no position any more, and is no refusal.
func TestARepeatedJoinOfAWithdrawnItem(t *testing.T) {
	p := open(t, ecobiddb.ItemAllocationLottery)
	in := giving.Request{UserID: p.bert, ItemID: p.item.ItemID, Key: "once"}
	first, err := p.Giving.Join(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Listings.Withdraw(t.Context(), p.anna, p.item.ItemID); err != nil {
		t.Fatal(err)
	}
	again, err := p.Giving.Join(t.Context(), in)
	if err != nil || again.Entry == nil || again.Entry.EntryID != first.Entry.EntryID || again.Position != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
}
