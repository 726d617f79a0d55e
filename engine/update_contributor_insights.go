package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// UpdateContributorInsights enables or disables the contributor insights of a table or an
// index. The setting is stored and returned; keys are not counted.
func (a *API) UpdateContributorInsights(ctx context.Context, params *dynamodb.UpdateContributorInsightsInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateContributorInsightsOutput, error) {
	return sdk.UpdateContributorInsights(ctx, a.ops, params)
}

func (o *operations) UpdateContributorInsights(ctx context.Context, in *dynamo.UpdateContributorInsightsInput) (*dynamo.UpdateContributorInsightsOutput, error) {
	req, err := request.CheckUpdateContributorInsights(in)
	if err != nil {
		return nil, err
	}
	return o.catalog.UpdateContributorInsights(ctx, req)
}
