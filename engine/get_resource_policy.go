package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// GetResourcePolicy returns the policy of a table or a stream.
func (a *API) GetResourcePolicy(ctx context.Context, params *dynamodb.GetResourcePolicyInput, _ ...func(*dynamodb.Options)) (*dynamodb.GetResourcePolicyOutput, error) {
	return sdk.GetResourcePolicy(ctx, a.ops, params)
}

func (o *operations) GetResourcePolicy(_ context.Context, in *dynamo.GetResourcePolicyInput) (*dynamo.GetResourcePolicyOutput, error) {
	resource, err := request.CheckGetResourcePolicy(in)
	if err != nil {
		return nil, err
	}
	policy, err := o.catalog.GetResourcePolicy(resource)
	if err != nil {
		return nil, err
	}
	return &dynamo.GetResourcePolicyOutput{Policy: &policy.Document, RevisionId: &policy.Revision}, nil
}
