package client

import "time"

// A List is a page of a list.
type List[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"cursor,omitempty"`
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

// An Item is an item with its public location.
type Item struct {
	ID             string     `json:"id"`
	UserID         string     `json:"userId"`
	Title          string     `json:"title"`
	Description    string     `json:"description"`
	Category       string     `json:"category"`
	Condition      string     `json:"condition"`
	Mode           string     `json:"mode"`
	Allocation     string     `json:"allocation"`
	Status         string     `json:"status"`
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

// A Card is an item in a list.
type Card struct {
	ID           string     `json:"id"`
	UserID       string     `json:"userId"`
	Title        string     `json:"title"`
	Category     string     `json:"category"`
	Condition    string     `json:"condition"`
	Mode         string     `json:"mode"`
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
	Status        string     `json:"status"`
	Awaits        string     `json:"awaits"`
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

// A Message is a message between the parties of a pickup.
type Message struct {
	ID       string    `json:"id"`
	SenderID string    `json:"senderId"`
	Text     string    `json:"text"`
	At       time.Time `json:"at"`
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
	Status         string    `json:"status"`
	Ended          bool      `json:"ended"`
	StartsAt       time.Time `json:"startsAt"`
	EndsAt         time.Time `json:"endsAt"`
	OriginalEndsAt time.Time `json:"originalEndsAt"`
	Extensions     int64     `json:"extensions"`
	LeastBid       int64     `json:"leastBid"`
	Leading        bool      `json:"leading"`
	Maximum        int64     `json:"maximum,omitempty"` // the caller's own, while leading
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

// A ProfileChange holds the parts of a profile to change; absent parts stay.
type ProfileChange struct {
	Username *string `json:"username,omitempty"`
	City     *string `json:"city,omitempty"`
	Country  *string `json:"country,omitempty"`
	Currency *string `json:"currency,omitempty"`
}

// A Rating is a visible rating.
type Rating struct {
	RaterID string    `json:"raterId"`
	Rating  int64     `json:"rating"`
	Comment *string   `json:"comment,omitempty"`
	At      time.Time `json:"at"`
}

// A Registration holds the arguments of a sign-up.
type Registration struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Username string `json:"username"`
	City     string `json:"city"`
	Country  string `json:"country"`
	Currency string `json:"currency"`
}

// An Uploaded is a stored photo.
type Uploaded struct {
	ID           string `json:"id"`
	URL          string `json:"url"`
	ThumbnailURL string `json:"thumbnailUrl"`
	Width        int64  `json:"width"`
	Height       int64  `json:"height"`
}

// A NewItem describes an item. The location is exact, and never shown before a pickup is
// confirmed.
type NewItem struct {
	Title       string        `json:"title"`
	Description string        `json:"description,omitempty"`
	Category    string        `json:"category"`
	Condition   string        `json:"condition"`
	Photos      []string      `json:"photos,omitempty"`
	WeightGrams int64         `json:"weightGrams,omitempty"`
	Location    ExactLocation `json:"location"`
	Draft       bool          `json:"draft,omitempty"`
	Allocation  string        `json:"allocation,omitempty"`
	EntryHours  int           `json:"entryHours,omitempty"`
	// Auction starts an auction.
	Auction *AuctionSettings `json:"auction,omitempty"`
}

// An ExactLocation is where an item is picked up.
type ExactLocation struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
	// Address may be nil: a changed item keeps its address then, and "" removes it.
	Address *string `json:"address,omitempty"`
	City    string  `json:"city"`
	Country string  `json:"country"`
	// Coarse shows a larger area, for lonely places.
	Coarse bool `json:"coarse,omitempty"`
}

// AuctionSettings holds what a seller fixes.
type AuctionSettings struct {
	MinBid       int64 `json:"minBid"`
	ReservePrice int64 `json:"reservePrice,omitempty"`
	Hours        int   `json:"durationHours"`
}

// A Publication says how an item is given away.
type Publication struct {
	Allocation string `json:"allocation,omitempty"`
	EntryHours int    `json:"entryHours,omitempty"`
}

// A Place is the exact place of an item.
type Place struct {
	Lat     float64 `json:"lat"`
	Lon     float64 `json:"lon"`
	Address string  `json:"address,omitempty"`
}

// A Joined says what a person got by joining.
type Joined struct {
	Reservation *Reservation `json:"reservation,omitempty"`
	Position    int          `json:"position,omitempty"`
}

// A Draw is a published draw: sort the entrants, and compute the winner with the secret.
type Draw struct {
	Commitment string   `json:"commitment"`
	Secret     string   `json:"secret"`
	Entrants   []string `json:"entrants"`
	Order      []string `json:"order"`
}

// A Confirmation names the time of a pickup.
type Confirmation struct {
	PickupTime time.Time `json:"pickupTime"`
	Message    string    `json:"message,omitempty"`
}

// A NewRating rates the other party of a pickup.
type NewRating struct {
	Rating  int    `json:"rating"`
	Comment string `json:"comment,omitempty"`
}

// A NewAuction starts an auction.
type NewAuction struct {
	ItemID       string `json:"itemId"`
	MinBid       int64  `json:"minBid"`
	ReservePrice int64  `json:"reservePrice,omitempty"`
	Hours        int    `json:"durationHours"`
}

// A Favourite is an item that a person wants to see again.
type Favourite struct {
	ItemID string    `json:"itemId"`
	Title  string    `json:"title"`
	At     time.Time `json:"at"`
}

// A Search is a saved search. Only the centre of the cell of its point is stored.
type Search struct {
	ID       string  `json:"id,omitempty"`
	Words    string  `json:"words,omitempty"`
	Category string  `json:"category,omitempty"`
	Lat      float64 `json:"lat"`
	Lon      float64 `json:"lon"`
	Radius   int64   `json:"radius"`
	Paused   bool    `json:"paused,omitempty"`
}

// A Notification is an entry of the inbox.
type Notification struct {
	ID    string    `json:"id"`
	Kind  string    `json:"kind"`
	Title string    `json:"title"`
	Body  string    `json:"body"`
	Link  string    `json:"link"`
	At    time.Time `json:"at"`
	Read  bool      `json:"read"`
}

// An Impact holds the figures of months, with the formula.
type Impact struct {
	Months  []ImpactMonth  `json:"months"`
	Factors []ImpactFactor `json:"factors"`
}

// An ImpactMonth holds the figures of a month.
type ImpactMonth struct {
	Month    string `json:"month"`
	Items    int64  `json:"items"`
	Grams    int64  `json:"grams"`
	CO2Grams int64  `json:"co2Grams"`
}

// An ImpactFactor is the formula of a category: grams of CO2 = grams × co2GramsPerKg / 1000.
type ImpactFactor struct {
	Category      string `json:"category"`
	UsualGrams    int64  `json:"usualGrams"`
	CO2GramsPerKg int64  `json:"co2GramsPerKg"`
}
