package sdk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

// A fake is an engine that records the last input and returns
// err, or the output of the operation's type in outs, or an empty output.
type fake struct {
	in   any
	outs []any
	err  error
}

func reply[Out any](f *fake, in any) (*Out, error) {
	f.in = in
	if f.err != nil {
		return nil, f.err
	}
	for _, out := range f.outs {
		if out, ok := out.(*Out); ok {
			return out, nil
		}
	}
	return new(Out), nil
}

func (f *fake) BatchExecuteStatement(_ context.Context, in *dynamo.BatchExecuteStatementInput) (*dynamo.BatchExecuteStatementOutput, error) {
	return reply[dynamo.BatchExecuteStatementOutput](f, in)
}
func (f *fake) BatchGetItem(_ context.Context, in *dynamo.BatchGetItemInput) (*dynamo.BatchGetItemOutput, error) {
	return reply[dynamo.BatchGetItemOutput](f, in)
}
func (f *fake) BatchWriteItem(_ context.Context, in *dynamo.BatchWriteItemInput) (*dynamo.BatchWriteItemOutput, error) {
	return reply[dynamo.BatchWriteItemOutput](f, in)
}
func (f *fake) CancelBulkOperation(_ context.Context, in *dynamo.CancelBulkOperationInput) (*dynamo.CancelBulkOperationOutput, error) {
	return reply[dynamo.CancelBulkOperationOutput](f, in)
}
func (f *fake) CreateTable(_ context.Context, in *dynamo.CreateTableInput) (*dynamo.CreateTableOutput, error) {
	return reply[dynamo.CreateTableOutput](f, in)
}
func (f *fake) DeleteBackup(_ context.Context, in *dynamo.DeleteBackupInput) (*dynamo.DeleteBackupOutput, error) {
	return reply[dynamo.DeleteBackupOutput](f, in)
}
func (f *fake) DeleteItem(_ context.Context, in *dynamo.DeleteItemInput) (*dynamo.DeleteItemOutput, error) {
	return reply[dynamo.DeleteItemOutput](f, in)
}
func (f *fake) DeleteResourcePolicy(_ context.Context, in *dynamo.DeleteResourcePolicyInput) (*dynamo.DeleteResourcePolicyOutput, error) {
	return reply[dynamo.DeleteResourcePolicyOutput](f, in)
}
func (f *fake) DeleteTable(_ context.Context, in *dynamo.DeleteTableInput) (*dynamo.DeleteTableOutput, error) {
	return reply[dynamo.DeleteTableOutput](f, in)
}
func (f *fake) DescribeBackup(_ context.Context, in *dynamo.DescribeBackupInput) (*dynamo.DescribeBackupOutput, error) {
	return reply[dynamo.DescribeBackupOutput](f, in)
}
func (f *fake) DescribeBulkOperation(_ context.Context, in *dynamo.DescribeBulkOperationInput) (*dynamo.DescribeBulkOperationOutput, error) {
	return reply[dynamo.DescribeBulkOperationOutput](f, in)
}
func (f *fake) DescribeContinuousBackups(_ context.Context, in *dynamo.DescribeContinuousBackupsInput) (*dynamo.DescribeContinuousBackupsOutput, error) {
	return reply[dynamo.DescribeContinuousBackupsOutput](f, in)
}
func (f *fake) DescribeContributorInsights(_ context.Context, in *dynamo.DescribeContributorInsightsInput) (*dynamo.DescribeContributorInsightsOutput, error) {
	return reply[dynamo.DescribeContributorInsightsOutput](f, in)
}
func (f *fake) DescribeEndpoints(_ context.Context, in *dynamo.DescribeEndpointsInput) (*dynamo.DescribeEndpointsOutput, error) {
	return reply[dynamo.DescribeEndpointsOutput](f, in)
}
func (f *fake) DescribeExport(_ context.Context, in *dynamo.DescribeExportInput) (*dynamo.DescribeExportOutput, error) {
	return reply[dynamo.DescribeExportOutput](f, in)
}
func (f *fake) DescribeGlobalTable(_ context.Context, in *dynamo.DescribeGlobalTableInput) (*dynamo.DescribeGlobalTableOutput, error) {
	return reply[dynamo.DescribeGlobalTableOutput](f, in)
}
func (f *fake) DescribeGlobalTableSettings(_ context.Context, in *dynamo.DescribeGlobalTableSettingsInput) (*dynamo.DescribeGlobalTableSettingsOutput, error) {
	return reply[dynamo.DescribeGlobalTableSettingsOutput](f, in)
}
func (f *fake) DescribeImport(_ context.Context, in *dynamo.DescribeImportInput) (*dynamo.DescribeImportOutput, error) {
	return reply[dynamo.DescribeImportOutput](f, in)
}
func (f *fake) DescribeKinesisStreamingDestination(_ context.Context, in *dynamo.DescribeKinesisStreamingDestinationInput) (*dynamo.DescribeKinesisStreamingDestinationOutput, error) {
	return reply[dynamo.DescribeKinesisStreamingDestinationOutput](f, in)
}
func (f *fake) DescribeLimits(_ context.Context, in *dynamo.DescribeLimitsInput) (*dynamo.DescribeLimitsOutput, error) {
	return reply[dynamo.DescribeLimitsOutput](f, in)
}
func (f *fake) DescribeStream(_ context.Context, in *dynamo.DescribeStreamInput) (*dynamo.DescribeStreamOutput, error) {
	return reply[dynamo.DescribeStreamOutput](f, in)
}
func (f *fake) DescribeTable(_ context.Context, in *dynamo.DescribeTableInput) (*dynamo.DescribeTableOutput, error) {
	return reply[dynamo.DescribeTableOutput](f, in)
}
func (f *fake) DescribeTableReplicaAutoScaling(_ context.Context, in *dynamo.DescribeTableReplicaAutoScalingInput) (*dynamo.DescribeTableReplicaAutoScalingOutput, error) {
	return reply[dynamo.DescribeTableReplicaAutoScalingOutput](f, in)
}
func (f *fake) DescribeTimeToLive(_ context.Context, in *dynamo.DescribeTimeToLiveInput) (*dynamo.DescribeTimeToLiveOutput, error) {
	return reply[dynamo.DescribeTimeToLiveOutput](f, in)
}
func (f *fake) DisableKinesisStreamingDestination(_ context.Context, in *dynamo.DisableKinesisStreamingDestinationInput) (*dynamo.DisableKinesisStreamingDestinationOutput, error) {
	return reply[dynamo.DisableKinesisStreamingDestinationOutput](f, in)
}
func (f *fake) EnableKinesisStreamingDestination(_ context.Context, in *dynamo.EnableKinesisStreamingDestinationInput) (*dynamo.EnableKinesisStreamingDestinationOutput, error) {
	return reply[dynamo.EnableKinesisStreamingDestinationOutput](f, in)
}
func (f *fake) ExecuteStatement(_ context.Context, in *dynamo.ExecuteStatementInput) (*dynamo.ExecuteStatementOutput, error) {
	return reply[dynamo.ExecuteStatementOutput](f, in)
}
func (f *fake) ExecuteTransaction(_ context.Context, in *dynamo.ExecuteTransactionInput) (*dynamo.ExecuteTransactionOutput, error) {
	return reply[dynamo.ExecuteTransactionOutput](f, in)
}
func (f *fake) GetItem(_ context.Context, in *dynamo.GetItemInput) (*dynamo.GetItemOutput, error) {
	return reply[dynamo.GetItemOutput](f, in)
}
func (f *fake) GetRecords(_ context.Context, in *dynamo.GetRecordsInput) (*dynamo.GetRecordsOutput, error) {
	return reply[dynamo.GetRecordsOutput](f, in)
}
func (f *fake) GetResourcePolicy(_ context.Context, in *dynamo.GetResourcePolicyInput) (*dynamo.GetResourcePolicyOutput, error) {
	return reply[dynamo.GetResourcePolicyOutput](f, in)
}
func (f *fake) GetShardIterator(_ context.Context, in *dynamo.GetShardIteratorInput) (*dynamo.GetShardIteratorOutput, error) {
	return reply[dynamo.GetShardIteratorOutput](f, in)
}
func (f *fake) ListBackups(_ context.Context, in *dynamo.ListBackupsInput) (*dynamo.ListBackupsOutput, error) {
	return reply[dynamo.ListBackupsOutput](f, in)
}
func (f *fake) ListBulkOperations(_ context.Context, in *dynamo.ListBulkOperationsInput) (*dynamo.ListBulkOperationsOutput, error) {
	return reply[dynamo.ListBulkOperationsOutput](f, in)
}
func (f *fake) ListContributorInsights(_ context.Context, in *dynamo.ListContributorInsightsInput) (*dynamo.ListContributorInsightsOutput, error) {
	return reply[dynamo.ListContributorInsightsOutput](f, in)
}
func (f *fake) ListExports(_ context.Context, in *dynamo.ListExportsInput) (*dynamo.ListExportsOutput, error) {
	return reply[dynamo.ListExportsOutput](f, in)
}
func (f *fake) ListGlobalTables(_ context.Context, in *dynamo.ListGlobalTablesInput) (*dynamo.ListGlobalTablesOutput, error) {
	return reply[dynamo.ListGlobalTablesOutput](f, in)
}
func (f *fake) ListImports(_ context.Context, in *dynamo.ListImportsInput) (*dynamo.ListImportsOutput, error) {
	return reply[dynamo.ListImportsOutput](f, in)
}
func (f *fake) ListStreams(_ context.Context, in *dynamo.ListStreamsInput) (*dynamo.ListStreamsOutput, error) {
	return reply[dynamo.ListStreamsOutput](f, in)
}
func (f *fake) ListTables(_ context.Context, in *dynamo.ListTablesInput) (*dynamo.ListTablesOutput, error) {
	return reply[dynamo.ListTablesOutput](f, in)
}
func (f *fake) ListTagsOfResource(_ context.Context, in *dynamo.ListTagsOfResourceInput) (*dynamo.ListTagsOfResourceOutput, error) {
	return reply[dynamo.ListTagsOfResourceOutput](f, in)
}
func (f *fake) PutItem(_ context.Context, in *dynamo.PutItemInput) (*dynamo.PutItemOutput, error) {
	return reply[dynamo.PutItemOutput](f, in)
}
func (f *fake) PutResourcePolicy(_ context.Context, in *dynamo.PutResourcePolicyInput) (*dynamo.PutResourcePolicyOutput, error) {
	return reply[dynamo.PutResourcePolicyOutput](f, in)
}
func (f *fake) Query(_ context.Context, in *dynamo.QueryInput) (*dynamo.QueryOutput, error) {
	return reply[dynamo.QueryOutput](f, in)
}
func (f *fake) Scan(_ context.Context, in *dynamo.ScanInput) (*dynamo.ScanOutput, error) {
	return reply[dynamo.ScanOutput](f, in)
}
func (f *fake) SearchVectors(_ context.Context, in *dynamo.SearchVectorsInput) (*dynamo.SearchVectorsOutput, error) {
	return reply[dynamo.SearchVectorsOutput](f, in)
}

