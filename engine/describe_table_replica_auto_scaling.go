package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeTableReplicaAutoScaling describes the auto scaling of a table's replicas. Tables have
// none.
func (a *API) DescribeTableReplicaAutoScaling(ctx context.Context, params *dynamodb.DescribeTableReplicaAutoScalingInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeTableReplicaAutoScalingOutput, error) {
	return sdk.DescribeTableReplicaAutoScaling(ctx, a.ops, params)
}

func (o *operations) DescribeTableReplicaAutoScaling(_ context.Context, in *dynamo.DescribeTableReplicaAutoScalingInput) (*dynamo.DescribeTableReplicaAutoScalingOutput, error) {
	table, err := request.CheckDescribeTableReplicaAutoScaling(in)
	if err != nil {
		return nil, err
	}
	d, err := o.catalog.DescribeTableReplicaAutoScaling(table)
	if err != nil {
		return nil, err
	}
	return &dynamo.DescribeTableReplicaAutoScalingOutput{TableAutoScalingDescription: d}, nil
}
