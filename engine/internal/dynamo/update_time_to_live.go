package dynamo

// UpdateTimeToLiveInput is the input of UpdateTimeToLive.
type UpdateTimeToLiveInput struct {
	TableName               *string
	TimeToLiveSpecification *TimeToLiveSpecification
}

// TimeToLiveSpecification enables or disables the expiry of items.
type TimeToLiveSpecification struct {
	AttributeName *string
	Enabled       *bool
}

// UpdateTimeToLiveOutput is the output of UpdateTimeToLive.
type UpdateTimeToLiveOutput struct {
	TimeToLiveSpecification *TimeToLiveSpecification
}
