package stream

import (
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

func TestIteratorPositions(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	shard := db.shardOf("birds", "owl")
	db.put("birds", "owl", 1, 3)
	log := db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl"))
	number := func(sequence uint64) string { return sequenceNumber(log, sequence) }
	// Iterators of all types before and after three more records are written, and
	// before and after the shard is closed.
	for _, test := range []struct {
		name     string
		from     request.IteratorType
		sequence string
		want     string // with owl4 and owl5 written in between
		later    string // of a new iterator at the end
	}{
		{"oldest", request.TrimHorizon, "", "owl1 owl2 owl3 owl4 owl5", "owl1 owl2 owl3 owl4 owl5"},
		{"latest", request.Latest, "", "owl4 owl5", ""},
		{"at the start", request.FromSequence, number(0), "owl1 owl2 owl3 owl4 owl5", "owl1 owl2 owl3 owl4 owl5"},
		{"after the start", request.AfterSequence, number(0), "owl1 owl2 owl3 owl4 owl5", "owl1 owl2 owl3 owl4 owl5"},
		{"at the second", request.FromSequence, number(2), "owl2 owl3 owl4 owl5", "owl2 owl3 owl4 owl5"},
		{"after the second", request.AfterSequence, number(2), "owl3 owl4 owl5", "owl3 owl4 owl5"},
		{"after the last", request.AfterSequence, number(3), "owl4 owl5", "owl4 owl5"},
	} {
		db := newDatabase(t)
		if got := db.createTable("birds", dynamo.ViewNewImage); got != arn {
			t.Fatal(got)
		}
		db.put("birds", "owl", 1, 3)
		before := db.iterator(arn, shard, test.from, test.sequence)
		db.put("birds", "owl", 4, 5)
		open := db.iterator(arn, shard, test.from, test.sequence)
		db.switchStream("birds", "")
		closed := db.iterator(arn, shard, test.from, test.sequence)
		for when, c := range map[string]struct{ iterator, want string }{
			"before": {before, test.want}, "then": {open, test.later}, "when it was closed": {closed, test.later},
		} {
			records, next := db.records(c.iterator, 100)
			if got := versions(records); got != c.want || next != "" {
				t.Errorf("%s, taken %s: %q, next %q, want %q and no next", test.name, when, got, next, c.want)
			}
			if !strings.HasPrefix(c.iterator, arn+"|1|") || len(c.iterator) > 2048 {
				t.Errorf("iterator %q", c.iterator)
			}
		}
	}
}

func TestTheEndOfAClosedShardIsAPosition(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	shard := db.shardOf("birds", "owl")
	db.put("birds", "owl", 1, 3)
	db.switchStream("birds", "")
	for _, described := range db.describe(arn).Shards {
		end := *described.SequenceNumberRange.EndingSequenceNumber
		for _, from := range []request.IteratorType{request.FromSequence, request.AfterSequence} {
			records, next := db.records(db.iterator(arn, *described.ShardId, from, end), 100)
			if len(records) != 0 || next != "" {
				t.Errorf("at the end of %s: %s, next %q", *described.ShardId, versions(records), next)
			}
		}
		if *described.ShardId == shard && !strings.HasSuffix(end, "4") {
			t.Errorf("a shard with 3 records ends at %s", end)
		}
	}
}

func TestInvalidIterators(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	shard := db.shardOf("birds", "owl")
	db.put("birds", "owl", 1, 3)
	log := db.catalog.Lookup("birds").Stream.LogOf(hashOf("owl"))
	const noShard = "ResourceNotFoundException: Requested resource not found: Shard does not exist"
	const badNumber = "ValidationException: Invalid SequenceNumber"
	for _, test := range []struct {
		name, shard, sequence, want string
	}{
		{"unknown shard", "shardId-00000001793534400000-00000099", "", noShard},
		{"shard of another time", "shardId-00000001793534400001-00000001", "", noShard},
		{"no shard id", strings.Repeat("x", 40), "", noShard},
		{"longer id", shard + "-00000001", "", noShard},
		{"other shard's number", shard, sequenceNumber(log+1, 1), badNumber},
		{"number to come", shard, sequenceNumber(log, 4), badNumber},
		{"shorter number", shard, "000000000000000000001", badNumber},
		{"other first digit", shard, "2" + sequenceNumber(log, 1)[1:], badNumber},
		{"longer number", shard, sequenceNumber(log, 1) + "0", badNumber},
		{"too great a number", shard, sequenceNumber(log, 1)[:11] + "99999999999999999999", badNumber},
		{"too great a log", shard, "19999999999" + sequenceNumber(log, 1)[11:], badNumber},
	} {
		for _, from := range []request.IteratorType{request.FromSequence, request.AfterSequence} {
			_, err := db.GetShardIterator(t.Context(), &request.GetShardIterator{Stream: arn, Shard: test.shard, From: from, Sequence: test.sequence})
			if err == nil || err.Error() != test.want {
				t.Errorf("%s: %v, want %s", test.name, err, test.want)
			}
		}
	}
}

func FuzzSequenceNumber(f *testing.F) {
	f.Add(sequenceNumber(1, 1))
	f.Add(sequenceNumber(4294967295, 18446744073709551615))
	f.Add("1999999999999999999999999999999")
	f.Add("1+00000000100000000000000000001")
	f.Fuzz(func(t *testing.T, text string) {
		log, sequence, ok := parseNumber(text)
		if ok && sequenceNumber(log, sequence) != text {
			t.Errorf("%q was read as log %d, sequence %d", text, log, sequence)
		}
	})
}
