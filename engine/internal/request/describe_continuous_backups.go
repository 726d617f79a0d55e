package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDescribeContinuousBackups checks the input of DescribeContinuousBackups and returns the table as it was named.
func CheckDescribeContinuousBackups(in *dynamo.DescribeContinuousBackupsInput) (table string, err error) {
	return requireTable(in.TableName)
}
