package sdk

import (
	"context"
	"errors"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"sortkey.dev/engine/internal/dynamo"
)

// ClientOptions holds the settings of [NewClient] and [NewStreamsClient].
type ClientOptions struct {
	// Region is the client's region. Nothing depends on it.
	Region string
}

// NewClient returns a client whose calls run on api and never leave the process.
//
// A call goes through the Initialize step of the SDK's stack, with the
// middleware and the interceptors the caller put there, and ends where
// it would be serialised. Nothing is signed, sent or retried, and no
// credentials, settings or files are read. Middleware of the later steps
// does not run. The client's own check for missing parameters is left out: the
// engine makes it, with the service's messages.
func NewClient(api dynamo.API, o ClientOptions) *dynamodb.Client {
	d := &door{api: api, service: dynamoDB, run: run}
	return dynamodb.New(dynamodb.Options{
		Region:            o.Region,
		APIOptions:        []func(*middleware.Stack) error{d.install},
		Retryer:           aws.NopRetryer{}, // the default one reads the environment
		HTTPClient:        noNetwork{},
		EndpointDiscovery: dynamodb.EndpointDiscoveryOptions{EnableEndpointDiscovery: aws.EndpointDiscoveryDisabled},
	})
}

// A door is the middleware that runs a call on the engine instead of passing it on.
type door struct {
	api     dynamo.API
	service *service
	// run runs an operation of the service and returns the engine's own errors.
	run func(ctx context.Context, api dynamo.API, in any) (any, error)
}

// install puts the door at the start of the step after Initialize. At the start
// of Initialize itself it would skip the middleware that callers add to the end of that
// step, such as tracing libraries.
func (d *door) install(stack *middleware.Stack) error {
	if _, ok := stack.Initialize.Get(noCheck{}.ID()); ok {
		if _, err := stack.Initialize.Swap(noCheck{}.ID(), noCheck{}); err != nil {
			return err
		}
	}
	return stack.Serialize.Add(d, middleware.Before)
}

// ID returns the name of the middleware in the stack.
func (d *door) ID() string { return "sortkey" }

// HandleSerialize runs the operation and ends the call.
func (d *door) HandleSerialize(ctx context.Context, in middleware.SerializeInput, _ middleware.SerializeHandler) (
	out middleware.SerializeOutput, metadata middleware.Metadata, err error,
) {
	out.Result, err = d.run(ctx, d.api, in.Parameters)
	if err != nil {
		err = d.service.sdkError(err)
	}
	return out, metadata, err
}

