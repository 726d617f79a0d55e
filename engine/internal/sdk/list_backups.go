package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// ListBackups runs ListBackups on api.
func ListBackups(ctx context.Context, api dynamo.API, in *dynamodb.ListBackupsInput) (*dynamodb.ListBackupsOutput, error) {
	return call(ctx, api, "ListBackups", in, listBackups)
}

func listBackups(ctx context.Context, api dynamo.API, in *dynamodb.ListBackupsInput) (*dynamodb.ListBackupsOutput, error) {
	return mirror[dynamodb.ListBackupsOutput](ctx, in, api.ListBackups)
}
