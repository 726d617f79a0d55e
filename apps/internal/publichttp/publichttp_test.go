package publichttp_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/publichttp"
)

func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func TestTheClientRefusesPrivateAddresses(t *testing.T) {
	server := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a private address was reached") })
	port := server.URL[strings.LastIndexByte(server.URL, ':'):]
	for _, address := range []string{server.URL, "http://localhost" + port} { // a name hides nothing
		_, err := publichttp.NewClient(publichttp.Options{}).Get(address)
		if !errors.Is(err, publichttp.ErrNotPublic) {
			t.Errorf("%s: %v, want %v", address, err, publichttp.ErrNotPublic)
		}
	}
}

func TestTheClientReachesPrivateAddressesInDevelopment(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })
	response, err := publichttp.NewClient(publichttp.Options{AllowPrivate: true}).Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || string(body) != "hello" {
		t.Errorf("got %q (%v)", body, err)
	}
}

func TestProxiesAreNotUsed(t *testing.T) {
	server := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the proxy was reached") })
	t.Setenv("HTTP_PROXY", server.URL)
	_, err := publichttp.NewClient(publichttp.Options{}).Get("http://127.0.0.1:1/")
	if !errors.Is(err, publichttp.ErrNotPublic) {
		t.Errorf("%v, want %v", err, publichttp.ErrNotPublic)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	visits := 0
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		visits++
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	})
	response, err := publichttp.NewClient(publichttp.Options{AllowPrivate: true}).Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusFound || visits != 1 {
		t.Errorf("got %s after %d requests", response.Status, visits)
	}
}

func TestBodiesAreLimited(t *testing.T) {
	const most = 1000
	for size, want := range map[int]error{0: nil, most - 1: nil, most: nil, most + 1: publichttp.ErrTooLarge, 5 * most: publichttp.ErrTooLarge} {
		server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte("x"), size)) })
		client := publichttp.NewClient(publichttp.Options{AllowPrivate: true, MaxBody: most})
		response, err := client.Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if !errors.Is(err, want) || len(body) != min(size, most) {
			t.Errorf("%d bytes: read %d with %v, want %v", size, len(body), err, want)
		}
		response.Body.Close()
		client.CloseIdleConnections()
	}
}

func TestASilentServerTimesOut(t *testing.T) {
	done := make(chan struct{})
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-done:
		case <-r.Context().Done():
		}
	})
	defer close(done)
	_, err := publichttp.NewClient(publichttp.Options{AllowPrivate: true, Timeout: time.Millisecond}).Get(server.URL)
	if network, ok := errors.AsType[net.Error](err); !ok || !network.Timeout() {
		t.Errorf("%v, want a timeout", err)
	}
	if !errors.Is(publichttp.Reason(err), context.DeadlineExceeded) {
		t.Errorf("the cause is %v", publichttp.Reason(err))
	}
}

// TestErrorsLoseTheResolver has an error of a resolver, which names itself and this machine.
func TestErrorsLoseTheResolver(t *testing.T) {
	for want, cause := range map[string]*net.DNSError{
		"no such host": {Err: "no such host", IsNotFound: true},
		"timeout":      {Err: "read udp 10.0.0.7:4711->10.0.0.2:53: i/o timeout", IsTimeout: true},
		"failed":       {Err: "server misbehaving"},
	} {
		cause.Name, cause.Server = "example.org", "10.0.0.2:53"
		err := &url.Error{Op: "Post", URL: "https://example.org", Err: &net.OpError{Op: "dial", Net: "tcp", Err: cause}}
		if got := publichttp.Reason(err).Error(); strings.Contains(got, "10.0.0.") || !strings.Contains(got, "example.org") || !strings.Contains(got, want) {
			t.Errorf("%v becomes %s", err, got)
		}
	}
}

func TestErrorsLoseTheirURL(t *testing.T) {
	_, err := publichttp.NewClient(publichttp.Options{}).Get("http://127.0.0.1:9/?token=secret")
	if !strings.Contains(err.Error(), "secret") {
		t.Fatalf("the error %q does not need it", err)
	}
	if short := publichttp.Reason(err); strings.Contains(short.Error(), "secret") || !errors.Is(short, publichttp.ErrNotPublic) {
		t.Errorf("the error is %q", short)
	}
	if err := errors.New("x"); publichttp.Reason(err) != err || publichttp.Reason(nil) != nil {
		t.Error("another error changes")
	}
}
