package wire

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// post returns a request of an operation as SDKs send it.
func post(operation, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("Content-Type", json10)
	return r
}

// serve serves a request and checks what all responses have in common.
func serve(t *testing.T, api dynamo.API, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	NewHandler(api, Options{Region: "eu-west-2", AllowOrigin: "https://example.com"}).ServeHTTP(w, r)
	if id := w.Header().Get("x-amzn-RequestId"); !regexp.MustCompile(`^[0-9A-Z]{52}$`).MatchString(id) {
		t.Errorf("request id is %q", id)
	}
	if crc := strconv.FormatUint(uint64(crc32.ChecksumIEEE(w.Body.Bytes())), 10); w.Header().Get("x-amz-crc32") != crc {
		t.Errorf("checksum is %q, want %s", w.Header().Get("x-amz-crc32"), crc)
	}
	if server := w.Header().Get("Server"); server != "Server" {
		t.Errorf("the server calls itself %q", server)
	}
	if length := strconv.Itoa(w.Body.Len()); w.Header().Get("Content-Length") != length {
		t.Errorf("content length is %q, want %s", w.Header().Get("Content-Length"), length)
	}
	return w
}

func TestRequestsThatAreNoOperation(t *testing.T) {
	const bareUnknown = `{"__type":"com.amazon.coral.service#UnknownOperationException"}`
	const bareSerialization = `{"__type":"com.amazon.coral.service#SerializationException"}`
	const notFound = "<UnknownOperationException/>\n"
	const healthy = "healthy: dynamodb.eu-west-2.amazonaws.com "
	for _, test := range []struct {
		name, method, path, contentType, target, body string
		status                                        int
		want, wantType                                string
	}{
		{"health", "GET", "/", "", "", "", 200, healthy, ""},
		{"health anywhere", "GET", "/x?y=z", "", "", "", 200, healthy, ""},
		{"put", "PUT", "/", json10, "DynamoDB_20120810.ListTables", "{}", 404, notFound, ""},
		{"delete", "DELETE", "/", "", "", "", 404, notFound, ""},
		{"options without origin", "OPTIONS", "/", "", "", "", 404, notFound, ""},
		{"no content type", "POST", "/", "", "", "hi", 404, notFound, ""},
		{"wrong content type", "POST", "/", "application/x-amz-json-1.1", "", "{}", 404, notFound, ""},
		{"similar content type", "POST", "/", "application/jsonasdf", "", "{}", 404, notFound, ""},
		{"no JSON", "POST", "/", "application/json", "", "hi", 400, bareSerialization, "application/json"},
		{"no JSON 1.0", "POST", "/", json10, "", "hi", 400, bareSerialization, json10},
		{"no JSON with parameters", "POST", "/", "  application/json  ;   charset=x", "", "hi", 400, bareSerialization, "application/json"},
		{"no JSON beats target", "POST", "/", json10, "DynamoDB_20120810.Nonsense", "{} {}", 400, bareSerialization, json10},
		{"nothing at all", "POST", "/", "", "", "", 400, bareUnknown, "application/json"},
		{"no target", "POST", "/", json10, "", "{}", 400, bareUnknown, json10},
		{"nonsense target", "POST", "/", json10, "whatever", "{}", 400, bareUnknown, json10},
		{"wrong operation", "POST", "/", json10, "DynamoDB_20120810.ListTable", "{}", 400, bareUnknown, json10},
		{"wrong case", "POST", "/", json10, "DynamoDB_20120810.listTables", "{}", 400, bareUnknown, json10},
		{"old version", "POST", "/", json10, "DynamoDB_20111205.ListTables", "{}", 400, bareUnknown, json10},
		{"streams have no items", "POST", "/", json10, "DynamoDBStreams_20120810.ListTables", "{}", 400, bareUnknown, json10},
		{"streams have no backups", "POST", "/", json10, "DynamoDBStreams_20120810.CreateBackup", "{}", 400, bareUnknown, json10},
		{"streams are apart", "POST", "/", json10, "DynamoDB_20120810.ListStreams", "{}", 400, bareUnknown, json10},
		{"streams", "POST", "/", json10, "DynamoDBStreams_20120810.ListStreams", "{}", 200, `{"Streams":[]}`, json10},
		{"interface alone", "POST", "/", json10, "DynamoDB_20120810", "{}", 400, bareUnknown, json10},
		{"no body", "POST", "/", json10, "DynamoDB_20120810.ListTables", "", 400, bareSerialization, json10},
		{"other path", "POST", "/a/b", json10, "DynamoDB_20120810.ListTables", "{}", 404, notFound, ""},
		{"two slashes", "POST", "//", json10, "DynamoDB_20120810.ListTables", "{}", 404, notFound, ""},
		{"query", "POST", "/?a=b", json10, "DynamoDB_20120810.ListTables", "{}", 200, `{"TableNames":[]}`, json10},
		{"general JSON", "POST", "/", "application/json; charset=utf-8", "DynamoDB_20120810.ListTables", "{}", 200, `{"TableNames":[]}`, "application/json"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest(test.method, test.path, strings.NewReader(test.body))
			for name, value := range map[string]string{"Content-Type": test.contentType, "X-Amz-Target": test.target} {
				if value != "" {
					r.Header.Set(name, value)
				}
			}
			w := serve(t, &fake{}, r)
			if w.Code != test.status || w.Body.String() != test.want {
				t.Errorf("status %d, body %q, want %d %q", w.Code, w.Body, test.status, test.want)
			}
			if test.wantType != "" && w.Header().Get("Content-Type") != test.wantType {
				t.Errorf("content type %q, want %q", w.Header().Get("Content-Type"), test.wantType)
			}
		})
	}
}

