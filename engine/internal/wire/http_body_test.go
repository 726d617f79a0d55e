package wire

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// compressed returns text compressed by the writer that newWriter returns.
func compressed[W io.WriteCloser](text []byte, newWriter func(io.Writer) W) []byte {
	var out bytes.Buffer
	w := newWriter(&out)
	_, _ = w.Write(text)
	_ = w.Close()
	return out.Bytes()
}

func fastGzip(w io.Writer) *gzip.Writer {
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
	return z
}

// gzipWithLongHeader writes members with long headers and little content.
func gzipWithLongHeader(w io.Writer) *gzip.Writer {
	z := fastGzip(w)
	z.Extra = make([]byte, 60_000)
	return z
}

func rawDeflate(w io.Writer) *flate.Writer {
	z, _ := flate.NewWriter(w, flate.BestSpeed)
	return z
}

func TestBodies(t *testing.T) {
	text := []byte(`{"TableName":"` + strings.Repeat("t", 100_000) + `"}`)
	full := append(append([]byte(`{"TableName":"`), bytes.Repeat([]byte("t"), dynamo.MaxRequestSize-16)...), `"}`...)
	over := append(full, ' ')
	zipped := compressed(text, fastGzip)
	members := append(compressed(text[:50], fastGzip), compressed(text[50:], fastGzip)...)
	for _, test := range []struct {
		name, encoding string
		body           []byte
		status         int
	}{
		{"plain", "", text, 200},
		{"identity", "identity", text, 200},
		{"gzip", "gzip", zipped, 200},
		{"GZIP", "GZIP", zipped, 200},
		{"two gzip members", "gzip", members, 200},
		{"zlib", "deflate", compressed(text, zlib.NewWriter), 200},
		{"raw deflate", "deflate", compressed(text, rawDeflate), 200},
		{"at the limit", "", full, 200},
		{"above the limit", "", over, 413},
		{"inflated above the limit", "gzip", compressed(over, fastGzip), 413},
		{"deflated above the limit", "deflate", compressed(over, rawDeflate), 413},
		{"bomb", "gzip", compressed(make([]byte, 40<<20), fastGzip), 413},
		{"endless empty members", "gzip", bytes.Repeat(compressed(nil, gzipWithLongHeader), 300), 413},
		{"junk after gzip", "gzip", append(bytes.Clone(zipped), "junk"...), 200},
		{"zeros after gzip", "gzip", append(bytes.Clone(zipped), make([]byte, 512)...), 200},
		{"half a header after gzip", "gzip", append(bytes.Clone(zipped), zipped[:5]...), 200},
		{"junk after members", "gzip", append(bytes.Clone(members), text...), 200},
		{"junk after gzip above the limit", "gzip", append(bytes.Clone(zipped), full...), 413},
		{"junk after zlib", "deflate", append(compressed(text, zlib.NewWriter), "junk"...), 200},
		{"truncated second member", "gzip", members[:len(members)-10], 500},
		{"truncated gzip", "gzip", zipped[:len(zipped)-10], 500},
		{"gzip without its trailer", "gzip", zipped[:len(zipped)-8], 500},
		{"damaged gzip", "gzip", append(bytes.Clone(zipped[:len(zipped)-8]), 1, 2, 3, 4, 5, 6, 7, 8), 500},
		{"no gzip", "gzip", text, 500},
		{"zlib as gzip", "gzip", compressed(text, zlib.NewWriter), 500},
		{"short gzip", "gzip", []byte{0x1f}, 500},
		{"empty gzip", "gzip", nil, 500},
		{"no deflate", "deflate", text, 500},
		{"gzip as deflate", "deflate", zipped, 500},
		{"short deflate", "deflate", []byte{1}, 500},
		{"empty deflate", "deflate", nil, 500},
		{"truncated deflate", "deflate", compressed(text, zlib.NewWriter)[:50], 500},
		{"other encoding", "br", text, 500},
		{"garbage", "garbage", text, 500},
		{"empty garbage", "garbage", nil, 500},
		{"several encodings", "gzip, gzip", zipped, 500},
	} {
		for _, chunked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s chunked=%t", test.name, chunked), func(t *testing.T) {
				api := &fake{}
				r := post("DescribeTable", "")
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(test.body)), int64(len(test.body))
				if chunked {
					r.ContentLength = -1
				}
				r.Header.Set("Content-Encoding", test.encoding)
				w := serve(t, api, r)
				if w.Code != test.status {
					t.Fatalf("status %d, %.200s, want %d", w.Code, w.Body, test.status)
				}
				switch test.status {
				case 200:
					if got := *api.input.(*dynamo.DescribeTableInput).TableName; strings.Trim(got, "t") != "" || len(got) < 100_000 {
						t.Errorf("table name of %d bytes", len(got))
					}
				case 500:
					why := "The body of the request is not what its Content-Encoding " + test.encoding + " says"
					if test.encoding != "gzip" && test.encoding != "deflate" {
						why = "The Content-Encoding " + test.encoding + " is not supported; gzip and deflate are"
					}
					if api.input != nil {
						t.Error("the operation was run")
					}
					if want := `{"__type":"com.amazon.coral.service#InternalFailure","Message":"` + why + `"}`; w.Body.String() != want {
						t.Errorf("body %s, want %s", w.Body, want)
					}
				case 413:
					if w.Body.Len() != 0 {
						t.Errorf("body %s, want none", w.Body)
					}
				}
			})
		}
	}
}

