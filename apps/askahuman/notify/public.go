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

// ErrNotPublic says that an address is not one of the public internet.
var ErrNotPublic = errors.New("notify: the address is not public")

// Timeout is how long a request to a stranger may take.
const Timeout = 10 * time.Second

// NewClient returns an HTTP client for addresses that strangers choose. It follows no
// redirect and reaches nothing but the public internet: what is looked at is the address it
// is about to connect to, so no name can hide another one. Private addresses are allowed for
// tests and for trying things out on one computer.
func NewClient(allowPrivate bool) *http.Client {
	dialer := &net.Dialer{Timeout: Timeout}
	if !allowPrivate {
		dialer.Control = func(_, address string, _ syscall.RawConn) error { return checkPublic(address) }
	}
	return &http.Client{
		Timeout: Timeout,
		// No proxy: it would connect for us, and nobody would look at the address.
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: Timeout, MaxIdleConns: 100, IdleConnTimeout: 90 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// notPublic are the ranges of IANA's registries of special addresses that look like
// ordinary ones.
var notPublic = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

// ordinary6 is where all public addresses of IPv6 are.
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

// WithoutURL returns an error of an HTTP client without the address, which can hold a secret:
// who knows the address of a browser at its push service can send to it, and callbacks often
// carry a token. Errors are logged.
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
