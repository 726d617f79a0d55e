package sdk

import (
	"context"
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go"

	"sortkey.dev/engine/internal/dynamo"
)

// The operations of service/dynamodb. The operations on items are converted by hand,
// parameter by parameter: they are frequent, and copying by name would be too slow. The
// others are rare, and their shapes are large and simple. ExecuteTransaction and
// TransactWriteItems do not generate a missing token: that is the task of the SDK's client.
var (
	BatchExecuteStatement               = converted(batchExecuteStatementInput, dynamo.API.BatchExecuteStatement, batchExecuteStatementOutput)
	BatchGetItem                        = converted(batchGetItemInput, dynamo.API.BatchGetItem, batchGetItemOutput)
	BatchWriteItem                      = converted(batchWriteItemInput, dynamo.API.BatchWriteItem, batchWriteItemOutput)
	CreateTable                         = mirrored[dynamodb.CreateTableInput, dynamodb.CreateTableOutput](dynamo.API.CreateTable)
	DeleteBackup                        = mirrored[dynamodb.DeleteBackupInput, dynamodb.DeleteBackupOutput](dynamo.API.DeleteBackup)
	DeleteItem                          = converted(deleteItemInput, dynamo.API.DeleteItem, deleteItemOutput)
	DeleteResourcePolicy                = mirrored[dynamodb.DeleteResourcePolicyInput, dynamodb.DeleteResourcePolicyOutput](dynamo.API.DeleteResourcePolicy)
	DeleteTable                         = mirrored[dynamodb.DeleteTableInput, dynamodb.DeleteTableOutput](dynamo.API.DeleteTable)
	DescribeBackup                      = mirrored[dynamodb.DescribeBackupInput, dynamodb.DescribeBackupOutput](dynamo.API.DescribeBackup)
	DescribeContinuousBackups           = mirrored[dynamodb.DescribeContinuousBackupsInput, dynamodb.DescribeContinuousBackupsOutput](dynamo.API.DescribeContinuousBackups)
	DescribeContributorInsights         = mirrored[dynamodb.DescribeContributorInsightsInput, dynamodb.DescribeContributorInsightsOutput](dynamo.API.DescribeContributorInsights)
	DescribeEndpoints                   = mirrored[dynamodb.DescribeEndpointsInput, dynamodb.DescribeEndpointsOutput](describeLocalEndpoint)
	DescribeExport                      = mirrored[dynamodb.DescribeExportInput, dynamodb.DescribeExportOutput](dynamo.API.DescribeExport)
	DescribeGlobalTable                 = mirrored[dynamodb.DescribeGlobalTableInput, dynamodb.DescribeGlobalTableOutput](dynamo.API.DescribeGlobalTable)
	DescribeGlobalTableSettings         = mirrored[dynamodb.DescribeGlobalTableSettingsInput, dynamodb.DescribeGlobalTableSettingsOutput](dynamo.API.DescribeGlobalTableSettings)
	DescribeImport                      = mirrored[dynamodb.DescribeImportInput, dynamodb.DescribeImportOutput](dynamo.API.DescribeImport)
	DescribeKinesisStreamingDestination = mirrored[dynamodb.DescribeKinesisStreamingDestinationInput, dynamodb.DescribeKinesisStreamingDestinationOutput](dynamo.API.DescribeKinesisStreamingDestination)
	DescribeLimits                      = mirrored[dynamodb.DescribeLimitsInput, dynamodb.DescribeLimitsOutput](dynamo.API.DescribeLimits)
	DescribeTable                       = mirrored[dynamodb.DescribeTableInput, dynamodb.DescribeTableOutput](dynamo.API.DescribeTable)
	DescribeTableReplicaAutoScaling     = mirrored[dynamodb.DescribeTableReplicaAutoScalingInput, dynamodb.DescribeTableReplicaAutoScalingOutput](dynamo.API.DescribeTableReplicaAutoScaling)
	DescribeTimeToLive                  = mirrored[dynamodb.DescribeTimeToLiveInput, dynamodb.DescribeTimeToLiveOutput](dynamo.API.DescribeTimeToLive)
	DisableKinesisStreamingDestination  = mirrored[dynamodb.DisableKinesisStreamingDestinationInput, dynamodb.DisableKinesisStreamingDestinationOutput](dynamo.API.DisableKinesisStreamingDestination)
	EnableKinesisStreamingDestination   = mirrored[dynamodb.EnableKinesisStreamingDestinationInput, dynamodb.EnableKinesisStreamingDestinationOutput](dynamo.API.EnableKinesisStreamingDestination)
	ExecuteStatement                    = converted(executeStatementInput, dynamo.API.ExecuteStatement, executeStatementOutput)
	ExecuteTransaction                  = converted(executeTransactionInput, dynamo.API.ExecuteTransaction, executeTransactionOutput)
	GetItem                             = converted(getItemInput, dynamo.API.GetItem, getItemOutput)
	GetResourcePolicy                   = mirrored[dynamodb.GetResourcePolicyInput, dynamodb.GetResourcePolicyOutput](dynamo.API.GetResourcePolicy)
	ListBackups                         = mirrored[dynamodb.ListBackupsInput, dynamodb.ListBackupsOutput](dynamo.API.ListBackups)
	ListContributorInsights             = mirrored[dynamodb.ListContributorInsightsInput, dynamodb.ListContributorInsightsOutput](dynamo.API.ListContributorInsights)
	ListExports                         = mirrored[dynamodb.ListExportsInput, dynamodb.ListExportsOutput](dynamo.API.ListExports)
	ListGlobalTables                    = mirrored[dynamodb.ListGlobalTablesInput, dynamodb.ListGlobalTablesOutput](dynamo.API.ListGlobalTables)
	ListImports                         = mirrored[dynamodb.ListImportsInput, dynamodb.ListImportsOutput](dynamo.API.ListImports)
	ListTables                          = mirrored[dynamodb.ListTablesInput, dynamodb.ListTablesOutput](dynamo.API.ListTables, func(out *dynamodb.ListTablesOutput) {
		out.TableNames = nonNil(out.TableNames)
	})
	ListTagsOfResource = mirrored[dynamodb.ListTagsOfResourceInput, dynamodb.ListTagsOfResourceOutput](dynamo.API.ListTagsOfResource, func(out *dynamodb.ListTagsOfResourceOutput) {
		out.Tags = nonNil(out.Tags)
	})
	PutItem                           = converted(putItemInput, dynamo.API.PutItem, putItemOutput)
	PutResourcePolicy                 = mirrored[dynamodb.PutResourcePolicyInput, dynamodb.PutResourcePolicyOutput](dynamo.API.PutResourcePolicy)
	Query                             = converted(queryInput, dynamo.API.Query, queryOutput)
	Scan                              = converted(scanInput, dynamo.API.Scan, scanOutput)
	SearchVectors                     = converted(searchVectorsInput, dynamo.API.SearchVectors, searchVectorsOutput)
	TagResource                       = mirrored[dynamodb.TagResourceInput, dynamodb.TagResourceOutput](dynamo.API.TagResource)
	TransactGetItems                  = converted(transactGetItemsInput, dynamo.API.TransactGetItems, transactGetItemsOutput)
	TransactWriteItems                = converted(transactWriteItemsInput, dynamo.API.TransactWriteItems, transactWriteItemsOutput)
	UntagResource                     = mirrored[dynamodb.UntagResourceInput, dynamodb.UntagResourceOutput](dynamo.API.UntagResource)
	UpdateContinuousBackups           = mirrored[dynamodb.UpdateContinuousBackupsInput, dynamodb.UpdateContinuousBackupsOutput](dynamo.API.UpdateContinuousBackups)
	UpdateContributorInsights         = mirrored[dynamodb.UpdateContributorInsightsInput, dynamodb.UpdateContributorInsightsOutput](dynamo.API.UpdateContributorInsights)
	UpdateItem                        = converted(updateItemInput, dynamo.API.UpdateItem, updateItemOutput)
	UpdateKinesisStreamingDestination = mirrored[dynamodb.UpdateKinesisStreamingDestinationInput, dynamodb.UpdateKinesisStreamingDestinationOutput](dynamo.API.UpdateKinesisStreamingDestination)
	UpdateTable                       = mirrored[dynamodb.UpdateTableInput, dynamodb.UpdateTableOutput](dynamo.API.UpdateTable)
	UpdateTimeToLive                  = mirrored[dynamodb.UpdateTimeToLiveInput, dynamodb.UpdateTimeToLiveOutput](dynamo.API.UpdateTimeToLive)
)

