package askahuman

import (
	"net/netip"
	"time"

	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
)

// errNobody refuses a request without a token, or with a token that this system did not
// issue.
var errNobody = refusal.New(refusal.Unauthenticated, "", "We do not know this browser. Load the page again to get a new identity.")

// Time zones are between these offsets, in minutes east of UTC.
const (
	minTZOffset = -12 * 60
	maxTZOffset = 14 * 60
)

// NewIdentity returns a new identity token. Only this system can issue one, and it
// contains no information about its holder.
func (s *Service) NewIdentity() (token string) {
	return s.box.Sign("person", secret.NewID(), time.Time{})
}

// Identify returns the person of a token. ip is the address of the request. A time zone
// that does not exist becomes the nearest valid one.
func (s *Service) Identify(token, ip string, tzOffsetMin int) (Person, error) {
	id, err := s.box.Open("person", token, s.Now())
	if err != nil {
		return Person{}, errNobody
	}
	return Person{
		Hash:        s.box.Hash("person", id),
		IPHash:      s.addressHash(ip),
		TZOffsetMin: min(max(tzOffsetMin, minTZOffset), maxTZOffset),
	}, nil
}

// addressHash returns the hash of the address of a request, or "" if the address is
// unknown or means nothing, such as that of a proxy. IPv6 addresses are hashed by their
// first 64 bits, which a household shares.
func (s *Service) addressHash(ip string) string {
	address, err := netip.ParseAddr(ip)
	if err != nil {
		withPort, err := netip.ParseAddrPort(ip)
		if err != nil {
			return ""
		}
		address = withPort.Addr()
	}
	address = address.WithZone("").Unmap()
	if !address.IsGlobalUnicast() || address.IsPrivate() {
		return ""
	}
	if address.Is6() {
		network, err := address.Prefix(64)
		if err != nil {
			return ""
		}
		address = network.Addr()
	}
	return s.box.Hash("address", address.String())
}
