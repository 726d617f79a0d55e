package request

import "sortkey.dev/engine/internal/dynamo"

// CheckCancelBulkOperation checks the input of CancelBulkOperation and returns the ARN.
func CheckCancelBulkOperation(in *dynamo.CancelBulkOperationInput) (arn string, err error) {
	return requireBulkARN(in.BulkOperationArn)
}
