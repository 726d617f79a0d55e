package request

import (
	"strings"
	"testing"
	"time"

	"sortkey.dev/engine/internal/dynamo"
)

const (
	streamARN = tableARN + "/stream/2026-10-08T23:07:31.275"
	shardID   = "shardId-00000001414562045508-2bac9cd2"
)

// null, short and longer return messages about members of the stream operations.
func null(path string) string {
	return "Value null at '" + path + "' failed to satisfy constraint: Member must not be null"
}

func short(value, path, least string) string {
	return "Value '" + value + "' at '" + path + "' failed to satisfy constraint: Member must have length greater than or equal to " + least
}

func longer(value, path, most string) string {
	return "Value '" + value + "' at '" + path + "' failed to satisfy constraint: Member must have length less than or equal to " + most
}

const (
	noLimit  = "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
	bigLimit = "Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100"
)

func TestListStreamsErrors(t *testing.T) {
	tests := []struct {
		name string
		in   dynamo.ListStreamsInput
		want string
	}{
		{"nothing asked", dynamo.ListStreamsInput{}, ""},
		{"least limit", dynamo.ListStreamsInput{Limit: new(int32(1))}, ""},
		{"greatest limit", dynamo.ListStreamsInput{Limit: new(int32(100))}, ""},
		{"limit too great", dynamo.ListStreamsInput{Limit: new(int32(101))}, one(bigLimit)},
		{"shortest table name", dynamo.ListStreamsInput{TableName: new("abc")}, ""},
		{"longest table name", dynamo.ListStreamsInput{TableName: new(long(255))}, ""},
		{"table name too long", dynamo.ListStreamsInput{TableName: new(long(256))}, one(longer(long(256), "tableName", "255"))},
		{"table named by its ARN", dynamo.ListStreamsInput{TableName: new(tableARN)},
			one("Value '" + tableARN + "' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")},
		{"members in their order", dynamo.ListStreamsInput{TableName: new("ab"), Limit: new(int32(0)), ExclusiveStartStreamArn: new(long(36))},
			"3 validation errors detected: " + short("ab", "tableName", "3") + "; " + noLimit + "; " + short(long(36), "exclusiveStartStreamArn", "37")},
		{"start that is no ARN", dynamo.ListStreamsInput{ExclusiveStartStreamArn: new(long(37))}, "Invalid StreamArn"},
		{"start at a stream", dynamo.ListStreamsInput{ExclusiveStartStreamArn: new(streamARN)}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := CheckListStreams(&test.in)
			expect(t, err, test.want)
		})
	}
}

func TestDescribeStreamErrors(t *testing.T) {
	filter := func(word string, id *string) *dynamo.ShardFilter {
		return &dynamo.ShardFilter{Type: word, ShardId: id}
	}
	tests := []struct {
		name string
		in   dynamo.DescribeStreamInput
		want string
	}{
		{"a stream", dynamo.DescribeStreamInput{StreamArn: new(streamARN)}, ""},
		{"no stream", dynamo.DescribeStreamInput{}, one(null("streamArn"))},
		{"stream too short", dynamo.DescribeStreamInput{StreamArn: new(long(36))}, one(short(long(36), "streamArn", "37"))},
		{"no stream's name", dynamo.DescribeStreamInput{StreamArn: new(long(37))}, "Invalid StreamArn"},
		{"longest name", dynamo.DescribeStreamInput{StreamArn: new(long(1024))}, "Invalid StreamArn"},
		{"name too long", dynamo.DescribeStreamInput{StreamArn: new(long(1025))}, one(longer(long(1025), "streamArn", "1024"))},
		{"a table's ARN", dynamo.DescribeStreamInput{StreamArn: new(tableARN)}, "Invalid StreamArn"},
		{"members in their order", dynamo.DescribeStreamInput{
			Limit: new(int32(0)), ExclusiveStartShardId: new("x"), ShardFilter: filter("X", new("y")),
		}, "5 validation errors detected: " + null("streamArn") + "; " + noLimit + "; " + short("x", "exclusiveStartShardId", "28") +
			"; Value 'X' at 'shardFilter.type' failed to satisfy constraint: Member must satisfy enum value set: [CHILD_SHARDS]; " +
			short("y", "shardFilter.shardId", "28")},
		{"greatest limit", dynamo.DescribeStreamInput{StreamArn: new(streamARN), Limit: new(int32(100))}, ""},
		{"limit too great", dynamo.DescribeStreamInput{StreamArn: new(streamARN), Limit: new(int32(101))}, one(bigLimit)},
		{"shortest shard", dynamo.DescribeStreamInput{StreamArn: new(streamARN), ExclusiveStartShardId: new(long(28))}, ""},
		{"longest shard", dynamo.DescribeStreamInput{StreamArn: new(streamARN), ExclusiveStartShardId: new(long(65))}, ""},
		{"shard too long", dynamo.DescribeStreamInput{StreamArn: new(streamARN), ExclusiveStartShardId: new(long(66))},
			one(longer(long(66), "exclusiveStartShardId", "65"))},
		{"children", dynamo.DescribeStreamInput{StreamArn: new(streamARN), ShardFilter: filter("CHILD_SHARDS", new(shardID))}, ""},
		{"children of no shard", dynamo.DescribeStreamInput{StreamArn: new(streamARN), ShardFilter: filter("CHILD_SHARDS", nil)},
			one(null("shardFilter.shardId"))},
		{"filter without type", dynamo.DescribeStreamInput{StreamArn: new(streamARN), ShardFilter: filter("", new(shardID))},
			one(null("shardFilter.type"))},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := CheckDescribeStream(&test.in)
			expect(t, err, test.want)
		})
	}
}

