package server_test

import (
	"net/http"
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

// TestAnUnsoldThingIsSoldAgain cancels an auction and posts the thing again: it is not given away by itself.
func TestAnUnsoldThingIsSoldAgain(t *testing.T) {
	base := start(t)
	seller := signUp(t, base, "selma")
	item := give(seller, "Blue bicycle", "auction", "min-bid", "7.00", "reserve", "", "hours", "24")
	seller.Open(item).Says("From 7.00", "Cancel the auction").Hides("Bring to the top", "Place bid")
	seller.Send(http.StatusOK, item+"/withdraw").Says("Expired", "Post it again", `value="7.00"`, `value="auction" checked`)
	seller.Send(http.StatusUnprocessableEntity, item+"/publish").Says("Post it again")
	seller.Send(http.StatusUnprocessableEntity, item+"/publish", "way", "auction", "min-bid", "1.00", "hours", "24").Says("Post it again", "1.00")
	seller.Send(http.StatusOK, item+"/publish", "way", "auction", "min-bid", "9.00", "hours", "24").Says("From 9.00")
	webtest.NewVisitor(t, base).Open("/").Says("9.00 PLN").Hides("Free")
}

// TestWhatHasBidsStaysAsItIs tries to change a thing after the first bid.
func TestWhatHasBidsStaysAsItIs(t *testing.T) {
	base := start(t)
	seller, bidder := signUp(t, base, "selma"), signUp(t, base, "boris")
	item := give(seller, "Blue bicycle", "auction", "min-bid", "5.00", "reserve", "", "hours", "24")
	edit := []string{"title", "Picture of a bicycle", "category", "furniture", "condition", "good", "photo-id", photo(seller)}
	seller.Open(item+"/edit").Send(http.StatusOK, item+"/edit", edit...).Says("Picture of a bicycle")
	bidder.Open(item).Send(http.StatusOK, item+"/bid", "maximum", "9.00")
	seller.Open(item).Says("1 bid", "neither changed nor taken back").Hides("Cancel the auction", item+"/edit")
	seller.Send(http.StatusUnprocessableEntity, item+"/edit", edit...).Says("Others have bid on what you described")
	seller.Open(item).Send(http.StatusUnprocessableEntity, item+"/withdraw").Says("An auction with bids cannot be cancelled")
}
