// Package serve holds what the JSON APIs and the pages of the systems have in common on the way
// of a request: the address of the caller behind proxies, the status of a refusal, server-sent
// events, and the answer of a mux without a route.
//
// It knows no system and no form of answers. Package jsonapi and package webkit call it.
package serve

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"unicode/utf8"

	"sortkey.dev/apps/internal/refusal"
)

// ClientIP returns the address of the caller of a request, without the zone of an IPv6 address:
// the sender chooses the zone and could bypass a limit by address.
//
// proxies is the number of trusted proxies before this program; each appends the address it was
// called from to X-Forwarded-For. With 0 that header is ignored, because a caller can invent it.
func ClientIP(r *http.Request, proxies int) netip.Addr {
	if proxies > 0 {
		hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		if i := len(hops) - proxies; i >= 0 {
			if address, ok := parse(strings.TrimSpace(hops[i])); ok {
				return address
			}
		}
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	address, _ := parse(host)
	return address
}

// parse reads an address. Some proxies write the port, too.
func parse(text string) (netip.Addr, bool) {
	address, err := netip.ParseAddr(text)
	if err != nil {
		with, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}, false
		}
		address = with.Addr()
	}
	return address.WithZone("").Unmap(), true
}

// Network returns the address that limits count: IPv6 addresses are cut to 64 bits, which a
// household shares.
func Network(address netip.Addr) netip.Addr {
	if address.Is6() {
		if prefix, err := address.Prefix(64); err == nil {
			return prefix.Addr()
		}
	}
	return address
}

// Status returns the HTTP status of a kind of refusal.
func Status(kind refusal.Kind) int {
	switch kind {
	case refusal.Invalid:
		return http.StatusBadRequest
	case refusal.Unauthenticated:
		return http.StatusUnauthorized
	case refusal.Forbidden:
		return http.StatusForbidden
	case refusal.NotFound:
		return http.StatusNotFound
	case refusal.Conflict:
		return http.StatusConflict
	case refusal.Gone:
		return http.StatusGone
	case refusal.TooMany:
		return http.StatusTooManyRequests
	case refusal.TooLarge:
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusInternalServerError
}

// maxPath is the maximum length of a path in bytes. It is less than a key of a table can have, of which
// ids in the path are a part.
const maxPath = 500

// ValidPath reports whether there can be something at a path: it is text, and not too long. A database
// refuses to look for other ids, which is no failure.
func ValidPath(path string) bool { return len(path) <= maxPath && utf8.ValidString(path) }

// Unmatched returns the methods that an address takes, as the handler says that a mux gives for
// a request without a route; "" if there is nothing at the address.
func Unmatched(handler http.Handler, r *http.Request) (methods string) {
	probe := &probeWriter{header: make(http.Header)}
	handler.ServeHTTP(probe, r)
	if probe.status != http.StatusMethodNotAllowed {
		return ""
	}
	return probe.header.Get("Allow")
}

// probeWriter records a response that is not sent.
type probeWriter struct {
	header http.Header
	status int
}

func (w *probeWriter) Header() http.Header         { return w.header }
func (w *probeWriter) WriteHeader(status int)      { w.status = status }
func (w *probeWriter) Write(p []byte) (int, error) { return len(p), nil }
