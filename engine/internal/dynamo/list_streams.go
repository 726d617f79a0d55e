package dynamo

// ListStreamsInput is the input of ListStreams.
type ListStreamsInput struct {
	ExclusiveStartStreamArn *string
	Limit                   *int32
	TableName               *string
}

// ListStreamsOutput is the output of ListStreams.
type ListStreamsOutput struct {
	LastEvaluatedStreamArn *string
	Streams                []StreamSummary
}

// A StreamSummary names one stream.
type StreamSummary struct {
	StreamArn   *string
	StreamLabel *string
	TableName   *string
}
