package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/serve"
)

// sales serves the operations on auctions and bids.
type sales struct {
	auctions *auctions.Service
	done     <-chan struct{}
	hub      *live.Hub
}

func (h *sales) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.ListAuctions, c.public, h.running),
		openapi.Handle(contract.StartAuction, c.member, h.startAuction),
		openapi.Handle(contract.GetAuction, c.public, h.auction),
		openapi.Handle(contract.CancelAuction, c.member, h.cancelAuction),
		openapi.Handle(contract.ListBids, c.public, h.history),
		openapi.Handle(contract.PlaceBid, c.member, h.bid),
		openapi.Handle(contract.ListOwnBids, c.member, h.ownBids),
		openapi.Handle(contract.ListOwnAuctions, c.member, h.ownAuctions),
		openapi.HandleRaw(contract.WatchAuction, c.public, h.events),
	}
}

// summary returns an auction of a list, as callers who are not signed in see it.
func summary(x auctions.Auction) contract.Auction { return auctionOf(auctions.View{Auction: x}) }

func (h *sales) running(ctx context.Context, c *call, in operation.Page) (contract.List[contract.Auction], error) {
	page, err := h.auctions.Running(ctx, c.user(), in.Limit, in.Cursor)
	return listOf(page, summary), err
}

func (h *sales) startAuction(ctx context.Context, c *call, in operation.With[contract.NewAuction]) (contract.Auction, error) {
	started, err := h.auctions.Start(ctx, c.user(), in.Body.ItemID, auctions.Start{MinBid: in.Body.MinBid, Reserve: in.Body.ReservePrice, Hours: in.Body.Hours})
	if err != nil {
		return contract.Auction{}, err
	}
	return h.auction(ctx, c, operation.ByID{ID: started.AuctionID})
}

func (h *sales) auction(ctx context.Context, c *call, in operation.ByID) (contract.Auction, error) {
	view, err := h.auctions.Get(ctx, c.user(), in.ID)
	return auctionOf(view), err
}

func (h *sales) cancelAuction(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.auctions.Cancel(ctx, c.user(), in.ID)
}

func (h *sales) history(ctx context.Context, c *call, in operation.PageOf) (contract.List[contract.Bid], error) {
	shown, err := h.auctions.Get(ctx, c.user(), in.ID)
	if err != nil {
		return contract.List[contract.Bid]{}, err
	}
	page, err := h.auctions.History(ctx, shown, in.Limit, in.Cursor)
	return listOf(page, bidOf), err
}

func (h *sales) bid(ctx context.Context, c *call, in contract.Once[contract.Maximum]) (contract.BidReceipt, error) {
	receipt, err := h.auctions.Bid(ctx, auctions.Bid{UserID: c.user(), AuctionID: in.ID, Maximum: in.Body.Maximum, Key: in.Key})
	return contract.BidReceipt{
		ID: receipt.BidID, At: receipt.At, Maximum: receipt.Maximum, Leading: receipt.Leading, Price: receipt.Price, LeastNext: receipt.LeastNext,
		EndsAt: receipt.EndsAt, Extended: receipt.Extended, ReserveMet: receipt.ReserveMet,
	}, err
}

func (h *sales) ownBids(ctx context.Context, c *call, in operation.Page) (contract.List[contract.Bid], error) {
	page, err := h.auctions.Mine(ctx, c.user(), in.Limit, in.Cursor)
	return listOf(page, bidOf), err
}

func (h *sales) ownAuctions(ctx context.Context, c *call, in operation.Page) (contract.List[contract.Auction], error) {
	page, err := h.auctions.Selling(ctx, c.user(), in.Limit, in.Cursor)
	return listOf(page, summary), err
}

const (
	// maxStream bounds the time of a stream of events; clients connect again.
	maxStream = 15 * time.Minute
	// keepAlive is the interval of comments that keep a connection open.
	keepAlive = 20 * time.Second
)

// events sends an auction at every change, until it has ended.
func (h *sales) events(w http.ResponseWriter, r *http.Request, c *call, in operation.ByID) error {
	leave, ok := h.hub.Enter(jsonapi.ClientNetwork(r).String())
	if !ok {
		return refusal.New(refusal.TooMany, "", "Too many connections wait from your network.")
	}
	defer leave()
	listener := h.hub.Listen(ecobid.AuctionTopic(in.ID))
	defer listener.Close()
	view, err := h.auction(r.Context(), c, in)
	if err != nil {
		return err
	}
	stream, err := serve.NewEvents(w, r)
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
			err = stream.KeepAlive()
		} else {
			err = stream.SendJSON("auction", "", json.RawMessage(text))
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
		case <-h.done:
			return nil
		case <-r.Context().Done():
			return nil
		}
		if view, err = h.auction(r.Context(), c, in); err != nil {
			return nil
		}
	}
}
