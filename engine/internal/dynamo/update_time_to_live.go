package dynamo

// UpdateTimeToLiveInput is the input of UpdateTimeToLive.
type UpdateTimeToLiveInput struct {
	TableName               *string
	TimeToLiveSpecification *TimeToLiveSpecification
}

// TimeToLiveSpecification switches the expiry of items on or off.
type TimeToLiveSpecification struct {
	AttributeName *string
	Enabled       *bool
}

// UpdateTimeToLiveOutput is the output of UpdateTimeToLive.
type UpdateTimeToLiveOutput struct {
	TimeToLiveSpecification *TimeToLiveSpecification
}