func (f *fake) StartBulkPutItems(_ context.Context, in *dynamo.StartBulkPutItemsInput) (*dynamo.StartBulkPutItemsOutput, error) {
	return reply[dynamo.StartBulkPutItemsOutput](f, in)
}
func (f *fake) TagResource(_ context.Context, in *dynamo.TagResourceInput) (*dynamo.TagResourceOutput, error) {
	return reply[dynamo.TagResourceOutput](f, in)
}
func (f *fake) TransactGetItems(_ context.Context, in *dynamo.TransactGetItemsInput) (*dynamo.TransactGetItemsOutput, error) {
	return reply[dynamo.TransactGetItemsOutput](f, in)
}
func (f *fake) TransactWriteItems(_ context.Context, in *dynamo.TransactWriteItemsInput) (*dynamo.TransactWriteItemsOutput, error) {
	return reply[dynamo.TransactWriteItemsOutput](f, in)
}
func (f *fake) UntagResource(_ context.Context, in *dynamo.UntagResourceInput) (*dynamo.UntagResourceOutput, error) {
	return reply[dynamo.UntagResourceOutput](f, in)
}
func (f *fake) UpdateContinuousBackups(_ context.Context, in *dynamo.UpdateContinuousBackupsInput) (*dynamo.UpdateContinuousBackupsOutput, error) {
	return reply[dynamo.UpdateContinuousBackupsOutput](f, in)
}
func (f *fake) UpdateContributorInsights(_ context.Context, in *dynamo.UpdateContributorInsightsInput) (*dynamo.UpdateContributorInsightsOutput, error) {
	return reply[dynamo.UpdateContributorInsightsOutput](f, in)
}
func (f *fake) UpdateItem(_ context.Context, in *dynamo.UpdateItemInput) (*dynamo.UpdateItemOutput, error) {
	return reply[dynamo.UpdateItemOutput](f, in)
}
func (f *fake) UpdateKinesisStreamingDestination(_ context.Context, in *dynamo.UpdateKinesisStreamingDestinationInput) (*dynamo.UpdateKinesisStreamingDestinationOutput, error) {
	return reply[dynamo.UpdateKinesisStreamingDestinationOutput](f, in)
}
func (f *fake) UpdateTable(_ context.Context, in *dynamo.UpdateTableInput) (*dynamo.UpdateTableOutput, error) {
	return reply[dynamo.UpdateTableOutput](f, in)
}
func (f *fake) UpdateTimeToLive(_ context.Context, in *dynamo.UpdateTimeToLiveInput) (*dynamo.UpdateTimeToLiveOutput, error) {
	return reply[dynamo.UpdateTimeToLiveOutput](f, in)
}

