package request

import "sortkey.dev/engine/internal/dynamo"

// UpdateKinesisStreamingDestination is a checked UpdateKinesisStreamingDestinationInput.
type UpdateKinesisStreamingDestination struct {
	Table     string // as the request names it: a name or an ARN
	StreamARN string
	Precision string
}

// CheckUpdateKinesisStreamingDestination checks the input of UpdateKinesisStreamingDestination.
func CheckUpdateKinesisStreamingDestination(in *dynamo.UpdateKinesisStreamingDestinationInput) (*UpdateKinesisStreamingDestination, error) {
	if in.TableName == nil {
		return nil, errNoTableName()
	}
	var v violations
	precision := ""
	if c := in.UpdateKinesisStreamingConfiguration; c != nil {
		precision = c.ApproximateCreationDateTimePrecision
		precisions.checkAt("updateKinesisStreamingConfiguration.approximateCreationDateTimePrecision", precision, &v)
	}
	v.destination(in.TableName, in.StreamArn)
	if err := v.err(); err != nil {
		return nil, err
	}
	if precision == "" {
		return nil, invalid("Streaming destination cannot be updated with given parameters: UpdateKinesisStreamingConfiguration cannot be null or contain only null values")
	}
	return &UpdateKinesisStreamingDestination{Table: *in.TableName, StreamARN: *in.StreamArn, Precision: precision}, nil
}
