package publichttp

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// MaxURL is the maximum length of a URL that Check accepts, in bytes.
const MaxURL = 2000

// A URLError says why a URL is not accepted, in a sentence for the person or program that
// submitted it.
type URLError struct{ Reason string }

func (e *URLError) Error() string { return "publichttp: " + e.Reason }

// Check rejects a URL that the client could never reach or that must not be stored: another
// scheme than http and https, no host, credentials, and hosts that are private addresses or
// local names as they are written. The error is a *URLError. A DNS name that points to a private
// address passes; the client refuses it when it connects.
func Check(text string, o Options) error {
	if len(text) > MaxURL {
		return &URLError{Reason: fmt.Sprintf("The URL has %d bytes; at most %d are accepted.", len(text), MaxURL)}
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return &URLError{Reason: "The URL must begin with http:// or https:// and name a host."}
	}
	if u.User != nil {
		return &URLError{Reason: "The URL must not contain a user name or password."}
	}
	if o.AllowPrivate {
		return nil
	}
	return checkHost(u.Hostname())
}

// checkHost rejects a host that is not public as it is written.
func checkHost(host string) error {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		if !isPublic(ip) {
			return &URLError{Reason: fmt.Sprintf("The address %s is not on the public internet.", ip)}
		}
		return nil
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	switch {
	case isNumber(last):
		// Some resolvers read 127.1, 0x7f000001 and 2130706433 as addresses.
		return &URLError{Reason: fmt.Sprintf("The address %s is not written as four decimal numbers.", host)}
	case last == host || slices.Contains(localNames, last):
		return &URLError{Reason: fmt.Sprintf("The host %s is a name of a local network.", host)}
	}
	return nil
}

// localNames lists top-level names that the public DNS does not have.
var localNames = []string{"localhost", "local", "internal", "intranet", "home", "lan", "corp", "localdomain"}

// isNumber reports whether a label reads as a number of an IPv4 address: decimal, octal or
// hexadecimal. No top-level domain does.
func isNumber(label string) bool {
	digits, hexadecimal := strings.CutPrefix(label, "0x")
	if label == "" {
		return false
	}
	return !strings.ContainsFunc(digits, func(r rune) bool {
		return (r < '0' || r > '9') && (!hexadecimal || r < 'a' || r > 'f')
	})
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

// isPublic reports whether an address is on the public internet. An IPv4 address inside an IPv6
// address counts as the IPv4 address.
func isPublic(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.Zone() == "" && ip.IsGlobalUnicast() && !ip.IsPrivate() && (ip.Is4() || ordinary6.Contains(ip)) &&
		!slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// checkConnection checks the address and port of a connection that is about to be made.
func checkConnection(address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrNotPublic, address)
	}
	if ip := to.Addr().Unmap(); !isPublic(ip) {
		return fmt.Errorf("%w: %s", ErrNotPublic, ip)
	}
	return nil
}

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}