// run runs an operation of DynamoDB.
func run(ctx context.Context, api dynamo.API, in any) (any, error) {
	switch in := in.(type) {
	case *dynamodb.BatchExecuteStatementInput:
		return result(ctx, api, in, batchExecuteStatement)
	case *dynamodb.BatchGetItemInput:
		return result(ctx, api, in, batchGetItem)
	case *dynamodb.BatchWriteItemInput:
		return result(ctx, api, in, batchWriteItem)
	case *dynamodb.CreateTableInput:
		return result(ctx, api, in, createTable)
	case *dynamodb.DeleteBackupInput:
		return result(ctx, api, in, deleteBackup)
	case *dynamodb.DeleteItemInput:
		return result(ctx, api, in, deleteItem)
	case *dynamodb.DeleteResourcePolicyInput:
		return result(ctx, api, in, deleteResourcePolicy)
	case *dynamodb.DeleteTableInput:
		return result(ctx, api, in, deleteTable)
	case *dynamodb.DescribeBackupInput:
		return result(ctx, api, in, describeBackup)
	case *dynamodb.DescribeContinuousBackupsInput:
		return result(ctx, api, in, describeContinuousBackups)
	case *dynamodb.DescribeContributorInsightsInput:
		return result(ctx, api, in, describeContributorInsights)
	case *dynamodb.DescribeEndpointsInput:
		return result(ctx, api, in, describeEndpoints)
	case *dynamodb.DescribeExportInput:
		return result(ctx, api, in, describeExport)
	case *dynamodb.DescribeGlobalTableInput:
		return result(ctx, api, in, describeGlobalTable)
	case *dynamodb.DescribeGlobalTableSettingsInput:
		return result(ctx, api, in, describeGlobalTableSettings)
	case *dynamodb.DescribeImportInput:
		return result(ctx, api, in, describeImport)
	case *dynamodb.DescribeKinesisStreamingDestinationInput:
		return result(ctx, api, in, describeKinesisStreamingDestination)
	case *dynamodb.DescribeLimitsInput:
		return result(ctx, api, in, describeLimits)
	case *dynamodb.DescribeTableInput:
		return result(ctx, api, in, describeTable)
	case *dynamodb.DescribeTableReplicaAutoScalingInput:
		return result(ctx, api, in, describeTableReplicaAutoScaling)
	case *dynamodb.DescribeTimeToLiveInput:
		return result(ctx, api, in, describeTimeToLive)
	case *dynamodb.DisableKinesisStreamingDestinationInput:
		return result(ctx, api, in, disableKinesisStreamingDestination)
	case *dynamodb.EnableKinesisStreamingDestinationInput:
		return result(ctx, api, in, enableKinesisStreamingDestination)
	case *dynamodb.ExecuteStatementInput:
		return result(ctx, api, in, executeStatement)
	case *dynamodb.ExecuteTransactionInput:
		return result(ctx, api, in, executeTransaction)
	case *dynamodb.GetItemInput:
		return result(ctx, api, in, getItem)
	case *dynamodb.GetResourcePolicyInput:
		return result(ctx, api, in, getResourcePolicy)
	case *dynamodb.ListBackupsInput:
		return result(ctx, api, in, listBackups)
	case *dynamodb.ListContributorInsightsInput:
		return result(ctx, api, in, listContributorInsights)
	case *dynamodb.ListExportsInput:
		return result(ctx, api, in, listExports)
	case *dynamodb.ListGlobalTablesInput:
		return result(ctx, api, in, listGlobalTables)
	case *dynamodb.ListImportsInput:
		return result(ctx, api, in, listImports)
	case *dynamodb.ListTablesInput:
		return result(ctx, api, in, listTables)
	case *dynamodb.ListTagsOfResourceInput:
		return result(ctx, api, in, listTagsOfResource)
	case *dynamodb.PutItemInput:
		return result(ctx, api, in, putItem)
	case *dynamodb.PutResourcePolicyInput:
		return result(ctx, api, in, putResourcePolicy)
	case *dynamodb.QueryInput:
		return result(ctx, api, in, query)
	case *dynamodb.ScanInput:
		return result(ctx, api, in, scan)
	case *dynamodb.SearchVectorsInput:
		return result(ctx, api, in, searchVectors)
	case *dynamodb.TagResourceInput:
		return result(ctx, api, in, tagResource)
	case *dynamodb.TransactGetItemsInput:
		return result(ctx, api, in, transactGetItems)
	case *dynamodb.TransactWriteItemsInput:
		return result(ctx, api, in, transactWriteItems)
	case *dynamodb.UntagResourceInput:
		return result(ctx, api, in, untagResource)
	case *dynamodb.UpdateContinuousBackupsInput:
		return result(ctx, api, in, updateContinuousBackups)
	case *dynamodb.UpdateContributorInsightsInput:
		return result(ctx, api, in, updateContributorInsights)
	case *dynamodb.UpdateItemInput:
		return result(ctx, api, in, updateItem)
	case *dynamodb.UpdateKinesisStreamingDestinationInput:
		return result(ctx, api, in, updateKinesisStreamingDestination)
	case *dynamodb.UpdateTableInput:
		return result(ctx, api, in, updateTable)
	case *dynamodb.UpdateTimeToLiveInput:
		return result(ctx, api, in, updateTimeToLive)
	default:
		return nil, dynamo.Refusal(middleware.GetOperationName(ctx))
	}
}

// result is answer without a type: the stack carries any, in which a nil output of a
// type would not be nil.
func result[In, Out any](ctx context.Context, api dynamo.API, in *In, run operation[In, Out]) (any, error) {
	out, err := answer(ctx, api, in, run)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// noCheck replaces the client's check for missing parameters.
type noCheck struct{}

// ID returns the name of the replaced middleware, for middleware that is placed relative to it.
func (noCheck) ID() string { return "OperationInputValidation" }

// HandleInitialize calls next.
func (noCheck) HandleInitialize(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
	middleware.InitializeOutput, middleware.Metadata, error,
) {
	return next.HandleInitialize(ctx, in)
}

// noNetwork is the client's transport. It is reached only by a call whose options removed
// the middleware.
type noNetwork struct{}

// Do always fails: nothing is sent.
func (noNetwork) Do(*http.Request) (*http.Response, error) {
	return nil, errors.New("this client runs on an engine in the process and sends nothing")
}
