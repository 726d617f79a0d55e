package dynamo

// UpdateKinesisStreamingDestinationInput is the input of UpdateKinesisStreamingDestination.
type UpdateKinesisStreamingDestinationInput struct {
	StreamArn                           *string
	TableName                           *string
	UpdateKinesisStreamingConfiguration *UpdateKinesisStreamingConfiguration
}

// UpdateKinesisStreamingConfiguration sets the precision of the times in records.
type UpdateKinesisStreamingConfiguration struct {
	ApproximateCreationDateTimePrecision string
}

// UpdateKinesisStreamingDestinationOutput is the output of UpdateKinesisStreamingDestination.
type UpdateKinesisStreamingDestinationOutput struct {
	DestinationStatus                   string
	StreamArn                           *string
	TableName                           *string
	UpdateKinesisStreamingConfiguration *UpdateKinesisStreamingConfiguration
}
