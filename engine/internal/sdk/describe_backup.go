package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeBackup runs DescribeBackup on api.
func DescribeBackup(ctx context.Context, api dynamo.API, in *dynamodb.DescribeBackupInput) (*dynamodb.DescribeBackupOutput, error) {
	return call(ctx, api, "DescribeBackup", in, describeBackup)
}

func describeBackup(ctx context.Context, api dynamo.API, in *dynamodb.DescribeBackupInput) (*dynamodb.DescribeBackupOutput, error) {
	return mirror[dynamodb.DescribeBackupOutput](ctx, in, api.DescribeBackup)
}
