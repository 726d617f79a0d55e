package request

import "strings"

// A KinesisARN holds the parts of arn:PARTITION:kinesis:REGION:ACCOUNT:stream/NAME.
type KinesisARN struct{ Region, Account, Name string }

// ParseKinesisARN parses the ARN of a Kinesis data stream. The name is a valid file name.
func ParseKinesisARN(arn string) (k KinesisARN, ok bool) {
	parts := strings.SplitN(arn, ":", arnParts)
	if len(parts) < arnParts || parts[0] != "arn" || parts[2] != "kinesis" {
		return KinesisARN{}, false
	}
	name, ok := strings.CutPrefix(parts[arnParts-1], "stream/")
	ok = ok && isName(name) && strings.Trim(name, ".") != "" && len(name) <= 128
	return KinesisARN{Region: parts[3], Account: parts[4], Name: name}, ok
}

// minKinesisARN is the length of the shortest ARN of a Kinesis data stream.
const minKinesisARN = 37

// destination checks the members that all changes of a destination share.
func (v *violations) destination(tableName, streamARN *string) {
	if streamARN == nil {
		v.missing("streamArn")
	} else {
		v.length(minKinesisARN, maxARNLength, *streamARN, "streamArn")
	}
	v.existingTable(*tableName)
}
