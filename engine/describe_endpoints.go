package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeEndpoints returns the address that the request was sent to, so that clients with
// endpoint discovery keep using it.
func (a *API) DescribeEndpoints(ctx context.Context, params *dynamodb.DescribeEndpointsInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeEndpointsOutput, error) {
	return sdk.DescribeEndpoints(ctx, a.ops, params)
}

func (o *operations) DescribeEndpoints(_ context.Context, in *dynamo.DescribeEndpointsInput) (*dynamo.DescribeEndpointsOutput, error) {
	address := in.Host
	if address == "" {
		address = "dynamodb." + o.region + ".amazonaws.com"
	}
	return &dynamo.DescribeEndpointsOutput{Endpoints: []dynamo.Endpoint{{Address: &address, CachePeriodInMinutes: 1440}}}, nil
}
