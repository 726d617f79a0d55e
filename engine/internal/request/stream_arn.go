package request

import "strings"

// A StreamARN holds the parts of arn:PARTITION:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL.
type StreamARN struct {
	Table TableARN
	Label string
}

// ParseStreamARN parses the ARN of a stream.
func ParseStreamARN(arn string) (s StreamARN, ok bool) {
	table, label, found := strings.Cut(arn, "/stream/")
	if !found || len(arn) > maxARNLength || label == "" || strings.Contains(label, "/") {
		return StreamARN{}, false
	}
	s = StreamARN{Label: label}
	if s.Table, ok = ParseTableARN(table); !ok {
		return StreamARN{}, false
	}
	return s, true
}

// minStreamARN is the minimum length of a stream's ARN.
const minStreamARN = 37

// streamARN checks the length of a stream's ARN that was sent.
func (v *violations) streamARN(arn *string, path string) {
	if arn != nil {
		v.length(minStreamARN, maxARNLength, *arn, path)
	}
}

// requireStreamARN is streamARN for a required ARN.
func (v *violations) requireStreamARN(arn *string, path string) {
	if arn == nil {
		v.missing(path)
	}
	v.streamARN(arn, path)
}

// checkStreamARN checks the form of a stream's ARN, empty when none was sent.
func checkStreamARN(arn string) error {
	if _, ok := ParseStreamARN(arn); !ok && arn != "" {
		return invalid("Invalid StreamArn")
	}
	return nil
}

// The length of the id of a shard.
const (
	minShardID = 28
	maxShardID = 65
)

// shardID checks the id of a shard that was sent.
func (v *violations) shardID(id *string, path string) {
	if id != nil {
		v.length(minShardID, maxShardID, *id, path)
	}
}

// requireShardID is shardID for a required id.
func (v *violations) requireShardID(id *string, path string) {
	if id == nil {
		v.missing(path)
	}
	v.shardID(id, path)
}

// limit checks a Limit and returns it, or the maximum when none was sent.
func (v *violations) limit(limit *int32, most int) int {
	if limit == nil {
		return most
	}
	v.atLeast(1, int64(*limit), "limit")
	v.atMost(int64(most), int64(*limit), "limit")
	return int(*limit)
}
