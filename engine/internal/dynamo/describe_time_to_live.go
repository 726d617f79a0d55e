package dynamo

// DescribeTimeToLiveInput is the input of DescribeTimeToLive.
type DescribeTimeToLiveInput struct {
	TableName *string
}

// DescribeTimeToLiveOutput is the output of DescribeTimeToLive.
type DescribeTimeToLiveOutput struct {
	TimeToLiveDescription *TimeToLiveDescription
}

// TimeToLiveDescription tells whether and by which attribute items expire.
type TimeToLiveDescription struct {
	AttributeName    *string
	TimeToLiveStatus string
}
