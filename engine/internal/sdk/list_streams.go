package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/engine/internal/dynamo"
)

func listStreams(ctx context.Context, api dynamo.API, in *dynamodbstreams.ListStreamsInput) (*dynamodbstreams.ListStreamsOutput, error) {
	out, err := mirror[dynamodbstreams.ListStreamsOutput](ctx, in, api.ListStreams)
	if err != nil {
		return nil, err
	}
	out.Streams = nonNil(out.Streams)
	return out, nil
}
