package dynamo

// EnableKinesisStreamingDestinationInput is the input of EnableKinesisStreamingDestination.
type EnableKinesisStreamingDestinationInput struct {
	EnableKinesisStreamingConfiguration *EnableKinesisStreamingConfiguration
	StreamArn                           *string
	TableName                           *string
}

// EnableKinesisStreamingConfiguration sets the precision of the times in records.
type EnableKinesisStreamingConfiguration struct {
	ApproximateCreationDateTimePrecision string
}

// EnableKinesisStreamingDestinationOutput is the output of EnableKinesisStreamingDestination.
type EnableKinesisStreamingDestinationOutput struct {
	DestinationStatus                   string
	EnableKinesisStreamingConfiguration *EnableKinesisStreamingConfiguration
	StreamArn                           *string
	TableName                           *string
}

// The statuses of a destination and the precisions of its times.
const (
	DestinationEnabling     = "ENABLING"
	DestinationActive       = "ACTIVE"
	DestinationDisabling    = "DISABLING"
	DestinationDisabled     = "DISABLED"
	DestinationEnableFailed = "ENABLE_FAILED"
	DestinationUpdating     = "UPDATING"

	PrecisionMillisecond = "MILLISECOND"
	PrecisionMicrosecond = "MICROSECOND"
)
