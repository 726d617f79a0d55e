package request

import "sortkey.dev/engine/internal/dynamo"

// EnableKinesisStreamingDestination is a checked EnableKinesisStreamingDestinationInput.
type EnableKinesisStreamingDestination struct {
	Table     string // as the request names it: a name or an ARN
	StreamARN string
	Precision string // empty: none was chosen
}

// CheckEnableKinesisStreamingDestination checks the input of EnableKinesisStreamingDestination.
func CheckEnableKinesisStreamingDestination(in *dynamo.EnableKinesisStreamingDestinationInput) (*EnableKinesisStreamingDestination, error) {
	if in.TableName == nil {
		return nil, errNoTableName()
	}
	var v violations
	precision := ""
	if c := in.EnableKinesisStreamingConfiguration; c != nil {
		precision = c.ApproximateCreationDateTimePrecision
		precisions.checkAt("enableKinesisStreamingConfiguration.approximateCreationDateTimePrecision", precision, &v)
	}
	v.destination(in.TableName, in.StreamArn)
	if err := v.err(); err != nil {
		return nil, err
	}
	return &EnableKinesisStreamingDestination{Table: *in.TableName, StreamARN: *in.StreamArn, Precision: precision}, nil
}
