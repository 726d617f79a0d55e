package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// CreateTable runs CreateTable on api.
func CreateTable(ctx context.Context, api dynamo.API, in *dynamodb.CreateTableInput) (*dynamodb.CreateTableOutput, error) {
	return call(ctx, api, "CreateTable", in, createTable)
}

func createTable(ctx context.Context, api dynamo.API, in *dynamodb.CreateTableInput) (*dynamodb.CreateTableOutput, error) {
	return mirror[dynamodb.CreateTableOutput](ctx, in, api.CreateTable)
}
