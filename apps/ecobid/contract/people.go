package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of people.
var (
	GetMe             = operation.Get[None, Profile]("/v1/users/me", "The own profile")
	ChangeMe          = operation.Patch[operation.With[ProfileChange], Profile]("/v1/users/me", "Change the own profile")
	EraseMe           = operation.Delete[None, None]("/v1/users/me", "Erase the own account and its data")
	ExportData        = operation.Get[None, Copy]("/v1/users/me/data", "A copy of the own data")
	GetProfile        = operation.Get[operation.ByID, Profile]("/v1/users/{id}", "The profile of a person").Open()
	ListRatings       = operation.Get[operation.PageOf, List[Rating]]("/v1/users/{id}/ratings", "The ratings of a person").Open()
	Block             = operation.Post[operation.ByID, None]("/v1/users/{id}/block", "Block a person")
	Unblock           = operation.Delete[operation.ByID, None]("/v1/users/{id}/block", "Unblock a person")
	ReportUser        = operation.Post[operation.ByIDWith[NewReport], None]("/v1/users/{id}/report", "Report a person").Created()
	ReportItem        = operation.Post[operation.ByIDWith[NewReport], None]("/v1/items/{id}/report", "Report an item").Created()
	ListFavourites    = operation.Get[None, List[Favourite]]("/v1/users/me/favourites", "Favourites")
	AddFavourite      = operation.Put[operation.ByID, None]("/v1/users/me/favourites/{id}", "Add a favourite")
	RemoveFavourite   = operation.Delete[operation.ByID, None]("/v1/users/me/favourites/{id}", "Remove a favourite")
	ListSearches      = operation.Get[None, List[Search]]("/v1/users/me/searches", "Saved searches")
	SaveSearch        = operation.Post[operation.With[Search], Search]("/v1/users/me/searches", "Save a search").Created()
	DeleteSearch      = operation.Delete[operation.ByID, None]("/v1/users/me/searches/{id}", "Delete a saved search")
	ListNotifications = operation.Get[Inbox, List[Notification]]("/v1/notifications", "The inbox")
	ReadNotifications = operation.Post[None, None]("/v1/notifications/read", "Mark all notifications as read")
)

// A ProfileChange holds the parts of a profile to change; absent parts stay.
type ProfileChange struct {
	Username *string `json:"username,omitempty"`
	City     *string `json:"city,omitempty"`
	Country  *string `json:"country,omitempty"`
	Currency *string `json:"currency,omitempty"`
}

// A Copy is a copy of a person's data.
type Copy struct {
	Profile      Profile       `json:"profile"`
	Items        []Item        `json:"items"`
	Reservations []Reservation `json:"reservations"`
	Messages     []Message     `json:"messages"`
	Bids         []Bid         `json:"bids"`
	Favourites   []Favourite   `json:"favourites"`
	Searches     []Search      `json:"searches"`
	Blocked      []string      `json:"blocked"`
	Ratings      []Rating      `json:"ratings"`
	RatingsGiven []Rating      `json:"ratingsGiven"`
}

// A NewReport is a report.
type NewReport struct {
	Reason string `json:"reason"`
	Note   string `json:"note,omitempty"`
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

// A Rating is a visible rating.
type Rating struct {
	RaterID string    `json:"raterId"`
	Rating  int64     `json:"rating"`
	Comment *string   `json:"comment,omitempty"`
	At      time.Time `json:"at"`
}

// Inbox holds the arguments of ListNotifications.
type Inbox struct {
	Cursor string `query:"cursor"`
}
