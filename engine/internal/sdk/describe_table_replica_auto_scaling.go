package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeTableReplicaAutoScaling runs DescribeTableReplicaAutoScaling on api.
func DescribeTableReplicaAutoScaling(ctx context.Context, api dynamo.API, in *dynamodb.DescribeTableReplicaAutoScalingInput) (*dynamodb.DescribeTableReplicaAutoScalingOutput, error) {
	return call(ctx, api, "DescribeTableReplicaAutoScaling", in, describeTableReplicaAutoScaling)
}

func describeTableReplicaAutoScaling(ctx context.Context, api dynamo.API, in *dynamodb.DescribeTableReplicaAutoScalingInput) (*dynamodb.DescribeTableReplicaAutoScalingOutput, error) {
	return mirror[dynamodb.DescribeTableReplicaAutoScalingOutput](ctx, in, api.DescribeTableReplicaAutoScaling)
}
