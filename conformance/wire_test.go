package conformance

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// What stands below the operations cannot be told in case files: methods,
// headers, bodies that are no JSON, compression, sizes. All of it was observed
// on AWS before June 2026, unless said otherwise.

const (
	json10    = "application/x-amz-json-1.0"
	listCall  = "DynamoDB_20120810.ListTables"
	listEmpty = `{"TableNames":[]}`
	unknown   = "<UnknownOperationException/>\n"
)

// A wireRequest is a request as it is sent. Headers with an empty value are left out.
type wireRequest struct {
	method string
	header map[string]string
	body   io.Reader
}

// send sends a request and returns the answer with its body.
func send(t *testing.T, server *httptest.Server, r wireRequest) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), r.method, server.URL, r.body)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range r.header {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	body, err := readAnswer(response)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// post sends an operation in the usual way, with the given headers besides.
func post(t *testing.T, server *httptest.Server, target, body string, header map[string]string) (*http.Response, string) {
	t.Helper()
	all := map[string]string{"Content-Type": json10, "X-Amz-Target": target}
	for name, value := range header {
		all[name] = value
	}
	return send(t, server, wireRequest{method: http.MethodPost, header: all, body: strings.NewReader(body)})
}

func checkAnswer(t *testing.T, response *http.Response, body string, status int, want string) {
	t.Helper()
	if response.StatusCode != status || body != want {
		t.Errorf("got %d %q, want %d %q", response.StatusCode, shorten(body, 400), status, want)
	}
}

func checkHeader(t *testing.T, response *http.Response, name, want string) {
	t.Helper()
	if got := response.Header.Get(name); got != want {
		t.Errorf("header %s is %q, want %q", name, got, want)
	}
}

// coral returns the body of an error of the service's framework without a message.
func coral(code string) string { return fmt.Sprintf(`{"__type":"com.amazon.coral.service#%s"}`, code) }

func TestWireGetTellsHealth(t *testing.T) {
	server := serve(t, openEngine(t))
	response, body := send(t, server, wireRequest{method: http.MethodGet})
	checkAnswer(t, response, body, http.StatusOK, "healthy: dynamodb.us-east-1.amazonaws.com ")
	checkHeader(t, response, "x-amz-crc32", "3128867991")
	if id := response.Header.Get("x-amzn-RequestId"); !requestID.MatchString(id) {
		t.Errorf("x-amzn-RequestId is %q", id)
	}
}

func TestWireOtherMethodsAreUnknown(t *testing.T) {
	server := serve(t, openEngine(t))
	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions} {
		t.Run(method, func(t *testing.T) {
			header := map[string]string{"Content-Type": json10, "X-Amz-Target": listCall}
			response, body := send(t, server, wireRequest{method: method, header: header, body: strings.NewReader("{}")})
			checkAnswer(t, response, body, http.StatusNotFound, unknown)
			checkHeader(t, response, "x-amz-crc32", "3552371480")
		})
	}
}

func TestWireContentType(t *testing.T) {
	server := serve(t, openEngine(t))
	for _, c := range []struct{ sent, answered string }{
		{"application/x-amz-json-1.0", json10},
		{"application/x-amz-json-1.0; charset=utf-8", json10},
		{"application/json", "application/json"},
		{"application/json;charset=utf-8", "application/json"},
	} {
		t.Run(c.sent, func(t *testing.T) {
			response, body := post(t, server, listCall, "{}", map[string]string{"Content-Type": c.sent})
			checkAnswer(t, response, body, http.StatusOK, listEmpty)
			checkHeader(t, response, "Content-Type", c.answered)
		})
	}
	for _, sent := range []string{"", "text/plain", "application/x-amz-json-1.1", "application/x-www-form-urlencoded"} {
		t.Run("refused "+sent, func(t *testing.T) {
			response, body := post(t, server, listCall, "{}", map[string]string{"Content-Type": sent})
			checkAnswer(t, response, body, http.StatusNotFound, unknown)
		})
	}
}

func TestWireBodyMustBeAnObject(t *testing.T) {
	server := serve(t, openEngine(t))
	for _, body := range []string{
		"", " ", "hello", "{", `{"a"}`, `{"a":}`, `{"a":1,}`, `{'a':1}`, `{} {}`, `{}x`, "null", "[]", "1", `"{}"`, `{"Limit":01}`,
		strings.Repeat("[", 50_000),
	} {
		t.Run(shorten(body, 20), func(t *testing.T) {
			response, got := post(t, server, listCall, body, nil)
			checkAnswer(t, response, got, http.StatusBadRequest, coral("SerializationException"))
			checkHeader(t, response, "Content-Type", json10)
		})
	}
}

