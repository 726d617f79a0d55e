package api_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/api"
	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/internal/operation"
)

func nearbyPath(query string) string {
	return fmt.Sprintf("/v1/items?lat=%v&lon=%v%s", ecobidtest.Warsaw.Lat, ecobidtest.Warsaw.Lon, query)
}

// TestGift plays a gift from the sign-up to the ratings, over HTTP.
func TestGift(t *testing.T) {
	s := open(t)
	anna, bert := s.join(t, "Anna"), s.join(t, "Bert")
	item := anna.give(t)
	if item.Stage != "available" || len(item.Photos) != 1 {
		t.Fatalf("posted %+v", item)
	}
	var found contract.Nearby
	user{site: s}.must(t, "GET", nearbyPath("&radius=1&category=furniture&sort=distance"), nil, &found)
	if len(found.Items) != 1 || *found.Items[0].DistanceKm != 0 {
		t.Errorf("found %+v", found)
	}
	if got := (user{site: s}).send(t, "GET", found.Items[0].ThumbnailURL, nil); got.status != 200 || got.header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("the photo: %d %v", got.status, got.header)
	}
	var inCity contract.List[contract.Card]
	user{site: s}.must(t, "GET", "/v1/cities/Warsaw/items?category=furniture", nil, &inCity)
	if len(inCity.Items) != 1 || inCity.Items[0].ID != item.ID {
		t.Errorf("found %+v in the city", inCity)
	}
	var r contract.Reservation
	bert.must(t, "POST", "/v1/items/"+item.ID+"/reserve", contract.Wish{Message: "Please"}, &r)
	path := "/v1/reservations/" + r.ID
	bert.refused(t, "GET", "/v1/items/"+item.ID+"/place", nil, 403, "PLACE_HIDDEN")
	anna.must(t, "POST", path+"/confirm", contract.Confirmation{PickupTime: s.Clock.Now().Add(time.Hour)}, &r)
	var place contract.Place
	bert.must(t, "GET", "/v1/items/"+item.ID+"/place", nil, &place)
	if place.Lat != ecobidtest.Warsaw.Lat || place.Address != "Marszałkowska 1" {
		t.Errorf("the place is %+v", place)
	}
	bert.must(t, "POST", path+"/messages", contract.Text{Text: "On my way"}, nil)
	var messages contract.List[contract.Message]
	anna.must(t, "GET", path+"/messages", nil, &messages)
	if len(messages.Items) != 1 {
		t.Errorf("messages: %+v", messages)
	}
	var code contract.Code
	anna.must(t, "GET", path+"/code", nil, &code)
	bert.must(t, "POST", path+"/complete", code, &r)
	if r.Status != "completed" {
		t.Errorf("the reservation is %+v", r)
	}
	anna.must(t, "POST", path+"/rating", contract.NewRating{Rating: 5}, nil)
	bert.must(t, "POST", path+"/rating", contract.NewRating{Rating: 4, Comment: "Thank you"}, nil)
	var profile contract.Profile
	bert.must(t, "GET", "/v1/users/"+anna.id, nil, &profile)
	if profile.RatingCount != 1 || profile.ItemsGiven != 1 || profile.Rating != nil {
		t.Errorf("the profile is %+v", profile)
	}
	s.Deliver(t)
	var inbox contract.List[contract.Notification]
	anna.must(t, "GET", "/v1/notifications", nil, &inbox)
	if len(inbox.Items) == 0 {
		t.Error("the inbox is empty")
	}
	anna.must(t, "POST", "/v1/notifications/read", nil, nil)
}

