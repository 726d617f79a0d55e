package dynamo

// DescribeKinesisStreamingDestinationInput is the input of DescribeKinesisStreamingDestination.
type DescribeKinesisStreamingDestinationInput struct {
	TableName *string
}

// DescribeKinesisStreamingDestinationOutput is the output of DescribeKinesisStreamingDestination.
type DescribeKinesisStreamingDestinationOutput struct {
	KinesisDataStreamDestinations []KinesisDataStreamDestination
	TableName                     *string
}

// KinesisDataStreamDestination describes a destination of a table's changes. A precision that was
// never set is left out.
type KinesisDataStreamDestination struct {
	ApproximateCreationDateTimePrecision string
	DestinationStatus                    string
	DestinationStatusDescription         *string
	StreamArn                            *string
}
