package giving

import (
	"context"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/listings"
)

// Get returns a reservation as one of its parties sees it.
func (s *Service) Get(ctx context.Context, userID, reservationID string) (ecobiddb.Reservation, error) {
	r, err := s.load(ctx, userID, reservationID)
	if err != nil {
		return ecobiddb.Reservation{}, err
	}
	return s.View(r), nil
}

// View returns a stored reservation as people see it: deadlines hold before a job has applied them, and
// contact data is hidden until the pickup is confirmed.
func (s *Service) View(r ecobiddb.Reservation) ecobiddb.Reservation {
	switch state(r, s.env.Now()) {
	case noAnswer:
		r.Status, r.CancelReason = ecobiddb.ReservationStatusCancelled, new(ecobiddb.ReservationCancelReasonNoAnswer)
	case noShow:
		r.Status, r.CancelReason = ecobiddb.ReservationStatusCancelled, new(ecobiddb.ReservationCancelReasonNoShow)
	case completed:
		r.Status = ecobiddb.ReservationStatusCompleted
	}
	if r.Message != nil && (r.Status == ecobiddb.ReservationStatusPending || r.Status == ecobiddb.ReservationStatusCancelled) {
		r.Message = new(ecobid.Mask(*r.Message))
	}
	return r
}

var (
	activeStatuses = []ecobiddb.ReservationStatus{ecobiddb.ReservationStatusPending, ecobiddb.ReservationStatusConfirmed}
	pastStatuses   = []ecobiddb.ReservationStatus{ecobiddb.ReservationStatusCompleted, ecobiddb.ReservationStatusCancelled}
)

func statuses(past bool) []ecobiddb.ReservationStatus {
	if past {
		return pastStatuses
	}
	return activeStatuses
}

// Taking returns a page of the reservations that a person has made, newest first: those that are
// open, or those of the past.
func (s *Service) Taking(ctx context.Context, userID string, past bool, limit int, cursor string) (access.Page[ecobiddb.Reservation], error) {
	return s.page(ctx, s.env.DB.ListReservationsByBuyer(userID, statuses(past)), limit, cursor)
}

// Requests returns a page of the reservations of a person's items, newest first.
func (s *Service) Requests(ctx context.Context, userID string, past bool, limit int, cursor string) (access.Page[ecobiddb.Reservation], error) {
	return s.page(ctx, s.env.DB.ListReservationsBySeller(userID, statuses(past)), limit, cursor)
}

// OfItem returns the reservations of an item to its owner, newest first.
func (s *Service) OfItem(ctx context.Context, userID, itemID string) (access.Page[ecobiddb.Reservation], error) {
	if _, err := s.listings.Own(ctx, userID, itemID); err != nil {
		return access.Page[ecobiddb.Reservation]{}, err
	}
	return s.page(ctx, s.env.DB.ListReservationsByItem(itemID), ecobid.DefaultPage, "")
}

func (s *Service) page(ctx context.Context, list access.List[ecobiddb.Reservation], limit int, cursor string) (access.Page[ecobiddb.Reservation], error) {
	page, err := listings.Page(ctx, list, limit, cursor)
	for i := range page.Items {
		page.Items[i] = s.View(page.Items[i])
	}
	return page, err
}
