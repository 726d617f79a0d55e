package api

import (
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/nearby"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
)

// A List is a page of a list.
type List[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"cursor,omitempty"`
}

func listOf[From, To any](page access.Page[From], view func(From) To) List[To] {
	list := List[To]{Items: make([]To, len(page.Items)), Next: page.Next}
	for i, item := range page.Items {
		list.Items[i] = view(item)
	}
	return list
}

// A Location is a public point.
type Location struct {
	Lat     float64 `json:"lat"`
	Lon     float64 `json:"lon"`
	City    string  `json:"city"`
	Country string  `json:"country,omitempty"`
}

// A Photo is a photo of an item.
type Photo struct {
	ID           string `json:"id"`
	URL          string `json:"url"`
	ThumbnailURL string `json:"thumbnailUrl"`
	Width        int64  `json:"width"`
	Height       int64  `json:"height"`
}

func photoURL(id string) string { return "/v1/photos/" + id }
func thumbURL(id string) string { return photoURL(id) + "?size=small" }

// An Item is an item with its public location.
type Item struct {
	ID             string     `json:"id"`
	UserID         string     `json:"userId"`
	Title          string     `json:"title"`
	Description    string     `json:"description"`
	Category       string     `json:"category"`
	Condition      string     `json:"condition"`
	Mode           string     `json:"mode" enum:"free auction"`
	Allocation     string     `json:"allocation"`
	Status         string     `json:"status" enum:"available reserved completed cancelled"`
	Stage          string     `json:"stage"`
	Photos         []Photo    `json:"photos"`
	Location       Location   `json:"location"`
	WeightGrams    *int64     `json:"weightGrams,omitempty"`
	Currency       string     `json:"currency"`
	MinBid         *int64     `json:"minBid,omitempty"`
	AuctionID      *string    `json:"auctionId,omitempty"`
	Entries        int64      `json:"entries"`
	ClosesAt       *time.Time `json:"closesAt,omitempty"`
	DrawCommitment *string    `json:"drawCommitment,omitempty"`
	CreatedAt      time.Time  `json:"createdAt"`
	PublishedAt    time.Time  `json:"publishedAt"`
}

// statuses maps the states of items to the four that the API promises.
var statuses = map[listings.Status]string{
	listings.StatusAvailable: "available", listings.StatusReserved: "reserved", listings.StatusCompleted: "completed",
	listings.StatusDraft: "cancelled", listings.StatusExpired: "cancelled", listings.StatusCancelled: "cancelled", listings.StatusRemoved: "cancelled",
}

func itemOf(i listings.Item) Item {
	view := Item{
		ID: i.ItemID, UserID: i.UserID, Title: i.Title, Description: i.Description, Category: string(i.Category), Condition: string(i.Condition),
		Mode: string(i.Mode), Allocation: string(i.Allocation), Status: statuses[i.Status], Stage: string(i.Status), Photos: []Photo{},
		Location: Location{i.Lat, i.Lon, i.City, i.Country}, WeightGrams: i.WeightGrams, Currency: i.Currency, MinBid: i.MinBid, AuctionID: i.LiveAuctionID,
		Entries: i.EntryCount, ClosesAt: i.ClosesAt, DrawCommitment: i.DrawCommitment, CreatedAt: i.CreatedAt, PublishedAt: i.PublishedAt,
	}
	for _, p := range i.Photos {
		view.Photos = append(view.Photos, Photo{p.FileID, photoURL(p.FileID), thumbURL(p.FileID), p.Width, p.Height})
	}
	return view
}

// A Card is an item in a list.
type Card struct {
	ID           string     `json:"id"`
	UserID       string     `json:"userId"`
	Title        string     `json:"title"`
	Category     string     `json:"category"`
	Condition    string     `json:"condition"`
	Mode         string     `json:"mode" enum:"free auction"`
	Allocation   string     `json:"allocation"`
	ThumbnailURL string     `json:"thumbnailUrl,omitempty"`
	Location     Location   `json:"location"`
	DistanceKm   *float64   `json:"distanceKm,omitempty"` // steps of 0.5; 0 is under 0.5
	Currency     string     `json:"currency"`
	MinBid       *int64     `json:"minBid,omitempty"`
	AuctionID    *string    `json:"auctionId,omitempty"`
	ClosesAt     *time.Time `json:"closesAt,omitempty"`
	PublishedAt  time.Time  `json:"publishedAt"`
}

func cardOf(i listings.Card) Card {
	card := Card{
		ID: i.ItemID, UserID: i.UserID, Title: i.Title, Category: string(i.Category), Condition: string(i.Condition), Mode: string(i.Mode),
		Allocation: string(i.Allocation), Location: Location{Lat: i.Lat, Lon: i.Lon, City: i.City}, Currency: i.Currency, MinBid: i.MinBid,
		AuctionID: i.LiveAuctionID, ClosesAt: i.ClosesAt, PublishedAt: i.PublishedAt,
	}
	if i.Thumbnail != nil {
		card.ThumbnailURL = thumbURL(*i.Thumbnail)
	}
	return card
}

func foundOf(f nearby.Found) Card {
	card := cardOf(f.ItemCard)
	card.DistanceKm = &f.Km
	return card
}

// A Nearby is a page of a search.
type Nearby struct {
	Items       []Card `json:"items"`
	Next        string `json:"cursor,omitempty"`
	Approximate bool   `json:"approximate,omitempty"`
}

// A Reservation is a reservation as its parties see it.
type Reservation struct {
	ID            string     `json:"id"`
	ItemID        string     `json:"itemId"`
	Title         string     `json:"title"`
	BuyerID       string     `json:"buyerId"`
	SellerID      string     `json:"sellerId"`
	AuctionID     *string    `json:"auctionId,omitempty"`
	Price         int64      `json:"price"`
	Status        string     `json:"status" enum:"pending confirmed completed cancelled"`
	Awaits        string     `json:"awaits" enum:"buyer seller"`
	Message       *string    `json:"message,omitempty"`
	SellerMessage *string    `json:"sellerMessage,omitempty"`
	Deadline      time.Time  `json:"deadline"`
	PickupTime    *time.Time `json:"pickupTime,omitempty"`
	MarkedBy      string     `json:"markedBy,omitempty"`
	CancelReason  string     `json:"cancelReason,omitempty"`
	CompletedAt   *time.Time `json:"completedAt,omitempty"`
	RateUntil     *time.Time `json:"rateUntil,omitempty"`
	CreatedAt     time.Time  `json:"createdAt"`
}

func reservationOf(r giving.Reservation) Reservation {
	view := Reservation{
		ID: r.ReservationID, ItemID: r.ItemID, Title: r.Title, BuyerID: r.BuyerID, SellerID: r.SellerID, AuctionID: r.AuctionID, Price: r.Price,
		Status: string(r.Status), Awaits: string(r.Awaits), Message: r.Message, SellerMessage: r.SellerMessage, Deadline: r.DeadlineAt,
		PickupTime: r.PickupTime, CompletedAt: r.CompletedAt, RateUntil: r.RateUntil, CreatedAt: r.CreatedAt,
	}
	if r.FirstMarkBy != nil {
		view.MarkedBy = string(*r.FirstMarkBy)
	}
	if r.CancelReason != nil {
		view.CancelReason = string(*r.CancelReason)
	}
	return view
}

// A Message is a message between the parties of a pickup.
type Message struct {
	ID       string    `json:"id"`
	SenderID string    `json:"senderId"`
	Text     string    `json:"text"`
	At       time.Time `json:"at"`
}

func messageOf(m giving.Message) Message {
	return Message{m.MessageID, m.SenderID, m.Text, m.CreatedAt}
}

// An Auction is an auction as the caller sees it.
type Auction struct {
	ID             string    `json:"id"`
	ItemID         string    `json:"itemId"`
	Title          string    `json:"title"`
	SellerID       string    `json:"sellerId"`
	Currency       string    `json:"currency"`
	MinBid         int64     `json:"minBid"`
	CurrentBid     int64     `json:"currentBid"`
	LeaderID       *string   `json:"leaderId,omitempty"`
	WinnerID       *string   `json:"winnerId,omitempty"`
	BidCount       int64     `json:"bidCount"`
	HasReserve     bool      `json:"hasReserve"`
	ReserveMet     bool      `json:"reserveMet"`
	Status         string    `json:"status" enum:"active ended completed expired cancelled"`
	Ended          bool      `json:"ended"`
	StartsAt       time.Time `json:"startsAt"`
	EndsAt         time.Time `json:"endsAt"`
	OriginalEndsAt time.Time `json:"originalEndsAt"`
	Extensions     int64     `json:"extensions"`
	LeastBid       int64     `json:"leastBid"`
	Leading        bool      `json:"leading"`
	Maximum        int64     `json:"maximum,omitempty"` // the caller's own, while leading
}

func auctionOf(v auctions.View) Auction {
	return Auction{
		ID: v.AuctionID, ItemID: v.ItemID, Title: v.Title, SellerID: v.SellerID, Currency: v.Currency, MinBid: v.MinBid, CurrentBid: v.CurrentBid,
		LeaderID: v.LeaderID, WinnerID: v.WinnerID, BidCount: v.BidCount, HasReserve: v.HasReserve, ReserveMet: v.ReserveMet, Status: string(v.Status),
		Ended: v.Ended, StartsAt: v.StartsAt, EndsAt: v.EndsAt, OriginalEndsAt: v.OriginalEndsAt, Extensions: v.Extensions, LeastBid: v.LeastBid,
		Leading: v.Leading, Maximum: v.Maximum,
	}
}

// A Bid is an accepted bid of the history.
type Bid struct {
	ID        string    `json:"id"`
	AuctionID string    `json:"auctionId"`
	Title     string    `json:"title"`
	BidderID  string    `json:"bidderId"`
	LeaderID  string    `json:"leaderId"`
	Amount    int64     `json:"amount"`    // the price after the bid
	Automatic bool      `json:"automatic"` // the leader's maximum was higher
	At        time.Time `json:"at"`
}

func bidOf(b auctions.Accepted) Bid {
	return Bid{b.BidID, b.AuctionID, b.Title, b.UserID, b.LeaderID, b.Amount, b.UserID != b.LeaderID, b.CreatedAt}
}

// A BidReceipt says what a bid led to.
type BidReceipt struct {
	ID         string    `json:"id"`
	At         time.Time `json:"at"`
	Maximum    int64     `json:"maximum"`
	Leading    bool      `json:"leading"`
	Price      int64     `json:"price"`
	LeastNext  int64     `json:"leastNextBid"`
	EndsAt     time.Time `json:"endsAt"`
	Extended   bool      `json:"extended"`
	ReserveMet bool      `json:"reserveMet"`
}

// A Profile is the public profile of a person.
type Profile struct {
	ID            string    `json:"id"`
	Username      string    `json:"username"`
	City          string    `json:"city"`
	Country       string    `json:"country"`
	MemberSince   time.Time `json:"memberSince"`
	Rating        *float64  `json:"rating,omitempty"` // from three ratings on
	RatingCount   int64     `json:"ratingCount"`
	ItemsGiven    int64     `json:"itemsGiven"`
	ItemsReceived int64     `json:"itemsReceived"`
	NoShows       int64     `json:"noShows"`
}

func profileOf(p people.Public) Profile {
	view := Profile{
		ID: p.UserID, Username: p.Username, City: p.City, Country: p.Country, MemberSince: p.MemberSince, RatingCount: p.RatingCount,
		ItemsGiven: p.ItemsGiven, ItemsReceived: p.ItemsReceived, NoShows: p.NoShows,
	}
	if mean, shown := trust.Mean(p.RatingSum, p.RatingCount); shown {
		view.Rating = &mean
	}
	return view
}

// A Rating is a visible rating.
type Rating struct {
	RaterID string    `json:"raterId"`
	Rating  int64     `json:"rating"`
	Comment *string   `json:"comment,omitempty"`
	At      time.Time `json:"at"`
}

func ratingOf(r trust.Rating) Rating { return Rating{r.RaterID, r.Stars, r.Comment, r.CreatedAt} }
