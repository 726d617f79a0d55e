package dynamo

// StartBulkPutItemsInput is the input of StartBulkPutItems.
type StartBulkPutItemsInput struct {
	ClientToken           *string
	InputS3Configuration  *InputS3Configuration
	MaxWriteRequestUnits  *int64
	OutputS3Configuration *OutputS3Configuration
	PerformanceTier       string
	TableName             *string
}

// InputS3Configuration says where the items of a bulk operation are.
type InputS3Configuration struct {
	InputCompressionType string
	InputFormat          string
	S3Bucket             *string
	S3BucketOwner        *string
	S3KeyPrefix          *string
}

// OutputS3Configuration says where a bulk operation reports failed lines.
type OutputS3Configuration struct {
	OutputType     []string
	S3Bucket       *string
	S3BucketOwner  *string
	S3KeyPrefix    *string
	S3SseAlgorithm string
	S3SseKmsKeyId  *string
}

// StartBulkPutItemsOutput is the output of StartBulkPutItems.
type StartBulkPutItemsOutput struct {
	BulkOperationDescription *BulkOperationDescription
}

// The statuses, report modes and formats of a bulk operation.
const (
	BulkInProgress          = "IN_PROGRESS"
	BulkCompleted           = "COMPLETED"
	BulkCompletedWithErrors = "COMPLETED_WITH_ERRORS"
	BulkCancelling          = "CANCELLING"
	BulkCancelled           = "CANCELLED"
	BulkFailed              = "FAILED"

	BulkReportErrors     = "ERROR"
	BulkReportConditions = "CONDITION_CHECK_FAILURE"

	BulkFormatJSON = "DYNAMODB_JSON"
	BulkFormatIon  = "ION"
)

// A BulkLine is one line of the input of a bulk operation: an item to put, and the condition for
// it.
type BulkLine struct {
	Item                RawItem
	ConditionExpression *string
	Expressions
}
