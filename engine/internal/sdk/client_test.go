package sdk

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

func TestANilInputIsAnEmptyInput(t *testing.T) {
	operations(t, func(t *testing.T, name string, engine, _ reflect.Type) {
		api := &fake{}
		everyDoor(t, api, name, func(t *testing.T, call func(context.Context, any) (any, error)) {
			api.in = nil
			out, err := call(t.Context(), nil)
			if err != nil || out == nil {
				t.Fatalf("answer %v, error %v", out, err)
			}
			if api.in == nil {
				t.Error("the engine did not see the call")
			}
		})
	})
}

func TestFunctionsForAllOperations(t *testing.T) {
	operations(t, func(t *testing.T, name string, _, _ reflect.Type) {
		if clientType(name) == reflect.TypeFor[*dynamodb.Client]() && doors[name] == nil {
			t.Errorf("no function %s", name)
		}
	})
}

func TestOtherOperationsAreNotSupported(t *testing.T) {
	client := NewClient(&fake{}, ClientOptions{})
	_, err := client.CreateBackup(t.Context(), &dynamodb.CreateBackupInput{})
	for _, err := range []error{err, Unsupported("CreateBackup")} {
		var api smithy.APIError
		var operation *smithy.OperationError
		if !errors.As(err, &api) || !errors.As(err, &operation) ||
			api.ErrorCode() != "UnknownOperationException" || api.ErrorMessage() != "sortkey does not have backups yet: CreateBackup comes in a later release" ||
			operation.Operation() != "CreateBackup" {
			t.Errorf("error %v", err)
		}
	}
}

// The names come from the newest model, which may be ahead of the SDK and never behind it.
func TestEveryOperationOfTheClientsIsNamed(t *testing.T) {
	for _, client := range []reflect.Type{reflect.TypeFor[*dynamodb.Client](), reflect.TypeFor[*dynamodbstreams.Client]()} {
		for m := range client.Methods() {
			if m.Name != "Options" && !slices.Contains(dynamo.OperationNames, m.Name) {
				t.Errorf("%s is not in the list of operations", m.Name)
			}
		}
	}
}

func TestFailuresOfTheEngineAreInternalServerErrors(t *testing.T) {
	cause := errors.New("disk on fire")
	everyDoor(t, &fake{err: fmt.Errorf("write: %w", cause)}, "PutItem", func(t *testing.T, call func(context.Context, any) (any, error)) {
		_, err := call(t.Context(), nil)
		var internal *types.InternalServerError
		var status interface{ HTTPStatusCode() int }
		if !errors.As(err, &internal) || !errors.As(err, &status) || status.HTTPStatusCode() != 500 {
			t.Fatalf("error %v, want an InternalServerError", err)
		}
		if !errors.Is(err, cause) || !strings.Contains(err.Error(), "disk on fire") {
			t.Errorf("error %v hides its cause", err)
		}
	})
}

func TestCancelledCallsAreCancelledErrors(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error // of the engine
		want error
		seen bool // by the engine
	}{
		{"before the call", ended, nil, context.Canceled, false},
		{"during the call", context.Background(), fmt.Errorf("read: %w", context.DeadlineExceeded), context.DeadlineExceeded, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := &fake{err: c.err}
			everyDoor(t, api, "PutItem", func(t *testing.T, call func(context.Context, any) (any, error)) {
				api.in = nil
				_, err := call(c.ctx, nil)
				var cancelled *smithy.CanceledError
				var operation *smithy.OperationError
				if !errors.Is(err, c.want) || !errors.As(err, &cancelled) || !errors.As(err, &operation) {
					t.Errorf("error %v, want a cancelled PutItem", err)
				}
				if (api.in != nil) != c.seen {
					t.Errorf("the engine saw the call: %v, want %v", api.in != nil, c.seen)
				}
			})
		})
	}
}

// pages returns one item or name after the other.
type pages struct {
	fake
	names []string
}

// next returns the index after the name of the start.
func (p *pages) next(start string) int { return slices.Index(p.names, start) + 1 }

