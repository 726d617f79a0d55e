package dynamo

// UpdateKinesisStreamingDestinationInput is the input of UpdateKinesisStreamingDestination.
type UpdateKinesisStreamingDestinationInput struct {
	StreamArn                           *string
	TableName                           *string
	UpdateKinesisStreamingConfiguration *UpdateKinesisStreamingConfiguration
}

// UpdateKinesisStreamingConfiguration says how exactly records tell their time.
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
