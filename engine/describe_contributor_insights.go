package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeContributorInsights describes the contributor insights of a table or an index.
func (a *API) DescribeContributorInsights(ctx context.Context, params *dynamodb.DescribeContributorInsightsInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeContributorInsightsOutput, error) {
	return sdk.DescribeContributorInsights(ctx, a.ops, params)
}

func (o *operations) DescribeContributorInsights(_ context.Context, in *dynamo.DescribeContributorInsightsInput) (*dynamo.DescribeContributorInsightsOutput, error) {
	req, err := request.CheckDescribeContributorInsights(in)
	if err != nil {
		return nil, err
	}
	return o.catalog.DescribeContributorInsights(req)
}
