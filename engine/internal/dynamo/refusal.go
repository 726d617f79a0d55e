package dynamo

import "slices"

// OperationNames lists the operations of DynamoDB and of DynamoDB Streams, sorted. They are
// the operations of the newest model of the service, which is ahead of the SDK for Go.
var OperationNames = []string{
	"BatchExecuteStatement", "BatchGetItem", "BatchWriteItem", "CancelBulkOperation", "CreateBackup",
	"CreateGlobalTable", "CreateTable", "DeleteBackup", "DeleteItem", "DeleteResourcePolicy", "DeleteTable",
	"DescribeBackup", "DescribeBulkOperation", "DescribeContinuousBackups", "DescribeContributorInsights",
	"DescribeEndpoints", "DescribeExport", "DescribeGlobalTable", "DescribeGlobalTableSettings", "DescribeImport",
	"DescribeKinesisStreamingDestination", "DescribeLimits", "DescribeStream", "DescribeTable",
	"DescribeTableReplicaAutoScaling", "DescribeTimeToLive", "DisableKinesisStreamingDestination",
	"EnableKinesisStreamingDestination", "ExecuteStatement", "ExecuteTransaction", "ExportTableToPointInTime",
	"GetItem", "GetRecords", "GetResourcePolicy", "GetShardIterator", "ImportTable", "ListBackups",
	"ListBulkOperations", "ListContributorInsights", "ListExports", "ListGlobalTables", "ListImports", "ListStreams",
	"ListTables", "ListTagsOfResource", "PutItem", "PutResourcePolicy", "Query", "RestoreTableFromBackup",
	"RestoreTableToPointInTime", "Scan", "SearchVectors", "StartBulkPutItems", "TagResource", "TransactGetItems",
	"TransactWriteItems", "UntagResource", "UpdateContinuousBackups", "UpdateContributorInsights", "UpdateGlobalTable",
	"UpdateGlobalTableSettings", "UpdateItem", "UpdateKinesisStreamingDestination", "UpdateTable",
	"UpdateTableReplicaAutoScaling", "UpdateTimeToLive",
}

// oneRegion says why the engine rejects the replication of tables.
const oneRegion = "it has one region, and tables have no replicas"

// later returns the error for an operation that belongs to a feature of a later release.
func later(operation, feature string) *Error {
	return Errorf(UnknownOperation, "sortkey does not have %s yet: %s comes in a later release", feature, operation)
}

// refusals maps the operations that the engine rejects to their errors. Most are rejected
// whatever their input.
var refusals = map[string]*Error{
	"CreateBackup":                  later("CreateBackup", "backups"),
	"CreateGlobalTable":             errGlobalTables,
	"ExportTableToPointInTime":      later("ExportTableToPointInTime", "exports"),
	"ImportTable":                   later("ImportTable", "imports"),
	"RestoreTableFromBackup":        later("RestoreTableFromBackup", "backups"),
	"RestoreTableToPointInTime":     later("RestoreTableToPointInTime", "point-in-time recovery"),
	"UpdateContinuousBackups":       later("UpdateContinuousBackups", "point-in-time recovery"),
	"UpdateGlobalTable":             errGlobalTables,
	"UpdateGlobalTableSettings":     Invalid("sortkey does not support UpdateGlobalTableSettings: %s", oneRegion),
	"UpdateTableReplicaAutoScaling": Invalid("sortkey does not support UpdateTableReplicaAutoScaling: %s", oneRegion),
}

// errGlobalTables is the error of AWS itself since it no longer creates legacy global tables.
var errGlobalTables = Invalid("One or more parameter values were invalid: DynamoDB global tables version 2017.11.29 is not supported. " +
	"We recommend using DynamoDB global tables version 2019.11.21, instead of version 2017.11.29 (Legacy).")

// Refusal returns the error for an operation that the engine does not support. The error for a
// name that DynamoDB does not know has no message.
func Refusal(operation string) *Error {
	if err := refusals[operation]; err != nil {
		return err
	}
	if _, known := slices.BinarySearch(OperationNames, operation); known {
		return Errorf(UnknownOperation, "sortkey does not have the operation %s yet", operation)
	}
	return &Error{Code: UnknownOperation}
}

// replication lists the parameters that request replicas of a table.
var replication = []string{
	"DisassociationProtectionEnabled", "GlobalTableSettingsReplicationMode", "GlobalTableSourceArn",
	"GlobalTableWitnessUpdates", "MultiRegionConsistency", "ReplicaUpdates",
}

// UnsupportedParameter returns the error for a parameter that DynamoDB has and the engine does not.
func UnsupportedParameter(name string) *Error {
	if slices.Contains(replication, name) {
		return Invalid("sortkey does not support %s: %s", name, oneRegion)
	}
	return Invalid("sortkey does not support %s yet", name)
}
