package conformance

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
)

// readWholeStream runs the step ReadStream {"StreamArn": "..."}: all records of
// all shards, from the oldest on. Items of different keys may be in different
// shards, between which there is no order; so records are sorted by their key
// and, for one key, are in the order they have in the stream.
func readWholeStream(ctx context.Context, d door, request string) (answer, error) {
	shards, got, err := allShards(ctx, d, request)
	if err != nil || got.failure != nil {
		return got, err
	}
	records := []any{}
	for _, shard := range shards {
		of, err := shardRecords(ctx, d, request, shard)
		if err != nil {
			return answer{}, fmt.Errorf("shard %s: %w", shard, err)
		}
		records = append(records, of...)
	}
	slices.SortStableFunc(records, func(a, b any) int {
		return cmp.Or(cmp.Compare(recordKey(a), recordKey(b)), recordNumber(a).Cmp(recordNumber(b)))
	})
	return answer{output: map[string]any{"Records": records}}, nil
}

// allShards lists the shards of a stream, page by page. A failure of the first
// page is an answer.
func allShards(ctx context.Context, d door, request string) ([]string, answer, error) {
	var ids []string
	tree, err := parseObject(request)
	if err != nil {
		return nil, answer{}, err
	}
	for {
		got, err := d.call(ctx, "DescribeStream", inFullJSON(tree))
		if err != nil || got.failure != nil {
			return nil, got, err
		}
		description, _ := got.output["StreamDescription"].(map[string]any)
		shards, _ := description["Shards"].([]any)
		for _, shard := range shards {
			id, err := member(shard, "ShardId")
			if err != nil {
				return nil, got, err
			}
			ids = append(ids, id.(string))
		}
		last, more := description["LastEvaluatedShardId"]
		if !more {
			return ids, got, nil
		}
		tree["ExclusiveStartShardId"] = last
	}
}

// shardRecords reads a shard up to the first empty page or its end.
func shardRecords(ctx context.Context, d door, request, shard string) ([]any, error) {
	tree, err := parseObject(request)
	if err != nil {
		return nil, err
	}
	tree["ShardId"], tree["ShardIteratorType"] = shard, "TRIM_HORIZON"
	output, err := succeed(d.call(ctx, "GetShardIterator", inFullJSON(tree)))
	if err != nil {
		return nil, err
	}
	records := []any{}
	for iterator := output["ShardIterator"]; iterator != nil; iterator = output["NextShardIterator"] {
		output, err = succeed(d.call(ctx, "GetRecords", inFullJSON(map[string]any{"ShardIterator": iterator})))
		if err != nil {
			return nil, err
		}
		page, there := output["Records"].([]any)
		if !there {
			return nil, fmt.Errorf("the answer of GetRecords has no Records: %s", inJSON(output))
		}
		if len(page) == 0 {
			break
		}
		records = append(records, page...)
	}
	return records, numbersGrow(records)
}

// numbersGrow checks what holds for every shard.
func numbersGrow(records []any) error {
	for i, record := range records {
		if number := recordNumber(record); number.Sign() <= 0 || i > 0 && recordNumber(records[i-1]).Cmp(number) >= 0 {
			return fmt.Errorf("sequence number %s of record %d does not follow that of the record before", number, i)
		}
	}
	return nil
}

func succeed(got answer, err error) (map[string]any, error) {
	if err == nil && got.failure != nil {
		err = fmt.Errorf("%s: %s", got.failure.code, got.failure.message)
	}
	return got.output, err
}

func recordKey(record any) string {
	keys, _ := member(record, "dynamodb.Keys")
	return inFullJSON(keys)
}

// recordNumber returns the sequence number of a record, or -1.
func recordNumber(record any) *big.Int {
	text, _ := member(record, "dynamodb.SequenceNumber")
	digits, _ := text.(string)
	if number, ok := new(big.Int).SetString(digits, 10); ok {
		return number
	}
	return big.NewInt(-1)
}

// inFullJSON writes a tree that came from JSON.
func inFullJSON(tree any) string {
	text, err := json.Marshal(tree)
	if err != nil {
		return fmt.Sprint(tree)
	}
	return string(text)
}
