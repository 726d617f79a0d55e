package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// PutResourcePolicy sets the policy of a table or a stream. It is stored and returned, not enforced.
func (a *API) PutResourcePolicy(ctx context.Context, params *dynamodb.PutResourcePolicyInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutResourcePolicyOutput, error) {
	return sdk.PutResourcePolicy(ctx, a.ops, params)
}

func (o *operations) PutResourcePolicy(ctx context.Context, in *dynamo.PutResourcePolicyInput) (*dynamo.PutResourcePolicyOutput, error) {
	req, err := request.CheckPutResourcePolicy(in)
	if err != nil {
		return nil, err
	}
	revision, err := o.catalog.PutResourcePolicy(ctx, req)
	if err != nil {
		return nil, err
	}
	return &dynamo.PutResourcePolicyOutput{RevisionId: &revision}, nil
}
