package dynamo

import "time"

// DescribeBulkOperationInput is the input of DescribeBulkOperation.
type DescribeBulkOperationInput struct {
	BulkOperationArn *string
}

// DescribeBulkOperationOutput is the output of DescribeBulkOperation.
type DescribeBulkOperationOutput struct {
	BulkOperationDescription *BulkOperationDescription
}

// BulkOperationDescription describes a bulk operation and its progress.
type BulkOperationDescription struct {
	BulkOperationArn      *string
	BulkOperationStatus   string
	BulkOperationUsage    []BulkOperationUsage
	ClientToken           *string
	EndTime               *time.Time
	FailedItemCount       *int64
	FailureCode           *string
	FailureMessage        *string
	InputS3Configuration  *InputS3Configuration
	MaxWriteRequestUnits  *int64
	OutputS3Configuration *OutputS3Configuration
	PerformanceTier       string
	ProcessedInputBytes   *int64
	ProcessedItemCount    *int64
	StartTime             *time.Time
	TableDetails          []BulkOperationTableDetail
	TotalInputBytes       *int64
}

// BulkOperationUsage holds the bytes of items that a bulk operation has put.
type BulkOperationUsage struct {
	BulkPutBytes *int64
	Table        *BulkOperationBytes
	TableName    *string
}

// BulkOperationBytes is a number of bytes.
type BulkOperationBytes struct {
	BulkPutBytes *int64
}

// BulkOperationTableDetail names a table.
type BulkOperationTableDetail struct {
	TableId   *string
	TableName *string
}
