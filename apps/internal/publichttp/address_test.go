package publichttp

import (
	"errors"
	"net"
	"strings"
	"testing"
)

// edges lists the first and the last address of every range that is not public, with the public
// neighbours outside it; "" where the neighbour is in another such range.
var edges = []struct{ name, before, first, last, after string }{
	{"this network", "", "0.0.0.0", "0.255.255.255", "1.0.0.0"},
	{"private 10", "9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"},
	{"carrier-grade NAT", "100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"},
	{"loopback", "126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"},
	{"link-local and metadata", "169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"},
	{"private 172", "172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"},
	{"protocol assignments", "191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"},
	{"documentation 1", "192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"},
	{"6to4 relays", "192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"},
	{"private 192", "192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"},
	{"benchmarks", "198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"},
	{"documentation 2", "198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"},
	{"documentation 3", "203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"},
	{"multicast and reserved", "223.255.255.255", "224.0.0.0", "255.255.255.255", ""},
	{"below global unicast", "", "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"},
	{"Teredo and assignments", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"},
	{"documentation 6", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"},
	{"6to4", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"},
	{"documentation 6b", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"},
	{"above global unicast", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
	{"mapped loopback", "::ffff:126.255.255.255", "::ffff:127.0.0.0", "::ffff:127.255.255.255", "::ffff:128.0.0.0"},
	{"mapped private", "::ffff:9.255.255.255", "::ffff:10.0.0.0", "::ffff:10.255.255.255", "::ffff:11.0.0.0"},
}

func TestBothSidesOfEveryRange(t *testing.T) {
	for _, e := range edges {
		for _, ip := range []string{e.before, e.after} {
			if ip == "" {
				continue
			}
			if err := checkConnection(net.JoinHostPort(ip, "443")); err != nil {
				t.Errorf("%s: connecting to %s: %v", e.name, ip, err)
			}
			if err := Check("https://"+net.JoinHostPort(ip, "8443")+"/hook", Options{}); err != nil {
				t.Errorf("%s: submitting %s: %v", e.name, ip, err)
			}
		}
		for _, ip := range []string{e.first, e.last} {
			if err := checkConnection(net.JoinHostPort(ip, "443")); !errors.Is(err, ErrNotPublic) {
				t.Errorf("%s: connecting to %s: %v, want %v", e.name, ip, err, ErrNotPublic)
			}
			err := Check("http://"+net.JoinHostPort(ip, "80"), Options{})
			if refused, ok := errors.AsType[*URLError](err); !ok || !strings.Contains(refused.Reason, "public internet") {
				t.Errorf("%s: submitting %s: %v", e.name, ip, err)
			}
		}
	}
}

func TestSpecialAddressesAreNotPublic(t *testing.T) {
	for _, ip := range []string{"::1", "fe80::1", "fe80::1%eth0", "2606:4700::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "64:ff9b::7f00:1", "::127.0.0.1"} {
		if err := checkConnection(net.JoinHostPort(ip, "443")); !errors.Is(err, ErrNotPublic) {
			t.Errorf("%s: %v, want %v", ip, err, ErrNotPublic)
		}
	}
	if err := checkConnection("a name"); !errors.Is(err, ErrNotPublic) {
		t.Errorf("what is no address is reached: %v", err)
	}
}

func TestCheckSaysWhyAURLIsRefused(t *testing.T) {
	long := "https://example.com/" + strings.Repeat("x", MaxURL)
	for _, test := range []struct{ url, reason string }{
		{"https://example.com", ""},
		{"http://example.com:8081/hook?x=1#y", ""},
		{"https://EXAMPLE.com./", ""},
		{"https://xn--bcher-kva.example.org/", ""},
		{"https://10.example.com/", ""},
		{"https://host.0xyz/", ""}, // not a number
		{long[:MaxURL], ""},
		{long[:MaxURL+1], "2001 bytes"},
		{"", "begin with http"},
		{"example.com", "begin with http"},
		{"ftp://example.com", "begin with http"},
		{"javascript:alert(1)", "begin with http"},
		{"https://", "begin with http"},
		{"https://:443/", "begin with http"},
		{"https://exa mple.com/", "begin with http"},
		{"https://user@example.com", "user name or password"},
		{"https://user:secret@example.com", "user name or password"},
		{"http://localhost:3000", "local network"},
		{"http://LOCALHOST./", "local network"},
		{"http://api.localhost", "local network"},
		{"http://metadata.google.internal/", "local network"},
		{"http://printer.local", "local network"},
		{"http://intranet/", "local network"},
		{"http://127.1/", "four decimal numbers"},
		{"http://2130706433/", "four decimal numbers"},
		{"http://0x7f000001/", "four decimal numbers"},
		{"http://0X7F.0.0.0x1/", "four decimal numbers"},
		{"http://0177.0.0.01/", "four decimal numbers"},
		{"http://[::ffff:127.0.0.1]/", "public internet"},
		{"http://[fe80::1%25eth0]/", "public internet"},
		{"http://%31%32%37.0.0.1/", "begin with http"},
	} {
		err := Check(test.url, Options{})
		refused, ok := errors.AsType[*URLError](err)
		switch {
		case test.reason == "" && err != nil:
			t.Errorf("%s: %v", test.url, err)
		case test.reason != "" && (!ok || !strings.Contains(refused.Reason, test.reason)):
			t.Errorf("%s: %v, want a reason with %q", test.url, err, test.reason)
		}
	}
}

func TestDevelopmentAllowsPrivateAddressesAndNothingElse(t *testing.T) {
	for _, url := range []string{"http://localhost:3000/x", "http://127.0.0.1:1", "http://[::1]:80/", "http://10.0.0.1"} {
		if err := Check(url, Options{AllowPrivate: true}); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{"ftp://localhost", "http://user@localhost", ""} {
		if err := Check(url, Options{AllowPrivate: true}); err == nil {
			t.Errorf("%q is accepted", url)
		}
	}
}