func TestAuction(t *testing.T) {
	s := open(t)
	anna, bert, cleo := s.join(t, "Anna"), s.join(t, "Bert"), s.join(t, "Cleo")
	in := anna.table(t)
	in.Auction = &contract.AuctionSettings{MinBid: 500, ReservePrice: 1000, Hours: 24}
	var item contract.Item
	anna.must(t, "POST", "/v1/items", in, &item)
	path := "/v1/auctions/" + *item.AuctionID
	var receipt contract.BidReceipt
	bert.must(t, "POST", path+"/bids", contract.Maximum{Maximum: 2000}, &receipt)
	if !receipt.Leading || receipt.Price != 1000 {
		t.Errorf("the receipt is %+v", receipt)
	}
	got := cleo.refused(t, "POST", path+"/bids", contract.Maximum{Maximum: 1050}, 400, "BID_TOO_LOW")
	if !strings.Contains(got.text, `"min":1100`) {
		t.Errorf("the least bid is missing: %s", got.text)
	}
	anna.refused(t, "POST", path+"/bids", contract.Maximum{Maximum: 5000}, 403, "OWN_AUCTION")
	anna.refused(t, "POST", path+"/cancel", nil, 409, "AUCTION_HAS_BIDS")
	cleo.must(t, "POST", path+"/bids", contract.Maximum{Maximum: 1500}, &receipt)
	var auction contract.Auction
	bert.must(t, "GET", path, nil, &auction)
	if auction.CurrentBid != 1600 || auction.Maximum != 2000 || !auction.Leading || auction.BidCount != 2 {
		t.Errorf("the auction is %+v", auction)
	}
	auction = contract.Auction{}
	cleo.must(t, "GET", path, nil, &auction)
	if auction.Maximum != 0 || auction.LeastBid != 1700 {
		t.Errorf("another person sees %+v", auction)
	}
	var bids contract.List[contract.Bid]
	user{site: s}.must(t, "GET", path+"/bids", nil, &bids)
	if len(bids.Items) != 2 || !bids.Items[0].Automatic {
		t.Errorf("the history is %+v", bids)
	}
}

// TestEventsOfAnAuction reads the stream of an auction.
func TestEventsOfAnAuction(t *testing.T) {
	s := open(t)
	anna, bert := s.join(t, "Anna"), s.join(t, "Bert")
	in := anna.table(t)
	in.Auction = &contract.AuctionSettings{MinBid: 500, Hours: 24}
	var item contract.Item
	anna.must(t, "POST", "/v1/items", in, &item)
	response, err := http.Get(s.url + "/v1/auctions/" + *item.AuctionID + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	next := func(want string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), want) {
				return
			}
		}
		t.Fatalf("the stream ended without %s", want)
	}
	next(`"currentBid":0`)
	bert.must(t, "POST", "/v1/auctions/"+*item.AuctionID+"/bids", contract.Maximum{Maximum: 900}, nil)
	s.hub.Tell(ecobid.AuctionTopic(*item.AuctionID)) // as the worker does
	next(`"currentBid":500`)
}

func TestRefusals(t *testing.T) {
	s := open(t)
	anna := s.join(t, "Anna")
	item := anna.give(t)
	stranger := user{site: s}
	stranger.refused(t, "GET", nearbyPath("&radius=3"), nil, 400, "VALIDATION_ERROR")
	stranger.refused(t, "GET", "/v1/items", nil, 400, "VALIDATION_ERROR")
	stranger.refused(t, "GET", "/v1/items?lat=x&lon=1", nil, 400, "VALIDATION_ERROR")
	stranger.refused(t, "POST", "/v1/items/"+item.ID+"/reserve", contract.Wish{}, 401, "UNAUTHORIZED")
	user{site: s, token: "wrong"}.refused(t, "GET", "/v1/users/me", nil, 401, "UNAUTHORIZED")
	anna.refused(t, "POST", "/v1/items/"+item.ID+"/reserve", contract.Wish{}, 400, "OWN_ITEM")
	anna.refused(t, "GET", "/v1/items/unknown", nil, 404, "ITEM_NOT_FOUND")
	anna.refused(t, "GET", "/v1/moderation/reports", nil, 403, "FORBIDDEN")
	anna.refused(t, "POST", "/v1/uploads", make([]byte, 6<<20), 400, "VALIDATION_ERROR")
	anna.refused(t, "POST", "/v1/uploads", []byte("<svg/>"), 400, "VALIDATION_ERROR")
	anna.refused(t, "POST", "/v1/auctions", contract.NewAuction{ItemID: item.ID, MinBid: 499, Hours: 24}, 400, "VALIDATION_ERROR")
	anna.refused(t, "POST", "/v1/auctions", contract.NewAuction{ItemID: item.ID, MinBid: 500, Hours: 36}, 400, "VALIDATION_ERROR")
	stranger.refused(t, "POST", "/v1/auth/register", contract.Registration{Email: "b@example.org", Password: "correct horse b", Username: "anna", City: "x", Country: "PL", Currency: "PLN"}, 409, "NAME_TAKEN")
}

// TestRateLimit has vector 15.
func TestRateLimit(t *testing.T) {
	s := open(t)
	anna := s.join(t, "Anna")
	for i := range 100 {
		if got := anna.send(t, "GET", "/v1/users/me", nil); got.status != 200 {
			t.Fatalf("request %d: %d", i+1, got.status)
		}
	}
	if got := anna.refused(t, "GET", "/v1/users/me", nil, 429, "RATE_LIMITED"); got.header.Get("Retry-After") == "" {
		t.Error("Retry-After is missing")
	}
	s.Clock.Advance(2 * time.Minute)
	if got := anna.send(t, "GET", "/v1/users/me", nil); got.status != 200 {
		t.Errorf("later: %d", got.status)
	}
}

