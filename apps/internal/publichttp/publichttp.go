// Package publichttp is the HTTP client for URLs that users choose: webhook endpoints, push
// endpoints, pictures to fetch. It connects only to the public internet, so that no user can
// make the system send requests to its own network, and it bounds the time and the size of
// responses. Check rejects obviously wrong URLs when they are submitted; the client decides on
// the address that it is about to connect to.
//
// It signs nothing and retries nothing. Packages webhook and notify call it, and any system that
// fetches a user's URL.
package publichttp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"
)

// ErrNotPublic reports that an address is not on the public internet.
var ErrNotPublic = errors.New("the address is not public")

// ErrTooLarge reports that a response body is larger than Options.MaxBody.
var ErrTooLarge = errors.New("the response is too large")

// The defaults of Options.
const (
	Timeout = 10 * time.Second
	MaxBody = 1 << 20
)

// Options configures a client and the check of URLs. The zero value is for production.
type Options struct {
	AllowPrivate bool          // for development and tests: any address
	Timeout      time.Duration // of a whole request; Timeout by default
	MaxBody      int64         // of a response, in bytes; MaxBody by default
}

// NewClient returns a client for URLs that users choose. It follows no redirects and uses no
// proxy. It checks the IP address of each connection, so a DNS name cannot hide a private
// address. Requests to other addresses fail with ErrNotPublic; reading more than Options.MaxBody
// bytes of a response fails with ErrTooLarge.
func NewClient(o Options) *http.Client {
	if o.Timeout <= 0 {
		o.Timeout = Timeout
	}
	if o.MaxBody <= 0 {
		o.MaxBody = MaxBody
	}
	dialer := &net.Dialer{Timeout: o.Timeout}
	if !o.AllowPrivate {
		dialer.Control = func(_, address string, _ syscall.RawConn) error { return checkConnection(address) }
	}
	return &http.Client{
		Timeout: o.Timeout,
		Transport: &limited{most: o.MaxBody, next: &http.Transport{
			// No proxy: it would connect in our place, and the address would not be checked.
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: o.Timeout, MaxIdleConns: 100, IdleConnTimeout: 90 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Reason returns why a request failed, without the URL and the addresses in an error of an HTTP
// client: it is logged and shown to users. URLs of users can contain secrets, and addresses tell
// about the network of the system: its own end of a connection, its resolver, and the private
// address of a name.
func Reason(err error) error {
	if of, ok := errors.AsType[*url.Error](err); ok {
		err = of.Err
	}
	if errors.Is(err, ErrNotPublic) {
		return ErrNotPublic
	}
	if of, ok := errors.AsType[*net.DNSError](err); ok {
		return lookupError(of)
	}
	if of, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Errorf("%s: %w", of.Op, of.Err)
	}
	return err
}

// lookupError returns the error of a resolver without its text, which can contain addresses.
func lookupError(err *net.DNSError) error {
	switch {
	case err.IsNotFound:
		return fmt.Errorf("lookup %s: no such host", err.Name)
	case err.IsTimeout:
		return fmt.Errorf("lookup %s: timeout", err.Name)
	}
	return fmt.Errorf("lookup %s: failed", err.Name)
}

// limited is a transport that bounds response bodies.
type limited struct {
	next *http.Transport
	most int64
}

func (l *limited) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = &limitedBody{ReadCloser: response.Body, left: l.most}
	return response, nil
}

// CloseIdleConnections lets http.Client.CloseIdleConnections work.
func (l *limited) CloseIdleConnections() { l.next.CloseIdleConnections() }

// limitedBody fails at the first byte above the limit.
type limitedBody struct {
	io.ReadCloser
	left int64
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if int64(n) > b.left {
		n = int(b.left)
		b.left = 0
		return n, fmt.Errorf("publichttp: %w", ErrTooLarge)
	}
	b.left -= int64(n)
	return n, err
}
