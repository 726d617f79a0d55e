// Package code holds the names that DynamoDB gives its errors. Package access classifies
// errors by them, and package call decides which requests to send again.
package code

import "errors"

// The codes by which DynamoDB says why it cancelled a transaction, one for each action.
const (
	None                          = "None"
	ConditionalCheckFailed        = "ConditionalCheckFailed"
	TransactionConflict           = "TransactionConflict"
	ThrottlingError               = "ThrottlingError"
	ProvisionedThroughputExceeded = "ProvisionedThroughputExceeded"
)

// LateRequest is the code by which the embedded engine refuses a request that comes after the time until which it may be
// carried out.
const LateRequest = "LateRequestException"

// Of returns the code of an error, or "" if DynamoDB did not return it.
func Of(err error) string {
	var coded interface {
		error
		ErrorCode() string
	}
	if errors.As(err, &coded) {
		return coded.ErrorCode()
	}
	return ""
}

// unavailable lists the codes of errors that say nothing about the request: DynamoDB is
// throttling, overloaded or failing, and the same request may succeed later.
var unavailable = map[string]bool{
	"InternalFailure":                        true,
	"InternalServerError":                    true,
	"LimitExceededException":                 true,
	"ProvisionedThroughputExceededException": true,
	"RequestLimitExceeded":                   true,
	"RequestTimeout":                         true,
	"RequestTimeoutException":                true,
	"ServiceUnavailable":                     true,
	"Throttling":                             true,
	"ThrottlingException":                    true,

	ThrottlingError:               true,
	ProvisionedThroughputExceeded: true,
}

// Unavailable reports whether a code says that DynamoDB is throttling, overloaded or failing.
func Unavailable(code string) bool { return unavailable[code] }
