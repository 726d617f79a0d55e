package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestConnectionReadsAnswers(t *testing.T) {
	long := strings.Repeat("0123456789", 20_000) // more than any buffer
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		switch string(body) {
		case "chunked":
			for range 3 {
				fmt.Fprint(w, "part,")
				w.(http.Flusher).Flush()
			}
		case "error":
			http.Error(w, "no", http.StatusBadRequest)
		case "long":
			fmt.Fprint(w, long)
		case "empty":
		default:
			fmt.Fprintf(w, "%s of %s", r.Header.Get("X-Amz-Target"), body)
		}
	}))
	defer server.Close()
	c, err := dial(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for _, want := range []struct {
		body, answer string
		status       int
	}{
		{"plain", "DynamoDB_20120810.GetItem of plain", 200},
		{"chunked", "part,part,part,", 200},
		{"long", long, 200},
		{"empty", "", 200},
		{"error", "no\n", 400},
		{"plain", "DynamoDB_20120810.GetItem of plain", 200}, // the connection is still in step
	} {
		status, answer, err := c.post("GetItem", []byte(want.body))
		if err != nil || status != want.status || string(answer) != want.answer {
			t.Errorf("%s: %d %.50q %v, want %d %.50q", want.body, status, answer, err, want.status, want.answer)
		}
	}
}

func TestConnectionRefusesNonsense(t *testing.T) {
	for _, answer := range []string{
		"",
		"HTTP/1.1\r\n",
		"HTTP/1.1 abc\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
		"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
	} {
		client, server := net.Pipe()
		go func() {
			_, _ = server.Read(make([]byte, 4096))
			_, _ = io.WriteString(server, answer)
			server.Close()
		}()
		c := newConnection("test", client)
		if status, body, err := c.roundTrip([]byte("x")); err == nil {
			t.Errorf("%q was read as %d %q", answer, status, body)
		}
		c.close()
	}
}

func TestStreamsAreAnotherService(t *testing.T) {
	for op, want := range map[string]string{
		"GetItem":    "X-Amz-Target: DynamoDB_20120810.GetItem\r\n",
		"GetRecords": "X-Amz-Target: DynamoDBStreams_20120810.GetRecords\r\n",
	} {
		if got := requestHead("localhost", op, 0); !strings.Contains(got, want) {
			t.Errorf("%s: %s", op, got)
		}
	}
}

func TestDialWantsAnAddress(t *testing.T) {
	for _, endpoint := range []string{"localhost:8000", "https://localhost:8000", "http://localhost", "http://[::1"} {
		if c, err := dial(endpoint); err == nil {
			t.Errorf("%s was accepted", endpoint)
			c.close()
		}
	}
}

func TestHTTPCallerWantsOK(t *testing.T) {
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	defer server.Close()
	c, err := newHTTPCaller(server.URL, workloadByID("get"), testRun, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if err := c.do(false); err != nil {
		t.Errorf("an unchecked answer: %v", err)
	}
	if err := c.do(true); err == nil {
		t.Error("an empty answer was accepted for an item")
	}
	status = http.StatusInternalServerError
	if err := c.do(false); err == nil || !strings.Contains(err.Error(), "status 500") {
		t.Errorf("a failed request: %v", err)
	}
}
