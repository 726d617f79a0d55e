package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DeleteBackup runs DeleteBackup on api.
func DeleteBackup(ctx context.Context, api dynamo.API, in *dynamodb.DeleteBackupInput) (*dynamodb.DeleteBackupOutput, error) {
	return call(ctx, api, "DeleteBackup", in, deleteBackup)
}

func deleteBackup(ctx context.Context, api dynamo.API, in *dynamodb.DeleteBackupInput) (*dynamodb.DeleteBackupOutput, error) {
	return mirror[dynamodb.DeleteBackupOutput](ctx, in, api.DeleteBackup)
}
