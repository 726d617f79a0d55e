package conformance

import (
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// What the steps of a case file can call: the operations of the two services,
// and two steps of the suite's own.

// operations lists the operations of the engine.
var operations = []string{
	"BatchExecuteStatement", "BatchGetItem", "BatchWriteItem", "CreateTable", "DeleteBackup", "DeleteItem", "DeleteResourcePolicy", "DeleteTable", "DescribeBackup",
	"DescribeContinuousBackups", "DescribeContributorInsights", "DescribeEndpoints", "DescribeExport", "DescribeGlobalTable", "DescribeGlobalTableSettings",
	"DescribeImport", "DescribeKinesisStreamingDestination", "DescribeLimits", "DescribeTable", "DescribeTableReplicaAutoScaling", "DescribeTimeToLive", "DisableKinesisStreamingDestination", "EnableKinesisStreamingDestination", "ExecuteStatement", "ExecuteTransaction", "GetItem",
	"GetResourcePolicy", "ListBackups", "ListContributorInsights", "ListExports", "ListGlobalTables", "ListImports", "ListTables", "ListTagsOfResource", "PutItem", "PutResourcePolicy", "Query",
	"Scan", "SearchVectors", "TagResource", "TransactGetItems", "TransactWriteItems", "UntagResource", "UpdateContinuousBackups", "UpdateContributorInsights", "UpdateItem", "UpdateKinesisStreamingDestination",
	"UpdateTable", "UpdateTimeToLive",

	"DescribeStream", "GetRecords", "GetShardIterator", "ListStreams",
}

// overHTTP are operations that the SDK for Go does not have yet. Files with them are for HTTP only.
var overHTTP = []string{"CancelBulkOperation", "DescribeBulkOperation", "ListBulkOperations", "StartBulkPutItems"}

// The steps that are no operations.
const (
	readStream = "ReadStream" // all records of a stream
	moveClock  = "Clock"      // moves the engine's clock
)

// isStep reports whether a case file may use this name.
func isStep(name string) bool {
	return name == readStream || name == moveClock || slices.Contains(overHTTP, name) || isStreamOperation(name) || isOperationOf(reflect.TypeFor[*dynamodb.Client](), name)
}

// isStreamOperation reports whether an operation belongs to DynamoDB Streams.
func isStreamOperation(name string) bool {
	return isOperationOf(reflect.TypeFor[*dynamodbstreams.Client](), name)
}

// isOperationOf reports whether a client of the SDK has this operation.
func isOperationOf(client reflect.Type, name string) bool {
	method, ok := client.MethodByName(name)
	return ok && method.Type.NumOut() == 2 && method.Type.NumIn() == 4
}

// target names an operation in the header X-Amz-Target.
func target(operation string) string {
	if isStreamOperation(operation) {
		return "DynamoDBStreams_20120810." + operation
	}
	return "DynamoDB_20120810." + operation
}
