package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// ListImports lists imports. There are none yet.
func (a *API) ListImports(ctx context.Context, params *dynamodb.ListImportsInput, _ ...func(*dynamodb.Options)) (*dynamodb.ListImportsOutput, error) {
	return sdk.ListImports(ctx, a.ops, params)
}

func (o *operations) ListImports(_ context.Context, in *dynamo.ListImportsInput) (*dynamo.ListImportsOutput, error) {
	if err := request.CheckListImports(in); err != nil {
		return nil, err
	}
	return &dynamo.ListImportsOutput{ImportSummaryList: []dynamo.ImportSummary{}}, nil
}
