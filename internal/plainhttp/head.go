package plainhttp

import (
	"bytes"
	"net/http"
	"net/textproto"
)

// start is the first line of every plain request.
const start = "POST / HTTP/1.1\r\n"

// maxBody is the maximum body of a plain request: the server must read even a body that the
// handler does not read.
const maxBody = 1 << 20

// A head is the part of a request before its body.
type head struct {
	size   int // including the empty line at its end
	length int // of the body
	host   string
	header http.Header
	values []string // backing array of the header's values
}

// read parses the head that text begins with, and reports whether it is complete and that of a
// plain request. It keeps no reference to text.
func (h *head) read(text []byte) bool {
	if len(text) < len(start) || string(text[:len(start)]) != start {
		return false
	}
	end := bytes.Index(text, []byte("\r\n\r\n"))
	if end < len(start) {
		return false
	}
	h.size, h.length, h.host = end+len("\r\n\r\n"), -1, ""
	clear(h.header)
	h.values = h.values[:0]
	for lines := string(text[len(start) : end+len("\r\n")]); lines != ""; {
		name, value, rest, ok := cutLine(lines)
		if !ok || !h.add(name, value) {
			return false
		}
		lines = rest
	}
	return h.length >= 0 && h.host != ""
}

// cutLine splits the first line of a head, and reports whether it is well formed.
func cutLine(lines string) (name, value, rest string, ok bool) {
	i := 0
	for i < len(lines) && isNameByte[lines[i]] {
		i++
	}
	if i == 0 || i == len(lines) || lines[i] != ':' {
		return "", "", "", false
	}
	name = lines[:i]
	for i++; i < len(lines) && lines[i] == ' '; i++ {
	}
	begin := i
	for i < len(lines) && lines[i] >= ' ' && lines[i] != 0x7f {
		i++
	}
	if i+1 >= len(lines) || lines[i] != '\r' || lines[i+1] != '\n' {
		return "", "", "", false
	}
	value, rest = lines[begin:i], lines[i+2:]
	for value != "" && value[len(value)-1] == ' ' {
		value = value[:len(value)-1]
	}
	return name, value, rest, true
}

// add adds a field of the head. It reports whether a plain request can have it.
func (h *head) add(name, value string) bool {
	name = canonical(name)
	switch name {
	case "Host":
		if h.host != "" || !isHost(value) {
			return false
		}
		h.host = value
		return true // net/http does not include it in the header either
	case "Content-Length":
		if h.length >= 0 {
			return false
		}
		if h.length = lengthOf(value); h.length < 0 {
			return false
		}
	case "Connection":
		if value != "keep-alive" && value != "Keep-Alive" {
			return false
		}
	case "Expect", "Trailer", "Transfer-Encoding", "Upgrade", "Te", "Http2-Settings", "Pragma":
		return false
	}
	if earlier, found := h.header[name]; found {
		h.header[name] = append(earlier, value)
		return true
	}
	h.values = append(h.values, value)
	last := len(h.values)
	h.header[name] = h.values[last-1 : last : last]
	return true
}

// lengthOf parses a Content-Length; -1 if it is not that of a plain request.
func lengthOf(value string) (length int) {
	if value == "" || len(value) > 7 {
		return -1
	}
	for i := range len(value) {
		if value[i]-'0' > 9 {
			return -1
		}
		length = 10*length + int(value[i]-'0')
	}
	if length > maxBody {
		return -1
	}
	return length
}

// isHost reports whether a host has only letters, digits and the punctuation of names, addresses and ports.
func isHost(host string) bool {
	for i := range len(host) {
		switch c := host[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '.', c == ':', c == '-', c == '_', c == '[', c == ']':
		default:
			return false
		}
	}
	return host != ""
}

// isNameByte holds the bytes that the name of a field may have.
var isNameByte = func() (is [256]bool) {
	for _, c := range "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" {
		is[c] = true
	}
	return is
}()

// canonical returns the canonical form of a header name. It does not allocate for the usual names.
func canonical(name string) string {
	if known, ok := canonicalNames[name]; ok {
		return known
	}
	return textproto.CanonicalMIMEHeaderKey(name)
}

// canonicalNames maps the names that SDKs send to their canonical form.
var canonicalNames = func() map[string]string {
	known := map[string]string{}
	for _, spelled := range []string{
		"accept", "Accept", "accept-encoding", "Accept-Encoding",
		"amz-sdk-invocation-id", "Amz-Sdk-Invocation-Id", "amz-sdk-request", "Amz-Sdk-Request",
		"authorization", "Authorization", "connection", "Connection",
		"content-length", "Content-Length", "content-type", "Content-Type",
		"host", "Host", "user-agent", "User-Agent",
		"x-amz-date", "X-Amz-Date", "X-Amz-Security-Token", "x-amz-security-token",
		"x-amz-target", "X-Amz-Target", "X-Amz-User-Agent", "x-amz-user-agent",
	} {
		known[spelled] = textproto.CanonicalMIMEHeaderKey(spelled)
	}
	return known
}()
