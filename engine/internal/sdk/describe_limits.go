package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeLimits runs DescribeLimits on api.
func DescribeLimits(ctx context.Context, api dynamo.API, in *dynamodb.DescribeLimitsInput) (*dynamodb.DescribeLimitsOutput, error) {
	return call(ctx, api, "DescribeLimits", in, describeLimits)
}

func describeLimits(ctx context.Context, api dynamo.API, in *dynamodb.DescribeLimitsInput) (*dynamodb.DescribeLimitsOutput, error) {
	return mirror[dynamodb.DescribeLimitsOutput](ctx, in, api.DescribeLimits)
}
