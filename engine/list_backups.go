package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// ListBackups lists backups. There are none yet.
func (a *API) ListBackups(ctx context.Context, params *dynamodb.ListBackupsInput, _ ...func(*dynamodb.Options)) (*dynamodb.ListBackupsOutput, error) {
	return sdk.ListBackups(ctx, a.ops, params)
}

func (o *operations) ListBackups(_ context.Context, in *dynamo.ListBackupsInput) (*dynamo.ListBackupsOutput, error) {
	if err := request.CheckListBackups(in); err != nil {
		return nil, err
	}
	return &dynamo.ListBackupsOutput{BackupSummaries: []dynamo.BackupSummary{}}, nil
}
