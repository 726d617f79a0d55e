package dynamo

import "time"

// ListBulkOperationsInput is the input of ListBulkOperations.
type ListBulkOperationsInput struct {
	MaxResults *int32
	NextToken  *string
}

// ListBulkOperationsOutput is the output of ListBulkOperations.
type ListBulkOperationsOutput struct {
	BulkOperationsSummaryList []BulkOperationSummary
	NextToken                 *string
}

// BulkOperationSummary names a bulk operation and its status.
type BulkOperationSummary struct {
	BulkOperationArn    *string
	BulkOperationStatus string
	EndTime             *time.Time
	StartTime           *time.Time
}