// leastBody is a body that every operation accepts: SearchVectors requires its members.
const leastBody = `{"TableName":"t","IndexName":"i","SearchVector":[],"TopK":1}`

func TestOperationsAreKnownToOneInterface(t *testing.T) {
	ofStreams := []string{"DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"}
	for name := range operations {
		for _, prefix := range []string{"DynamoDB_20120810.", "DynamoDBStreams_20120810."} {
			r := post(name, leastBody)
			r.Header.Set("X-Amz-Target", prefix+name)
			known := slices.Contains(ofStreams, name) == (prefix == "DynamoDBStreams_20120810.")
			if w := serve(t, &fake{}, r); (w.Code == http.StatusOK) != known {
				t.Errorf("%s%s: status %d, body %s", prefix, name, w.Code, w.Body)
			}
		}
	}
}

func TestSignaturesAreNotRequired(t *testing.T) {
	for _, signature := range []string{"", "AWS4-HMAC-SHA256 Credential=a/20261009/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=b", "nonsense"} {
		r := post("ListTables", `{}`)
		r.Header.Set("Authorization", signature)
		if w := serve(t, &fake{}, r); w.Code != http.StatusOK {
			t.Errorf("with %q the status is %d", signature, w.Code)
		}
	}
}

func TestPagesOfTheAllowedOriginMayCall(t *testing.T) {
	r := httptest.NewRequest(http.MethodOptions, "/", nil)
	r.Header.Set("Origin", "https://example.com")
	r.Header.Set("Access-Control-Request-Headers", "x-amz-target, content-type")
	r.Header.Set("Access-Control-Request-Method", "POST")
	w := serve(t, &fake{}, r)
	if w.Code != http.StatusOK || w.Body.Len() != 0 {
		t.Errorf("status %d, body %q", w.Code, w.Body)
	}
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "https://example.com", "Access-Control-Allow-Headers": "x-amz-target, content-type",
		"Access-Control-Allow-Methods": "POST", "Access-Control-Max-Age": "172800",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	r = post("ListTables", `{}`)
	r.Header.Set("Origin", "https://example.com")
	if got := serve(t, &fake{}, r).Header().Get("Access-Control-Allow-Origin"); got != "https://example.com" {
		t.Errorf("origin of the answer is %q", got)
	}
	if got := serve(t, &fake{}, post("ListTables", `{}`)).Header().Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("without an origin the answer has %q", got)
	}
	r = post("ListTables", `{}`)
	r.Header.Set("Origin", "https://elsewhere.example")
	if got := serve(t, &fake{}, r).Header().Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("another origin is let in with %q", got)
	}
}