// doors maps operations to the functions of this package, like the client's method
// values. The operations on streams have none.
var doors = map[string]any{
	"BatchExecuteStatement": BatchExecuteStatement, "ExecuteStatement": ExecuteStatement, "ExecuteTransaction": ExecuteTransaction,
	"BatchGetItem": BatchGetItem, "BatchWriteItem": BatchWriteItem, "CreateTable": CreateTable,
	"DeleteBackup": DeleteBackup, "DeleteItem": DeleteItem, "DeleteResourcePolicy": DeleteResourcePolicy,
	"DeleteTable": DeleteTable, "DescribeBackup": DescribeBackup,
	"DescribeContinuousBackups":   DescribeContinuousBackups,
	"DescribeContributorInsights": DescribeContributorInsights, "DescribeEndpoints": DescribeEndpoints,
	"DescribeExport": DescribeExport, "DescribeGlobalTable": DescribeGlobalTable,
	"DescribeGlobalTableSettings": DescribeGlobalTableSettings, "DescribeImport": DescribeImport,
	"DescribeKinesisStreamingDestination": DescribeKinesisStreamingDestination, "DescribeLimits": DescribeLimits,
	"DescribeTable": DescribeTable, "DescribeTableReplicaAutoScaling": DescribeTableReplicaAutoScaling,
	"DescribeTimeToLive":                 DescribeTimeToLive,
	"DisableKinesisStreamingDestination": DisableKinesisStreamingDestination,
	"EnableKinesisStreamingDestination":  EnableKinesisStreamingDestination, "GetItem": GetItem,
	"GetResourcePolicy": GetResourcePolicy, "ListBackups": ListBackups,
	"ListContributorInsights": ListContributorInsights, "ListExports": ListExports,
	"ListGlobalTables": ListGlobalTables, "ListImports": ListImports, "ListTables": ListTables,
	"ListTagsOfResource": ListTagsOfResource, "PutItem": PutItem, "PutResourcePolicy": PutResourcePolicy,
	"Query": Query, "Scan": Scan, "SearchVectors": SearchVectors, "TagResource": TagResource, "TransactGetItems": TransactGetItems,
	"TransactWriteItems": TransactWriteItems, "UntagResource": UntagResource,
	"UpdateContinuousBackups": UpdateContinuousBackups, "UpdateContributorInsights": UpdateContributorInsights,
	"UpdateItem": UpdateItem, "UpdateKinesisStreamingDestination": UpdateKinesisStreamingDestination,
	"UpdateTable": UpdateTable, "UpdateTimeToLive": UpdateTimeToLive,
}