// The operations of service/dynamodbstreams.
var (
	DescribeStream = mirrored[dynamodbstreams.DescribeStreamInput, dynamodbstreams.DescribeStreamOutput](dynamo.API.DescribeStream, func(out *dynamodbstreams.DescribeStreamOutput) {
		if d := out.StreamDescription; d != nil {
			d.Shards = nonNil(d.Shards)
		}
	})
	GetRecords       = converted(getRecordsInput, dynamo.API.GetRecords, getRecordsOutput)
	GetShardIterator = mirrored[dynamodbstreams.GetShardIteratorInput, dynamodbstreams.GetShardIteratorOutput](dynamo.API.GetShardIterator)
	ListStreams      = mirrored[dynamodbstreams.ListStreamsInput, dynamodbstreams.ListStreamsOutput](dynamo.API.ListStreams, func(out *dynamodbstreams.ListStreamsOutput) {
		out.Streams = nonNil(out.Streams)
	})
)

// byInput holds the operations by the type of their input, for clients. They return the
// engine's own errors.
var byInput = map[reflect.Type]func(ctx context.Context, api dynamo.API, in any) (any, error){}

// register returns an operation for callers outside the SDK's stack, which would otherwise
// name the operation in the error, and adds it to byInput.
func register[In, Out any](run func(context.Context, dynamo.API, *In) (*Out, error)) func(context.Context, dynamo.API, *In) (*Out, error) {
	input := reflect.TypeFor[In]()
	byInput[reflect.PointerTo(input)] = func(ctx context.Context, api dynamo.API, in any) (any, error) {
		out, err := answer(ctx, api, in.(*In), run)
		if err != nil {
			return nil, err // without the type of a nil output
		}
		return out, nil
	}
	return func(ctx context.Context, api dynamo.API, in *In) (*Out, error) {
		out, err := answer(ctx, api, in, run)
		if err != nil {
			return nil, operationError(strings.TrimSuffix(input.Name(), "Input"), dynamoDB.sdkError(err))
		}
		return out, nil
	}
}