func (p *pages) page(start dynamo.RawItem) (*dynamo.QueryOutput, error) {
	from := 0
	if start.Item != nil {
		from = p.next(string(start.Item.Get("pk").Bytes()))
	}
	e := newEncoder()
	defer e.release()
	item := e.item(attributeMap{"pk": text(p.names[from])}).Item
	out := &dynamo.QueryOutput{Items: []dynamo.Item{item}, Count: 1, ScannedCount: 1}
	if from+1 < len(p.names) {
		out.LastEvaluatedKey = item
	}
	return out, nil
}

func (p *pages) Query(_ context.Context, in *dynamo.QueryInput) (*dynamo.QueryOutput, error) {
	return p.page(in.ExclusiveStartKey)
}

func (p *pages) Scan(_ context.Context, in *dynamo.ScanInput) (*dynamo.ScanOutput, error) {
	return p.page(in.ExclusiveStartKey)
}

func (p *pages) ListTables(_ context.Context, in *dynamo.ListTablesInput) (*dynamo.ListTablesOutput, error) {
	from := p.next(aws.ToString(in.ExclusiveStartTableName))
	out := &dynamo.ListTablesOutput{TableNames: p.names[from : from+1]}
	if from+1 < len(p.names) {
		out.LastEvaluatedTableName = &p.names[from]
	}
	return out, nil
}

// BatchGetItem returns the first key and leaves the others unprocessed.
func (p *pages) BatchGetItem(_ context.Context, in *dynamo.BatchGetItemInput) (*dynamo.BatchGetItemOutput, error) {
	table := in.RequestItems[0]
	out := &dynamo.BatchGetItemOutput{
		Responses: []dynamo.TableItems{{TableName: table.TableName, Items: []dynamo.Item{table.Keys[0].Item}}},
	}
	if table.Keys = table.Keys[1:]; len(table.Keys) > 0 {
		out.UnprocessedKeys = []dynamo.KeysAndAttributes{table}
	}
	return out, nil
}

func names(items []attributeMap) (names []string) {
	for _, item := range items {
		names = append(names, item["pk"].(*types.AttributeValueMemberS).Value)
	}
	return names
}

func TestPaginators(t *testing.T) {
	want := []string{"a", "b", "c"}
	client := NewClient(&pages{names: want}, ClientOptions{})
	table := aws.String("t")
	for name, read := range map[string]func() (got []string, err error){
		"Query": func() (got []string, err error) {
			for p := dynamodb.NewQueryPaginator(client, &dynamodb.QueryInput{TableName: table}); p.HasMorePages() && err == nil; {
				var out *dynamodb.QueryOutput
				if out, err = p.NextPage(t.Context()); err == nil {
					got = append(got, names(out.Items)...)
				}
			}
			return got, err
		},
		"Scan": func() (got []string, err error) {
			for p := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: table}); p.HasMorePages() && err == nil; {
				var out *dynamodb.ScanOutput
				if out, err = p.NextPage(t.Context()); err == nil {
					got = append(got, names(out.Items)...)
				}
			}
			return got, err
		},
		"ListTables": func() (got []string, err error) {
			for p := dynamodb.NewListTablesPaginator(client, nil); p.HasMorePages() && err == nil; {
				var out *dynamodb.ListTablesOutput
				if out, err = p.NextPage(t.Context()); err == nil {
					got = append(got, out.TableNames...)
				}
			}
			return got, err
		},
		"BatchGetItem": func() (got []string, err error) {
			keys := []attributeMap{{"pk": text("a")}, {"pk": text("b")}, {"pk": text("c")}}
			in := &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"t": {Keys: keys}}}
			for p := dynamodb.NewBatchGetItemPaginator(client, in); p.HasMorePages() && err == nil; {
				var out *dynamodb.BatchGetItemOutput
				if out, err = p.NextPage(t.Context()); err == nil {
					got = append(got, names(out.Responses["t"])...)
				}
			}
			return got, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read()
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("error %v, (-want +got):\n%s", err, diff)
			}
		})
	}
}

// changing returns one status after the other from DescribeTable; an empty one
// means that there is no table.
type changing struct {
	fake
	statuses []string
}

func (c *changing) DescribeTable(_ context.Context, in *dynamo.DescribeTableInput) (*dynamo.DescribeTableOutput, error) {
	status := c.statuses[0]
	c.statuses = c.statuses[1:]
	if status == "" {
		return nil, dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: Table: %s not found", *in.TableName)
	}
	return &dynamo.DescribeTableOutput{Table: &dynamo.TableDescription{TableName: in.TableName, TableStatus: status}}, nil
}

