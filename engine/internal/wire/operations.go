package wire

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
)

// An operation decodes its input from s, runs it on api and appends the response
// to dst. The scanner is at the start of the body.
type operation func(ctx context.Context, api dynamo.API, t target, s *scanner, dst []byte) ([]byte, error)

// operations holds one line per operation, sorted by name.
var operations = map[string]operation{
	"BatchExecuteStatement":               items(readBatchExecuteStatement, dynamo.API.BatchExecuteStatement, appendBatchExecuteStatement),
	"BatchGetItem":                        items(readBatchGetItem, dynamo.API.BatchGetItem, appendBatchGetItem),
	"BatchWriteItem":                      items(readBatchWriteItem, dynamo.API.BatchWriteItem, appendBatchWriteItem),
	"CancelBulkOperation":                 tables(dynamo.API.CancelBulkOperation),
	"CreateTable":                         tables(dynamo.API.CreateTable, "GlobalTableSettingsReplicationMode", "GlobalTableSourceArn"),
	"DeleteBackup":                        tables(dynamo.API.DeleteBackup),
	"DeleteItem":                          items(readDeleteItem, dynamo.API.DeleteItem, appendWrite),
	"DeleteResourcePolicy":                tables(dynamo.API.DeleteResourcePolicy),
	"DeleteTable":                         tables(dynamo.API.DeleteTable),
	"DescribeBackup":                      tables(dynamo.API.DescribeBackup),
	"DescribeBulkOperation":               tables(dynamo.API.DescribeBulkOperation),
	"DescribeContinuousBackups":           tables(dynamo.API.DescribeContinuousBackups),
	"DescribeContributorInsights":         tables(dynamo.API.DescribeContributorInsights),
	"DescribeEndpoints":                   describeEndpoints,
	"DescribeExport":                      tables(dynamo.API.DescribeExport),
	"DescribeGlobalTable":                 tables(dynamo.API.DescribeGlobalTable),
	"DescribeGlobalTableSettings":         tables(dynamo.API.DescribeGlobalTableSettings),
	"DescribeImport":                      tables(dynamo.API.DescribeImport),
	"DescribeKinesisStreamingDestination": tables(dynamo.API.DescribeKinesisStreamingDestination),
	"DescribeLimits":                      tables(dynamo.API.DescribeLimits),
	"DescribeStream":                      tables(dynamo.API.DescribeStream),
	"DescribeTable":                       tables(dynamo.API.DescribeTable),
	"DescribeTableReplicaAutoScaling":     tables(dynamo.API.DescribeTableReplicaAutoScaling),
	"DescribeTimeToLive":                  tables(dynamo.API.DescribeTimeToLive),
	"DisableKinesisStreamingDestination":  tables(dynamo.API.DisableKinesisStreamingDestination),
	"EnableKinesisStreamingDestination":   tables(dynamo.API.EnableKinesisStreamingDestination),
	"ExecuteStatement":                    items(readExecuteStatement, dynamo.API.ExecuteStatement, appendExecuteStatement),
	"ExecuteTransaction":                  items(readExecuteTransaction, dynamo.API.ExecuteTransaction, appendExecuteTransaction),
	"GetItem":                             items(readGetItem, dynamo.API.GetItem, appendGetItem),
	"GetRecords":                          items(readGetRecords, dynamo.API.GetRecords, appendGetRecords),
	"GetResourcePolicy":                   tables(dynamo.API.GetResourcePolicy),
	"GetShardIterator":                    tables(dynamo.API.GetShardIterator),
	"ListBackups":                         tables(dynamo.API.ListBackups),
	"ListBulkOperations":                  tables(dynamo.API.ListBulkOperations),
	"ListContributorInsights":             tables(dynamo.API.ListContributorInsights),
	"ListExports":                         tables(dynamo.API.ListExports),
	"ListGlobalTables":                    tables(dynamo.API.ListGlobalTables),
	"ListImports":                         tables(dynamo.API.ListImports),
	"ListStreams":                         tables(dynamo.API.ListStreams),
	"ListTables":                          tables(dynamo.API.ListTables),
	"ListTagsOfResource":                  tables(dynamo.API.ListTagsOfResource),
	"PutItem":                             items(readPutItem, dynamo.API.PutItem, appendWrite),
	"PutResourcePolicy":                   tables(dynamo.API.PutResourcePolicy),
	"Query":                               pages(readQuery, dynamo.API.Query),
	"Scan":                                pages(readScan, dynamo.API.Scan),
	"SearchVectors":                       items(readSearchVectors, dynamo.API.SearchVectors, appendSearchVectors),
	"StartBulkPutItems":                   tables(dynamo.API.StartBulkPutItems),
	"TagResource":                         withoutAnswer(tables(dynamo.API.TagResource)),
	"TransactGetItems":                    items(readTransactGetItems, dynamo.API.TransactGetItems, appendTransactGetItems),
	"TransactWriteItems":                  items(readTransactWriteItems, dynamo.API.TransactWriteItems, appendTransactWriteItems),
	"UntagResource":                       withoutAnswer(tables(dynamo.API.UntagResource)),
	"UpdateContinuousBackups":             tables(dynamo.API.UpdateContinuousBackups),
	"UpdateContributorInsights":           tables(dynamo.API.UpdateContributorInsights),
	"UpdateItem":                          items(readUpdateItem, dynamo.API.UpdateItem, appendWrite),
	"UpdateKinesisStreamingDestination":   tables(dynamo.API.UpdateKinesisStreamingDestination),
	"UpdateTable": tables(dynamo.API.UpdateTable, "DisassociationProtectionEnabled", "GlobalTableSettingsReplicationMode",
		"GlobalTableWitnessUpdates", "MultiRegionConsistency", "ReplicaUpdates"),
	"UpdateTimeToLive": tables(dynamo.API.UpdateTimeToLive),
}

// interfaceOf returns the interface that an operation belongs to. Streams have their own
// interface, and an operation sent to the other one is unknown there.
func interfaceOf(operation string) string {
	switch operation {
	case "DescribeStream", "GetRecords", "GetShardIterator", "ListStreams":
		return streamsInterface
	default:
		return tablesInterface
	}
}

// items returns an operation on items, or on records of them, from its three steps.
func items[In, Out any](
	read func(*scanner) *In,
	call func(dynamo.API, context.Context, *In) (*Out, error),
	write func([]byte, *Out) []byte,
) operation {
	return func(ctx context.Context, api dynamo.API, _ target, s *scanner, dst []byte) ([]byte, error) {
		s.reserve()
		in := read(s)
		if err := s.finish(); err != nil {
			return dst, err
		}
		out, err := call(api, ctx, in)
		if err != nil {
			return dst, err
		}
		return write(dst, out), nil
	}
}

// tables returns an operation on tables, tags or streams. unsupported names the parameters that
// DynamoDB has for it and sortkey does not.
func tables[In, Out any](call func(dynamo.API, context.Context, *In) (*Out, error), unsupported ...string) operation {
	return func(ctx context.Context, api dynamo.API, _ target, s *scanner, dst []byte) ([]byte, error) {
		in := new(In)
		if err := s.readInput(in, unsupported); err != nil {
			return dst, err
		}
		out, err := call(api, ctx, in)
		if err != nil {
			return dst, err
		}
		return appendShape(dst, out), nil
	}
}

// withoutAnswer drops the empty object of operations whose DynamoDB response has no body.
func withoutAnswer(op operation) operation {
	return func(ctx context.Context, api dynamo.API, t target, s *scanner, dst []byte) ([]byte, error) {
		_, err := op(ctx, api, t, s, nil)
		return dst, err
	}
}
