package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid/contract"
)

// A blockedWorld is a world in which the owner of all things has blocked Dora, and Emil has blocked the owner.
type blockedWorld struct {
	*site
	owner, dora, emil user
	gift, drawn, sale contract.Item
	past              contract.Reservation // between the owner and Dora
	things            map[string][]string
	unknown           string
}

func openBlocked(t *testing.T) *blockedWorld {
	t.Helper()
	s := open(t)
	w := &blockedWorld{site: s, owner: s.join(t, "Anna"), dora: s.join(t, "Dora"), emil: s.join(t, "Emil"), unknown: "01JUNKNWN0000000000000000Z"}
	w.gift = w.owner.give(t)
	in := w.owner.table(t)
	in.Allocation = "lottery"
	w.owner.must(t, "POST", "/v1/items", in, &w.drawn)
	w.dora.must(t, "POST", "/v1/items/"+w.drawn.ID+"/join", contract.Wish{}, nil)
	s.Advance(t, 6*time.Hour)
	w.owner, w.dora, w.emil = s.again(t, "Anna"), s.again(t, "Dora"), s.again(t, "Emil")
	in = w.owner.table(t)
	in.Auction = &contract.AuctionSettings{MinBid: 500, Hours: 24}
	w.owner.must(t, "POST", "/v1/items", in, &w.sale)
	w.dora.must(t, "POST", "/v1/auctions/"+*w.sale.AuctionID+"/bids", contract.Maximum{Maximum: 900}, nil)
	w.dora.must(t, "POST", "/v1/items/"+w.gift.ID+"/reserve", contract.Wish{}, &w.past)
	w.owner.must(t, "POST", "/v1/reservations/"+w.past.ID+"/confirm", contract.Confirmation{PickupTime: s.Clock.Now().Add(time.Hour)}, nil)
	w.dora.must(t, "POST", "/v1/reservations/"+w.past.ID+"/messages", contract.Text{Text: "On my way"}, nil)
	w.owner.must(t, "POST", "/v1/users/"+w.dora.id+"/block", nil, nil)
	w.emil.must(t, "POST", "/v1/users/"+w.owner.id+"/block", nil, nil)
	w.things = map[string][]string{
		"items": {w.gift.ID, w.drawn.ID, w.sale.ID}, "auctions": {*w.sale.AuctionID}, "users": {w.owner.id}, "favourites": {w.gift.ID},
	}
	return w
}

// TestBlocksHoldOnEveryRoute calls every operation about the things of an owner as two people: one whom the owner has
// blocked, and one who has blocked the owner. The answers are those about things that do not exist.
func TestBlocksHoldOnEveryRoute(t *testing.T) {
	w := openBlocked(t)
	bodies := map[string]any{
		"/v1/auctions/{id}/bids": contract.Maximum{Maximum: 1}, "/v1/items/{id}/report": contract.NewReport{Reason: "spam"}, "/v1/users/{id}/report": contract.NewReport{Reason: "rude"},
	}
	ownBlock := map[string]bool{"/v1/users/{id}/block": true, "/v1/users/{id}/report": true} // a person may report whom they have blocked
	compared := 0
	for _, name := range w.document.Operations() {
		method, template, _ := strings.Cut(name, " ")
		parts := strings.Split(template, "/")
		subject := parts[len(parts)-1]
		for i, part := range parts {
			if part == "{id}" {
				subject = parts[i-1]
			}
		}
		for _, u := range []user{w.dora, w.emil} {
			if strings.HasPrefix(template, "/v1/moderation") || u.id == w.emil.id && ownBlock[template] {
				continue
			}
			for _, id := range w.things[subject] {
				compared++
				got, want := w.ask(t, u, method, template, id, bodies[template]), w.ask(t, u, method, template, w.unknown, bodies[template])
				if got != want {
					t.Errorf("%s of a blocked person: %d %s; of an unknown one: %d %s", name, got.status, got.text, want.status, want.text)
				}
			}
		}
	}
	if compared < 60 {
		t.Errorf("only %d requests were compared", compared)
	}
}

// An outcome is what a person sees of a response.
type outcome struct {
	status int
	text   string
}

// ask sends a request about a thing.
func (w *blockedWorld) ask(t *testing.T, u user, method, template, id string, body any) outcome {
	t.Helper()
	w.Clock.Advance(2 * time.Second)
	if body == nil && method != http.MethodGet && method != http.MethodDelete {
		body = struct{}{}
	}
	got := u.send(t, method, parameter.ReplaceAllString(template, id), body)
	return outcome{got.status, strings.ReplaceAll(got.text, id, "ID")}
}

// TestABlockEndsWhatIsOpen looks at what is left between two people after a block.
func TestABlockEndsWhatIsOpen(t *testing.T) {
	w := openBlocked(t)
	path := "/v1/reservations/" + w.past.ID
	for _, u := range []user{w.owner, w.dora} {
		var r contract.Reservation
		u.must(t, "GET", path, nil, &r)
		if r.Status != "cancelled" {
			t.Errorf("the reservation is %s", r.Status)
		}
		u.refused(t, "GET", path+"/messages", nil, 404, "RESERVATION_NOT_FOUND")
		u.refused(t, "POST", path+"/messages", contract.Text{Text: "Hello"}, 404, "RESERVATION_NOT_FOUND")
	}
	w.owner.refused(t, "GET", "/v1/users/"+w.dora.id, nil, 404, "USER_NOT_FOUND")
	w.dora.refused(t, "GET", "/v1/items/"+w.gift.ID+"/place", nil, 404, "ITEM_NOT_FOUND")
	w.owner.must(t, "DELETE", "/v1/users/"+w.dora.id+"/block", nil, nil)
	w.dora.must(t, "GET", "/v1/items/"+w.gift.ID, nil, nil)
	w.dora.must(t, "GET", path+"/messages", nil, nil)
}

func TestFeedsLeaveOutBlockedPeople(t *testing.T) {
	w := openBlocked(t)
	for _, path := range []string{"/v1/cities/Warsaw/items?category=furniture", nearbyPath("&radius=5"), nearbyPath("&radius=5&category=furniture"), "/v1/auctions"} {
		for name, viewer := range map[string]user{"a blocked person": w.dora, "one who has blocked": w.emil, "a visitor": {site: w.site}} {
			var found contract.List[struct {
				ID string `json:"id"`
			}]
			viewer.must(t, "GET", path, nil, &found)
			if want := name == "a visitor"; len(found.Items) > 0 != want {
				t.Errorf("%s finds %+v at %s", name, found.Items, path)
			}
		}
	}
}
