package stream

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

func TestDescribeStream(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewOldImage)
	d := db.describe(arn)
	shards := d.Shards
	d.Shards = nil
	name, label, id, created := "birds", "2026-11-01T12:00:00.000", "id", noon
	want := &dynamo.StreamDescription{
		CreationRequestDateTime: &created, KeySchema: []dynamo.KeySchemaElement{{AttributeName: &id, KeyType: "HASH"}},
		StreamArn: &arn, StreamLabel: &label, StreamStatus: "ENABLED", StreamViewType: "OLD_IMAGE", TableName: &name,
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	ids := regexp.MustCompile(`^shardId-0000000\d{13}-[0-9a-f]{8}$`)
	numbers := regexp.MustCompile(`^\d{21,40}$`)
	for _, shard := range shards {
		r := shard.SequenceNumberRange
		if !ids.MatchString(*shard.ShardId) || !numbers.MatchString(*r.StartingSequenceNumber) || r.EndingSequenceNumber != nil || shard.ParentShardId != nil {
			t.Errorf("a new shard is described as %s %v %v", *shard.ShardId, r, shard.ParentShardId)
		}
	}
	if len(shards) == 0 {
		t.Error("a new stream has no shards")
	}
	db.switchStream("birds", "")
	d = db.describe(arn)
	if d.StreamStatus != "DISABLED" || len(d.Shards) != len(shards) {
		t.Errorf("after it was disabled it is %s and has %d shards, want %d", d.StreamStatus, len(d.Shards), len(shards))
	}
	for _, shard := range d.Shards {
		if shard.SequenceNumberRange.EndingSequenceNumber == nil {
			t.Errorf("shard %s of a disabled stream is open", *shard.ShardId)
		}
	}
}

func TestNumbersGrowFromRecordToRecordAndFromParentToChild(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	parent := db.shardOf("birds", "owl")
	db.put("birds", "owl", 1, 3)
	if err := db.catalog.ReplaceShard(t.Context(), arn, db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl")), 2); err != nil {
		t.Fatal(err)
	}
	db.put("birds", "owl", 4, 5)
	byID := map[string]dynamo.Shard{}
	for _, shard := range db.describe(arn).Shards {
		byID[*shard.ShardId] = shard
	}
	child := byID[db.shardOf("birds", "owl")]
	if child.ParentShardId == nil || *child.ParentShardId != parent {
		t.Fatalf("the parent of %s is %v, want %s", *child.ShardId, child.ParentShardId, parent)
	}
	closed := byID[parent].SequenceNumberRange
	numbers := []string{*closed.StartingSequenceNumber}
	records, next := db.records(db.iterator(arn, parent, request.TrimHorizon, ""), 100)
	if next != "" {
		t.Error("the closed shard has no end")
	}
	more, _ := db.records(db.iterator(arn, *child.ShardId, request.TrimHorizon, ""), 100)
	for _, r := range records {
		numbers = append(numbers, r.SequenceNumber)
	}
	numbers = append(numbers, *closed.EndingSequenceNumber, *child.SequenceNumberRange.StartingSequenceNumber)
	for _, r := range more {
		numbers = append(numbers, r.SequenceNumber)
	}
	if len(numbers) != 8 {
		t.Fatalf("%d and %d records, want 3 and 2", len(records), len(more))
	}
	for i := 1; i < len(numbers); i++ {
		if len(numbers[i]) != len(numbers[i-1]) || numbers[i] <= numbers[i-1] {
			t.Errorf("%s is followed by %s", numbers[i-1], numbers[i])
		}
	}
}

func TestDescribeStreamPagesAndFilters(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	parent := db.shardOf("birds", "owl")
	if err := db.catalog.ReplaceShard(t.Context(), arn, db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl")), 2); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, shard := range db.describe(arn).Shards {
		all = append(all, *shard.ShardId)
	}
	last := all[len(all)-1]
	for _, test := range []struct {
		name              string
		after, childrenOf string
		limit             int
		want              []string
		more              bool
		err               dynamo.Code
	}{
		{name: "all", limit: len(all), want: all},
		{name: "first two", limit: 2, want: all[:2], more: true},
		{name: "after the second", after: all[1], limit: 100, want: all[2:]},
		{name: "after the last", after: last, limit: 100},
		{name: "children", childrenOf: parent, limit: 100, want: all[4:]},
		{name: "a page of children", childrenOf: parent, limit: 1, want: all[4:5], more: true},
		{name: "children after one", childrenOf: parent, after: all[4], limit: 1, want: all[5:]},
		{name: "children of an open shard", childrenOf: last, limit: 1},
		{name: "after an unknown one", after: "shardId-00000001793534400000-0000ffff", limit: 1},
		{name: "after one of another time", after: "shardId-00000000000000000001-00000001", limit: 1},
		{name: "after nonsense", after: "nonsense", limit: 1},
		{name: "children of nonsense", childrenOf: "shardId-nonsense-", limit: 1, err: dynamo.ResourceNotFound},
	} {
		out, err := db.DescribeStream(t.Context(), &request.DescribeStream{Stream: arn, After: test.after, ChildrenOf: test.childrenOf, Limit: test.limit})
		if got := code(t, err); got != test.err {
			t.Errorf("%s: error %v, want %q", test.name, err, test.err)
		}
		if err != nil {
			continue
		}
		var got []string
		for _, shard := range out.StreamDescription.Shards {
			got = append(got, *shard.ShardId)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		next := out.StreamDescription.LastEvaluatedShardId
		if test.more != (next != nil) || test.more && *next != got[len(got)-1] {
			t.Errorf("%s: next %v", test.name, next)
		}
	}
}

func TestUnknownStreams(t *testing.T) {
	db := newDatabase(t)
	for arn, want := range map[string]string{
		"arn:aws:dynamodb:eu-west-1:111122223333:table/birds/stream/2026-11-01T12:00:00.000": "ResourceNotFoundException: Requested resource not found: " +
			"Stream: arn:aws:dynamodb:eu-west-1:111122223333:table/birds/stream/2026-11-01T12:00:00.000 not found",
		"arn:aws:dynamodb:eu-west-2:111122223333:table/birds/stream/2026-11-01T12:00:00.000": "ValidationException: Invalid StreamArn",
		"arn:tin:dynamodb:eu-west-1:111122223333:table/birds/stream/2026-11-01T12:00:00.000": "ValidationException: Invalid StreamArn",
		"arn:aws:dynamodb:eu-west-1:111122223333:table/birds":                                "ValidationException: Invalid StreamArn",
	} {
		_, described := db.DescribeStream(t.Context(), &request.DescribeStream{Stream: arn, Limit: 1})
		_, iterated := db.GetShardIterator(t.Context(), &request.GetShardIterator{Stream: arn})
		_, followed := db.Follow(t.Context(), arn, true)
		for operation, err := range map[string]error{"DescribeStream": described, "GetShardIterator": iterated, "Follow": followed} {
			if err == nil || err.Error() != want {
				t.Errorf("%s of %s: %v, want %s", operation, arn, err, want)
			}
		}
	}
}
