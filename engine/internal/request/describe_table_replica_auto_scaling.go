package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDescribeTableReplicaAutoScaling checks the input of DescribeTableReplicaAutoScaling and returns the table as it was named.
func CheckDescribeTableReplicaAutoScaling(in *dynamo.DescribeTableReplicaAutoScalingInput) (table string, err error) {
	return requireTable(in.TableName)
}
