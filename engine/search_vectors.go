package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/sdk"
)

// SearchVectors finds the items of a vector index that are most similar to a vector.
// The search is exact.
func (a *API) SearchVectors(ctx context.Context, params *dynamodb.SearchVectorsInput, _ ...func(*dynamodb.Options)) (*dynamodb.SearchVectorsOutput, error) {
	return sdk.SearchVectors(ctx, a.ops, params)
}

func (o *operations) SearchVectors(ctx context.Context, in *dynamo.SearchVectorsInput) (*dynamo.SearchVectorsOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := o.wording.CheckSearchVectors(in)
	if err != nil {
		return nil, err
	}
	return o.tables.SearchVectors(ctx, req)
}
