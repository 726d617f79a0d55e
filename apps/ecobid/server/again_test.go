package server_test

import (
	"net/http"
	"testing"
)

// TestAnUnsoldThingIsSoldAgain cancels an auction and posts the thing again: it is not given away by itself.
func TestAnUnsoldThingIsSoldAgain(t *testing.T) {
	base := start(t)
	seller := signUp(t, base, "selma")
	item := seller.give("Blue bicycle", "auction", "min-bid", "7.00", "reserve", "", "hours", "24")
	seller.get(item).shows("From 7.00", "Cancel the auction").Hides("Bring to the top", "Place bid")
	seller.post(http.StatusOK, item+"/withdraw").shows("Expired", "Post it again", `value="7.00"`, `value="auction" checked`)
	seller.post(http.StatusUnprocessableEntity, item+"/publish").shows("Post it again")
	seller.post(http.StatusUnprocessableEntity, item+"/publish", "way", "auction", "min-bid", "1.00", "hours", "24").shows("Post it again", "1.00")
	seller.post(http.StatusOK, item+"/publish", "way", "auction", "min-bid", "9.00", "hours", "24").shows("From 9.00")
	newBrowser(t, base).get("/").shows("9.00 PLN").Hides("Free")
}

// TestWhatHasBidsStaysAsItIs tries to change a thing after the first bid.
func TestWhatHasBidsStaysAsItIs(t *testing.T) {
	base := start(t)
	seller, bidder := signUp(t, base, "selma"), signUp(t, base, "boris")
	item := seller.give("Blue bicycle", "auction", "min-bid", "5.00", "reserve", "", "hours", "24")
	edit := []string{"title", "Picture of a bicycle", "category", "furniture", "condition", "good", "photo-id", seller.photo()}
	seller.get(item+"/edit").post(http.StatusOK, item+"/edit", edit...).shows("Picture of a bicycle")
	bidder.get(item).post(http.StatusOK, item+"/bid", "maximum", "9.00")
	seller.get(item).shows("1 bid", "neither changed nor taken back").Hides("Cancel the auction", item+"/edit")
	seller.post(http.StatusUnprocessableEntity, item+"/edit", edit...).shows("Others have bid on what you described")
	seller.get(item).post(http.StatusUnprocessableEntity, item+"/withdraw").shows("An auction with bids cannot be cancelled")
}
