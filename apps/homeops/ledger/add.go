package ledger

import (
	"context"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// Add logs an activity that was not written in the chat, by the member who did it. The same key logs it once and
// returns the entry as it is now; the error is ErrNoEvent if it was undone.
func (s *Service) Add(ctx context.Context, home households.Home, actor int64, entry Entry) (homeopsdb.Event, error) {
	member, ok := home.Member(actor)
	if !ok {
		return homeopsdb.Event{}, households.ErrNoMember
	}
	if err := s.checkAdded(entry); err != nil {
		return homeopsdb.Event{}, err
	}
	entry.UserID, entry.UserName, entry.Confidence, entry.Origin = actor, member.DisplayName, 1, homeopsdb.EventOriginWeb
	request := receipt.Request{By: households.MemberID(actor), Key: entry.Key, Action: "add event to " + home.HouseholdID}
	id, _, err := receipt.Once(ctx, s.env.Receipts, request, func() (string, error) { return s.add(ctx, home, entry, request) })
	if err != nil {
		return homeopsdb.Event{}, err
	}
	return s.find(ctx, home, id)
}

// checkAdded refuses an entry that cannot be logged by hand.
func (s *Service) checkAdded(entry Entry) error {
	now := s.env.Now()
	switch {
	case entry.Activity == "" || utf8.RuneCountInString(entry.Activity) > homeops.MaxActivity:
		return refusal.OutOfRange("activity", "length", 1, homeops.MaxActivity, "An activity has 1 to %d characters.", homeops.MaxActivity)
	case !entry.Category.Valid() || !entry.Effort.Valid():
		return refusal.OfField(refusal.Field{Name: "category", Constraint: "allowed"}, "A category and an effort are required.")
	case entry.At.After(now) || now.Sub(entry.At) > homeops.KeepEvents/2:
		return refusal.OfField(refusal.Field{Name: "at", Constraint: "range"}, "The time is within the last year.")
	}
	return nil
}

// add logs an entry with what is learned from it and the receipt of the request. It returns the id of the event.
func (s *Service) add(ctx context.Context, home households.Home, entry Entry, request receipt.Request) (string, error) {
	var added string
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		e := homeopsdb.Event{ChatID: home.ChatID}
		s.fill(&e, entry)
		e.EventID = access.NewULID(e.OccurredAt)
		tx := s.env.DB.Tx()
		l := newLessons(s, home)
		value, err := l.did(ctx, e.UserID, e.Activity, e.Effort, e.OccurredAt)
		if err != nil {
			return false, err
		}
		e.Value = value
		l.write(tx)
		added = tx.AddEvent(e).EventID
		if err := s.env.Receipts.Add(tx, request, added); err != nil {
			return false, err
		}
		err = tx.Commit(ctx)
		return contested(err), err
	})
	return added, err
}
