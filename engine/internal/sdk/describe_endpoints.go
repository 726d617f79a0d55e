package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeEndpoints runs DescribeEndpoints on api.
func DescribeEndpoints(ctx context.Context, api dynamo.API, in *dynamodb.DescribeEndpointsInput) (*dynamodb.DescribeEndpointsOutput, error) {
	return call(ctx, api, "DescribeEndpoints", in, describeEndpoints)
}

func describeEndpoints(ctx context.Context, api dynamo.API, in *dynamodb.DescribeEndpointsInput) (*dynamodb.DescribeEndpointsOutput, error) {
	return mirror[dynamodb.DescribeEndpointsOutput](ctx, in,
		func(ctx context.Context, request *dynamo.DescribeEndpointsInput) (*dynamo.DescribeEndpointsOutput, error) {
			request.Host = "localhost" // the call has no endpoint
			return api.DescribeEndpoints(ctx, request)
		})
}
