package giving

import (
	"context"
	"errors"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/receipt"
)

// overdue says what the passing of time has made of a reservation.
type overdue uint8

const (
	inTime    overdue = iota
	noAnswer          // the side that had to act did not
	noShow            // neither side confirmed the pickup
	completed         // one side confirmed the pickup, and the other did not object
)

// state returns what time has made of a reservation. All deadlines of reservations are here.
func state(r ecobiddb.Reservation, now time.Time) overdue {
	switch {
	case r.Status == ecobiddb.ReservationStatusPending && !now.Before(r.DeadlineAt):
		return noAnswer
	case r.Status != ecobiddb.ReservationStatusConfirmed:
		return inTime
	case r.FirstMarkAt != nil && !now.Before(r.FirstMarkAt.Add(ecobid.CompleteAfter)):
		return completed
	case r.FirstMarkAt == nil && r.PickupTime != nil && !now.Before(r.PickupTime.Add(ecobid.PickupGrace)):
		return noShow
	}
	return inTime
}

// lapse applies the passing of time to a reservation, and reports whether it did.
func (s *Service) lapse(ctx context.Context, r ecobiddb.Reservation) (bool, error) {
	var err error
	switch state(r, s.env.Now()) {
	case noAnswer:
		err = s.release(ctx, r, ecobiddb.ReservationCancelReasonNoAnswer, ecobiddb.ReservationCancelledBySystem)
	case noShow:
		err = s.release(ctx, r, ecobiddb.ReservationCancelReasonNoShow, ecobiddb.ReservationCancelledBySystem)
	case completed:
		err = s.complete(ctx, r)
	default:
		return false, nil
	}
	if access.Contended(err) || ecobid.Changed[ecobiddb.Reservation](err) || ecobid.Changed[ecobiddb.Item](err) {
		return true, nil // another process has applied it
	}
	return err == nil, err
}

func (s *Service) runLapse(ctx context.Context, job jobs.Job) error {
	r, found, err := s.ofJob(ctx, job)
	if err != nil || !found {
		return err
	}
	_, err = s.lapse(ctx, r)
	return err
}

// ofJob returns the reservation of a job.
func (s *Service) ofJob(ctx context.Context, job jobs.Job) (r ecobiddb.Reservation, found bool, err error) {
	ref, err := jobs.Payload[ecobid.ReservationRef](job)
	if err != nil {
		return r, false, err
	}
	r, err = s.env.DB.GetReservation(ctx, ref.ItemID, ref.ReservationID)
	if errors.Is(err, access.ErrNotFound) {
		return r, false, nil
	}
	return r, err == nil, err
}

// runReminder reminds both sides of a pickup.
func (s *Service) runReminder(ctx context.Context, job jobs.Job) error {
	r, found, err := s.ofJob(ctx, job)
	if err != nil || !found || r.Status != ecobiddb.ReservationStatusConfirmed || r.FirstMarkBy != nil {
		return err
	}
	tx := s.env.DB.Tx()
	if err := s.env.Emit(tx, ecobid.PickupDue, detail(r)); err != nil {
		return err
	}
	// The id of the job makes the event unique: a job that runs again finds its receipt.
	if err := s.env.Receipts.Add(tx, ecobid.OfJob(job), r.ReservationID); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil && !receipt.Taken(err) {
		return err
	}
	return nil
}
