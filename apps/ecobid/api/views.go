package api

import (
	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/nearby"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
)

func listOf[From, To any](page access.Page[From], view func(From) To) contract.List[To] {
	list := contract.List[To]{Items: make([]To, len(page.Items)), Next: page.Next}
	for i, item := range page.Items {
		list.Items[i] = view(item)
	}
	return list
}

func photoURL(id string) string { return "/v1/photos/" + id }
func thumbURL(id string) string { return photoURL(id) + "?size=small" }

// statuses maps the states of items to the four that the API promises.
var statuses = map[listings.Status]string{
	listings.StatusAvailable: "available", listings.StatusReserved: "reserved", listings.StatusCompleted: "completed",
	listings.StatusDraft: "cancelled", listings.StatusExpired: "cancelled", listings.StatusCancelled: "cancelled", listings.StatusRemoved: "cancelled",
}

func itemOf(i listings.Item) contract.Item {
	view := contract.Item{
		ID: i.ItemID, UserID: i.UserID, Title: i.Title, Description: i.Description, Category: string(i.Category), Condition: string(i.Condition),
		Mode: string(i.Mode), Allocation: string(i.Allocation), Status: statuses[i.Status], Stage: string(i.Status), Photos: []contract.Photo{},
		Location: contract.Location{Lat: i.Lat, Lon: i.Lon, City: i.City, Country: i.Country}, WeightGrams: i.WeightGrams, Currency: i.Currency, MinBid: i.MinBid, AuctionID: i.LiveAuctionID,
		Entries: i.EntryCount, ClosesAt: i.ClosesAt, DrawCommitment: i.DrawCommitment, CreatedAt: i.CreatedAt, PublishedAt: i.PublishedAt,
	}
	for _, p := range i.Photos {
		view.Photos = append(view.Photos, contract.Photo{ID: p.FileID, URL: photoURL(p.FileID), ThumbnailURL: thumbURL(p.FileID), Width: p.Width, Height: p.Height})
	}
	return view
}

func cardOf(i listings.Card) contract.Card {
	card := contract.Card{
		ID: i.ItemID, UserID: i.UserID, Title: i.Title, Category: string(i.Category), Condition: string(i.Condition), Mode: string(i.Mode),
		Allocation: string(i.Allocation), Location: contract.Location{Lat: i.Lat, Lon: i.Lon, City: i.City}, Currency: i.Currency, MinBid: i.MinBid,
		AuctionID: i.LiveAuctionID, ClosesAt: i.ClosesAt, PublishedAt: i.PublishedAt,
	}
	if i.Thumbnail != nil {
		card.ThumbnailURL = thumbURL(*i.Thumbnail)
	}
	return card
}

func foundOf(f nearby.Found) contract.Card {
	card := cardOf(f.ItemCard)
	card.DistanceKm = &f.Km
	return card
}

func reservationOf(r giving.Reservation) contract.Reservation {
	view := contract.Reservation{
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

func messageOf(m giving.Message) contract.Message {
	return contract.Message{ID: m.MessageID, SenderID: m.SenderID, Text: m.Text, At: m.CreatedAt}
}

func auctionOf(v auctions.View) contract.Auction {
	return contract.Auction{
		ID: v.AuctionID, ItemID: v.ItemID, Title: v.Title, SellerID: v.SellerID, Currency: v.Currency, MinBid: v.MinBid, CurrentBid: v.CurrentBid,
		LeaderID: v.LeaderID, WinnerID: v.WinnerID, BidCount: v.BidCount, HasReserve: v.HasReserve, ReserveMet: v.ReserveMet, Status: string(v.Status),
		Ended: v.Ended, StartsAt: v.StartsAt, EndsAt: v.EndsAt, OriginalEndsAt: v.OriginalEndsAt, Extensions: v.Extensions, LeastBid: v.LeastBid,
		Leading: v.Leading, Maximum: v.Maximum,
	}
}

func bidOf(b auctions.Accepted) contract.Bid {
	return contract.Bid{ID: b.BidID, AuctionID: b.AuctionID, Title: b.Title, BidderID: b.UserID, LeaderID: b.LeaderID, Amount: b.Amount, Automatic: b.UserID != b.LeaderID, At: b.CreatedAt}
}

func profileOf(p people.Public) contract.Profile {
	view := contract.Profile{
		ID: p.UserID, Username: p.Username, City: p.City, Country: p.Country, MemberSince: p.MemberSince, RatingCount: p.RatingCount,
		ItemsGiven: p.ItemsGiven, ItemsReceived: p.ItemsReceived, NoShows: p.NoShows,
	}
	if mean, shown := trust.Mean(p.RatingSum, p.RatingCount); shown {
		view.Rating = &mean
	}
	return view
}

func ratingOf(r trust.Rating) contract.Rating {
	return contract.Rating{RaterID: r.RaterID, Rating: r.Stars, Comment: r.Comment, At: r.CreatedAt}
}

func each[From, To any](items []From, view func(From) To) []To {
	return listOf(access.Page[From]{Items: items}, view).Items
}
