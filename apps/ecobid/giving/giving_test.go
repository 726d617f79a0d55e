package giving_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/nearby"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// A pair is an item that one person gives and another wants.
type pair struct {
	*ecobidtest.World
	anna, bert string
	item       ecobiddb.Item
}

func open(t *testing.T, allocation ecobiddb.ItemAllocation) pair {
	t.Helper()
	w := ecobidtest.Open(t)
	p := pair{World: w, anna: w.Person(t, "Anna"), bert: w.Person(t, "Bert")}
	p.item = w.Item(t, p.anna, allocation)
	return p
}

func (p pair) reserve(t *testing.T, userID string) ecobiddb.Reservation {
	t.Helper()
	r, err := p.Giving.Reserve(t.Context(), giving.Request{UserID: userID, ItemID: p.item.ItemID, Message: "Hello, call me: +48 123 456 789"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (p pair) confirm(t *testing.T, r ecobiddb.Reservation) ecobiddb.Reservation {
	t.Helper()
	r, err := p.Giving.Confirm(t.Context(), p.anna, r.ReservationID, p.Clock.Now().Add(5*time.Hour), "Ring twice.")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (p pair) user(t *testing.T, id string) ecobiddb.User {
	t.Helper()
	user, err := p.DB.GetUser(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return user
}

func (p pair) status(t *testing.T) ecobiddb.ItemStatus { return p.Stored(t, p.item.ItemID).Status }

func (p pair) inFeed(t *testing.T) bool {
	t.Helper()
	page, err := p.Nearby.Search(t.Context(), nearby.Query{Center: ecobidtest.Warsaw})
	if err != nil {
		t.Fatal(err)
	}
	return len(page.Items) == 1
}

// TestWhoMayReserve has vector 4.
func TestWhoMayReserve(t *testing.T) {
	p := open(t, "")
	if _, err := p.Giving.Reserve(t.Context(), giving.Request{UserID: p.anna, ItemID: p.item.ItemID}); !errors.Is(err, ecobid.ErrOwnItem) {
		t.Errorf("own item: %v", err)
	}
	p.reserve(t, p.bert)
	if _, err := p.Giving.Reserve(t.Context(), giving.Request{UserID: p.Person(t, "Cleo"), ItemID: p.item.ItemID}); !errors.Is(err, ecobid.ErrReserved) {
		t.Errorf("the second: %v", err)
	}
	if p.inFeed(t) {
		t.Error("a reserved item is in the feed")
	}
	lottery := p.Item(t, p.anna, ecobiddb.ItemAllocationLottery)
	if _, err := p.Giving.Reserve(t.Context(), giving.Request{UserID: p.bert, ItemID: lottery.ItemID}); !errors.Is(err, ecobid.ErrWrongMode) {
		t.Errorf("a lottery: %v", err)
	}
}

func TestHundredPeopleReserveOneItem(t *testing.T) {
	p := open(t, "")
	people := make([]string, 100)
	for i := range people {
		people[i] = p.Person(t, fmt.Sprint("Person ", i))
	}
	other := p.Through(t, p.Database.DynamoDB) // a second process
	var wins, losses sync.Map
	var group sync.WaitGroup
	for i, id := range people {
		service := p.Giving
		if i%2 == 1 {
			service = other.Giving
		}
		group.Go(func() {
			r, err := service.Reserve(t.Context(), giving.Request{UserID: id, ItemID: p.item.ItemID})
			switch {
			case err == nil:
				wins.Store(id, r)
			case errors.Is(err, ecobid.ErrReserved):
				losses.Store(id, true)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	won, lost := 0, 0
	wins.Range(func(any, any) bool { won++; return true })
	losses.Range(func(any, any) bool { lost++; return true })
	reservations, err := p.DB.ListReservationsByItem(p.item.ItemID).Slice(t.Context())
	if won != 1 || lost != 99 || len(reservations) != 1 || err != nil {
		t.Errorf("%d won, %d lost, %d reservations, %v", won, lost, len(reservations), err)
	}
	created := 0
	for event, err := range p.DB.ScanOutboxEvent().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Kind == ecobid.ReservationCreated {
			created++
		}
	}
	if created != 1 {
		t.Errorf("%d events", created)
	}
}

// TestDeadlineOfTheAnswer has vector 5.
func TestDeadlineOfTheAnswer(t *testing.T) {
	t.Run("in time", func(t *testing.T) {
		p := open(t, "")
		r := p.reserve(t, p.bert)
		p.Clock.Advance(24*time.Hour - time.Second)
		if r := p.confirm(t, r); r.Status != ecobiddb.ReservationStatusConfirmed {
			t.Errorf("the reservation is %s", r.Status)
		}
	})
	t.Run("late, before the job has run", func(t *testing.T) {
		p := open(t, "")
		r := p.reserve(t, p.bert)
		p.Clock.Advance(24 * time.Hour)
		if seen, err := p.Giving.Get(t.Context(), p.bert, r.ReservationID); err != nil || seen.Status != ecobiddb.ReservationStatusCancelled {
			t.Errorf("read: %s, %v", seen.Status, err)
		}
		if got := p.reserve(t, p.Person(t, "Cleo")); got.Status != ecobiddb.ReservationStatusPending {
			t.Errorf("the next person: %s", got.Status)
		}
		if _, err := p.Giving.Confirm(t.Context(), p.anna, r.ReservationID, p.Clock.Now().Add(time.Hour), ""); err == nil {
			t.Error("confirmed late")
		}
	})
	t.Run("late confirmation", func(t *testing.T) {
		p := open(t, "")
		r := p.reserve(t, p.bert)
		p.Clock.Advance(24*time.Hour + time.Second)
		if _, err := p.Giving.Confirm(t.Context(), p.anna, r.ReservationID, p.Clock.Now().Add(time.Hour), ""); !errors.Is(err, ecobid.ErrLate) {
			t.Errorf("confirmed late: %v", err)
		}
		if !p.inFeed(t) || p.user(t, p.bert).ActiveReservations != 0 {
			t.Error("the item is not free")
		}
	})
	t.Run("by the job", func(t *testing.T) {
		p := open(t, "")
		p.reserve(t, p.bert)
		p.Advance(t, 24*time.Hour-time.Millisecond)
		if p.status(t) != ecobiddb.ItemStatusReserved {
			t.Errorf("early the item is %s", p.status(t))
		}
		p.Advance(t, time.Millisecond)
		if p.status(t) != ecobiddb.ItemStatusAvailable || p.user(t, p.bert).ActiveReservations != 0 || p.user(t, p.bert).Strikes != 0 {
			t.Errorf("the item is %s, the person %+v", p.status(t), p.user(t, p.bert))
		}
	})
}

// TestDecline has vector 6.
func TestDecline(t *testing.T) {
	p := open(t, "")
	r := p.reserve(t, p.bert)
	p.Clock.Advance(time.Hour)
	if _, err := p.Giving.Decline(t.Context(), p.bert, r.ReservationID); !errors.Is(err, ecobid.ErrNotYours) {
		t.Errorf("by the buyer: %v", err)
	}
	got, err := p.Giving.Decline(t.Context(), p.anna, r.ReservationID)
	if err != nil || got.Status != ecobiddb.ReservationStatusCancelled || *got.CancelReason != ecobiddb.ReservationCancelReasonDeclined {
		t.Errorf("%+v, %v", got, err)
	}
	item := p.Stored(t, p.item.ItemID)
	if !p.inFeed(t) || !item.PublishedAt.Equal(p.item.PublishedAt) || item.ActiveReservationID != nil {
		t.Errorf("the item is %+v", item)
	}
	if _, err := p.Giving.Confirm(t.Context(), p.anna, r.ReservationID, p.Clock.Now().Add(time.Hour), ""); !errors.Is(err, ecobid.ErrState) {
		t.Errorf("confirmed after the refusal: %v", err)
	}
}

func TestFiveReservationsAtATime(t *testing.T) {
	p := open(t, "")
	p.reserve(t, p.bert)
	for i := range 5 {
		item := p.Item(t, p.anna, "")
		_, err := p.Giving.Reserve(t.Context(), giving.Request{UserID: p.bert, ItemID: item.ItemID})
		if want := i == 4; errors.Is(err, ecobid.ErrTooMany) != want || err != nil != want {
			t.Errorf("reservation %d: %v", i+2, err)
		}
	}
}

func TestBlockedAndSuspendedPeople(t *testing.T) {
	for name, test := range map[string]struct {
		arrange func(p pair) error
		want    error
	}{
		"blocked by the seller": {func(p pair) error {
			_, err := p.DB.BlockUser(t.Context(), ecobiddb.Block{UserID: p.anna, BlockedID: p.bert, CreatedAt: p.Clock.Now()})
			return err
		}, ecobid.ErrNoItem},
		"blocked the seller": {func(p pair) error {
			_, err := p.DB.BlockUser(t.Context(), ecobiddb.Block{UserID: p.bert, BlockedID: p.anna, CreatedAt: p.Clock.Now()})
			return err
		}, ecobid.ErrNoItem},
		"suspended": {func(p pair) error {
			_, err := p.DB.SuspendUser(t.Context(), ecobiddb.UserKey{UserID: p.bert}, ecobiddb.SuspendUserParams{UpdatedAt: p.Clock.Now()})
			return err
		}, ecobid.ErrSuspended},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, "")
			if err := test.arrange(p); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Giving.Reserve(t.Context(), giving.Request{UserID: p.bert, ItemID: p.item.ItemID}); !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
			if p.status(t) != ecobiddb.ItemStatusAvailable {
				t.Errorf("the item is %s", p.status(t))
			}
		})
	}
}

// TestPickupByBothSides has vector 11.
func TestPickupByBothSides(t *testing.T) {
	p := open(t, "")
	r := p.confirm(t, p.reserve(t, p.bert))
	for range 2 {
		got, err := p.Giving.PickedUp(t.Context(), p.anna, r.ReservationID)
		if err != nil || got.Status != ecobiddb.ReservationStatusConfirmed {
			t.Fatalf("after one side: %s, %v", got.Status, err)
		}
	}
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() {
			if _, err := p.Giving.PickedUp(t.Context(), p.bert, r.ReservationID); err != nil && !errors.Is(err, ecobid.ErrState) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if p.status(t) != ecobiddb.ItemStatusCompleted {
		t.Errorf("the item is %s", p.status(t))
	}
	anna, bert := p.user(t, p.anna), p.user(t, p.bert)
	if anna.ItemsGiven != 1 || anna.ItemsReceived != 0 || bert.ItemsGiven != 0 || bert.ItemsReceived != 1 || bert.ActiveReservations != 0 {
		t.Errorf("%+v, %+v", anna, bert)
	}
	lines, err := p.DB.ListHistory(p.bert).Slice(t.Context())
	if err != nil || len(lines) != 1 || lines[0].Title != "Oak table" || lines[0].Side != ecobiddb.HistorySideReceived {
		t.Errorf("the history is %+v, %v", lines, err)
	}
}

func TestPickupByCode(t *testing.T) {
	p := open(t, "")
	r := p.reserve(t, p.bert)
	if _, err := p.Giving.Code(t.Context(), p.anna, r.ReservationID); !errors.Is(err, ecobid.ErrState) {
		t.Errorf("a code before the confirmation: %v", err)
	}
	p.confirm(t, r)
	if _, err := p.Giving.Code(t.Context(), p.bert, r.ReservationID); !errors.Is(err, ecobid.ErrNotYours) {
		t.Errorf("the code to the buyer: %v", err)
	}
	code, err := p.Giving.Code(t.Context(), p.anna, r.ReservationID)
	if err != nil || len(code) != 6 {
		t.Fatalf("the code is %q, %v", code, err)
	}
	for range 9 {
		if _, err := p.Giving.Redeem(t.Context(), p.bert, r.ReservationID, "999999"); !errors.Is(err, ecobid.ErrWrongCode) {
			t.Fatalf("a wrong code: %v", err)
		}
	}
	got, err := p.Giving.Redeem(t.Context(), p.bert, r.ReservationID, " "+strings.ToLower(code))
	if err != nil || got.Status != ecobiddb.ReservationStatusCompleted {
		t.Errorf("%s, %v", got.Status, err)
	}
	other := open(t, "")
	r = other.confirm(t, other.reserve(t, other.bert))
	for i := range 11 {
		_, err := other.Giving.Redeem(t.Context(), other.bert, r.ReservationID, "999999")
		if _, limited := refusal.As(err, refusal.TooMany); limited != (i == 10) {
			t.Errorf("guess %d: %v", i+1, err)
		}
	}
}

func TestNoShow(t *testing.T) {
	p := open(t, "")
	r := p.confirm(t, p.reserve(t, p.bert))
	p.Clock.Set(*r.PickupTime)
	p.Advance(t, 24*time.Hour-time.Millisecond)
	if p.status(t) != ecobiddb.ItemStatusReserved {
		t.Errorf("early the item is %s", p.status(t))
	}
	p.Advance(t, time.Millisecond)
	if p.status(t) != ecobiddb.ItemStatusAvailable || p.user(t, p.bert).Strikes != 1 {
		t.Errorf("the item is %s, strikes %d", p.status(t), p.user(t, p.bert).Strikes)
	}
}

func TestOneMarkCompletesAfterTwoDays(t *testing.T) {
	p := open(t, "")
	r := p.confirm(t, p.reserve(t, p.bert))
	if _, err := p.Giving.PickedUp(t.Context(), p.bert, r.ReservationID); err != nil {
		t.Fatal(err)
	}
	p.Advance(t, 48*time.Hour-time.Millisecond)
	if p.status(t) != ecobiddb.ItemStatusReserved {
		t.Errorf("early the item is %s", p.status(t))
	}
	p.Advance(t, time.Millisecond)
	if p.status(t) != ecobiddb.ItemStatusCompleted || p.user(t, p.anna).ItemsGiven != 1 {
		t.Errorf("the item is %s", p.status(t))
	}
}

// TestWhoSeesThePlace has vector 14.
func TestWhoSeesThePlace(t *testing.T) {
	p := open(t, "")
	cleo := p.Person(t, "Cleo")
	sees := func(userID string) bool {
		t.Helper()
		place, err := p.Giving.Place(t.Context(), userID, p.item.ItemID)
		if err != nil && !errors.Is(err, ecobid.ErrNoPlace) {
			t.Fatal(err)
		}
		return err == nil && place.Point == ecobidtest.Warsaw
	}
	expect := func(when string, anna, bert bool) {
		t.Helper()
		if sees(p.anna) != anna || sees(p.bert) != bert || sees(cleo) || sees("") {
			t.Errorf("%s: owner %v, buyer %v, other %v, stranger %v", when, sees(p.anna), sees(p.bert), sees(cleo), sees(""))
		}
	}
	expect("available", true, false)
	r := p.reserve(t, p.bert)
	expect("reserved", true, false)
	p.confirm(t, r)
	expect("confirmed", true, true)
	for _, id := range []string{p.anna, p.bert} {
		if _, err := p.Giving.PickedUp(t.Context(), id, r.ReservationID); err != nil {
			t.Fatal(err)
		}
	}
	p.Advance(t, 7*24*time.Hour-time.Second)
	expect("completed", true, true)
	p.Advance(t, time.Second)
	expect("a week later", false, false)
}

func TestPlaceIsHiddenAfterACancellation(t *testing.T) {
	p := open(t, "")
	r := p.confirm(t, p.reserve(t, p.bert))
	if _, err := p.Giving.Cancel(t.Context(), p.bert, r.ReservationID); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Giving.Place(t.Context(), p.bert, p.item.ItemID); !errors.Is(err, ecobid.ErrNoPlace) {
		t.Errorf("%v", err)
	}
}

func TestMessagesAfterConfirmation(t *testing.T) {
	p := open(t, "")
	r := p.reserve(t, p.bert)
	if seen, err := p.Giving.Get(t.Context(), p.anna, r.ReservationID); err != nil || strings.Contains(*seen.Message, "123") {
		t.Errorf("the seller sees %q, %v", *seen.Message, err)
	}
	if _, err := p.Giving.Send(t.Context(), p.bert, r.ReservationID, "Where?", ""); !errors.Is(err, ecobid.ErrState) {
		t.Errorf("before the confirmation: %v", err)
	}
	r = p.confirm(t, r)
	if !strings.Contains(*r.Message, "123 456 789") {
		t.Errorf("after the confirmation the seller sees %q", *r.Message)
	}
	if _, err := p.Giving.Send(t.Context(), p.bert, r.ReservationID, "I am on my way.", ""); err != nil {
		t.Error(err)
	}
	if _, err := p.Giving.Send(t.Context(), p.Person(t, "Cleo"), r.ReservationID, "Hello", ""); !errors.Is(err, ecobid.ErrNoReservation) {
		t.Errorf("a stranger: %v", err)
	}
	page, err := p.Giving.Messages(t.Context(), p.anna, r.ReservationID, 0, "")
	if err != nil || len(page.Items) != 1 || page.Items[0].SenderID != p.bert {
		t.Errorf("%+v, %v", page.Items, err)
	}
}

func TestPickupTimes(t *testing.T) {
	p := open(t, "")
	r := p.reserve(t, p.bert)
	for ahead, fine := range map[time.Duration]bool{0: false, -time.Hour: false, 30*24*time.Hour + time.Second: false, time.Minute: true} {
		_, err := p.Giving.Confirm(t.Context(), p.anna, r.ReservationID, p.Clock.Now().Add(ahead), "")
		if (err == nil) != fine {
			t.Errorf("%v ahead: %v", ahead, err)
		}
		if fine {
			return
		}
	}
}

func TestIdempotencyKey(t *testing.T) {
	p := open(t, "")
	in := giving.Request{UserID: p.bert, ItemID: p.item.ItemID, Key: "once"}
	first, err := p.Giving.Reserve(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.Giving.Reserve(t.Context(), in)
	if err != nil || again.ReservationID != first.ReservationID {
		t.Errorf("again: %s, %v, want %s", again.ReservationID, err, first.ReservationID)
	}
	in.Message = "another request"
	if _, err := p.Giving.Reserve(t.Context(), in); !errors.Is(err, receipt.ErrKeyReused) {
		t.Errorf("another request: %v", err)
	}
}