// clientType returns the type of the client that has an operation.
func clientType(operation string) reflect.Type {
	if _, ok := reflect.TypeFor[*dynamodbstreams.Client]().MethodByName(operation); ok {
		return reflect.TypeFor[*dynamodbstreams.Client]()
	}
	return reflect.TypeFor[*dynamodb.Client]()
}

// newClientFor returns the client that has an operation.
func newClientFor(api dynamo.API, operation string) any {
	if clientType(operation) == reflect.TypeFor[*dynamodbstreams.Client]() {
		return NewStreamsClient(api, ClientOptions{})
	}
	return NewClient(api, ClientOptions{})
}

// callDirect calls the function of an operation, and the client's method where
// there is no function. A nil in is the nil of its type.
func callDirect(ctx context.Context, api dynamo.API, operation string, in any) (any, error) {
	if doors[operation] == nil {
		return callClient(ctx, newClientFor(api, operation), operation, in)
	}
	door := reflect.ValueOf(doors[operation])
	return results(door.Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(api), valueFor(in, door.Type().In(2))}))
}

// callClient calls the method of an operation on a client.
func callClient(ctx context.Context, client any, operation string, in any) (any, error) {
	method := reflect.ValueOf(client).MethodByName(operation)
	return results(method.Call([]reflect.Value{reflect.ValueOf(ctx), valueFor(in, method.Type().In(1))}))
}