func TestWireTargetMustNameAnOperation(t *testing.T) {
	server := serve(t, openEngine(t))
	for _, target := range []string{
		"", "ListTables", "DynamoDB_20120810", "DynamoDB_20120810.", "DynamoDB_20120810.listtables", "DynamoDB_20120810.NoSuchThing",
		"DynamoDB_20120811.ListTables", "DynamoDBStreams_20120810.ListTables", "DynamoDB_20120810.ListTables.More", "Kinesis_20131202.ListStreams",
	} {
		t.Run(target, func(t *testing.T) {
			response, body := post(t, server, target, "{}", nil)
			checkAnswer(t, response, body, http.StatusBadRequest, coral("UnknownOperationException"))
		})
	}
}

// A body that is no JSON is told so even when the target is wrong too.
// Each of the two services has its own operations.
func TestWireStreamsHaveTheirOwnPrefix(t *testing.T) {
	server := serve(t, openEngine(t))
	response, body := post(t, server, "DynamoDBStreams_20120810.ListStreams", "{}", nil)
	checkAnswer(t, response, body, http.StatusOK, `{"Streams":[]}`)
	for _, target := range []string{"DynamoDB_20120810.ListStreams", "DynamoDBStreams_20120810.ListTables", "DynamoDBStreams_20120810."} {
		response, body := post(t, server, target, "{}", nil)
		checkAnswer(t, response, body, http.StatusBadRequest, coral("UnknownOperationException"))
	}
}

