package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeContributorInsights runs DescribeContributorInsights on api.
func DescribeContributorInsights(ctx context.Context, api dynamo.API, in *dynamodb.DescribeContributorInsightsInput) (*dynamodb.DescribeContributorInsightsOutput, error) {
	return call(ctx, api, "DescribeContributorInsights", in, describeContributorInsights)
}

func describeContributorInsights(ctx context.Context, api dynamo.API, in *dynamodb.DescribeContributorInsightsInput) (*dynamodb.DescribeContributorInsightsOutput, error) {
	return mirror[dynamodb.DescribeContributorInsightsOutput](ctx, in, api.DescribeContributorInsights)
}
