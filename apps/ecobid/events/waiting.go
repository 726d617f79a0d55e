package events

import (
	"context"
	"fmt"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/internal/notify"
)

// waiting notifies those who wait for an item that another person has got: after a draw, and when the item
// was picked up. Each notification exists once, so that the handler can be repeated at any point.
func (s *Service) waiting(ctx context.Context, e event) error {
	title, body, taker := "", "", ""
	switch e.Kind {
	case ecobid.LotteryDrawn:
		title, body, taker = "Not drawn: "+e.detail.Title, "Another person was drawn first. If they do not come, the next one in the draw is asked.", e.detail.WinnerID
	case ecobid.ReservationCompleted:
		title, body, taker = "Gone: "+e.detail.Title, "It went to another person.", e.detail.BuyerID
	default:
		return nil
	}
	for entry, err := range s.env.DB.ListEntries(e.detail.ItemID).All(ctx) {
		if err != nil {
			return fmt.Errorf("list who waits for an item: %w", err)
		}
		if entry.UserID == taker {
			continue
		}
		if _, err := s.o.Notifier.TellNow(ctx, notify.Notification{
			Recipient: entry.UserID, Event: e.EventID, Kind: KindRequest, Title: title, Body: body, Link: "/items/" + e.detail.ItemID,
		}); err != nil {
			return err
		}
	}
	_, err := s.env.DB.MarkHandled(ctx, s.handled(e))
	return err
}