// Pasted in public reports since 2019: the order of the members, and Message with a capital.
func TestWireCancelledTransaction(t *testing.T) {
	server := serve(t, openEngine(t))
	post(t, server, "DynamoDB_20120810.CreateTable", createThings, nil)
	post(t, server, "DynamoDB_20120810.PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`, nil)
	response, body := post(t, server, "DynamoDB_20120810.TransactWriteItems", `{"TransactItems": [
		{"Put": {"TableName": "things", "Item": {"pk": {"S": "b"}}}},
		{"Put": {"TableName": "things", "Item": {"pk": {"S": "a"}}, "ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}}]}`, nil)
	checkAnswer(t, response, body, http.StatusBadRequest, `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",`+
		`"CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed","Item":{"pk":{"S":"a"}},"Message":"The conditional request failed"}],`+
		`"Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]"}`)
}

func TestWireBodyIsReadBeforeTarget(t *testing.T) {
	response, body := post(t, serve(t, openEngine(t)), "Nonsense", "{", nil)
	checkAnswer(t, response, body, http.StatusBadRequest, coral("SerializationException"))
}

// Reported in 2025 by people who test against AWS; difference 62 has more.
func TestWireOperationsHaveOnePath(t *testing.T) {
	server := serve(t, openEngine(t))
	root := server.URL
	for path, want := range map[string]int{"": 200, "/": 200, "/?and=query": 200, "/some/path": 404, "/garbage": 404, "//": 404} {
		server.URL = root + path
		response, body := post(t, server, listCall, "{}", nil)
		if want == http.StatusOK {
			checkAnswer(t, response, body, want, listEmpty)
		} else {
			checkAnswer(t, response, body, want, unknown)
		}
	}
}

// The address that load balancers ask.
func TestWireHealthIsToldAtEveryPath(t *testing.T) {
	server := serve(t, openEngine(t))
	server.URL += "/ping"
	response, body := send(t, server, wireRequest{method: http.MethodGet})
	checkAnswer(t, response, body, http.StatusOK, "healthy: dynamodb.us-east-1.amazonaws.com ")
}

// Reported in 2025 by people who test against AWS: headers of more than 16 KB in all are a bad request.
func TestWireHeadersOf16KB(t *testing.T) {
	server := serve(t, openEngine(t))
	response, body := post(t, server, listCall, "{}", map[string]string{"X-Padding": strings.Repeat("x", 15_000)})
	checkAnswer(t, response, body, http.StatusOK, listEmpty)
	response, body = post(t, server, listCall, "{}", map[string]string{"X-Padding": strings.Repeat("x", 17_000)})
	checkAnswer(t, response, body, http.StatusBadRequest, "")
	server.URL += "/" + strings.Repeat("x", 17_000)
	response, body = post(t, server, listCall, "{}", nil)
	checkAnswer(t, response, body, http.StatusBadRequest, "")
}

// In every log of an SDK.
func TestWireServerHeader(t *testing.T) {
	server := serve(t, openEngine(t))
	for _, target := range []string{listCall, "Nonsense"} {
		response, _ := post(t, server, target, "{}", nil)
		checkHeader(t, response, "Server", "Server")
	}
}

func TestWireRequestIDsDiffer(t *testing.T) {
	server := serve(t, openEngine(t))
	seen := map[string]bool{}
	for range 20 {
		response, _ := post(t, server, listCall, "{}", nil)
		seen[response.Header.Get("x-amzn-RequestId")] = true
	}
	if len(seen) != 20 {
		t.Errorf("20 answers have %d request ids", len(seen))
	}
}

// A body may come in chunks, without saying how long it will be.
func TestWireChunkedBody(t *testing.T) {
	server := serve(t, openEngine(t))
	response, body := send(t, server, wireRequest{
		method: http.MethodPost, header: map[string]string{"Content-Type": json10, "X-Amz-Target": listCall},
		body: io.MultiReader(strings.NewReader(`{"Limit"`), strings.NewReader(`: 5}`)), // of no known length
	})
	checkAnswer(t, response, body, http.StatusOK, listEmpty)
}

func TestWireBodyOf16MB(t *testing.T) {
	server := serve(t, openEngine(t))
	const limit = 16 << 20
	response, body := post(t, server, listCall, "{}"+strings.Repeat(" ", limit-2), nil)
	checkAnswer(t, response, body, http.StatusOK, listEmpty)

	response, body = post(t, server, listCall, "{}"+strings.Repeat(" ", limit-1), nil)
	checkAnswer(t, response, body, http.StatusRequestEntityTooLarge, "")

	response, body = send(t, server, wireRequest{
		method: http.MethodPost, header: map[string]string{"Content-Type": json10, "X-Amz-Target": listCall},
		body: io.MultiReader(strings.NewReader("{}" + strings.Repeat(" ", limit))), // the length is not announced
	})
	checkAnswer(t, response, body, http.StatusRequestEntityTooLarge, "")
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Observed on AWS (2026): a body that cannot be inflated is a failure of the service, and writes nothing;
// what follows a complete member of gzip is ignored.
func TestWireCompressedRequests(t *testing.T) {
	const put = `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`
	packed := gzipped(t, put)
	var deflated bytes.Buffer
	w := zlib.NewWriter(&deflated)
	_, _ = io.WriteString(w, put)
	_ = w.Close()
	for _, c := range []struct {
		name, encoding, body string
		status               int
	}{
		{"gzip", "gzip", packed, http.StatusOK},
		{"deflate", "deflate", deflated.String(), http.StatusOK},
		{"junk after gzip", "gzip", packed + "junk", http.StatusOK},
		{"too large when inflated", "gzip", gzipped(t, put+strings.Repeat(" ", 17<<20)), http.StatusRequestEntityTooLarge},
		{"unknown encoding", "garbage", put, http.StatusInternalServerError},
		{"plain under gzip", "gzip", put, http.StatusInternalServerError},
		{"truncated gzip", "gzip", packed[:len(packed)-9], http.StatusInternalServerError},
		{"empty gzip", "gzip", "", http.StatusInternalServerError},
		{"plain under deflate", "deflate", put, http.StatusInternalServerError},
		{"truncated deflate", "deflate", deflated.String()[:deflated.Len()-9], http.StatusInternalServerError},
		{"empty deflate", "deflate", "", http.StatusInternalServerError},
	} {
		for door, serve := range map[string]func(testing.TB, http.Handler) *httptest.Server{"net/http": serve, "plainhttp": servePlain} {
			t.Run(c.name+"/"+door, func(t *testing.T) {
				server := serve(t, openEngine(t))
				api := httpDoor{url: server.URL, client: server.Client()}
				mustCall(t, api, "CreateTable", createThings)
				response, body := post(t, server, "DynamoDB_20120810.PutItem", c.body, map[string]string{"Content-Encoding": c.encoding})
				if response.StatusCode != c.status {
					t.Errorf("got %d %q, want %d", response.StatusCode, body, c.status)
				}
				written := 0
				if c.status == http.StatusOK {
					written = 1
				}
				checkOutput(t, "Scan", mustCall(t, api, "Scan", `{"TableName": "things"}`), fmt.Sprintf(`{"Count": %d}`, written))
			})
		}
	}
}

// Reported by people who test against AWS: errors come as they are, whatever the caller accepts.
func TestWireErrorsAreNotCompressed(t *testing.T) {
	server := serve(t, openEngine(t))
	api := httpDoor{url: server.URL, client: server.Client()}
	mustCall(t, api, "CreateTable", createThings)
	mustCall(t, api, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}, "x": {"S": "`+strings.Repeat("x", 20_000)+`"}}}`)
	response, body := post(t, server, "DynamoDB_20120810.PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}},
		"ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}`, map[string]string{"Accept-Encoding": "gzip"})
	if response.StatusCode != http.StatusBadRequest || !strings.Contains(body, strings.Repeat("x", 20_000)) {
		t.Errorf("got %d %q", response.StatusCode, shorten(body, 100))
	}
}

