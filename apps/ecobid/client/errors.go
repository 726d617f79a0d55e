package client

import "sortkey.dev/apps/internal/apiclient"

// An Error is an error response of the server. errors.Is compares it with the values below by
// code.
type Error = apiclient.Error

// Details describes the invalid value and its constraints.
type Details = apiclient.Details

// Errors to compare with errors.Is.
var (
	ErrInvalid      = apiclient.ErrInvalid
	ErrUnauthorized = apiclient.ErrUnauthorized
	ErrForbidden    = apiclient.ErrForbidden
	ErrNoItem       = &Error{Code: "ITEM_NOT_FOUND"}
	ErrReserved     = &Error{Code: "ALREADY_RESERVED"}
	ErrTooLow       = &Error{Code: "BID_TOO_LOW"} // Details.Min has the least bid
	ErrEnded        = &Error{Code: "AUCTION_ENDED"}
	ErrLate         = &Error{Code: "DEADLINE_PASSED"}
	ErrKeyReused    = apiclient.ErrKeyReused
	ErrPlaceHidden  = &Error{Code: "PLACE_HIDDEN"}
	ErrRateLimited  = apiclient.ErrRateLimited
	ErrUnavailable  = apiclient.ErrUnavailable // temporarily; a retry may succeed
)
