package trust

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/refusal"
)

// A Target names what is reported: an item or a person.
type Target struct{ ItemID, UserID string }

const (
	itemTarget = "item-"
	userTarget = "user-"
)

func (t Target) text() string {
	if t.ItemID != "" {
		return itemTarget + t.ItemID
	}
	return userTarget + t.UserID
}

// TargetOf returns the target of a stored report.
func TargetOf(r ecobiddb.Report) Target {
	if id, ok := strings.CutPrefix(r.TargetID, itemTarget); ok {
		return Target{ItemID: id}
	}
	return Target{UserID: strings.TrimPrefix(r.TargetID, userTarget)}
}

// Report reports an item or a person. A second report of the same target by the same person does
// nothing.
func (s *Service) Report(ctx context.Context, userID string, target Target, reason, note string) error {
	reason, err := ecobid.Text("reason", reason, 1, ecobid.MaxReason)
	if err != nil {
		return err
	}
	if note, err = ecobid.Text("note", note, 0, ecobid.MaxNote); err != nil {
		return err
	}
	if target.ItemID != "" {
		_, err = s.listings.Get(ctx, userID, target.ItemID)
	} else {
		err = s.known(ctx, userID, target.UserID)
	}
	if err != nil {
		return err
	}
	if err := s.env.Allow(ctx, ecobid.LimitReports, userID); err != nil {
		return err
	}
	now := s.env.Now()
	_, err = s.env.DB.FileReport(ctx, ecobiddb.Report{
		TargetID: target.text(), ReporterID: userID, Reason: reason, Note: ecobid.Optional(note), State: ecobiddb.ReportStateOpen,
		CreatedAt: now, UpdatedAt: now, ExpiresAt: now.Add(ecobid.KeepReport),
	})
	if err != nil && !errors.Is(err, access.ErrExists) {
		return fmt.Errorf("store a report: %w", err)
	}
	return nil
}

// OpenReports returns a page of the reports that wait for a decision, oldest first. The doors
// admit moderators only.
func (s *Service) OpenReports(ctx context.Context, limit int, cursor string) (access.Page[ecobiddb.Report], error) {
	return listings.Page(ctx, s.env.DB.ListOpenReports(), limit, cursor)
}

// Decide closes a report. If it is upheld, the reported item is removed or the reported person is
// suspended. The decision is recorded in the audit trail, and the reporter is told.
func (s *Service) Decide(ctx context.Context, moderator string, key ecobiddb.ReportKey, uphold bool) error {
	target := TargetOf(ecobiddb.Report{TargetID: key.TargetID})
	if uphold {
		var err error
		if target.ItemID != "" {
			err = s.Remove(ctx, moderator, target.ItemID)
		} else {
			err = s.Suspend(ctx, moderator, target.UserID)
		}
		if err != nil && !errors.Is(err, ecobid.ErrState) && !errors.Is(err, ecobid.ErrNoItem) {
			return err
		}
	}
	now := s.env.Now()
	tx := s.env.DB.Tx()
	action := "dismiss report"
	if uphold {
		action = "uphold report"
		tx.UpholdReport(key, ecobiddb.UpholdReportParams{HandledBy: &moderator, UpdatedAt: now})
	} else {
		tx.DismissReport(key, ecobiddb.DismissReportParams{HandledBy: &moderator, UpdatedAt: now})
	}
	s.env.Audit.Record(tx, audit.Event{Actor: moderator, Action: action, Target: key.TargetID, About: key.TargetID})
	if err := s.env.Emit(tx, ecobid.ReportDecided, ecobid.Detail{UserID: key.ReporterID, ItemID: target.ItemID, Reason: strings.Fields(action)[0]}); err != nil {
		return err
	}
	err := tx.Commit(ctx)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return refusal.New(refusal.NotFound, "", "There is no such report.")
	case ecobid.Changed[ecobiddb.Report](err):
		return ecobid.ErrState
	}
	return err
}

