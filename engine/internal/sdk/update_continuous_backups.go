package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// UpdateContinuousBackups runs UpdateContinuousBackups on api.
func UpdateContinuousBackups(ctx context.Context, api dynamo.API, in *dynamodb.UpdateContinuousBackupsInput) (*dynamodb.UpdateContinuousBackupsOutput, error) {
	return call(ctx, api, "UpdateContinuousBackups", in, updateContinuousBackups)
}

func updateContinuousBackups(ctx context.Context, api dynamo.API, in *dynamodb.UpdateContinuousBackupsInput) (*dynamodb.UpdateContinuousBackupsOutput, error) {
	return mirror[dynamodb.UpdateContinuousBackupsOutput](ctx, in, api.UpdateContinuousBackups)
}
