package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeExport describes an export. There are none yet, so it always fails.
func (a *API) DescribeExport(ctx context.Context, params *dynamodb.DescribeExportInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeExportOutput, error) {
	return sdk.DescribeExport(ctx, a.ops, params)
}

func (o *operations) DescribeExport(_ context.Context, in *dynamo.DescribeExportInput) (*dynamo.DescribeExportOutput, error) {
	arn, err := request.CheckDescribeExport(in)
	if err != nil {
		return nil, err
	}
	return nil, dynamo.Errorf(dynamo.ExportNotFound, "Export not found: %s", arn)
}
