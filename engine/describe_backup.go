package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeBackup describes a backup. There are none yet, so it always fails.
func (a *API) DescribeBackup(ctx context.Context, params *dynamodb.DescribeBackupInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeBackupOutput, error) {
	return sdk.DescribeBackup(ctx, a.ops, params)
}

func (o *operations) DescribeBackup(_ context.Context, in *dynamo.DescribeBackupInput) (*dynamo.DescribeBackupOutput, error) {
	arn, err := request.CheckDescribeBackup(in)
	if err != nil {
		return nil, err
	}
	return nil, dynamo.Errorf(dynamo.BackupNotFound, "Backup not found: %s", arn)
}
