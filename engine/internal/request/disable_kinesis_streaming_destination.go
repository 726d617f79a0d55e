package request

import "sortkey.dev/engine/internal/dynamo"

// DisableKinesisStreamingDestination is a checked DisableKinesisStreamingDestinationInput.
type DisableKinesisStreamingDestination struct {
	Table     string // as the request names it: a name or an ARN
	StreamARN string
}

// CheckDisableKinesisStreamingDestination checks the input of DisableKinesisStreamingDestination.
func CheckDisableKinesisStreamingDestination(in *dynamo.DisableKinesisStreamingDestinationInput) (*DisableKinesisStreamingDestination, error) {
	if in.TableName == nil {
		return nil, errNoTableName()
	}
	var v violations
	v.destination(in.TableName, in.StreamArn)
	if err := v.err(); err != nil {
		return nil, err
	}
	if in.EnableKinesisStreamingConfiguration != nil {
		return nil, invalid("Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters")
	}
	return &DisableKinesisStreamingDestination{Table: *in.TableName, StreamARN: *in.StreamArn}, nil
}
