package stream

import (
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/lease"
)

// The attributes of the row of a shard, besides those of its lease.
const (
	attrCheckpoint = "checkpoint" // sequence number of the last record that was handled
	attrDone       = "done"       // the shard was read to its end
)

// A row is the row of a shard in the table of checkpoints.
type row struct {
	lease.Row
	shard      string
	checkpoint string
	done       bool
}

func parseRow(shard string, item access.Item) row {
	done, _ := item[attrDone].(*types.AttributeValueMemberBOOL)
	return row{Row: lease.Parse(item), shard: shard, checkpoint: stringOf(item[attrCheckpoint]), done: done != nil && done.Value}
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
