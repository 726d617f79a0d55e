package stream

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// ListStreams lists streams in the order of their ARNs, including disabled ones.
func (s *Streams) ListStreams(_ context.Context, req *request.ListStreams) (*dynamo.ListStreamsOutput, error) {
	if err := s.catalog.Err(); err != nil {
		return nil, err
	}
	out := &dynamo.ListStreamsOutput{Streams: []dynamo.StreamSummary{}}
	for _, stream := range s.catalog.Streams() {
		if stream.ARN <= req.After || req.Table != "" && req.Table != stream.Table {
			continue
		}
		if len(out.Streams) == req.Limit {
			out.LastEvaluatedStreamArn = out.Streams[req.Limit-1].StreamArn
			break
		}
		out.Streams = append(out.Streams, dynamo.StreamSummary{StreamArn: &stream.ARN, StreamLabel: &stream.Label, TableName: &stream.Table})
	}
	return out, nil
}
