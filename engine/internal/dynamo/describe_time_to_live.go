package dynamo

// DescribeTimeToLiveInput is the input of DescribeTimeToLive.
type DescribeTimeToLiveInput struct {
	TableName *string
}

// DescribeTimeToLiveOutput is the output of DescribeTimeToLive.
type DescribeTimeToLiveOutput struct {
	TimeToLiveDescription *TimeToLiveDescription
}

// TimeToLiveDescription says whether items expire, and by which attribute.
type TimeToLiveDescription struct {
	AttributeName    *string
	TimeToLiveStatus string
}
