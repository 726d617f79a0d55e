package plainhttp

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// sdkHead is the head of a request of an SDK.
const sdkHead = "POST / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nUser-Agent: aws-sdk-go-v2/1.47.5 os/linux\r\nContent-Length: 2\r\n" +
	"Accept-Encoding: identity\r\nAuthorization: AWS4-HMAC-SHA256 Credential=A/20260101/us-east-1/dynamodb/aws4_request\r\n" +
	"Content-Type: application/x-amz-json-1.0\r\nx-amz-target: DynamoDB_20120810.ListTables\r\n\r\n"

func newHead() *head { return &head{header: http.Header{}} }

func TestHeadOfAnSDK(t *testing.T) {
	h := newHead()
	if !h.read([]byte(sdkHead + "{}")) {
		t.Fatal("not plain")
	}
	if h.size != len(sdkHead) || h.length != 2 || h.host != "127.0.0.1:8000" {
		t.Errorf("size %d, length %d, host %q", h.size, h.length, h.host)
	}
	if got := h.header["X-Amz-Target"]; len(got) != 1 || got[0] != "DynamoDB_20120810.ListTables" {
		t.Errorf("target %q", got)
	}
}

// notPlain lists requests that net/http must handle.
var notPlain = map[string]string{
	"another method":      strings.Replace(sdkHead, "POST", "GET", 1),
	"another path":        strings.Replace(sdkHead, "POST /", "POST /x", 1),
	"a query":             strings.Replace(sdkHead, "POST /", "POST /?x=1", 1),
	"an older version":    strings.Replace(sdkHead, "HTTP/1.1", "HTTP/1.0", 1),
	"half a head":         sdkHead[:len(sdkHead)-2],
	"no head":             "POST / HTTP/1.1\r\n\r\n",
	"a bare line feed":    strings.Replace(sdkHead, "identity\r\n", "identity\n", 1),
	"a folded line":       strings.Replace(sdkHead, "identity\r\n", "identity\r\n more\r\n", 1),
	"a space in a name":   strings.Replace(sdkHead, "Accept-Encoding:", "Accept-Encoding :", 1),
	"a control character": strings.Replace(sdkHead, "identity", "iden\x00tity", 1),
	"no host":             strings.Replace(sdkHead, "Host: 127.0.0.1:8000\r\n", "", 1),
	"two hosts":           strings.Replace(sdkHead, "Accept-Encoding: identity", "Host: x", 1),
	"a strange host":      strings.Replace(sdkHead, "127.0.0.1", "a/b", 1),
	"no length":           strings.Replace(sdkHead, "Content-Length: 2\r\n", "", 1),
	"two lengths":         strings.Replace(sdkHead, "Accept-Encoding: identity", "Content-Length: 2", 1),
	"a signed length":     strings.Replace(sdkHead, "Content-Length: 2", "Content-Length: +2", 1),
	"a long body":         strings.Replace(sdkHead, "Content-Length: 2", "Content-Length: 1048577", 1),
	"a longer body":       strings.Replace(sdkHead, "Content-Length: 2", "Content-Length: 99999999999999999999", 1),
	"chunks":              strings.Replace(sdkHead, "Accept-Encoding: identity", "Transfer-Encoding: chunked", 1),
	"an expectation":      strings.Replace(sdkHead, "Accept-Encoding: identity", "Expect: 100-continue", 1),
	"a last request":      strings.Replace(sdkHead, "Accept-Encoding: identity", "Connection: close", 1),
	"an upgrade":          strings.Replace(sdkHead, "Accept-Encoding: identity", "Upgrade: h2c", 1),
}

func TestHeadNotPlain(t *testing.T) {
	for name, text := range notPlain {
		if newHead().read([]byte(text)) {
			t.Errorf("%s is accepted as plain", name)
		}
	}
}

// FuzzHead compares plain requests with the result of net/http: there must be no
// request that the two parse differently.
func FuzzHead(f *testing.F) {
	f.Add([]byte(sdkHead + "{}"))
	f.Add([]byte("POST / HTTP/1.1\r\nhost: [::1]:80\r\nX:  a \r\nx: b\r\nCONNECTION: keep-alive\r\ncontent-length: 0\r\n\r\n"))
	for _, text := range notPlain {
		f.Add([]byte(text))
	}
	reused := newHead()
	f.Fuzz(func(t *testing.T, text []byte) {
		if !reused.read(text) {
			return
		}
		rest := bufio.NewReader(bytes.NewReader(text))
		r, err := http.ReadRequest(rest)
		if err != nil {
			t.Fatalf("net/http rejects %q: %v", text, err)
		}
		if r.Method != http.MethodPost || r.RequestURI != "/" || r.ProtoAtLeast(2, 0) || !r.ProtoAtLeast(1, 1) || r.Close || r.TransferEncoding != nil || r.Trailer != nil {
			t.Errorf("net/http reads %q as %+v", text, r)
		}
		if r.Host != reused.host || r.ContentLength != int64(reused.length) || !reflect.DeepEqual(r.Header, reused.header) {
			t.Errorf("%q: host %q, length %d, header %q; net/http has %q, %d, %q", text,
				reused.host, reused.length, reused.header, r.Host, r.ContentLength, r.Header)
		}
		left, err := io.ReadAll(rest)
		if err == nil && reused.length == 0 && !bytes.Equal(left, text[reused.size:]) {
			t.Errorf("%q: the head has %d bytes, net/http leaves %q", text, reused.size, left)
		}
	})
}
