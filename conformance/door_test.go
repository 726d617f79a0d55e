package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go"

	"sortkey.dev/engine"
	"sortkey.dev/internal/plainhttp"
	"sortkey.dev/internal/retrytest"
)

// Where the engines of the suite say they are.
const (
	region  = "us-east-1"
	account = "123456789012"
)

// doorNames are the doors in the order they run.
var doorNames = []string{"Direct", "Client", "SDK", "HTTP"}

// A door is one way to reach the operations.
type door interface {
	// call runs an operation with an input in JSON. The error is for requests
	// that did not get an answer at all.
	call(ctx context.Context, operation, input string) (answer, error)
	// arn is the ARN of a table behind this door.
	arn(table string) string
}

// An answer is a response: the output as a tree, or a failure.
type answer struct {
	output  map[string]any
	failure *failure
}

// A failure is an error as callers see it.
type failure struct {
	code     string
	message  string
	members  map[string]any // besides the message
	byClient bool           // the SDK's client refused the request without sending it
}

// openDoor opens a fresh engine and the named door to it.
func openDoor(t *testing.T, name string) stage {
	t.Helper()
	c := &clock{}
	db := openEngineAt(t, c.now)
	s := stage{clock: c, patience: patience("")}
	switch name {
	case "Direct":
		s.door = directDoor(db)
	case "Client":
		s.door = typed(db.Client(), db.Streams())
	case "SDK":
		server := serve(t, db)
		s.door = typed(sdkClient(server), streamsClient(server))
	default:
		server := serve(t, db)
		s.door = httpDoor{url: server.URL, client: server.Client()}
	}
	return s
}

// directDoor returns the door without the SDK's client, but for streams: the API of an
// engine is that of the other service.
func directDoor(db *engine.DB) door { return typed(db.API(), db.Streams()) }

// openEngine opens an engine in memory that lives as long as the test.
func openEngine(t testing.TB) *engine.DB { return openEngineAt(t, time.Now) }

func openEngineAt(t testing.TB, now func() time.Time) *engine.DB {
	t.Helper()
	db, err := engine.Open("", &engine.Options{Region: region, Account: account, Now: now, ExpiryInterval: 20 * time.Millisecond, KinesisDir: t.TempDir(), BulkDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// serve starts a server for db. Its client shows bodies as they were sent.
func serve(t testing.TB, db http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(db)
	t.Cleanup(server.Close)
	server.Client().Transport.(*http.Transport).DisableCompression = true
	return server
}

// servePlain serves like serve, behind the front that answers the plain requests of SDKs.
func servePlain(t testing.TB, db http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(db)
	server.Listener = plainhttp.New(server.Listener, server.Config)
	server.Start()
	t.Cleanup(server.Close)
	server.Client().Transport.(*http.Transport).DisableCompression = true
	return server
}

func sdkClient(server *httptest.Server) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       region,
		BaseEndpoint: aws.String(server.URL),
		HTTPClient:   server.Client(),
		Retryer:      retrytest.BrokenConnections,
		Credentials:  anyCredentials,
	})
}

func streamsClient(server *httptest.Server) *dynamodbstreams.Client {
	return dynamodbstreams.New(dynamodbstreams.Options{
		Region:       region,
		BaseEndpoint: aws.String(server.URL),
		HTTPClient:   server.Client(),
		Retryer:      retrytest.BrokenConnections,
		Credentials:  anyCredentials,
	})
}

// anyCredentials holds made-up credentials.
var anyCredentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "AKIAIOSFODNN7EXAMPLE", SecretAccessKey: "conformance"}, nil
})

func localARN(table string) string {
	return fmt.Sprintf("arn:aws:dynamodb:%s:%s:table/%s", region, account, table)
}

// A typedDoor calls the methods of the SDK's clients, or of something with their
// method sets, with the SDK's types.
type typedDoor struct{ client, streams reflect.Value }

func typed(client, streams any) typedDoor {
	return typedDoor{reflect.ValueOf(client), reflect.ValueOf(streams)}
}

func (typedDoor) arn(table string) string { return localARN(table) }

func (d typedDoor) call(ctx context.Context, operation, input string) (answer, error) {
	tree, err := parseObject(input)
	if err != nil {
		return answer{}, err
	}
	client := d.client
	if isStreamOperation(operation) {
		client = d.streams
	}
	method := client.MethodByName(operation)
	if !method.IsValid() {
		return answer{}, fmt.Errorf("%s has no method %s", client.Type(), operation)
	}
	in := reflect.New(method.Type().In(1).Elem())
	if err := fill(in.Elem(), tree, operation); err != nil {
		return answer{}, err
	}
	out := method.Call([]reflect.Value{reflect.ValueOf(ctx), in})
	if err, _ := out[1].Interface().(error); err != nil {
		return sdkFailure(err)
	}
	output, there := treeOf(out[0])
	if !there {
		return answer{}, fmt.Errorf("%s returned neither an output nor an error", operation)
	}
	return answer{output: output.(map[string]any)}, nil
}