func TestGetShardIteratorErrors(t *testing.T) {
	number := strings.Repeat("0", 21)
	tests := []struct {
		name   string
		change func(in *dynamo.GetShardIteratorInput)
		want   string
	}{
		{"from the start", func(*dynamo.GetShardIteratorInput) {}, ""},
		{"at the end", func(in *dynamo.GetShardIteratorInput) { in.ShardIteratorType = "LATEST" }, ""},
		{"members in their order", func(in *dynamo.GetShardIteratorInput) {
			*in = dynamo.GetShardIteratorInput{SequenceNumber: new(long(20))}
		}, "4 validation errors detected: " + null("streamArn") + "; " + null("shardId") + "; " + null("shardIteratorType") + "; " + short(long(20), "sequenceNumber", "21")},
		{"unknown type", func(in *dynamo.GetShardIteratorInput) { in.ShardIteratorType = "AT_NOON" },
			one("Value 'AT_NOON' at 'shardIteratorType' failed to satisfy constraint: Member must satisfy enum value set: [TRIM_HORIZON, LATEST, AT_SEQUENCE_NUMBER, AFTER_SEQUENCE_NUMBER, AT_TIMESTAMP]")},
		{"shard too short", func(in *dynamo.GetShardIteratorInput) { in.ShardId = new(long(27)) }, one(short(long(27), "shardId", "28"))},
		{"shard too long", func(in *dynamo.GetShardIteratorInput) { in.ShardId = new(long(66)) }, one(longer(long(66), "shardId", "65"))},
		{"no stream's name", func(in *dynamo.GetShardIteratorInput) { in.StreamArn = new(tableARN) }, "Invalid StreamArn"},
		{"shortest number", func(in *dynamo.GetShardIteratorInput) {
			in.ShardIteratorType, in.SequenceNumber = "AT_SEQUENCE_NUMBER", &number
		}, ""},
		{"longest number", func(in *dynamo.GetShardIteratorInput) {
			in.ShardIteratorType, in.SequenceNumber = "AFTER_SEQUENCE_NUMBER", new(strings.Repeat("9", 40))
		}, ""},
		{"number too long", func(in *dynamo.GetShardIteratorInput) {
			in.ShardIteratorType, in.SequenceNumber = "AFTER_SEQUENCE_NUMBER", new(strings.Repeat("9", 41))
		}, one(longer(strings.Repeat("9", 41), "sequenceNumber", "40"))},
		{"number of letters", func(in *dynamo.GetShardIteratorInput) {
			in.ShardIteratorType, in.SequenceNumber = "AT_SEQUENCE_NUMBER", new(long(21))
		}, "Invalid SequenceNumber"},
		{"no number", func(in *dynamo.GetShardIteratorInput) { in.ShardIteratorType = "AFTER_SEQUENCE_NUMBER" },
			invalidHead + "SequenceNumber is required when ShardIteratorType is AFTER_SEQUENCE_NUMBER"},
		{"a number to spare", func(in *dynamo.GetShardIteratorInput) { in.SequenceNumber = &number },
			invalidHead + "SequenceNumber must not be specified when ShardIteratorType is TRIM_HORIZON"},
		{"at a time", func(in *dynamo.GetShardIteratorInput) {
			in.ShardIteratorType, in.Timestamp = "AT_TIMESTAMP", new(time.UnixMilli(20_500))
		}, ""},
		{"no time", func(in *dynamo.GetShardIteratorInput) { in.ShardIteratorType = "AT_TIMESTAMP" },
			invalidHead + "Timestamp is required when ShardIteratorType is AT_TIMESTAMP"},
		{"a time to spare", func(in *dynamo.GetShardIteratorInput) {
			in.ShardIteratorType, in.SequenceNumber, in.Timestamp = "AT_SEQUENCE_NUMBER", &number, new(time.Now())
		}, invalidHead + "Timestamp must not be specified when ShardIteratorType is AT_SEQUENCE_NUMBER"},
		{"a number beside a time", func(in *dynamo.GetShardIteratorInput) {
			in.ShardIteratorType, in.SequenceNumber, in.Timestamp = "AT_TIMESTAMP", &number, new(time.Now())
		}, invalidHead + "SequenceNumber must not be specified when ShardIteratorType is AT_TIMESTAMP"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := &dynamo.GetShardIteratorInput{StreamArn: new(streamARN), ShardId: new(shardID), ShardIteratorType: "TRIM_HORIZON"}
			test.change(in)
			_, err := CheckGetShardIterator(in)
			expect(t, err, test.want)
		})
	}
}

