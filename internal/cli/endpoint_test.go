package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/engine"
)

const smallDesign = "../../apps/homeops/homeops.design.yaml"

// runAlone runs a command line and returns its output.
func runAlone(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = Run(args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// shortTimeouts shortens the timeouts of a test.
func shortTimeouts(t *testing.T, notice, answer time.Duration) {
	t.Helper()
	usual := defaultTimeouts
	t.Cleanup(func() { defaultTimeouts = usual })
	defaultTimeouts.notice, defaultTimeouts.answer = notice, answer
}

// The endpoint is a server that is not DynamoDB: the error says so and what to check.
func TestEndpointThatIsNotDynamoDB(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"page":      {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>hello</html>") }, "responds, but not like DynamoDB (HTTP 200)"},
		"not found": {func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, "responds, but not like DynamoDB (HTTP 404)"},
		"empty":     {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }, "responds, but not like DynamoDB"},
		"refusal":   {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "{}", http.StatusForbidden) }, "responds, but not like DynamoDB (HTTP 403)"},
		"broken":    {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oops", http.StatusInternalServerError) }, "responds, but not like DynamoDB (HTTP 500)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(c.answer)
			defer server.Close()
			for _, command := range []string{"apply", "verify"} {
				code, _, errs := runAlone(command, smallDesign, "--endpoint", server.URL)
				if code != exitFailure || !strings.HasPrefix(errs, "sortkey: "+server.URL+" "+c.want+"\n") || !strings.Contains(errs, "Check what is running there") {
					t.Errorf("%s: exit code %d: %s", command, code, errs)
				}
				if strings.Contains(errs, "may remain") {
					t.Errorf("%s: nothing was made: %s", command, errs)
				}
			}
		})
	}
}

// The endpoint does not speak HTTP.
func TestEndpointWithoutHTTP(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			io.WriteString(c, "SSH-2.0-OpenSSH_9.6\r\n\r\n")
			c.Close()
		}
	}()
	code, _, errs := runAlone("apply", smallDesign, "--endpoint", "http://"+listener.Addr().String())
	if code != exitFailure || !strings.Contains(errs, "Check what is running there") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// hanging returns an endpoint that is an engine at first, and stops responding after a number of
// requests.
func hanging(t *testing.T, answers int64, hung func()) *httptest.Server {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	var requests atomic.Int64
	over := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) <= answers {
			db.ServeHTTP(w, r)
			return
		}
		io.Copy(io.Discard, r.Body)
		hung()
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() {
		close(over)
		server.Close()
		db.Close()
	})
	return server
}

// A wait for a hanging endpoint is reported, and ends with a timeout.
func TestHangingEndpoint(t *testing.T) {
	shortTimeouts(t, time.Millisecond, 100*time.Millisecond)
	server := hanging(t, 0, func() {})
	for _, command := range []string{"apply", "verify"} {
		code, out, errs := runAlone(command, smallDesign, "--endpoint", server.URL, "--json")
		want := "waiting for " + server.URL + "\nsortkey: " + server.URL + " accepts requests, but does not respond in time\n"
		if code != exitFailure || !strings.HasPrefix(errs, want) {
			t.Errorf("%s: exit code %d: %s", command, code, errs)
		}
		var object struct{ Error failure }
		if err := json.Unmarshal([]byte(out), &object); err != nil || !strings.Contains(object.Error.Message, "in time") || len(object.Error.Hints) == 0 {
			t.Errorf("%s: %v: %s", command, err, out)
		}
	}
}

// Interrupted while an endpoint hangs, verify says what it does, gives up in time, and
// names the tables that may be left.
func TestVerifyInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	server := hanging(t, 40, interrupt)
	c := &verifyConfig{endpoint: server.URL}
	c.options.CleanUp = time.Millisecond
	var out, errs bytes.Buffer
	err := c.run(ctx, streams{strings.NewReader(""), &out, &errs}, []string{smallDesign})
	var printed bytes.Buffer
	printError(&printed, err)
	if want := "stopping; deleting the tables " + c.options.Prefix + "… (interrupt again to leave them)\n"; errs.String() != want {
		t.Errorf("said %q, want %q", errs.String(), want)
	}
	want := "sortkey: stopped\n  Tables whose names begin with " + c.options.Prefix + " may remain: delete them.\n"
	if printed.String() != want {
		t.Errorf("got %s", &printed)
	}
}

// A run that fails for another reason also names the tables that may be left: while data is stored,
// during reads, and during writes. It does not wait for the endpoint again and again.
func TestVerifyFailedInTheMiddle(t *testing.T) {
	shortTimeouts(t, time.Hour, 10*time.Second) // the answers before it may take a while on a busy machine
	for _, answers := range []int64{10, 40, 400} {
		t.Run(fmt.Sprint(answers), func(t *testing.T) {
			t.Parallel() // they wait at the same time
			var unanswered atomic.Int64
			server := hanging(t, answers, func() { unanswered.Add(1) })
			code, _, errs := runAlone("verify", smallDesign, "--endpoint", server.URL)
			want := "sortkey: " + server.URL + " accepts requests, but does not respond in time\n  Tables whose names begin with verify-"
			if code != exitFailure || !strings.HasPrefix(errs, want) || !strings.Contains(errs, " may remain: delete them.\n  Check what is running there") {
				t.Errorf("exit code %d: %s", code, errs)
			}
			if n := unanswered.Load(); n > 30 { // data is stored by several goroutines
				t.Errorf("%d requests were sent to an endpoint that hangs", n)
			}
		})
	}
}

// Interrupted while the endpoint responds, verify leaves nothing behind.
func TestVerifyInterruptedCleansUp(t *testing.T) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx, interrupt := context.WithCancel(t.Context())
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 40 {
			interrupt()
		}
		db.ServeHTTP(w, r)
	}))
	defer server.Close()
	c := &verifyConfig{endpoint: server.URL}
	var errs bytes.Buffer
	err = c.run(ctx, streams{strings.NewReader(""), io.Discard, &errs}, []string{smallDesign})
	if err == nil || err.Error() != "stopped" {
		t.Errorf("got %v", err)
	}
	tables, err := db.API().ListTables(t.Context(), nil)
	if err != nil || len(tables.TableNames) > 0 {
		t.Errorf("left %v, %v", tables, err)
	}
}

// Without a terminal, progress is a line from time to time, and none after the end.
func TestProgressInALog(t *testing.T) {
	var log bytes.Buffer
	p := newProgressLine(&log)
	p.show("1 of 9 patterns, 24 calls: ListOrders")
	p.log(p.begun.Add(10 * time.Second))
	p.say("waiting for a response")
	p.clear()
	p.log(p.begun.Add(20 * time.Second))
	if want := "1 of 9 patterns, 24 calls: ListOrders (after 10s)\nwaiting for a response\n"; log.String() != want {
		t.Errorf("got %q", log.String())
	}
}

// On a terminal a notice replaces the line of progress.
func TestProgressOnATerminal(t *testing.T) {
	var screen bytes.Buffer
	p := newProgressLine(&screen)
	p.terminal, p.begun = true, time.Now().Add(-time.Minute)
	p.show("1 of 9")
	p.say("waiting")
	if want := "\r1 of 9\r      \rwaiting\n"; screen.String() != want {
		t.Errorf("got %q", screen.String())
	}
}
