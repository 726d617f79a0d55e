package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeImport describes an import. There are none yet, so it always fails.
func (a *API) DescribeImport(ctx context.Context, params *dynamodb.DescribeImportInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeImportOutput, error) {
	return sdk.DescribeImport(ctx, a.ops, params)
}

func (o *operations) DescribeImport(_ context.Context, in *dynamo.DescribeImportInput) (*dynamo.DescribeImportOutput, error) {
	arn, err := request.CheckDescribeImport(in)
	if err != nil {
		return nil, err
	}
	return nil, dynamo.Errorf(dynamo.ImportNotFound, "Import not found: %s", arn)
}
