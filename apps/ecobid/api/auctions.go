package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/serve"
)

func (a *api) auctionEndpoints() []openapi.Operation {
	return []openapi.Operation{
		on(a, http.MethodGet, "/v1/auctions", "Running auctions, those that end next first", public, http.StatusOK, a.running),
		on(a, http.MethodPost, "/v1/auctions", "Start the auction of an own item", member, http.StatusCreated, a.startAuction),
		on(a, http.MethodGet, "/v1/auctions/{id}", "An auction", public, http.StatusOK, a.auction),
		on(a, http.MethodPost, "/v1/auctions/{id}/cancel", "Cancel an auction without bids", member, http.StatusNoContent, a.cancelAuction),
		on(a, http.MethodGet, "/v1/auctions/{id}/bids", "The history of an auction", public, http.StatusOK, a.history),
		on(a, http.MethodPost, "/v1/auctions/{id}/bids", "Place a secret maximum", member, http.StatusCreated, a.bid),
		on(a, http.MethodGet, "/v1/users/me/bids", "Own bids", member, http.StatusOK, a.ownBids),
		on(a, http.MethodGet, "/v1/users/me/auctions", "Own auctions", member, http.StatusOK, a.ownAuctions),
	}
}

// summary returns an auction of a list, as callers who are not signed in see it.
func summary(x auctions.Auction) Auction { return auctionOf(auctions.View{Auction: x}) }

func (a *api) running(ctx context.Context, c *call, in pages) (List[Auction], error) {
	page, err := a.Domain.Auctions.Running(ctx, c.user(), in.Limit, in.Cursor)
	return listOf(page, summary), err
}

// A NewAuction starts an auction.
type NewAuction struct {
	ItemID       string `json:"itemId"`
	MinBid       int64  `json:"minBid"`
	ReservePrice int64  `json:"reservePrice,omitempty"`
	Hours        int    `json:"durationHours"`
}

func (a *api) startAuction(ctx context.Context, c *call, in struct{ Body NewAuction }) (Auction, error) {
	started, err := a.Domain.Auctions.Start(ctx, c.user(), in.Body.ItemID, auctions.Start{MinBid: in.Body.MinBid, Reserve: in.Body.ReservePrice, Hours: in.Body.Hours})
	if err != nil {
		return Auction{}, err
	}
	return a.auction(ctx, c, byID{started.AuctionID})
}

func (a *api) auction(ctx context.Context, c *call, in byID) (Auction, error) {
	view, err := a.Domain.Auctions.Get(ctx, c.user(), in.ID)
	return auctionOf(view), err
}

func (a *api) cancelAuction(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Auctions.Cancel(ctx, c.user(), in.ID)
}

func (a *api) history(ctx context.Context, c *call, in pagesOf) (List[Bid], error) {
	shown, err := a.Domain.Auctions.Get(ctx, c.user(), in.ID)
	if err != nil {
		return List[Bid]{}, err
	}
	page, err := a.Domain.Auctions.History(ctx, shown, in.Limit, in.Cursor)
	return listOf(page, bidOf), err
}

// A Maximum is the secret maximum of a bid, in minor units.
type Maximum struct {
	Maximum int64 `json:"maximum"`
}

func (a *api) bid(ctx context.Context, c *call, in struct {
	ID   string `path:"id"`
	Key  string `header:"Idempotency-Key"`
	Body Maximum
}) (BidReceipt, error) {
	receipt, err := a.Domain.Auctions.Bid(ctx, auctions.Bid{UserID: c.user(), AuctionID: in.ID, Maximum: in.Body.Maximum, Key: in.Key})
	return BidReceipt{
		ID: receipt.BidID, At: receipt.At, Maximum: receipt.Maximum, Leading: receipt.Leading, Price: receipt.Price, LeastNext: receipt.LeastNext,
		EndsAt: receipt.EndsAt, Extended: receipt.Extended, ReserveMet: receipt.ReserveMet,
	}, err
}

func (a *api) ownBids(ctx context.Context, c *call, in pages) (List[Bid], error) {
	page, err := a.Domain.Auctions.Mine(ctx, c.user(), in.Limit, in.Cursor)
	return listOf(page, bidOf), err
}

func (a *api) ownAuctions(ctx context.Context, c *call, in pages) (List[Auction], error) {
	page, err := a.Domain.Auctions.Selling(ctx, c.user(), in.Limit, in.Cursor)
	return listOf(page, summary), err
}

const (
	// maxStream bounds the time of a stream of events; clients connect again.
	maxStream = 15 * time.Minute
	// keepAlive is the interval of comments that keep a connection open.
	keepAlive = 20 * time.Second
)

// auctionEvents sends an auction at every change, until it has ended.
func (a *api) auctionEvents(w http.ResponseWriter, r *http.Request) error {
	c, err := a.identify(w, r, public)
	if err != nil {
		return err
	}
	leave, ok := a.Hub.Enter(jsonapi.ClientNetwork(r).String())
	if !ok {
		return refusal.New(refusal.TooMany, "", "Too many connections wait from your network.")
	}
	defer leave()
	id := r.PathValue("id")
	listener := a.Hub.Listen(ecobid.AuctionTopic(id))
	defer listener.Close()
	view, err := a.auction(r.Context(), c, byID{id})
	if err != nil {
		return err
	}
	events, err := serve.NewEvents(w, r)
	if err != nil || r.Method == http.MethodHead {
		return nil // the client disconnected, or wanted no more than this
	}
	stop, tick := time.NewTimer(maxStream), time.NewTicker(keepAlive)
	defer stop.Stop()
	defer tick.Stop()
	var last []byte
	for {
		text, err := json.Marshal(view)
		if err != nil {
			return err
		}
		if bytes.Equal(text, last) {
			err = events.KeepAlive()
		} else {
			err = events.SendJSON("auction", "", json.RawMessage(text))
		}
		if last = text; err != nil || view.Status != string(auctions.StatusActive) {
			return nil
		}
		select {
		case <-listener.C():
			listener.Changed()
		case <-tick.C:
		case <-stop.C:
			return nil
		case <-a.Done:
			return nil
		case <-r.Context().Done():
			return nil
		}
		if view, err = a.auction(r.Context(), c, byID{id}); err != nil {
			return nil
		}
	}
}
