package ecobid

import (
	"errors"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/refusal"
)

// Refusals to compare with errors.Is.
var (
	ErrNoUser        = refusal.New(refusal.NotFound, "USER_NOT_FOUND", "There is no such person.")
	ErrNoItem        = refusal.New(refusal.NotFound, "ITEM_NOT_FOUND", "There is no such item.")
	ErrNoReservation = refusal.New(refusal.NotFound, "RESERVATION_NOT_FOUND", "There is no such reservation.")
	ErrNoAuction     = refusal.New(refusal.NotFound, "AUCTION_NOT_FOUND", "There is no such auction.")
	ErrNoPlace       = refusal.New(refusal.Forbidden, "PLACE_HIDDEN", "The address is shown after the giver has confirmed the pickup.")
	ErrNoPhoto       = refusal.New(refusal.NotFound, "PHOTO_NOT_FOUND", "There is no such photo of yours.")

	ErrOwnItem     = refusal.New(refusal.Invalid, "OWN_ITEM", "This item is yours.")
	ErrOwnAuction  = refusal.New(refusal.Forbidden, "OWN_AUCTION", "You cannot bid on your own item.")
	ErrWrongMode   = refusal.New(refusal.Invalid, "WRONG_MODE", "This item is given away in another way.")
	ErrReserved    = refusal.New(refusal.Conflict, "ALREADY_RESERVED", "Another person has reserved this item.")
	ErrUnavailable = refusal.New(refusal.Conflict, "ITEM_UNAVAILABLE", "This item is not available.")
	ErrTooMany     = refusal.New(refusal.Conflict, "TOO_MANY_RESERVATIONS", "You have %d open reservations. Pick one up or cancel one first.", MaxActiveReservations)
	ErrSuspended   = refusal.New(refusal.Forbidden, "SUSPENDED", "Your account is suspended.")
	ErrLate        = refusal.New(refusal.Gone, "DEADLINE_PASSED", "The time to answer has passed.")
	ErrState       = refusal.New(refusal.Conflict, "WRONG_STATE", "This is not possible any more, or not yet.")
	ErrNoPhotos    = refusal.New(refusal.Conflict, "PHOTO_REQUIRED", "Add a photo first. Without one the item stays a draft.")
	ErrEnded       = refusal.New(refusal.Invalid, "AUCTION_ENDED", "This auction has ended.")
	ErrHasBids     = refusal.New(refusal.Conflict, "AUCTION_HAS_BIDS", "An auction with bids cannot be cancelled. Wait until it has ended.")
	ErrBidsPlaced  = refusal.New(refusal.Conflict, "AUCTION_HAS_BIDS", "Others have bid on what you described. It cannot be changed any more.")
	ErrJoined      = refusal.New(refusal.Conflict, "ALREADY_JOINED", "You have joined already.")
	ErrClosed      = refusal.New(refusal.Gone, "ENTRY_CLOSED", "The time to take part has passed.")
	ErrRated       = refusal.New(refusal.Conflict, "ALREADY_RATED", "You have rated this pickup.")
	ErrNotYours    = refusal.New(refusal.Forbidden, "", "You may not do this.")
	ErrNameTaken   = refusal.New(refusal.Conflict, "NAME_TAKEN", "This name is taken. Choose another.")
	ErrWrongCode   = refusal.New(refusal.Invalid, "WRONG_CODE", "This is not the code on the giver's screen.")
)

// ErrBlocked says that one of two people has blocked the other. It is an error between rooms: the doors get
// the error of an unknown item, person or auction, so that no response tells about a block.
var ErrBlocked = errors.New("ecobid: one of the two people has blocked the other")

// Changed reports whether a conditional write failed because an item of type T is in another
// state.
func Changed[T any](err error) bool {
	_, ok := errors.AsType[*access.ConditionError[T]](err)
	return ok
}

// Current returns the item of type T that refused a conditional write; nil if the error has none.
func Current[T any](err error) *T {
	if unmet, ok := errors.AsType[*access.ConditionError[T]](err); ok {
		return unmet.Current
	}
	return nil
}

// Instead returns a refusal in the place of access.ErrNotFound, and other errors as they are.
func Instead(err error, missing *refusal.Error) error {
	if errors.Is(err, access.ErrNotFound) {
		return missing
	}
	return err
}
