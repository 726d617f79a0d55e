package dynamo

// DescribeTableReplicaAutoScalingInput is the input of DescribeTableReplicaAutoScaling.
type DescribeTableReplicaAutoScalingInput struct {
	TableName *string
}

// DescribeTableReplicaAutoScalingOutput is the output of DescribeTableReplicaAutoScaling.
type DescribeTableReplicaAutoScalingOutput struct {
	TableAutoScalingDescription *TableAutoScalingDescription
}

// TableAutoScalingDescription describes a table without replicas.
type TableAutoScalingDescription struct {
	TableName   *string
	TableStatus string
}
