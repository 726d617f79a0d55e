package notify

import (
	"errors"
	"net"
	"testing"
)

func TestOnlyPublicAddressesAreReached(t *testing.T) {
	for _, ip := range []string{"1.1.1.1", "93.184.215.14", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"} {
		if err := checkPublic(net.JoinHostPort(ip, "443")); err != nil {
			t.Errorf("%s: %v", ip, err)
		}
	}
	for _, ip := range []string{
		"0.0.0.0", "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
		"192.0.2.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "fe80::1", "fc00::1", "fd00:ec2::254",
		"fec0::1", "ff02::1", "64:ff9b::7f00:1", "2001:db8::1", "2002:7f00:1::", "2001::1",
	} {
		if err := checkPublic(net.JoinHostPort(ip, "443")); !errors.Is(err, ErrNotPublic) {
			t.Errorf("%s is reached: %v", ip, err)
		}
	}
	if err := checkPublic("a name"); !errors.Is(err, ErrNotPublic) {
		t.Errorf("what is no address is reached: %v", err)
	}
}
