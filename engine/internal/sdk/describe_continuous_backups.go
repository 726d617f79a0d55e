package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeContinuousBackups runs DescribeContinuousBackups on api.
func DescribeContinuousBackups(ctx context.Context, api dynamo.API, in *dynamodb.DescribeContinuousBackupsInput) (*dynamodb.DescribeContinuousBackupsOutput, error) {
	return call(ctx, api, "DescribeContinuousBackups", in, describeContinuousBackups)
}

func describeContinuousBackups(ctx context.Context, api dynamo.API, in *dynamodb.DescribeContinuousBackupsInput) (*dynamodb.DescribeContinuousBackupsOutput, error) {
	return mirror[dynamodb.DescribeContinuousBackupsOutput](ctx, in, api.DescribeContinuousBackups)
}