// answer runs an operation unless its context has ended. A nil input counts as an empty
// input, as for the SDK's client.
func answer[In, Out any](ctx context.Context, api dynamo.API, in *In, run func(context.Context, dynamo.API, *In) (*Out, error)) (*Out, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if in == nil {
		in = new(In)
	}
	return run(ctx, api, in)
}

// converted returns an operation from its three steps.
func converted[SDKIn, SDKOut, In, Out any](
	encode func(*encoder, *SDKIn) *In,
	run func(dynamo.API, context.Context, *In) (*Out, error),
	decode func(*Out) *SDKOut,
) func(context.Context, dynamo.API, *SDKIn) (*SDKOut, error) {
	return register(func(ctx context.Context, api dynamo.API, in *SDKIn) (*SDKOut, error) {
		e := newEncoder()
		request := encode(e, in)
		e.release()
		out, err := run(api, ctx, request)
		if err != nil {
			return nil, err
		}
		return decode(out), nil
	})
}

// mirrored returns an operation whose shapes are copied by name. finish completes the
// response.
func mirrored[SDKIn, SDKOut, In, Out any](
	run func(dynamo.API, context.Context, *In) (*Out, error), finish ...func(*SDKOut),
) func(context.Context, dynamo.API, *SDKIn) (*SDKOut, error) {
	return register(func(ctx context.Context, api dynamo.API, in *SDKIn) (*SDKOut, error) {
		request := new(In)
		if err := copyShape(request, in); err != nil {
			return nil, err
		}
		out, err := run(api, ctx, request)
		if err != nil {
			return nil, err
		}
		answer := new(SDKOut)
		if err := copyShape(answer, out); err != nil {
			return nil, err
		}
		for _, f := range finish {
			f(answer)
		}
		return answer, nil
	})
}

// describeLocalEndpoint describes the endpoint of a call that has none.
func describeLocalEndpoint(api dynamo.API, ctx context.Context, in *dynamo.DescribeEndpointsInput) (*dynamo.DescribeEndpointsOutput, error) {
	in.Host = "localhost"
	return api.DescribeEndpoints(ctx, in)
}

func operationError(name string, err error) error {
	return &smithy.OperationError{ServiceID: dynamodb.ServiceID, OperationName: name, Err: err}
}
