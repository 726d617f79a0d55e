package stream

import (
	"context"
	"fmt"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// DescribeStream describes a stream and a page of its shards, parents before their children.
func (s *Streams) DescribeStream(ctx context.Context, req *request.DescribeStream) (*dynamo.DescribeStreamOutput, error) {
	stream, err := s.find(req.Stream)
	if err != nil {
		return nil, err
	}
	shards, err := selectShards(stream, req)
	if err != nil {
		return nil, err
	}
	d := &dynamo.StreamDescription{
		CreationRequestDateTime: &stream.Created,
		KeySchema:               stream.KeySchema(),
		Shards:                  []dynamo.Shard{},
		StreamArn:               &stream.ARN,
		StreamLabel:             &stream.Label,
		StreamStatus:            dynamo.StreamEnabled,
		StreamViewType:          stream.View,
		TableName:               &stream.Table,
	}
	if stream.Disabled != nil {
		d.StreamStatus = dynamo.StreamDisabled
	}
	for _, shard := range shards[:min(req.Limit, len(shards))] {
		described, err := s.describeShard(ctx, stream, shard)
		if err != nil {
			return nil, err
		}
		d.Shards = append(d.Shards, described)
	}
	if len(shards) > req.Limit {
		d.LastEvaluatedShardId = d.Shards[req.Limit-1].ShardId
	}
	return &dynamo.DescribeStreamOutput{StreamDescription: d}, nil
}

// selectShards lists the shards of a stream that a request selects. After a shard that
// the stream does not have there are none.
func selectShards(stream *catalog.Stream, req *request.DescribeStream) ([]catalog.Shard, error) {
	var after, parent uint32
	if req.After != "" {
		shard, err := findShard(stream, req.After)
		if err != nil {
			return nil, nil
		}
		after = shard.Log
	}
	if req.ChildrenOf != "" {
		shard, err := findShard(stream, req.ChildrenOf)
		if err != nil {
			return nil, err
		}
		parent = shard.Log
	}
	var selected []catalog.Shard
	for _, shard := range stream.Shards {
		if shard.Log > after && (parent == 0 || shard.Parent == parent) {
			selected = append(selected, shard)
		}
	}
	return selected, nil
}

// describeShard describes a shard. A parent that is no longer listed is not named.
func (s *Streams) describeShard(ctx context.Context, stream *catalog.Stream, shard catalog.Shard) (dynamo.Shard, error) {
	id, start := shardID(shard), sequenceNumber(shard.Log, 0)
	d := dynamo.Shard{ShardId: &id, SequenceNumberRange: &dynamo.SequenceNumberRange{StartingSequenceNumber: &start}}
	if parent, listed := stream.Shard(shard.Parent); listed {
		id := shardID(parent)
		d.ParentShardId = &id
	}
	if shard.Closed == nil {
		return d, nil
	}
	last, err := s.store.LogHorizon(ctx, shard.Log)
	if err != nil {
		return d, fmt.Errorf("find the end of shard %s: %w", id, err)
	}
	end := sequenceNumber(shard.Log, last)
	d.SequenceNumberRange.EndingSequenceNumber = &end
	return d, nil
}
