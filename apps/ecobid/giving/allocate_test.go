package giving_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/draw"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/giving"
)

func (p pair) join(t *testing.T, userID string) giving.Joined {
	t.Helper()
	joined, err := p.Giving.Join(t.Context(), giving.Request{UserID: userID, ItemID: p.item.ItemID})
	if err != nil {
		t.Fatal(err)
	}
	p.Clock.Advance(time.Second)
	return joined
}

// holder returns the reservation of the item.
func (p pair) holder(t *testing.T) ecobiddb.Reservation {
	t.Helper()
	item := p.Stored(t, p.item.ItemID)
	if item.ActiveReservationID == nil {
		t.Fatalf("the item is %s", item.Status)
	}
	r, err := p.DB.GetReservation(t.Context(), item.ItemID, *item.ActiveReservationID)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestQueue(t *testing.T) {
	p := open(t, ecobiddb.ItemAllocationQueue)
	cleo, dora := p.Person(t, "Cleo"), p.Person(t, "Dora")
	first := p.join(t, p.bert)
	if first.Reservation == nil || first.Reservation.Awaits != ecobiddb.ReservationAwaitsSeller {
		t.Fatalf("the first person got %+v", first)
	}
	if got := p.join(t, cleo); got.Position != 1 {
		t.Errorf("the second person got %+v", got)
	}
	if got := p.join(t, dora); got.Position != 2 {
		t.Errorf("the third person got %+v", got)
	}
	if _, err := p.Giving.Join(t.Context(), giving.Request{UserID: cleo, ItemID: p.item.ItemID}); !errors.Is(err, ecobid.ErrJoined) {
		t.Errorf("joined twice: %v", err)
	}
	if _, err := p.Giving.Join(t.Context(), giving.Request{UserID: p.bert, ItemID: p.item.ItemID}); !errors.Is(err, ecobid.ErrJoined) {
		t.Errorf("the holder joined: %v", err)
	}
	if _, err := p.Giving.Cancel(t.Context(), p.bert, first.Reservation.ReservationID); err != nil {
		t.Fatal(err)
	}
	// Before the next person has the offer, a newcomer cannot pass the queue.
	if _, err := p.Giving.Reserve(t.Context(), giving.Request{UserID: p.bert, ItemID: p.item.ItemID}); !errors.Is(err, ecobid.ErrReserved) {
		t.Errorf("passed the queue: %v", err)
	}
	p.Step(t)
	if r := p.holder(t); r.BuyerID != cleo || r.Awaits != ecobiddb.ReservationAwaitsBuyer || p.Stored(t, p.item.ItemID).EntryCount != 1 {
		t.Errorf("the offer is %+v", r)
	}
	p.Advance(t, 4*time.Hour) // Cleo does not answer
	r := p.holder(t)
	if r.BuyerID != dora {
		t.Fatalf("the next offer is %+v", r)
	}
	if _, err := p.Giving.Confirm(t.Context(), p.anna, r.ReservationID, p.Clock.Now().Add(time.Hour), ""); !errors.Is(err, ecobid.ErrState) {
		t.Errorf("confirmed before the buyer accepted: %v", err)
	}
	accepted, err := p.Giving.Accept(t.Context(), dora, r.ReservationID)
	if err != nil || accepted.Awaits != ecobiddb.ReservationAwaitsSeller || accepted.DeadlineAt != p.Clock.Now().Add(24*time.Hour) {
		t.Errorf("accepted: %+v, %v", accepted, err)
	}
	p.confirm(t, r)
}

func TestLeaveQueue(t *testing.T) {
	p := open(t, ecobiddb.ItemAllocationQueue)
	cleo := p.Person(t, "Cleo")
	first := p.join(t, p.bert)
	p.join(t, cleo)
	for range 2 {
		if err := p.Giving.Leave(t.Context(), cleo, p.item.ItemID); err != nil {
			t.Error(err)
		}
	}
	if _, err := p.Giving.Cancel(t.Context(), p.bert, first.Reservation.ReservationID); err != nil {
		t.Fatal(err)
	}
	p.Step(t)
	if got := p.Stored(t, p.item.ItemID); got.Status != ecobiddb.ItemStatusAvailable || got.EntryCount != 0 {
		t.Errorf("the item is %s with %d entries", got.Status, got.EntryCount)
	}
}

func TestQueuePassesOverThoseWhoMayNot(t *testing.T) {
	p := open(t, ecobiddb.ItemAllocationQueue)
	cleo, dora := p.Person(t, "Cleo"), p.Person(t, "Dora")
	first := p.join(t, p.bert)
	p.join(t, cleo)
	p.join(t, dora)
	if _, err := p.DB.BlockUser(t.Context(), ecobiddb.Block{UserID: p.anna, BlockedID: cleo, CreatedAt: p.Clock.Now()}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Giving.Decline(t.Context(), p.anna, first.Reservation.ReservationID); err != nil {
		t.Fatal(err)
	}
	p.Step(t)
	if r := p.holder(t); r.BuyerID != dora || p.Stored(t, p.item.ItemID).EntryCount != 0 {
		t.Errorf("the offer is %+v", r)
	}
}

func TestLottery(t *testing.T) {
	p := open(t, ecobiddb.ItemAllocationLottery)
	people := []string{p.bert, p.Person(t, "Cleo"), p.Person(t, "Dora")}
	for _, id := range people {
		if joined := p.join(t, id); joined.Entry == nil || joined.Position != 0 {
			t.Errorf("%+v", joined)
		}
	}
	item := p.Stored(t, p.item.ItemID)
	if item.DrawCommitment == nil || item.DrawSecret != nil {
		t.Fatalf("the commitment is %v, the secret %v", item.DrawCommitment, item.DrawSecret)
	}
	if _, err := p.Giving.Draw(t.Context(), "", item.ItemID); !errors.Is(err, ecobid.ErrState) {
		t.Errorf("a draw before the end: %v", err)
	}
	p.Clock.Set(item.ClosesAt.Add(-time.Millisecond))
	p.Step(t)
	if p.Stored(t, item.ItemID).DrawSecret != nil {
		t.Error("drawn early")
	}
	late := p.Person(t, "Emil")
	p.Clock.Set(*item.ClosesAt)
	if _, err := p.Giving.Join(t.Context(), giving.Request{UserID: late, ItemID: item.ItemID}); !errors.Is(err, ecobid.ErrClosed) {
		t.Errorf("joined late: %v", err)
	}
	p.Step(t)
	drawn, err := p.Giving.Draw(t.Context(), "", item.ItemID)
	if err != nil {
		t.Fatal(err)
	}
	if drawn.Commitment != *item.DrawCommitment || !draw.Verify(drawn.Commitment, drawn.Secret, item.ItemID, people, drawn.Order[0]) {
		t.Errorf("the draw is %+v", drawn)
	}
	for i, want := range drawn.Order {
		r := p.holder(t)
		if r.BuyerID != want || r.Awaits != ecobiddb.ReservationAwaitsBuyer {
			t.Fatalf("offer %d is to %s, want %s", i+1, r.BuyerID, want)
		}
		p.Advance(t, 24*time.Hour)
	}
	if got := p.Stored(t, item.ItemID); got.Status != ecobiddb.ItemStatusAvailable || got.Allocation != ecobiddb.ItemAllocationFirstCome {
		t.Fatalf("without takers the item is %s, %s", got.Status, got.Allocation)
	}
	p.reserve(t, late)
}

// TestALotteryOffersToEachOnce draws more people than a page of reservations holds, of whom none takes the item.
func TestALotteryOffersToEachOnce(t *testing.T) {
	p := open(t, ecobiddb.ItemAllocationLottery)
	const entrants = 32
	for i := range entrants {
		p.join(t, p.Person(t, fmt.Sprint("Person ", i)))
	}
	p.Clock.Set(*p.item.ClosesAt)
	p.Step(t)
	offered := map[string]bool{}
	for i := range entrants {
		r := p.holder(t)
		if offered[r.BuyerID] {
			t.Fatalf("offer %d is the second to one person", i+1)
		}
		offered[r.BuyerID] = true
		if _, err := p.Giving.Cancel(t.Context(), r.BuyerID, r.ReservationID); err != nil {
			t.Fatal(err)
		}
		p.Advance(t, time.Second)
	}
	if got := p.Stored(t, p.item.ItemID).Allocation; got != ecobiddb.ItemAllocationFirstCome {
		t.Errorf("without takers the item is given by %s", got)
	}
}

func TestLotteryWithoutEntrants(t *testing.T) {
	p := open(t, ecobiddb.ItemAllocationLottery)
	p.Advance(t, 6*time.Hour)
	if got := p.Stored(t, p.item.ItemID); got.Allocation != ecobiddb.ItemAllocationFirstCome {
		t.Errorf("the item is given by %s", got.Allocation)
	}
	p.reserve(t, p.bert)
}

func TestTicketsStayAfterTheDraw(t *testing.T) {
	p := open(t, ecobiddb.ItemAllocationLottery)
	p.join(t, p.bert)
	p.Advance(t, 6*time.Hour)
	if err := p.Giving.Leave(t.Context(), p.bert, p.item.ItemID); !errors.Is(err, ecobid.ErrClosed) {
		t.Errorf("left after the draw: %v", err)
	}
}

// TestAcceptInTheInstantOfTheOffer accepts an offer while the clock shows the time of the offer, so
// that both deadlines are the same.
func TestAcceptInTheInstantOfTheOffer(t *testing.T) {
	p := open(t, ecobiddb.ItemAllocationLottery)
	p.join(t, p.bert)
	p.Clock.Set(*p.item.ClosesAt)
	p.Step(t)
	offer := p.holder(t)
	accepted, err := p.Giving.Accept(t.Context(), p.bert, offer.ReservationID)
	if err != nil || accepted.Awaits != ecobiddb.ReservationAwaitsSeller || accepted.DeadlineAt != offer.DeadlineAt {
		t.Fatalf("accepted: %+v, %v", accepted, err)
	}
	p.Advance(t, ecobid.AnswerWithin)
	if r, err := p.Giving.Get(t.Context(), p.bert, offer.ReservationID); err != nil || r.Status != ecobiddb.ReservationStatusCancelled {
		t.Errorf("after the deadline: %+v, %v", r, err)
	}
}

// TestMarkADayBeforeThePickup marks a pickup at the time whose deadline is the one of the no-show.
func TestMarkADayBeforeThePickup(t *testing.T) {
	p := open(t, "")
	r := p.reserve(t, p.bert)
	if _, err := p.Giving.Confirm(t.Context(), p.anna, r.ReservationID, p.Clock.Now().Add(24*time.Hour), ""); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Giving.PickedUp(t.Context(), p.bert, r.ReservationID); err != nil {
		t.Fatal(err)
	}
	p.Advance(t, ecobid.CompleteAfter)
	if r, err := p.Giving.Get(t.Context(), p.bert, r.ReservationID); err != nil || r.Status != ecobiddb.ReservationStatusCompleted {
		t.Errorf("after the deadline: %+v, %v", r, err)
	}
}