// sdkFailure reads an error of the SDK. Errors that are not about the request,
// like a lost connection, are passed on.
func sdkFailure(err error) (answer, error) {
	var refused smithy.InvalidParamsError
	var unsent *smithy.SerializationError
	var api smithy.APIError
	switch {
	case errors.As(err, &refused), errors.As(err, &unsent):
		return answer{failure: &failure{message: err.Error(), byClient: true}}, nil
	case !errors.As(err, &api):
		return answer{}, err
	}
	f := &failure{code: api.ErrorCode(), message: api.ErrorMessage()}
	if v := reflect.Indirect(reflect.ValueOf(api)); v.Kind() == reflect.Struct {
		if _, generic := api.(*smithy.GenericAPIError); !generic {
			f.members = structTree(v)
			delete(f.members, "Message")
			delete(f.members, "ErrorCodeOverride")
		}
	}
	return answer{failure: f}, nil
}

// An httpDoor posts JSON and checks the envelope of each answer.
type httpDoor struct {
	url    string
	client *http.Client
}

func (httpDoor) arn(table string) string { return localARN(table) }

func (d httpDoor) call(ctx context.Context, operation, input string) (answer, error) {
	request, err := jsonRequest(ctx, d.url, operation, input)
	if err != nil {
		return answer{}, err
	}
	response, err := d.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	body, err := readAnswer(response)
	if err != nil {
		return answer{}, err
	}
	if err := checkEnvelope(response, body); err != nil {
		return answer{}, err
	}
	return parseAnswer(response.StatusCode, body)
}

func jsonRequest(ctx context.Context, url, operation, input string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(input))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", target(operation))
	return request, nil
}

func readAnswer(response *http.Response) ([]byte, error) {
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	return body, nil
}

var requestID = regexp.MustCompile(`^[A-Z0-9]{52}$`)

// checkEnvelope checks what every answer to a request carries besides its body.
func checkEnvelope(response *http.Response, body []byte) error {
	if id := response.Header.Get("x-amzn-RequestId"); !requestID.MatchString(id) {
		return fmt.Errorf("x-amzn-RequestId is %q, want 52 letters and digits", id)
	}
	if got, want := response.Header.Get("x-amz-crc32"), strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10); got != want {
		return fmt.Errorf("x-amz-crc32 is %q, want %s", got, want)
	}
	if got := response.Header.Get("Content-Type"); got != "application/x-amz-json-1.0" {
		return fmt.Errorf("Content-Type is %q, want that of the request", got)
	}
	return nil
}

// parseAnswer reads a body as an output or, for other statuses than 200, as an error.
func parseAnswer(status int, body []byte) (answer, error) {
	if status == http.StatusOK && len(bytes.TrimSpace(body)) == 0 {
		return answer{output: map[string]any{}}, nil // TagResource answers so
	}
	tree, err := parseObject(string(body))
	if err != nil {
		return answer{}, fmt.Errorf("status %d, body %s: %w", status, shorten(string(body), 200), err)
	}
	if status == http.StatusOK {
		return answer{output: tree}, nil
	}
	f, err := wireFailure(status, tree)
	return answer{failure: f}, err
}

// wireFailure reads the body of an error and checks its form: the status, the
// namespace of the type and the spelling of the message's member.
func wireFailure(status int, tree map[string]any) (*failure, error) {
	kind, _ := tree["__type"].(string)
	namespace, code, found := strings.Cut(kind, "#")
	if !found {
		return nil, fmt.Errorf("__type is %q, want namespace#Code", kind)
	}
	wantNamespace, wantMember, wantStatus := "com.amazonaws.dynamodb.v20120810", "message", http.StatusBadRequest
	switch code {
	case "ValidationException":
		wantNamespace = "com.amazon.coral.validate"
	case "SerializationException", "AccessDeniedException":
		wantNamespace, wantMember = "com.amazon.coral.service", "Message"
	case "UnknownOperationException":
		wantNamespace = "com.amazon.coral.service"
	case "ExpiredIteratorException", "TrimmedDataAccessException":
		wantNamespace = "com.amazonaws.dynamodb.streams.v20120810"
	case "IdempotentParameterMismatchException", "TransactionCanceledException", "TransactionInProgressException":
		wantMember = "Message"
	case "InternalServerError":
		wantStatus = http.StatusInternalServerError
	}
	if namespace != wantNamespace {
		return nil, fmt.Errorf("__type is %q, want %s#%s", kind, wantNamespace, code)
	}
	if status != wantStatus {
		return nil, fmt.Errorf("status of %s is %d, want %d", code, status, wantStatus)
	}
	message, ok := tree[wantMember].(string)
	if !ok {
		return nil, fmt.Errorf("the body of %s has no member %q: %s", code, wantMember, inJSON(tree))
	}
	delete(tree, "__type")
	delete(tree, wantMember)
	return &failure{code: code, message: message, members: tree}, nil
}
