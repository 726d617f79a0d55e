package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"strconv"
	"time"
)

// requestHead holds the bytes an SDK sends before the body, down to the length of the
// headers: servers have to read all of it. Nothing checks the signature.
func requestHead(host, op string, bodySize int) string {
	return "POST / HTTP/1.1\r\n" +
		"Host: " + host + "\r\n" +
		"User-Agent: aws-sdk-go-v2/1.47.5 ua/2.1 os/linux lang/go#1.26.8 md/GOOS#linux md/GOARCH#amd64 api/dynamodb#1.72.2 m/E\r\n" +
		"Content-Length: " + strconv.Itoa(bodySize) + "\r\n" +
		"Accept-Encoding: identity\r\n" +
		"Amz-Sdk-Invocation-Id: 2f0a4a44-8ff4-4b1a-9d5a-0a8f5a3c7c11\r\n" +
		"Amz-Sdk-Request: attempt=1; max=3\r\n" +
		"Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20260101/us-east-1/dynamodb/aws4_request, " +
		"SignedHeaders=accept-encoding;amz-sdk-invocation-id;amz-sdk-request;content-length;content-type;host;x-amz-date;x-amz-target, " +
		"Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7\r\n" +
		"Content-Type: application/x-amz-json-1.0\r\n" +
		"X-Amz-Date: 20260101T000000Z\r\n" +
		"X-Amz-Target: " + targetOf(op) + "\r\n\r\n"
}

// A connection sends prepared requests over one TCP connection. It does what a
// load generator needs and no more, so that the time goes to the server.
type connection struct {
	host string
	conn net.Conn
	in   *bufio.Reader
	body []byte
}

// requestTimeout ends a run against a server that does not answer.
const requestTimeout = time.Minute

// dial connects to the server at an URL like http://127.0.0.1:8000.
func dial(endpoint string) (*connection, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, fmt.Errorf("endpoint %s: %w", endpoint, err)
	}
	if u.Scheme != "http" || u.Port() == "" {
		return nil, fmt.Errorf("endpoint %s: want http://HOST:PORT", endpoint)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return newConnection(u.Host, conn), nil
}

func newConnection(host string, conn net.Conn) *connection {
	return &connection{host: host, conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
}

func (c *connection) close() error { return c.conn.Close() }

// roundTrip sends a whole request and reads the answer. The body is valid until
// the next call.
func (c *connection) roundTrip(request []byte) (status int, body []byte, err error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, nil, fmt.Errorf("send request: %w", err)
	}
	status, body, err = c.readAnswer()
	if err != nil {
		return 0, nil, fmt.Errorf("read answer: %w", err)
	}
	return status, body, nil
}

// post sends one request that was not prepared, for setting up and checking.
func (c *connection) post(op string, body []byte) (status int, answer []byte, err error) {
	if err := c.conn.SetDeadline(time.Now().Add(requestTimeout)); err != nil {
		return 0, nil, err
	}
	defer c.conn.SetDeadline(time.Time{}) // the measured requests have none
	return c.roundTrip(append([]byte(requestHead(c.host, op, len(body))), body...))
}

// lengthName and encodingName are the headers that say how long a body is.
var (
	lengthName   = []byte("content-length:")
	encodingName = []byte("transfer-encoding:")
)

func (c *connection) readAnswer() (status int, body []byte, err error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return 0, nil, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return 0, nil, fmt.Errorf("status line %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, nil, fmt.Errorf("status line %q", line)
	}
	length, chunked := 0, false
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, nil, err
		}
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case len(line) == 0:
			body, err = c.readBody(length, chunked)
			return status, body, err
		case hasFoldedPrefix(line, lengthName):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[len(lengthName):]))); err != nil {
				return 0, nil, fmt.Errorf("header %q", line)
			}
		case hasFoldedPrefix(line, encodingName):
			chunked = true
		}
	}
}

// hasFoldedPrefix looks at the first letter first: most headers differ there.
func hasFoldedPrefix(line, name []byte) bool {
	return len(line) >= len(name) && line[0]|0x20 == name[0] && bytes.EqualFold(line[:len(name)], name)
}

func (c *connection) readBody(length int, chunked bool) ([]byte, error) {
	c.body = c.body[:0]
	if !chunked {
		return c.readPart(length)
	}
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		size, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return nil, fmt.Errorf("chunk size %q", line)
		}
		if _, err := c.readPart(int(size)); err != nil {
			return nil, err
		}
		if _, err := c.in.Discard(len("\r\n")); err != nil {
			return nil, err
		}
		if size == 0 {
			return c.body, nil
		}
	}
}

// readPart appends size bytes to the body.
func (c *connection) readPart(size int) ([]byte, error) {
	begin := len(c.body)
	for cap(c.body) < begin+size {
		c.body = append(c.body[:cap(c.body)], 0)
	}
	c.body = c.body[:begin+size]
	_, err := io.ReadFull(c.in, c.body[begin:])
	return c.body, err
}

// A httpCaller does a workload over a connection of its own.
type httpCaller struct {
	*connection
	conflicts
	work    workload
	request *template
	rnd     *rand.Rand
	keys    int
	plain   bool // not a DynamoDB response: only the status is checked
}

// newHTTPCaller connects a caller. The items of a run are the same for all.
func newHTTPCaller(endpoint string, w workload, run dataRun, seed uint64) (*httpCaller, error) {
	c, err := dial(endpoint)
	if err != nil {
		return nil, err
	}
	body := w.requestBody(run.prefix)
	return &httpCaller{
		connection: c,
		work:       w,
		request:    body.within(requestHead(c.host, string(w.op), len(body.text))),
		rnd:        newRandom(seed),
		keys:       w.keys(run),
	}, nil
}

func (c *httpCaller) do(check bool) error {
	key := c.rnd.IntN(c.keys)
	c.request.fill(c.rnd, key, c.keys)
	for try := 1; ; try++ {
		status, body, err := c.roundTrip(c.request.text)
		switch {
		case err != nil:
			return err
		case status == 200 && check && !c.plain:
			return c.work.checkAnswer(key, body)
		case status == 200:
			return nil
		case !c.again(status, body, try):
			return fmt.Errorf("%s: status %d: %.300s", c.work.op, status, body)
		}
	}
}

// newRandom makes the random numbers of one caller.
func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 42)) }

var _ caller = (*httpCaller)(nil)
