package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// ListExports lists exports. There are none yet.
func (a *API) ListExports(ctx context.Context, params *dynamodb.ListExportsInput, _ ...func(*dynamodb.Options)) (*dynamodb.ListExportsOutput, error) {
	return sdk.ListExports(ctx, a.ops, params)
}

func (o *operations) ListExports(_ context.Context, in *dynamo.ListExportsInput) (*dynamo.ListExportsOutput, error) {
	if err := request.CheckListExports(in); err != nil {
		return nil, err
	}
	return &dynamo.ListExportsOutput{ExportSummaries: []dynamo.ExportSummary{}}, nil
}
