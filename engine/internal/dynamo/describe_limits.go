package dynamo

// DescribeLimitsInput is the input of DescribeLimits.
type DescribeLimitsInput struct{}

// DescribeLimitsOutput is the output of DescribeLimits.
type DescribeLimitsOutput struct {
	AccountMaxReadCapacityUnits  *int64
	AccountMaxWriteCapacityUnits *int64
	TableMaxReadCapacityUnits    *int64
	TableMaxWriteCapacityUnits   *int64
}
