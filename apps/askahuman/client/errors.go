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
	ErrQuota        = &Error{Code: "AGENT_QUOTA_EXCEEDED"}
	ErrNotFound     = &Error{Code: "QUESTION_NOT_FOUND"}
	ErrKeyReused    = apiclient.ErrKeyReused
	ErrRateLimited  = apiclient.ErrRateLimited
	ErrServer       = apiclient.ErrServer
	ErrUnavailable  = apiclient.ErrUnavailable // temporarily; a retry may succeed
)
