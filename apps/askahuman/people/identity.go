package people

import (
	"net/netip"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/secret"
)

// Time zones are between these offsets, in minutes east of UTC.
const (
	minTZOffset = -12 * 60
	maxTZOffset = 14 * 60
)

// NewIdentity returns a new identity token. Only this system can issue one, and it
// contains no information about its holder.
func (s *Service) NewIdentity() (token string) {
	return s.env.Box.Sign("person", secret.NewID(), time.Time{})
}

// Identify returns the person of a token. ip is the address of the request. A time zone
// that does not exist becomes the nearest valid one.
func (s *Service) Identify(token, ip string, tzOffsetMin int) (askahuman.Person, error) {
	id, err := s.env.Box.Open("person", token, s.env.Now())
	if err != nil {
		return askahuman.Person{}, askahuman.ErrNobody
	}
	return askahuman.Person{
		Hash:        s.env.Box.Hash("person", id),
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
	return s.env.Box.Hash("address", address.String())
}
