package plainhttp

import (
	"bytes"
	"net/http"
	"net/textproto"
)

// start is the first line of every plain request.
const start = "POST / HTTP/1.1\r\n"

// maxBody is the longest body of a plain request: one that a handler leaves unread has to be
// read to its end all the same.
const maxBody = 1 << 20

// A head is what stands before the body of a request.
type head struct {
	size   int // with the empty line at its end
	length int // of the body
	host   string
	header http.Header
	values []string // the room of the header's values
}

// read reads the head that text begins with, and reports whether it is a whole one of a plain
// request. It takes over nothing of text.
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

// cutLine cuts the first line of a head, and reports whether it is well formed.
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

// add takes a field of the head. It reports whether a plain request can have it.
func (h *head) add(name, value string) bool {
	name = canonical(name)
	switch name {
	case "Host":
		if h.host != "" || !isHost(value) {
			return false
		}
		h.host = value
		return true // net/http does not list it in the header either
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

// lengthOf reads a Content-Length; -1 if it is not that of a plain request.
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

// isHost reports whether a host is one of letters, digits and the signs of names, addresses and ports.
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

// isNameByte has the bytes that the name of a field is made of.
var isNameByte = func() (is [256]bool) {
	for _, c := range "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" {
		is[c] = true
	}
	return is
}()

// canonical is the form of a name that a http.Header has. That of the usual names costs no memory.
func canonical(name string) string {
	if known, ok := canonicalNames[name]; ok {
		return known
	}
	return textproto.CanonicalMIMEHeaderKey(name)
}

// canonicalNames has the names that SDKs send, as some of them spell them.
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