// TestHourlyRateLimit has the second half of vector 15: the minutes stay below their limit.
func TestHourlyRateLimit(t *testing.T) {
	s := open(t)
	anna := s.join(t, "Anna")
	for i := range 1000 {
		if i%90 == 0 {
			s.Clock.Advance(2 * time.Minute)
		}
		if got := anna.send(t, "GET", "/v1/users/me", nil); got.status != 200 {
			t.Fatalf("request %d: %d %s", i+1, got.status, got.text)
		}
	}
	s.Clock.Advance(2 * time.Minute)
	if got := anna.refused(t, "GET", "/v1/users/me", nil, 429, "RATE_LIMITED"); got.header.Get("Retry-After") == "" {
		t.Error("Retry-After is missing")
	}
	s.Clock.Advance(2 * time.Hour)
	var tokens contract.Tokens
	user{site: s}.must(t, "POST", "/v1/auth/login", map[string]string{"email": "anna@example.org", "password": "correct horse Anna"}, &tokens)
	anna.token = tokens.AccessToken
	if got := anna.send(t, "GET", "/v1/users/me", nil); got.status != 200 {
		t.Errorf("later: %d", got.status)
	}
}

var parameter = regexp.MustCompile(`\{[a-z]+\}`)

// TestNoRouteRevealsAPlaceOrAMaximum walks every route with every role, and looks for secrets in
// what it answers: the exact address of an item that is not confirmed, a maximum and a reserve.
func TestNoRouteRevealsAPlaceOrAMaximum(t *testing.T) {
	s := open(t)
	anna, bert, cleo, mod := s.join(t, "Anna"), s.join(t, "Bert"), s.join(t, "Cleo"), s.join(t, "Moderator")
	if _, err := s.accounts.People.SetRoles(t.Context(), "test", mod.id, []string{api.RoleModerator, api.RoleOperator}); err != nil {
		t.Fatal(err)
	}
	gift := anna.give(t)
	var r contract.Reservation
	bert.must(t, "POST", "/v1/items/"+gift.ID+"/reserve", contract.Wish{}, &r)
	in := anna.table(t)
	in.Auction = &contract.AuctionSettings{MinBid: 500, ReservePrice: 7171, Hours: 24}
	var sale contract.Item
	anna.must(t, "POST", "/v1/items", in, &sale)
	cleo.must(t, "POST", "/v1/auctions/"+*sale.AuctionID+"/bids", contract.Maximum{Maximum: 600}, nil)
	in = anna.table(t)
	in.Auction = &contract.AuctionSettings{MinBid: 500, Hours: 24}
	var plain contract.Item
	anna.must(t, "POST", "/v1/items", in, &plain)
	cleo.must(t, "POST", "/v1/auctions/"+*plain.AuctionID+"/bids", contract.Maximum{Maximum: 6161}, nil)
	dora := s.join(t, "Dora")
	anna.must(t, "POST", "/v1/users/"+dora.id+"/block", nil, nil)
	s.Deliver(t)

	secrets := map[string][]string{ // text: who may see it
		"52.2297": {anna.id}, "21.0122": {anna.id}, "Marsz": {anna.id}, "7171": nil, "6161": {cleo.id},
	}
	ids := map[string][]string{
		"items": {gift.ID, sale.ID, plain.ID}, "auctions": {*sale.AuctionID, *plain.AuctionID}, "reservations": {r.ID}, "users": {anna.id, bert.id}, "photos": {gift.Photos[0].ID},
	}
	walked := 0
	for _, name := range s.document.Operations() {
		method, template, _ := strings.Cut(name, " ")
		if strings.HasSuffix(template, "/events") || method == "DELETE" || strings.HasSuffix(template, "/confirm") || strings.HasPrefix(template, "/v1/auth") {
			continue // confirmed pickups are another test; deleting ends the walk
		}
		subject := strings.Split(strings.TrimPrefix(template, "/v1/"), "/")[0]
		for _, id := range append(ids[subject], "unknown") {
			path := parameter.ReplaceAllString(template, id)
			if template == "/v1/items" {
				path += "?" + url.Values{"lat": {"52.23"}, "lon": {"21.01"}, "radius": {"25"}}.Encode()
			}
			for _, u := range []user{{site: s}, bert, cleo, mod, dora, anna} {
				s.Clock.Advance(2 * time.Second)
				var body any
				if method == "POST" || method == "PUT" || method == "PATCH" {
					body = struct{}{}
				}
				if strings.HasPrefix(template, "/v1/moderation") && method == "POST" && u.id == mod.id {
					continue
				}
				got := u.send(t, method, path, body)
				walked++
				if got.status >= 500 {
					t.Errorf("%s %s as %s: %d %s", method, path, u.id, got.status, got.text)
				}
				for secret, allowed := range secrets {
					if strings.Contains(got.text, secret) && (len(allowed) == 0 || allowed[0] != u.id) {
						t.Errorf("%s %s tells %q to %q: %s", method, path, secret, u.id, got.text)
					}
				}
			}
		}
	}
	if walked < 300 {
		t.Errorf("only %d requests", walked)
	}
}

