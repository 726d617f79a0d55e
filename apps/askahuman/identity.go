package askahuman

import (
	"net/netip"
	"time"

	"sortkey.dev/apps/internal/secret"
)

// errNobody refuses who is nobody: without a token, or with one that was not made here.
var errNobody = &Error{Code: CodeUnauthorized, Message: "We do not know this browser. Load the page again to get a new identity."}

// Time zones are between these offsets, in minutes east of UTC.
const (
	minTZOffset = -12 * 60
	maxTZOffset = 14 * 60
)

// NewIdentity returns a token that makes somebody a person here. Only this system can make
// one, and it says nothing about who has it.
func (s *Service) NewIdentity() (token string) {
	return s.box.Sign("person", secret.NewID(), time.Time{})
}

// Identify gives the person of a token. ip is the address the request came from. A time
// zone that does not exist becomes the nearest that does.
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

// addressHash stands for where a request came from; "" if that is not known, or is an
// address that says nothing, such as that of a proxy beside us. A household has 64 bits of
// IPv6 addresses to itself, so those are not told apart.
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
