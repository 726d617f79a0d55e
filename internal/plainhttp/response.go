package plainhttp

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A response is the http.ResponseWriter of a plain request.
type response struct {
	conn   *conn
	header http.Header
	status int
	body   []byte
	kept   *[]byte // the buffer of the body; nil when there is none
	sent   bool
	last   bool // nothing follows it on the connection
}

var _ http.ResponseWriter = (*response)(nil)

// begin resets the response.
func (a *response) begin() {
	clear(a.header)
	a.status, a.sent, a.last = 0, false, false
}

// Header returns the header fields.
func (a *response) Header() http.Header { return a.header }

// WriteHeader sets the status. As in net/http the first call counts.
func (a *response) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write adds to the body, which is sent when the handler returns. A large body that is
// complete is sent without copying.
func (a *response) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.sent {
		return 0, http.ErrContentLength
	}
	if length := a.header["Content-Length"]; len(p) > joined && a.kept == nil && len(length) == 1 && length[0] == strconv.Itoa(len(p)) {
		a.send(p)
		return len(p), nil
	}
	if a.kept == nil {
		a.kept = buffers.Get().(*[]byte)
		a.body = (*a.kept)[:0]
	}
	a.body = append(a.body, p...)
	return len(p), nil
}

// finish sends the response unless it was sent. It reports whether the connection can have another request.
func (a *response) finish() bool {
	if !a.sent {
		a.send(a.body)
	}
	if a.kept != nil {
		keep(a.kept, a.body)
		a.kept, a.body = nil, nil
	}
	return !a.last
}

// joined is the maximum size of a body that is copied behind its head, to be sent in one write.
const joined = 8 << 10

// send sends the response with this body, after the whole request was read.
func (a *response) send(body []byte) {
	c := a.conn
	a.sent = true
	a.last = !c.drain() || c.front.stopping.Load() || a.header.Get("Connection") == "close"
	now := time.Now()
	if err := c.sendWithin(now); err != nil {
		a.last = true
		return
	}
	if len(body) > 0 && len(a.header["Content-Type"]) == 0 {
		a.header.Set("Content-Type", http.DetectContentType(body))
	}
	room := buffers.Get().(*[]byte)
	out := a.appendHead((*room)[:0], now, len(body))
	var err error
	if len(body) <= joined {
		out = append(out, body...)
		_, err = c.Conn.Write(out)
	} else {
		parts := net.Buffers{out, body}
		_, err = parts.WriteTo(c.Conn)
	}
	if err != nil {
		a.last = true // the client has disconnected
	}
	keep(room, out)
}

// buffers holds buffers for heads and bodies until they are sent.
var buffers = sync.Pool{New: func() any { return new(make([]byte, 0, 4<<10)) }}

// maxKept is the largest buffer that is reused.
const maxKept = 1 << 20

func keep(buf *[]byte, used []byte) {
	if cap(used) <= maxKept {
		*buf = used[:0]
		buffers.Put(buf)
	}
}

// appendHead appends the head of the response.
func (a *response) appendHead(dst []byte, now time.Time, length int) []byte {
	a.WriteHeader(http.StatusOK)
	dst = append(dst, "HTTP/1.1 "...)
	dst = strconv.AppendInt(dst, int64(a.status), 10)
	dst = append(dst, ' ')
	dst = append(dst, http.StatusText(a.status)...)
	dst = append(dst, "\r\nDate: "...)
	dst = append(dst, dateOf(now)...)
	dst = append(dst, "\r\nContent-Length: "...)
	dst = strconv.AppendInt(dst, int64(length), 10)
	dst = append(dst, "\r\n"...)
	for name, values := range a.header {
		if name == "Content-Length" || name == "Connection" || name == "Date" {
			continue
		}
		for _, value := range values {
			dst = append(dst, name...)
			dst = append(dst, ": "...)
			dst = append(dst, oneLine(value)...)
			dst = append(dst, "\r\n"...)
		}
	}
	if a.last {
		dst = append(dst, "Connection: close\r\n"...)
	}
	return append(dst, "\r\n"...)
}

// oneLine replaces line breaks in a value with spaces.
func oneLine(value string) string {
	if strings.IndexByte(value, '\n') < 0 && strings.IndexByte(value, '\r') < 0 {
		return value
	}
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(value)
}

// A date is the formatted date of a second.
type date struct {
	second int64
	text   string
}

var lastDate atomic.Pointer[date]

// dateOf returns the Date header at a time. It is formatted once a second.
func dateOf(now time.Time) string {
	d := lastDate.Load()
	if d == nil || d.second != now.Unix() {
		d = &date{now.Unix(), now.UTC().Format(http.TimeFormat)}
		lastDate.Store(d)
	}
	return d.text
}
