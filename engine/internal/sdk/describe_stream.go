package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/engine/internal/dynamo"
)

func describeStream(ctx context.Context, api dynamo.API, in *dynamodbstreams.DescribeStreamInput) (*dynamodbstreams.DescribeStreamOutput, error) {
	out, err := mirror[dynamodbstreams.DescribeStreamOutput](ctx, in, api.DescribeStream)
	if err != nil {
		return nil, err
	}
	if out.StreamDescription != nil {
		out.StreamDescription.Shards = nonNil(out.StreamDescription.Shards)
	}
	return out, nil
}
