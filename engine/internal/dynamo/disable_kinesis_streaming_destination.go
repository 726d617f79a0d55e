package dynamo

// DisableKinesisStreamingDestinationInput is the input of DisableKinesisStreamingDestination. The
// configuration must not be sent.
type DisableKinesisStreamingDestinationInput struct {
	EnableKinesisStreamingConfiguration *EnableKinesisStreamingConfiguration
	StreamArn                           *string
	TableName                           *string
}

// DisableKinesisStreamingDestinationOutput is the output of DisableKinesisStreamingDestination.
type DisableKinesisStreamingDestinationOutput struct {
	DestinationStatus string
	StreamArn         *string
	TableName         *string
}
