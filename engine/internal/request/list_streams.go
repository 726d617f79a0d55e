package request

import "sortkey.dev/engine/internal/dynamo"

// ListStreams is a checked ListStreamsInput.
type ListStreams struct {
	Table string // only its streams; empty: those of all tables
	After string // list the streams after this ARN; empty: from the start
	Limit int    // 1 to 100
}

// maxListedStreams is the maximum and the default of Limit.
const maxListedStreams = 100

// CheckListStreams checks the input of ListStreams. This operation takes the
// name of a table, not its ARN.
func CheckListStreams(in *dynamo.ListStreamsInput) (*ListStreams, error) {
	var v violations
	if in.TableName != nil {
		v.name(minTableName, *in.TableName, "tableName")
	}
	limit := v.limit(in.Limit, maxListedStreams)
	v.streamARN(in.ExclusiveStartStreamArn, "exclusiveStartStreamArn")
	if err := v.err(); err != nil {
		return nil, err
	}
	list := &ListStreams{Table: textOf(in.TableName), After: textOf(in.ExclusiveStartStreamArn), Limit: limit}
	if err := checkStreamARN(list.After); err != nil {
		return nil, err
	}
	return list, nil
}