func TestGetRecordsErrors(t *testing.T) {
	tests := []struct {
		name string
		in   dynamo.GetRecordsInput
		want string
	}{
		{"all there is", dynamo.GetRecordsInput{ShardIterator: new("x")}, ""},
		{"no iterator and no records", dynamo.GetRecordsInput{Limit: new(int32(0))}, "2 validation errors detected: " + null("shardIterator") + "; " + noLimit},
		{"empty iterator", dynamo.GetRecordsInput{ShardIterator: new("")}, one(short("", "shardIterator", "1"))},
		{"longest iterator", dynamo.GetRecordsInput{ShardIterator: new(long(2048))}, ""},
		{"iterator too long", dynamo.GetRecordsInput{ShardIterator: new(long(2049))}, one(longer(long(2049), "shardIterator", "2048"))},
		{"most records", dynamo.GetRecordsInput{ShardIterator: new("x"), Limit: new(int32(1000))}, ""},
		{"too many records", dynamo.GetRecordsInput{ShardIterator: new("x"), Limit: new(int32(1001))},
			one("Value '1001' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 1000")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := CheckGetRecords(&test.in)
			expect(t, err, test.want)
		})
	}
}

func TestStreamRequestsAreResolved(t *testing.T) {
	list, err := CheckListStreams(&dynamo.ListStreamsInput{})
	if err != nil || *list != (ListStreams{Limit: 100}) {
		t.Errorf("an empty request became %+v, %v", list, err)
	}
	list, err = CheckListStreams(&dynamo.ListStreamsInput{TableName: new("Music"), ExclusiveStartStreamArn: new(streamARN), Limit: new(int32(5))})
	if err != nil || *list != (ListStreams{Table: "Music", After: streamARN, Limit: 5}) {
		t.Errorf("got %+v, %v", list, err)
	}
	describe, err := CheckDescribeStream(&dynamo.DescribeStreamInput{StreamArn: new(streamARN)})
	if err != nil || *describe != (DescribeStream{Stream: streamARN, Limit: 100}) {
		t.Errorf("got %+v, %v", describe, err)
	}
	describe, err = CheckDescribeStream(&dynamo.DescribeStreamInput{
		StreamArn: new(streamARN), ExclusiveStartShardId: new(long(28)), Limit: new(int32(1)),
		ShardFilter: &dynamo.ShardFilter{Type: "CHILD_SHARDS", ShardId: new(shardID)},
	})
	if err != nil || *describe != (DescribeStream{Stream: streamARN, After: long(28), ChildrenOf: shardID, Limit: 1}) {
		t.Errorf("got %+v, %v", describe, err)
	}
	records, err := CheckGetRecords(&dynamo.GetRecordsInput{ShardIterator: new("x")})
	if err != nil || *records != (GetRecords{Iterator: "x", Limit: 1000}) {
		t.Errorf("got %+v, %v", records, err)
	}
	number := strings.Repeat("1", 21)
	for word, want := range map[string]GetShardIterator{
		"TRIM_HORIZON":          {From: TrimHorizon},
		"LATEST":                {From: Latest},
		"AT_SEQUENCE_NUMBER":    {From: FromSequence, Sequence: number},
		"AFTER_SEQUENCE_NUMBER": {From: AfterSequence, Sequence: number},
	} {
		in := &dynamo.GetShardIteratorInput{StreamArn: new(streamARN), ShardId: new(shardID), ShardIteratorType: word}
		if want.Sequence != "" {
			in.SequenceNumber = &want.Sequence
		}
		want.Stream, want.Shard = streamARN, shardID
		if got, err := CheckGetShardIterator(in); err != nil || *got != want {
			t.Errorf("%s became %+v, %v", word, got, err)
		}
	}
}

func TestStreamARNs(t *testing.T) {
	got, ok := ParseStreamARN(streamARN)
	want := StreamARN{Table: TableARN{"aws", "eu-west-1", "123456789012", "Music"}, Label: "2026-10-08T23:07:31.275"}
	if !ok || got != want {
		t.Errorf("%s was taken as %+v, %t", streamARN, got, ok)
	}
	for _, arn := range []string{"", tableARN, tableARN + "/stream/", tableARN + "/index/byB/stream/x", streamARN + "/x",
		"arn:aws:dynamodb:eu-west-1:123456789012:table//stream/x", "arn:aws:kinesis:eu-west-1:123456789012:table/Music/stream/x",
		tableARN + "/stream/" + long(1024)} {
		if got, ok := ParseStreamARN(arn); ok || got != (StreamARN{}) {
			t.Errorf("%s was taken as %+v", arn, got)
		}
	}
}