// TestEveryOperationSucceedsOnce calls what the other tests do not, and asks the document what was
// left out.
func TestEveryOperationSucceedsOnce(t *testing.T) {
	s := open(t)
	anna, mod := s.join(t, "Anna"), s.join(t, "Moderator")
	s.join(t, "Bert")
	if _, err := s.accounts.People.SetRoles(t.Context(), "test", mod.id, []string{api.RoleModerator}); err != nil {
		t.Fatal(err)
	}
	var tokens contract.Tokens
	stranger := user{site: s}
	stranger.must(t, "POST", "/v1/auth/login", operation.Login{Email: "bert@example.org", Password: "correct horse Bert"}, &tokens)
	stranger.must(t, "POST", "/v1/auth/refresh", operation.Refresh{RefreshToken: tokens.RefreshToken}, &tokens)
	stranger.must(t, "POST", "/v1/auth/logout", operation.Refresh{RefreshToken: tokens.RefreshToken}, nil)
	stranger.must(t, "GET", "/health", nil, nil)
	stranger.must(t, "GET", "/v1/impact", nil, nil)
	stranger.must(t, "GET", "/v1/auctions", nil, nil)
	stranger.must(t, "GET", "/v1/users/"+anna.id+"/ratings", nil, nil)
	stranger.must(t, "GET", "/v1/users/"+anna.id+"/items", nil, nil)

	in := anna.table(t)
	in.Draft = true
	var item contract.Item
	anna.must(t, "POST", "/v1/items", in, &item)
	in.Title = "Oak table with chairs"
	anna.must(t, "PUT", "/v1/items/"+item.ID, in, nil)
	anna.must(t, "POST", "/v1/items/"+item.ID+"/publish", contract.Publication{Allocation: "queue"}, nil)
	stranger.must(t, "GET", "/v1/items/"+item.ID, nil, nil)
	s.Clock.Advance(25 * time.Hour)
	anna, mod = s.again(t, "Anna"), s.again(t, "Moderator")
	bert := s.again(t, "Bert")
	anna.must(t, "POST", "/v1/items/"+item.ID+"/bump", nil, nil)
	var joined contract.Joined
	bert.must(t, "POST", "/v1/items/"+item.ID+"/join", contract.Wish{}, &joined)
	mod.must(t, "POST", "/v1/items/"+item.ID+"/join", contract.Wish{}, nil)
	mod.must(t, "DELETE", "/v1/items/"+item.ID+"/join", nil, nil)
	path := "/v1/reservations/" + joined.Reservation.ID
	bert.must(t, "GET", path, nil, nil)
	anna.must(t, "GET", "/v1/items/"+item.ID+"/reservations", nil, nil)
	anna.must(t, "POST", path+"/decline", nil, nil)
	for _, list := range []string{"reservations", "requests", "items", "bids", "auctions", "favourites", "searches"} {
		anna.must(t, "GET", "/v1/users/me/"+list, nil, nil)
	}
	bert.must(t, "PUT", "/v1/users/me/favourites/"+item.ID, nil, nil)
	bert.must(t, "DELETE", "/v1/users/me/favourites/"+item.ID, nil, nil)
	var search contract.Search
	bert.must(t, "POST", "/v1/users/me/searches", contract.Search{Lat: 52.2, Lon: 21, Radius: 5}, &search)
	bert.must(t, "DELETE", "/v1/users/me/searches/"+search.ID, nil, nil)
	bert.must(t, "POST", "/v1/items/"+item.ID+"/report", contract.NewReport{Reason: "spam"}, nil)
	bert.must(t, "POST", "/v1/users/"+anna.id+"/report", contract.NewReport{Reason: "rude"}, nil)
	bert.must(t, "POST", "/v1/users/"+anna.id+"/block", nil, nil)
	bert.must(t, "DELETE", "/v1/users/"+anna.id+"/block", nil, nil)
	var reports contract.List[contract.Report]
	mod.must(t, "GET", "/v1/moderation/reports", nil, &reports)
	mod.must(t, "POST", "/v1/moderation/reports/"+reports.Items[0].Target+"/"+bert.id, contract.Decision{}, nil)
	mod.must(t, "POST", "/v1/moderation/items/"+item.ID+"/remove", nil, nil)
	mod.must(t, "POST", "/v1/moderation/items/"+item.ID+"/restore", nil, nil)
	mod.must(t, "POST", "/v1/moderation/users/"+bert.id+"/suspend", nil, nil)
	mod.must(t, "POST", "/v1/moderation/users/"+bert.id+"/reinstate", nil, nil)
	anna.must(t, "GET", "/v1/users/me", nil, nil)
	anna.must(t, "PATCH", "/v1/users/me", contract.ProfileChange{City: new("Berlin")}, nil)
	anna.must(t, "GET", "/v1/users/me/data", nil, nil)
	anna.must(t, "DELETE", "/v1/items/"+item.ID, nil, nil)

	anna.settings(t)
	second := anna.give(t)
	var r contract.Reservation
	bert.must(t, "POST", "/v1/items/"+second.ID+"/reserve", contract.Wish{}, &r)
	bert.must(t, "POST", "/v1/reservations/"+r.ID+"/accept", nil, nil)
	bert.must(t, "POST", "/v1/reservations/"+r.ID+"/cancel", nil, nil)
	bert.must(t, "POST", "/v1/items/"+second.ID+"/reserve", contract.Wish{}, &r)
	anna.must(t, "POST", "/v1/reservations/"+r.ID+"/confirm", contract.Confirmation{PickupTime: s.Clock.Now().Add(time.Hour)}, nil)
	anna.must(t, "POST", "/v1/reservations/"+r.ID+"/picked-up", nil, nil)

	third := anna.table(t)
	third.Draft = true
	var sold contract.Item
	anna.must(t, "POST", "/v1/items", third, &sold)
	var auction contract.Auction
	anna.must(t, "POST", "/v1/auctions", contract.NewAuction{ItemID: sold.ID, MinBid: 500, Hours: 24}, &auction)
	anna.must(t, "POST", "/v1/auctions/"+auction.ID+"/cancel", nil, nil)

	lottery := anna.table(t)
	lottery.Allocation = "lottery"
	var drawn contract.Item
	anna.must(t, "POST", "/v1/items", lottery, &drawn)
	bert.must(t, "POST", "/v1/items/"+drawn.ID+"/join", contract.Wish{}, nil)
	s.Advance(t, 6*time.Hour)
	stranger.must(t, "GET", "/v1/items/"+drawn.ID+"/draw", nil, nil)
	s.again(t, "Bert").must(t, "DELETE", "/v1/users/me", nil, nil)

	elsewhere := map[string]bool{ // of TestGift, TestAuction and TestEventsOfAnAuction
		"GET /v1/items": true, "GET /v1/cities/{city}/items": true, "GET /v1/photos/{id}": true, "GET /v1/items/{id}/place": true, "GET /v1/reservations/{id}/code": true,
		"POST /v1/reservations/{id}/complete": true, "GET /v1/reservations/{id}/messages": true, "POST /v1/reservations/{id}/messages": true,
		"POST /v1/reservations/{id}/rating": true, "GET /v1/notifications": true, "POST /v1/notifications/read": true, "GET /v1/users/{id}": true,
		"GET /v1/auctions/{id}": true, "GET /v1/auctions/{id}/bids": true, "POST /v1/auctions/{id}/bids": true, "GET /v1/auctions/{id}/events": true,
	}
	for _, name := range s.document.Unseen() {
		if !elsewhere[name] {
			t.Errorf("%s was never answered with success", name)
		}
	}
}

// again signs a person in whose token has expired.
func (s *site) again(t *testing.T, name string) user {
	t.Helper()
	var tokens contract.Tokens
	user{site: s}.must(t, "POST", "/v1/auth/login", operation.Login{Email: strings.ToLower(name) + "@example.org", Password: "correct horse " + name}, &tokens)
	return user{site: s, id: tokens.UserID, token: tokens.AccessToken}
}
