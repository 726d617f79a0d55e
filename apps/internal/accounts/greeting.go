package accounts

import (
	"strings"
	"unicode"

	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/internal/lazyregexp"
)

// greeting returns the first line of a mail to the address of an account. The name is in it only if the
// address is verified: anyone can sign up with the address of another person, and choose a name that is
// an advertisement with a link.
func greeting(account platformdb.Account) string {
	if account.VerifiedAt == nil {
		return "Hello,"
	}
	return "Hello " + account.Name + ","
}

// linkLike matches text that programs for mail make a link of. Browsers take the other full stops for
// points.
var linkLike = lazyregexp.New(`://|(?i:www)[.\x{3002}\x{FF0E}\x{FF61}]|[\p{L}\p{N}][.\x{3002}\x{FF0E}\x{FF61}][\p{L}\p{N}]`)

// mailableName returns a name for a mail to an address that is not verified, and "" if the name could be
// taken for a link or has several lines.
func mailableName(name string) string {
	if linkLike.MatchString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return ""
	}
	return name
}