// rawExchange sends bytes to a real server and returns the status and body of its response.
func rawExchange(t *testing.T, address, request string, closeWrite bool) (status int, body string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	if closeWrite {
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(read)
}

func TestBodiesOverAConnection(t *testing.T) {
	server := httptest.NewServer(NewHandler(&fake{}, Options{}))
	defer server.Close()
	address := server.Listener.Addr().String()
	const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"
	for _, test := range []struct {
		name, request string
		closeWrite    bool
		status        int
	}{
		{"length", head + "Content-Length: 2\r\n\r\n{}", false, 200},
		{"chunked", head + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", false, 200},
		{"cut off", head + "Content-Length: 20\r\n\r\n{}", true, 400},
		{"chunks cut off", head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n5", true, 400},
		{"claims too much", head + "Content-Length: 99999999999\r\n\r\n{}", false, 413},
	} {
		t.Run(test.name, func(t *testing.T) {
			if status, body := rawExchange(t, address, test.request, test.closeWrite); status != test.status {
				t.Errorf("status %d, body %s, want %d", status, body, test.status)
			}
		})
	}
}

func TestExpectContinue(t *testing.T) {
	server := httptest.NewServer(NewHandler(&fake{}, Options{}))
	defer server.Close()
	r, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Expect": {"100-continue"}, "Content-Type": {json10}, "X-Amz-Target": {"DynamoDB_20120810.ListTables"}}
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("status %d", answer.StatusCode)
	}
}

// A pooled buffer must not keep the memory of a large request.
func TestLargeBuffersAreNotKept(t *testing.T) {
	x := &exchange{body: make([]byte, 5<<20), answer: make([]byte, 10), zipped: make([]byte, 2<<20)}
	x.scanner.unquoted = make([]byte, 3<<20)
	x.release()
	if cap(x.body) != 0 || cap(x.answer) != 10 || cap(x.zipped) != 0 || cap(x.scanner.unquoted) != 0 {
		t.Errorf("kept %d, %d, %d and %d bytes", cap(x.body), cap(x.answer), cap(x.zipped), cap(x.scanner.unquoted))
	}
}

// TestLargeBodiesAreReadIntoBuffersOfTheirSize checks that the buffer of a large body is not much larger than the body, and
// that an announced length takes no memory before a part of it has arrived.
func TestLargeBodiesAreReadIntoBuffersOfTheirSize(t *testing.T) {
	for _, test := range []struct{ sent, announced, most int }{
		{10 << 20, 10 << 20, 10<<20 + 64<<10},
		{100, 16 << 20, 2 * firstRead},
		{trustedRead / 2, 16 << 20, 2 * trustedRead},
		{10 << 20, -1, 32 << 20},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(make([]byte, test.sent)))
		r.ContentLength = int64(test.announced)
		body, err := readBody(r, nil)
		if err != nil || len(body) != test.sent || cap(body) > test.most {
			t.Errorf("%d of %d bytes: read %d into a buffer of %d, want at most %d; %v", test.sent, test.announced, len(body), cap(body), test.most, err)
		}
	}
}
