package notify

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"
)

// ErrNotPublic reports that an address is not on the public internet.
var ErrNotPublic = errors.New("notify: the address is not public")

// Timeout is the maximum duration of a request to an external host.
const Timeout = 10 * time.Second

// NewClient returns an HTTP client for URLs that users choose. It follows no redirects and
// connects only to the public internet: it checks the IP address it is about to connect to,
// so a DNS name cannot hide a private address. allowPrivate is for tests and local trials.
func NewClient(allowPrivate bool) *http.Client {
	dialer := &net.Dialer{Timeout: Timeout}
	if !allowPrivate {
		dialer.Control = func(_, address string, _ syscall.RawConn) error { return checkPublic(address) }
	}
	return &http.Client{
		Timeout: Timeout,
		// No proxy: it would connect in our place, and the address would not be checked.
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: Timeout, MaxIdleConns: 100, IdleConnTimeout: 90 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// notPublic lists ranges of IANA's special-purpose registries that look like ordinary
// addresses.
var notPublic = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

// ordinary6 contains all public IPv6 addresses.
var ordinary6 = netip.MustParsePrefix("2000::/3")

func checkPublic(address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrNotPublic, address)
	}
	ip := to.Addr().Unmap()
	public := ip.IsGlobalUnicast() && !ip.IsPrivate() && (ip.Is4() || ordinary6.Contains(ip)) &&
		!slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(ip) })
	if !public {
		return fmt.Errorf("%w: %s", ErrNotPublic, ip)
	}
	return nil
}

// WithoutURL removes the URL from an error of an HTTP client. Push endpoints and callback
// URLs can contain secrets, and errors are logged.
func WithoutURL(err error) error {
	if of, ok := errors.AsType[*url.Error](err); ok {
		return of.Err
	}
	return err
}

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}
