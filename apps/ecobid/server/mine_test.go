package server_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestWhatIsOverIsInThePast: the lists of open things have nothing that is over, and those of the past nothing that is open.
func TestWhatIsOverIsInThePast(t *testing.T) {
	var ahead atomic.Int64
	base, _ := startWith(t, nil, func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) })
	seller, winner, loser := signUp(t, base, "selma"), signUp(t, base, "boris"), signUp(t, base, "carla")
	bicycle := seller.give("Blue bicycle", "auction", "min-bid", "5.00", "reserve", "", "hours", "24")
	seller.get(seller.give("Old radio", "first")).post(http.StatusOK, seller.Path+"/withdraw")
	loser.get(bicycle).post(http.StatusOK, bicycle+"/bid", "maximum", "7.00")
	winner.get(bicycle).post(http.StatusOK, bicycle+"/bid", "maximum", "9.00")
	loser.get("/mine").shows("Blue bicycle", "Outbid")
	winner.get("/mine").shows("Blue bicycle", "You lead")
	seller.get("/mine").shows("Blue bicycle").Hides("Old radio")
	seller.get("/mine?past=1").shows("Old radio").Hides("Blue bicycle")

	ahead.Store(int64(25 * time.Hour))
	for range 200 {
		if winner.get("/mine"); strings.Contains(winner.Page, "/pickups/") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	winner.get("/mine").shows("Blue bicycle", "Waiting").Hides("You lead", "I bid")
	winner.get("/mine?past=1").shows("Blue bicycle", "You won", "8.00 PLN")
	loser.get("/mine").Hides("Blue bicycle")
	loser.get("/mine?past=1").shows("Blue bicycle", "Not won").Hides("Outbid")
	seller.get("/mine").shows("Blue bicycle", "Reserved").Hides("Old radio")
	seller.get(bicycle).shows("Sold by", ">boris</a> <span class=\"muted\">Waiting")
	winner.get(bicycle).shows("It is reserved for you", "/pickups/").Hides("not available any more")
	loser.get(bicycle).shows("not available any more").Hides("reserved for you")
}
