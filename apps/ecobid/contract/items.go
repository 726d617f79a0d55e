package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of items.
var (
	SearchItems          = operation.Get[Query, Nearby]("/v1/items", "Items near a point").Open()
	ListInCity           = operation.Get[InCity, List[Card]]("/v1/cities/{city}/items", "Items of a category in a city").Open()
	CreateItem           = operation.Post[NewItemOnce, Item]("/v1/items", "Create an item, and publish it unless it is a draft").Created().Describe(createText)
	GetItem              = operation.Get[operation.ByID, Item]("/v1/items/{id}", "An item").Open()
	EditItem             = operation.Put[operation.ByIDWith[NewItem], Item]("/v1/items/{id}", "Change an item").Describe(editText)
	WithdrawItem         = operation.Delete[operation.ByID, None]("/v1/items/{id}", "Withdraw an item")
	PublishItem          = operation.Post[operation.ByIDWith[Publication], Item]("/v1/items/{id}/publish", "Publish a draft or an expired item")
	BumpItem             = operation.Post[operation.ByID, Item]("/v1/items/{id}/bump", "Move an item to the top of the feeds")
	GetPlace             = operation.Get[operation.ByID, Place]("/v1/items/{id}/place", "The exact place, after the giver has confirmed")
	Reserve              = operation.Post[Once[Wish], Reservation]("/v1/items/{id}/reserve", "Reserve an item").Created()
	Join                 = operation.Post[Once[Wish], Joined]("/v1/items/{id}/join", "Join the queue or the lottery of an item").Created()
	Leave                = operation.Delete[operation.ByID, None]("/v1/items/{id}/join", "Leave the queue or the lottery of an item")
	GetDraw              = operation.Get[operation.ByID, Draw]("/v1/items/{id}/draw", "The draw of a lottery, to verify").Open()
	ListItemReservations = operation.Get[operation.ByID, List[Reservation]]("/v1/items/{id}/reservations", "The reservations of an own item")
	ListOwnItems         = operation.Get[operation.Page, List[Item]]("/v1/users/me/items", "Own items")
	ListOffered          = operation.Get[operation.ByID, List[Item]]("/v1/users/{id}/items", "The latest available items of a person").Open()
	UploadPhoto          = operation.Post[operation.With[operation.Content], Uploaded]("/v1/uploads", "Upload a photo").Created().Takes("image/*")
	GetPhoto             = operation.Get[PhotoOf, operation.File]("/v1/photos/{id}", "A photo").Open().Sends("image/jpeg")
)

// createText describes how an item is created.
const createText = `Without a photo the item stays a draft, too. Allocation, entryHours and auction are checked in every case, and a request that is refused with 400 changes nothing. The Idempotency-Key stands for the whole body: the same body with the same key returns the same item, as it is now; another body is refused with IDEMPOTENCY_KEY_REUSED.`

// editText describes what a change of an item leaves as it is.
const editText = `Replaces what the item says: a description or a weight that is left out is removed. An address that is left out stays, because an Item does not contain it; "" removes it. While the item is available, its location stays and only the address changes. Draft, allocation, entryHours and auction are ignored.`

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

// A Wish is a request for an item.
type Wish struct {
	Message string `json:"message,omitempty"`
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

// An Uploaded is a stored photo.
type Uploaded struct {
	ID           string `json:"id"`
	URL          string `json:"url"`
	ThumbnailURL string `json:"thumbnailUrl"`
	Width        int64  `json:"width"`
	Height       int64  `json:"height"`
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

// A Nearby is a page of a search.
type Nearby struct {
	Items       []Card `json:"items"`
	Next        string `json:"cursor,omitempty"`
	Approximate bool   `json:"approximate,omitempty"`
}

// InCity holds the arguments of ListInCity.
type InCity struct {
	City     string `path:"city"`
	Category string `query:"category" required:"true"`
	Limit    int    `query:"limit"`
	Cursor   string `query:"cursor"`
}

// NewItemOnce holds the arguments of CreateItem.
type NewItemOnce struct {
	Key  string `header:"Idempotency-Key"`
	Body NewItem
}

// A PhotoOf names a photo and its size: small, or large by default.
type PhotoOf struct {
	ID   string `path:"id"`
	Size string `query:"size"`
}

// A Query describes a search around a point. Zero values stand for the defaults.
type Query struct {
	Lat      float64 `query:"lat" required:"true"`
	Lon      float64 `query:"lon" required:"true"`
	Radius   int     `query:"radius"` // kilometres: 1, 5, 10 or 25
	Category string  `query:"category"`
	Mode     string  `query:"mode"` // free or auction
	Sort     string  `query:"sort"` // newest or distance
	Limit    int     `query:"limit"`
	Cursor   string  `query:"cursor"`
}