// The checksum of a compressed answer is that of the bytes that were sent.
func TestWireCompressedAnswers(t *testing.T) {
	server := serve(t, openEngine(t))
	api := httpDoor{url: server.URL, client: server.Client()}
	mustCall(t, api, "CreateTable", createThings)
	mustCall(t, api, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}, "x": {"S": "`+strings.Repeat("x", 20_000)+`"}}}`)

	const get = `{"TableName": "things", "Key": {"pk": {"S": "a"}}}`
	_, plain := post(t, server, "DynamoDB_20120810.GetItem", get, nil)
	response, packed := post(t, server, "DynamoDB_20120810.GetItem", get, map[string]string{"Accept-Encoding": "gzip"})
	checkHeader(t, response, "Content-Encoding", "gzip")
	checkHeader(t, response, "x-amz-crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(packed))), 10))
	reader, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	if string(unpacked) != plain || len(packed) >= len(plain) {
		t.Errorf("the compressed answer has %d bytes for %d and unpacks to the same: %v", len(packed), len(plain), string(unpacked) == plain)
	}
	response, _ = post(t, server, "DynamoDB_20120810.GetItem", get, map[string]string{"Accept-Encoding": "identity"})
	checkHeader(t, response, "Content-Encoding", "")
}

// TagResource and UntagResource answer with nothing at all.
func TestWireTagAnswersAreEmpty(t *testing.T) {
	server := serve(t, openEngine(t))
	api := httpDoor{url: server.URL, client: server.Client()}
	mustCall(t, api, "CreateTable", createThings)
	response, body := post(t, server, "DynamoDB_20120810.TagResource", `{"ResourceArn": "`+localARN("things")+`", "Tags": [{"Key": "a", "Value": "b"}]}`, nil)
	checkAnswer(t, response, body, http.StatusOK, "")
	checkHeader(t, response, "x-amz-crc32", "0")
	response, body = post(t, server, "DynamoDB_20120810.UntagResource", `{"ResourceArn": "`+localARN("things")+`", "TagKeys": ["a"]}`, nil)
	checkAnswer(t, response, body, http.StatusOK, "")
}

// When a member stands twice in a request, the last one counts.
func TestWireLastOfEqualMembersCounts(t *testing.T) {
	server := serve(t, openEngine(t))
	api := httpDoor{url: server.URL, client: server.Client()}
	mustCall(t, api, "CreateTable", createThings)
	mustCall(t, api, "PutItem", `{"TableName": "ghost", "TableName": "things", "Item": {"pk": {"S": "a"}, "x": {"S": "1"}, "x": {"S": "2"}}}`)
	got := mustCall(t, api, "GetItem", `{"TableName": "things", "Key": {"pk": {"S": "a"}}}`)
	if diff := compare("GetItem", got, parsed(t, `{"Item": {"pk": {"S": "a"}, "x": {"S": "2"}}}`), false); diff != nil {
		t.Error(diff)
	}
}

// Requests that are small to send and hard to digest get an answer, and the
// server lives on.
func TestWireHostileRequests(t *testing.T) {
	server := serve(t, openEngine(t))
	api := httpDoor{url: server.URL, client: server.Client()}
	mustCall(t, api, "CreateTable", createThings)
	for _, c := range []struct{ name, operation, body string }{
		{"nested parentheses", "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}, "ConditionExpression": "` + strings.Repeat("(", 2000) + "a = a" + strings.Repeat(")", 2000) + `"}`},
		{"nested parentheses in an update", "UpdateItem", `{"TableName": "things", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET a = ` + strings.Repeat("(", 2000) + "b" + strings.Repeat(")", 2000) + `"}`},
		{"nested NOT", "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}, "ConditionExpression": "` + strings.Repeat("NOT ", 1000) + `a = a"}`},
		{"nested lists", "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}, "l": ` + strings.Repeat(`{"L":[`, 50_000) + `{"S":""}` + strings.Repeat("]}", 50_000) + `}}`},
		{"nested maps", "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}, "m": ` + strings.Repeat(`{"M":{"a":`, 50_000) + `{"S":""}` + strings.Repeat("}}", 50_000) + `}}`},
		{"nested objects nobody reads", "PutItem", strings.Repeat(`{"a":`, 50_000)},
		{"a huge exponent", "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}, "n": {"N": "1e99999999999999999999"}}}`},
		{"many digits", "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}, "n": {"N": "` + strings.Repeat("1", 1_000_000) + `"}}}`},
		{"a deep path", "GetItem", `{"TableName": "things", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "a` + strings.Repeat(".a", 2000) + `"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			response, body := post(t, server, "DynamoDB_20120810."+c.operation, c.body, nil)
			if response.StatusCode != http.StatusBadRequest || !strings.Contains(body, "Exception") {
				t.Errorf("got %d %s, want a refusal", response.StatusCode, shorten(body, 200))
			}
		})
	}
	response, body := post(t, server, listCall, "{}", nil)
	checkAnswer(t, response, body, http.StatusOK, `{"TableNames":["things"]}`)
}
