package stream

import (
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// The attributes of the row of a shard.
const (
	attrOwner      = "owner"      // the process that has the lease; absent: none
	attrWanted     = "wanted"     // a process that asks for the shard, or is to have it next
	attrLease      = "lease"      // how often the shard was taken
	attrBeat       = "beat"       // counts the owner's signs of life since then
	attrCheckpoint = "checkpoint" // sequence number of the last record that was handled
	attrDone       = "done"       // the shard was read to its end
	attrAt         = "at"         // of the last write
)

// A row is the row of a shard in the table of checkpoints.
type row struct {
	shard         string
	owner, wanted string
	lease, beat   int64
	checkpoint    string
	done          bool
	at            time.Time
	exists        bool // false: no process has ever taken the shard
}

func parseRow(shard string, item access.Item) row {
	at, _ := time.Parse(time.RFC3339Nano, stringOf(item[attrAt])) // the zero time is long ago
	done, _ := item[attrDone].(*types.AttributeValueMemberBOOL)
	return row{
		shard: shard, exists: true, at: at, done: done != nil && done.Value,
		owner: stringOf(item[attrOwner]), wanted: stringOf(item[attrWanted]), checkpoint: stringOf(item[attrCheckpoint]),
		lease: intOf(item[attrLease]), beat: intOf(item[attrBeat]),
	}
}

func stringOf(v types.AttributeValue) string {
	if s, is := v.(*types.AttributeValueMemberS); is {
		return s.Value
	}
	return ""
}

func intOf(v types.AttributeValue) int64 {
	if n, is := v.(*types.AttributeValueMemberN); is {
		i, _ := strconv.ParseInt(n.Value, 10, 64)
		return i
	}
	return 0
}

func stringValue(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func intValue(i int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(i, 10)}
}

func timeValue(t time.Time) types.AttributeValue {
	return stringValue(t.UTC().Format(time.RFC3339Nano))
}