// TestPagesOfOtherOriginsRunNothing is about a page whose host name was made to
// point to this machine: to its browser the calls stay at home, and need no permission.
func TestPagesOfOtherOriginsRunNothing(t *testing.T) {
	for _, origin := range []string{"http://elsewhere.example:8000", "null", "https://example.com.elsewhere.example"} {
		r := post("ListTables", `{}`)
		r.Host = "elsewhere.example:8000"
		r.Header.Set("Origin", origin)
		api := &fake{}
		w := serve(t, api, r)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "AccessDeniedException") || !strings.Contains(w.Body.String(), "--allow-origin") {
			t.Errorf("origin %s: status %d, body %s", origin, w.Code, w.Body)
		}
		if api.input != nil {
			t.Errorf("origin %s: the operation ran", origin)
		}
	}
}

func TestLargeAnswersAreCompressedOnRequest(t *testing.T) {
	large := &fake{output: &dynamo.GetItemOutput{Item: textItem("pk", strings.Repeat("a", minZipped))}}
	small := &fake{output: &dynamo.GetItemOutput{Item: textItem("pk", "a")}}
	for _, test := range []struct {
		accept string
		api    *fake
		want   bool
	}{
		{"gzip", large, true}, {"deflate, GZIP;q=0.5, br", large, true}, {"gzip", small, false}, {"", large, false},
		{"identity", large, false}, {"gzip;q=0", large, false}, {"gzip; q=0.0, br", large, false}, {"gzipped", large, false},
	} {
		r := post("GetItem", `{}`)
		r.Header.Set("Accept-Encoding", test.accept)
		w := serve(t, test.api, r)
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != test.want {
			t.Errorf("accepting %q: compressed %t, want %t", test.accept, got, test.want)
		}
		if !test.want {
			continue
		}
		z, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(z)
		if want := appendGetItem(nil, test.api.output.(*dynamo.GetItemOutput)); err != nil || !bytes.Equal(body, want) {
			t.Errorf("inflated %d bytes, %v, want %d", len(body), err, len(want))
		}
	}
}

func TestDeflatedAnswers(t *testing.T) {
	api := &fake{output: &dynamo.GetItemOutput{Item: textItem("pk", strings.Repeat("a", minZipped))}}
	for accept, want := range map[string]string{"deflate": "deflate", "br, deflate;q=0.5": "deflate", "deflate, gzip": "gzip", "gzip;q=0, deflate": "deflate", "deflate;q=0": ""} {
		r := post("GetItem", `{}`)
		r.Header.Set("Accept-Encoding", accept)
		w := serve(t, api, r)
		if got := w.Header().Get("Content-Encoding"); got != want {
			t.Errorf("accepting %q: %q, want %q", accept, got, want)
		}
		if want != "deflate" {
			continue
		}
		z, err := zlib.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(z)
		if want := appendGetItem(nil, api.output.(*dynamo.GetItemOutput)); err != nil || !bytes.Equal(body, want) {
			t.Errorf("inflated %d bytes, %v, want %d", len(body), err, len(want))
		}
	}
}

func TestErrorsAreNotCompressed(t *testing.T) {
	api := &fake{err: dynamo.Invalid("%s", strings.Repeat("a", minZipped))}
	r := post("GetItem", `{}`)
	r.Header.Set("Accept-Encoding", "gzip, deflate")
	w := serve(t, api, r)
	if w.Code != http.StatusBadRequest || w.Header().Get("Content-Encoding") != "" || w.Body.Len() < minZipped {
		t.Errorf("status %d, encoding %q, %d bytes", w.Code, w.Header().Get("Content-Encoding"), w.Body.Len())
	}
}

func TestHeadsOf16KB(t *testing.T) {
	for _, c := range []struct {
		path   string
		header int
		status int
	}{{"/", 16_000, 200}, {"/", 17_000, 400}, {"/?" + strings.Repeat("x", 16_000), 0, 200}, {"/?" + strings.Repeat("x", 17_000), 0, 400}, {"/" + strings.Repeat("x", 17_000), 0, 400}} {
		r := post("ListTables", `{}`)
		r.RequestURI = c.path
		r.Header.Set("X-Padding", strings.Repeat("x", c.header))
		if w := serve(t, &fake{}, r); w.Code != c.status {
			t.Errorf("path of %d bytes, header of %d: status %d, want %d", len(c.path), c.header, w.Code, c.status)
		}
	}
}

func TestRequestIDsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		seen[string(appendRequestID(nil))] = true
	}
	if len(seen) != 1000 {
		t.Errorf("1000 requests have %d ids", len(seen))
	}
}
