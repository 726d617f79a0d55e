package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// ListContributorInsights lists the tables and indexes whose contributor insights are switched on.
func (a *API) ListContributorInsights(ctx context.Context, params *dynamodb.ListContributorInsightsInput, _ ...func(*dynamodb.Options)) (*dynamodb.ListContributorInsightsOutput, error) {
	return sdk.ListContributorInsights(ctx, a.ops, params)
}

func (o *operations) ListContributorInsights(_ context.Context, in *dynamo.ListContributorInsightsInput) (*dynamo.ListContributorInsightsOutput, error) {
	req, err := request.CheckListContributorInsights(in)
	if err != nil {
		return nil, err
	}
	return o.catalog.ListContributorInsights(req)
}