func TestWaiters(t *testing.T) {
	in := &dynamodb.DescribeTableInput{TableName: aws.String("t")}
	api := &changing{statuses: []string{"", "CREATING", "ACTIVE"}}
	exists := dynamodb.NewTableExistsWaiter(NewClient(api, ClientOptions{}), func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 1, 1
	})
	out, err := exists.WaitForOutput(t.Context(), in, time.Minute)
	if err != nil || out.Table.TableStatus != types.TableStatusActive || len(api.statuses) != 0 {
		t.Errorf("waiting for a table: %v, %v", out, err)
	}
	api.statuses = []string{"ACTIVE", "DELETING", ""}
	gone := dynamodb.NewTableNotExistsWaiter(NewClient(api, ClientOptions{}), func(o *dynamodb.TableNotExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 1, 1
	})
	if err := gone.Wait(t.Context(), in, time.Minute); err != nil || len(api.statuses) != 0 {
		t.Errorf("waiting for a table to be deleted: %v", err)
	}
}

// note returns middleware that logs its call and the result.
func note(log *[]string, name string, pos middleware.RelativePosition) func(*middleware.Stack) error {
	return func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc(name,
			func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
				middleware.InitializeOutput, middleware.Metadata, error,
			) {
				*log = append(*log, name)
				out, metadata, err := next.HandleInitialize(ctx, in)
				*log = append(*log, fmt.Sprintf("%s: %T", name, out.Result))
				return out, metadata, err
			}), pos)
	}
}

func TestMiddlewareOfTheCallerRuns(t *testing.T) {
	var log []string
	client := NewClient(&fake{}, ClientOptions{})
	_, err := client.GetItem(t.Context(), nil, func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, note(&log, "last", middleware.After), note(&log, "first", middleware.Before))
		o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
			// Placed relative to parts of the stack that have no work here.
			err := stack.Initialize.Insert(middleware.InitializeMiddlewareFunc("checked", passOn), "OperationInputValidation", middleware.After)
			return errors.Join(err, smithyhttp.AddContentChecksumMiddleware(stack))
		})
		o.Region, o.RetryMaxAttempts = "eu-west-1", 5
		o.Interceptors.AddBeforeExecution(interceptor{&log})
	})
	want := []string{"first", "interceptor", "last", "last: *dynamodb.GetItemOutput", "first: *dynamodb.GetItemOutput"}
	if diff := cmp.Diff(want, log); err != nil || diff != "" {
		t.Errorf("error %v, (-want +got):\n%s", err, diff)
	}
}

func passOn(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
	middleware.InitializeOutput, middleware.Metadata, error,
) {
	return next.HandleInitialize(ctx, in)
}

type interceptor struct{ log *[]string }

func (i interceptor) BeforeExecution(context.Context, *smithyhttp.InterceptorContext) error {
	*i.log = append(*i.log, "interceptor")
	return nil
}

// The SDK's serialiser cannot encode such a value; the engine has a message for it.
func TestNothingIsSerialised(t *testing.T) {
	api := &fake{}
	_, err := NewClient(api, ClientOptions{}).PutItem(t.Context(), &dynamodb.PutItemInput{
		Item: attributeMap{"a": (*types.AttributeValueMemberS)(nil)},
	})
	if err != nil || api.in.(*dynamo.PutItemInput).Item.Fault != dynamo.FaultNoType {
		t.Errorf("error %v, engine saw %v", err, api.in)
	}
}

var someCredentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
})

// A call that removes the middleware goes through the SDK's stack, and fails at the transport.
func TestNothingIsEverSent(t *testing.T) {
	api := &fake{}
	client := NewClient(api, ClientOptions{Region: "eu-west-1"})
	_, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("t"), Key: attributeMap{}}, func(o *dynamodb.Options) {
		o.APIOptions = nil
		o.Credentials = someCredentials
	})
	if err == nil || !strings.Contains(err.Error(), "sends nothing") || api.in != nil {
		t.Errorf("error %v, engine saw %v", err, api.in)
	}
	if got := client.Options().Region; got != "eu-west-1" {
		t.Errorf("region %q", got)
	}
}
