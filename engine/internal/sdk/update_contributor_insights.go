package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// UpdateContributorInsights runs UpdateContributorInsights on api.
func UpdateContributorInsights(ctx context.Context, api dynamo.API, in *dynamodb.UpdateContributorInsightsInput) (*dynamodb.UpdateContributorInsightsOutput, error) {
	return call(ctx, api, "UpdateContributorInsights", in, updateContributorInsights)
}

func updateContributorInsights(ctx context.Context, api dynamo.API, in *dynamodb.UpdateContributorInsightsInput) (*dynamodb.UpdateContributorInsightsOutput, error) {
	return mirror[dynamodb.UpdateContributorInsightsOutput](ctx, in, api.UpdateContributorInsights)
}