func valueFor(in any, t reflect.Type) reflect.Value {
	if in == nil {
		return reflect.Zero(t)
	}
	return reflect.ValueOf(in)
}

func results(values []reflect.Value) (any, error) {
	err, _ := values[1].Interface().(error)
	if values[0].IsNil() {
		return nil, err
	}
	return values[0].Interface(), err
}

// everyDoor runs a test of an operation directly, where there is a function, and
// through a client.
func everyDoor(t *testing.T, api dynamo.API, operation string, test func(t *testing.T, call func(ctx context.Context, in any) (any, error))) {
	t.Helper()
	if doors[operation] != nil {
		t.Run("direct", func(t *testing.T) {
			test(t, func(ctx context.Context, in any) (any, error) { return callDirect(ctx, api, operation, in) })
		})
	}
	t.Run("client", func(t *testing.T) {
		client := newClientFor(api, operation)
		test(t, func(ctx context.Context, in any) (any, error) { return callClient(ctx, client, operation, in) })
	})
}

// allFields lets cmp compare the SDK's structs, which have a hidden marker field.
var allFields = cmp.Exporter(func(reflect.Type) bool { return true })

type attributeMap = map[string]types.AttributeValue

// itemOf encodes an item without faults.
func itemOf(t testing.TB, m attributeMap) dynamo.Item {
	t.Helper()
	e := newEncoder()
	defer e.release()
	raw := e.item(m)
	if raw.Fault != nil {
		t.Fatal(raw.Fault)
	}
	return raw.Item
}

// randomItem returns an item with values of all kinds. Numbers are canonical and sets
// are sorted, so that decoding the item gives exactly the same.
func randomItem(rnd *rand.Rand) attributeMap {
	item := attributeMap{}
	for range rnd.IntN(12) {
		item[randomText(rnd)] = randomValue(rnd, 1)
	}
	return item
}

func randomValue(rnd *rand.Rand, level int) types.AttributeValue {
	kinds := 10
	if level > 4 {
		kinds = 8 // no more lists and maps
	}
	switch rnd.IntN(kinds) {
	case 0, 1:
		return &types.AttributeValueMemberS{Value: randomText(rnd)}
	case 2:
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(rnd.Int64()-rnd.Int64(), 10)}
	case 3:
		return &types.AttributeValueMemberB{Value: randomBytes(rnd)}
	case 4:
		return &types.AttributeValueMemberBOOL{Value: rnd.IntN(2) == 0}
	case 5:
		return &types.AttributeValueMemberNULL{Value: true}
	case 6:
		return randomSet(rnd)
	case 7:
		return &types.AttributeValueMemberS{Value: randomText(rnd) + randomText(rnd)}
	case 8:
		list := make([]types.AttributeValue, rnd.IntN(4))
		for i := range list {
			list[i] = randomValue(rnd, level+1)
		}
		return &types.AttributeValueMemberL{Value: list}
	default:
		fields := attributeMap{}
		for range rnd.IntN(4) {
			fields[randomText(rnd)] = randomValue(rnd, level+1)
		}
		return &types.AttributeValueMemberM{Value: fields}
	}
}

func randomSet(rnd *rand.Rand) types.AttributeValue {
	texts := make([]string, 1+rnd.IntN(4))
	for i := range texts {
		texts[i] = strconv.Itoa(rnd.IntN(1000))
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	switch rnd.IntN(3) {
	case 0:
		return &types.AttributeValueMemberSS{Value: texts}
	case 1:
		slices.SortFunc(texts, func(a, b string) int { return strings.Compare(fmt.Sprintf("%3s", a), fmt.Sprintf("%3s", b)) })
		return &types.AttributeValueMemberNS{Value: texts}
	default:
		members := make([][]byte, len(texts))
		for i, text := range texts {
			members[i] = []byte(text)
		}
		return &types.AttributeValueMemberBS{Value: members}
	}
}

func randomText(rnd *rand.Rand) string {
	runes := make([]rune, rnd.IntN(200)*rnd.IntN(2)+rnd.IntN(9))
	for i := range runes {
		runes[i] = []rune("aZ09#\"\\\n\x00é€😀\u2028")[rnd.IntN(13)]
	}
	return string(runes)
}

func randomBytes(rnd *rand.Rand) []byte {
	b := make([]byte, rnd.IntN(20))
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	return b
}
