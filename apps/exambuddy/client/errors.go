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
	ErrWrongRole    = &Error{Code: "WRONG_ROLE"}
	ErrNoExam       = &Error{Code: "PROJECT_NOT_FOUND"}
	ErrNoSession    = &Error{Code: "SESSION_NOT_FOUND"}
	ErrNoAttempt    = &Error{Code: "ATTEMPT_NOT_FOUND"}
	ErrActive       = &Error{Code: "ACTIVE_SESSION"}    // the candidate is sitting the exam
	ErrWriter       = &Error{Code: "ANOTHER_WRITER"}    // the session goes on elsewhere; see Take
	ErrOver         = &Error{Code: "SESSION_OVER"}      // submitted, cancelled or expired
	ErrChanged      = &Error{Code: "CHANGED_MEANWHILE"} // the version is old
	ErrDuplicate    = &Error{Code: "DUPLICATE_QUESTION"}
	ErrHidden       = &Error{Code: "ANSWERS_HIDDEN"} // the exam does not show its answers yet
	ErrKeyReused    = apiclient.ErrKeyReused
	ErrRateLimited  = apiclient.ErrRateLimited
	ErrUnavailable  = apiclient.ErrUnavailable // temporarily; a retry may succeed
)
