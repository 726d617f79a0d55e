package request

import "sortkey.dev/engine/internal/dynamo"

// DescribeStream is a checked DescribeStreamInput.
type DescribeStream struct {
	Stream     string // its ARN
	After      string // list the shards after this one; empty: from the start
	ChildrenOf string // only the children of this shard; empty: all
	Limit      int    // 1 to 100
}

// maxListedShards is the maximum and the default of Limit.
const maxListedShards = 100

// CheckDescribeStream checks the input of DescribeStream.
func CheckDescribeStream(in *dynamo.DescribeStreamInput) (*DescribeStream, error) {
	var v violations
	v.requireStreamARN(in.StreamArn, "streamArn")
	limit := v.limit(in.Limit, maxListedShards)
	v.shardID(in.ExclusiveStartShardId, "exclusiveStartShardId")
	if f := in.ShardFilter; f != nil {
		shardFilters.require(shardFilters.path, f.Type, &v)
		v.requireShardID(f.ShardId, "shardFilter.shardId")
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	if err := checkStreamARN(*in.StreamArn); err != nil {
		return nil, err
	}
	describe := &DescribeStream{Stream: *in.StreamArn, After: textOf(in.ExclusiveStartShardId), Limit: limit}
	if in.ShardFilter != nil {
		describe.ChildrenOf = *in.ShardFilter.ShardId
	}
	return describe, nil
}
