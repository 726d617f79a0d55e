package askahuman

import (
	"errors"
	"net"

	"sortkey.dev/access"
)

// Passing reports whether a failure is one of a database that is away or has too much to do,
// so that trying again later helps.
func Passing(err error) bool {
	var network net.Error
	if access.Contended(err) || errors.As(err, &network) {
		return true
	}
	var answered interface{ ErrorCode() string } // of DynamoDB
	if !errors.As(err, &answered) {
		return false
	}
	switch answered.ErrorCode() {
	case "ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException", "InternalServerError", "ServiceUnavailable":
		return true
	}
	return false
}
