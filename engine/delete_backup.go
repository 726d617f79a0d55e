package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DeleteBackup deletes a backup. There are none yet, so it always fails.
func (a *API) DeleteBackup(ctx context.Context, params *dynamodb.DeleteBackupInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteBackupOutput, error) {
	return sdk.DeleteBackup(ctx, a.ops, params)
}

func (o *operations) DeleteBackup(_ context.Context, in *dynamo.DeleteBackupInput) (*dynamo.DeleteBackupOutput, error) {
	arn, err := request.CheckDeleteBackup(in)
	if err != nil {
		return nil, err
	}
	return nil, dynamo.Errorf(dynamo.BackupNotFound, "Backup not found: %s", arn)
}
