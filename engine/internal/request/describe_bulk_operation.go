package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDescribeBulkOperation checks the input of DescribeBulkOperation and returns the ARN.
func CheckDescribeBulkOperation(in *dynamo.DescribeBulkOperationInput) (arn string, err error) {
	return requireBulkARN(in.BulkOperationArn)
}

func requireBulkARN(arn *string) (string, error) {
	var v violations
	if arn == nil {
		v.missing("bulkOperationArn")
	} else {
		v.length(minDerivedARN, maxARNLength, *arn, "bulkOperationArn")
	}
	return textOf(arn), v.err()
}
