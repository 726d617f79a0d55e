package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDescribeExport checks the input of DescribeExport and returns the ARN.
func CheckDescribeExport(in *dynamo.DescribeExportInput) (string, error) {
	return requireARN(in.ExportArn, "exportArn", "export")
}
