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
	bicycle := give(seller, "Blue bicycle", "auction", "min-bid", "5.00", "reserve", "", "hours", "24")
	seller.Open(give(seller, "Old radio", "first")).Send(http.StatusOK, seller.Path+"/withdraw")
	loser.Open(bicycle).Send(http.StatusOK, bicycle+"/bid", "maximum", "7.00")
	winner.Open(bicycle).Send(http.StatusOK, bicycle+"/bid", "maximum", "9.00")
	loser.Open("/mine").Says("Blue bicycle", "Outbid")
	winner.Open("/mine").Says("Blue bicycle", "You lead")
	seller.Open("/mine").Says("Blue bicycle").Hides("Old radio")
	seller.Open("/mine?past=1").Says("Old radio").Hides("Blue bicycle")

	ahead.Store(int64(25 * time.Hour))
	for range 200 {
		if winner.Open("/mine"); strings.Contains(winner.Page, "/pickups/") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	winner.Open("/mine").Says("Blue bicycle", "Waiting").Hides("You lead", "I bid")
	winner.Open("/mine?past=1").Says("Blue bicycle", "You won", "8.00 PLN")
	loser.Open("/mine").Hides("Blue bicycle")
	loser.Open("/mine?past=1").Says("Blue bicycle", "Not won").Hides("Outbid")
	seller.Open("/mine").Says("Blue bicycle", "Reserved").Hides("Old radio")
	seller.Open(bicycle).Says("Sold by", ">boris</a> <span class=\"muted\">Waiting")
	winner.Open(bicycle).Says("It is reserved for you", "/pickups/").Hides("not available any more")
	loser.Open(bicycle).Says("not available any more").Hides("reserved for you")
}
