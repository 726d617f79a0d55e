package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// ListContributorInsights runs ListContributorInsights on api.
func ListContributorInsights(ctx context.Context, api dynamo.API, in *dynamodb.ListContributorInsightsInput) (*dynamodb.ListContributorInsightsOutput, error) {
	return call(ctx, api, "ListContributorInsights", in, listContributorInsights)
}

func listContributorInsights(ctx context.Context, api dynamo.API, in *dynamodb.ListContributorInsightsInput) (*dynamodb.ListContributorInsightsOutput, error) {
	return mirror[dynamodb.ListContributorInsightsOutput](ctx, in, api.ListContributorInsights)
}
