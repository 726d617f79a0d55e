package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDescribeImport checks the input of DescribeImport and returns the ARN.
func CheckDescribeImport(in *dynamo.DescribeImportInput) (string, error) {
	return requireARN(in.ImportArn, "importArn", "import")
}
