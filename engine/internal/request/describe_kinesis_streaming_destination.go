package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDescribeKinesisStreamingDestination checks the input of DescribeKinesisStreamingDestination
// and returns the table as it was named.
func CheckDescribeKinesisStreamingDestination(in *dynamo.DescribeKinesisStreamingDestinationInput) (table string, err error) {
	return requireTable(in.TableName)
}
