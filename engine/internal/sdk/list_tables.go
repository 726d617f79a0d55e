package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// ListTables runs ListTables on api.
func ListTables(ctx context.Context, api dynamo.API, in *dynamodb.ListTablesInput) (*dynamodb.ListTablesOutput, error) {
	return call(ctx, api, "ListTables", in, listTables)
}

func listTables(ctx context.Context, api dynamo.API, in *dynamodb.ListTablesInput) (*dynamodb.ListTablesOutput, error) {
	out, err := mirror[dynamodb.ListTablesOutput](ctx, in, api.ListTables)
	if err != nil {
		return nil, err
	}
	out.TableNames = nonNil(out.TableNames)
	return out, nil
}
