package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go/middleware"

	"sortkey.dev/engine/internal/dynamo"
)

// NewStreamsClient returns a client for the operations on streams whose calls run
// on api, like those of [NewClient].
func NewStreamsClient(api dynamo.API, o ClientOptions) *dynamodbstreams.Client {
	d := &door{api: api, service: dynamoDBStreams, run: runOnStreams}
	return dynamodbstreams.New(dynamodbstreams.Options{
		Region:     o.Region,
		APIOptions: []func(*middleware.Stack) error{d.install},
		Retryer:    aws.NopRetryer{}, // the default one reads the environment
		HTTPClient: noNetwork{},
	})
}

// runOnStreams runs an operation of DynamoDB Streams.
func runOnStreams(ctx context.Context, api dynamo.API, in any) (any, error) {
	switch in := in.(type) {
	case *dynamodbstreams.DescribeStreamInput:
		return result(ctx, api, in, describeStream)
	case *dynamodbstreams.GetRecordsInput:
		return result(ctx, api, in, getRecords)
	case *dynamodbstreams.GetShardIteratorInput:
		return result(ctx, api, in, getShardIterator)
	case *dynamodbstreams.ListStreamsInput:
		return result(ctx, api, in, listStreams)
	default:
		return nil, dynamo.Refusal(middleware.GetOperationName(ctx))
	}
}
