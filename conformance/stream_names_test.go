package conformance

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// The names that streams give things cannot be told beforehand, but have a form
// that clients rely on. Documented or observed on AWS, October 2026.
var (
	streamLabel    = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}$`)
	shardID        = regexp.MustCompile(`^shardId-[0-9]{20}-[0-9a-f]{8}$`)
	sequenceNumber = regexp.MustCompile(`^[0-9]{21,40}$`)
	eventID        = regexp.MustCompile(`^[0-9a-f]{32}$`)
	wholeSeconds   = regexp.MustCompile(`^[0-9]+(\.0+)?$`)
)

func TestStreamNames(t *testing.T) {
	for _, name := range doorNames {
		t.Run(name, func(t *testing.T) {
			d := openDoor(t, name)
			created := mustCall(t, d, "CreateTable", strings.Replace(createThings, "{", `{"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}, `, 1))
			mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`)
			mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}, "x": {"S": "x"}}}`)

			arn := part(t, created, "TableDescription.LatestStreamArn")
			label := part(t, created, "TableDescription.LatestStreamLabel")
			checkForm(t, "label", label, streamLabel)
			if arn != localARN("things")+"/stream/"+label {
				t.Errorf("the stream's ARN is %s", arn)
			}
			description := mustCall(t, d, "DescribeStream", inFullJSON(map[string]any{"StreamArn": arn}))
			shard := part(t, description, "StreamDescription.Shards[0].ShardId")
			checkForm(t, "shard", shard, shardID)
			checkForm(t, "start of a shard", part(t, description, "StreamDescription.Shards[0].SequenceNumberRange.StartingSequenceNumber"), sequenceNumber)

			iterator := mustCall(t, d, "GetShardIterator", inFullJSON(map[string]any{"StreamArn": arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}))
			checkForm(t, "iterator", part(t, iterator, "ShardIterator"), regexp.MustCompile(`^`+regexp.QuoteMeta(arn)+`\|[0-9]\|.+$`))
			checkRecordNames(t, d, arn)
		})
	}
}

// checkRecordNames checks the two records of a stream.
func checkRecordNames(t *testing.T, d door, arn string) {
	t.Helper()
	got, err := readWholeStream(t.Context(), d, inFullJSON(map[string]any{"StreamArn": arn}))
	if err != nil || got.failure != nil {
		t.Fatal(err, got.failure)
	}
	for _, record := range []string{"Records[0]", "Records[1]"} {
		checkForm(t, "event id", part(t, got.output, record+".eventID"), eventID)
		checkForm(t, "sequence number", part(t, got.output, record+".dynamodb.SequenceNumber"), sequenceNumber)
		if where := part(t, got.output, record+".awsRegion"); where != region {
			t.Errorf("%s is of region %s", record, where)
		}
		when, err := member(got.output, record+".dynamodb.ApproximateCreationDateTime")
		if number, ok := when.(json.Number); err != nil || !ok || !wholeSeconds.MatchString(number.String()) {
			t.Errorf("%s was created at %v, want whole seconds: %v", record, when, err)
		}
	}
	if part(t, got.output, "Records[0].eventID") == part(t, got.output, "Records[1].eventID") {
		t.Error("two records have the same event id")
	}
}

func part(t *testing.T, tree map[string]any, path string) string {
	t.Helper()
	value, err := member(tree, path)
	text, ok := value.(string)
	if err != nil || !ok {
		t.Fatalf("%s is %v, %v", path, value, err)
	}
	return text
}

func checkForm(t *testing.T, what, got string, form *regexp.Regexp) {
	t.Helper()
	if !form.MatchString(got) {
		t.Errorf("%s is %q, want the form %s", what, got, form)
	}
}
