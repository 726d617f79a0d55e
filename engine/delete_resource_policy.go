package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DeleteResourcePolicy deletes the policy of a table or a stream.
func (a *API) DeleteResourcePolicy(ctx context.Context, params *dynamodb.DeleteResourcePolicyInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteResourcePolicyOutput, error) {
	return sdk.DeleteResourcePolicy(ctx, a.ops, params)
}

func (o *operations) DeleteResourcePolicy(ctx context.Context, in *dynamo.DeleteResourcePolicyInput) (*dynamo.DeleteResourcePolicyOutput, error) {
	req, err := request.CheckDeleteResourcePolicy(in)
	if err != nil {
		return nil, err
	}
	revision, err := o.catalog.DeleteResourcePolicy(ctx, req)
	if err != nil {
		return nil, err
	}
	out := &dynamo.DeleteResourcePolicyOutput{}
	if revision != "" {
		out.RevisionId = &revision
	}
	return out, nil
}
