package dynamo

// CancelBulkOperationInput is the input of CancelBulkOperation.
type CancelBulkOperationInput struct {
	BulkOperationArn *string
}

// CancelBulkOperationOutput is the output of CancelBulkOperation.
type CancelBulkOperationOutput struct {
	BulkOperationArn    *string
	BulkOperationStatus string
}