// Remove takes an item out of the feeds. Its auction is cancelled, and its reservation too.
func (s *Service) Remove(ctx context.Context, moderator, itemID string) error {
	return access.RetryOnConflict(ctx, func() (bool, error) {
		item, err := s.env.DB.GetItem(ctx, itemID)
		if err != nil {
			return false, ecobid.Instead(err, ecobid.ErrNoItem)
		}
		if item.Status == ecobiddb.ItemStatusReserved {
			return true, s.giving.CancelByModerator(ctx, item)
		}
		now := s.env.Now()
		tx := s.env.DB.Tx()
		if item.LiveAuctionID == nil {
			tx.RemoveItem(item.Key(), ecobiddb.RemoveItemParams{UpdatedAt: now})
		} else {
			auction, err := s.env.DB.GetAuction(ctx, *item.LiveAuctionID)
			if err != nil {
				return false, fmt.Errorf("read the auction of an item: %w", err)
			}
			tx.RemoveAuctionItem(ecobiddb.RemoveAuctionItemParams{
				ItemID: itemID, UpdatedAt: now, AuctionID: auction.AuctionID, ExpiresAt: new(now.Add(ecobid.KeepCompleted)), Version: auction.Version,
			})
		}
		s.env.Audit.Record(tx, audit.Event{Actor: moderator, Action: "remove item", Target: itemID, About: itemTarget + itemID})
		if err := s.env.Emit(tx, ecobid.ItemRemoved, ecobid.Detail{ItemID: itemID, Title: item.Title, SellerID: item.UserID}); err != nil {
			return false, err
		}
		err = tx.Commit(ctx)
		if ecobid.Changed[ecobiddb.Item](err) {
			return false, ecobid.ErrState
		}
		return false, err
	})
}

// Restore takes the removal of an item back. An item whose auction was cancelled has to be
// published again.
func (s *Service) Restore(ctx context.Context, moderator, itemID string) error {
	item, err := s.env.DB.GetItem(ctx, itemID)
	if err != nil {
		return ecobid.Instead(err, ecobid.ErrNoItem)
	}
	now := s.env.Now()
	tx := s.env.DB.Tx()
	if item.Mode == ecobiddb.ItemModeFree {
		tx.RestoreItem(item.Key(), item.PublishedAt, ecobiddb.RestoreItemParams{UpdatedAt: now})
	} else {
		tx.RestoreAuctionItem(item.Key(), ecobiddb.RestoreAuctionItemParams{UpdatedAt: now})
	}
	s.env.Audit.Record(tx, audit.Event{Actor: moderator, Action: "restore item", Target: itemID, About: itemTarget + itemID})
	err = tx.Commit(ctx)
	if ecobid.Changed[ecobiddb.Item](err) {
		return ecobid.ErrState
	}
	return err
}

// Suspend keeps a person from reserving, bidding and publishing. It is no error if the person is
// suspended.
func (s *Service) Suspend(ctx context.Context, moderator, userID string) error {
	tx := s.env.DB.Tx()
	tx.SuspendUser(ecobiddb.UserKey{UserID: userID}, ecobiddb.SuspendUserParams{UpdatedAt: s.env.Now()})
	s.env.Audit.Record(tx, audit.Event{Actor: moderator, Action: "suspend person", Target: userID, About: userTarget + userID})
	return standing(tx.Commit(ctx), ecobiddb.UserStatusSuspended)
}

// Reinstate takes a suspension back.
func (s *Service) Reinstate(ctx context.Context, moderator, userID string) error {
	tx := s.env.DB.Tx()
	tx.ReinstateUser(ecobiddb.UserKey{UserID: userID}, ecobiddb.ReinstateUserParams{UpdatedAt: s.env.Now()})
	s.env.Audit.Record(tx, audit.Event{Actor: moderator, Action: "reinstate person", Target: userID, About: userTarget + userID})
	return standing(tx.Commit(ctx), ecobiddb.UserStatusActive)
}

// standing returns the outcome of a change of a person's status to the wanted one.
func standing(err error, wanted ecobiddb.UserStatus) error {
	user := ecobid.Current[ecobiddb.User](err)
	switch {
	case user != nil && user.Status == wanted:
		return nil
	case user != nil:
		return ecobid.ErrState
	}
	return ecobid.Instead(err, ecobid.ErrNoUser)
}
