package wire

import (
	"context"
	"sync"

	"sortkey.dev/engine/internal/dynamo"
)

// A fake is an API that records its input and returns what
// the test put into it.
type fake struct {
	mu    sync.Mutex
	input any
	// output is the output to return, a pointer of the operation's type; nil for an empty one.
	output any
	err    error
	panics any
}

var _ dynamo.API = (*fake)(nil)

func reply[Out any](s *fake, input any) (*Out, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.input = input
	if s.panics != nil {
		panic(s.panics)
	}
	if s.err != nil {
		return nil, s.err
	}
	if out, ok := s.output.(*Out); ok {
		return out, nil
	}
	return new(Out), nil
}

func (s *fake) BatchExecuteStatement(_ context.Context, in *dynamo.BatchExecuteStatementInput) (*dynamo.BatchExecuteStatementOutput, error) {
	return reply[dynamo.BatchExecuteStatementOutput](s, in)
}

func (s *fake) BatchGetItem(_ context.Context, in *dynamo.BatchGetItemInput) (*dynamo.BatchGetItemOutput, error) {
	return reply[dynamo.BatchGetItemOutput](s, in)
}

func (s *fake) BatchWriteItem(_ context.Context, in *dynamo.BatchWriteItemInput) (*dynamo.BatchWriteItemOutput, error) {
	return reply[dynamo.BatchWriteItemOutput](s, in)
}

func (s *fake) CancelBulkOperation(_ context.Context, in *dynamo.CancelBulkOperationInput) (*dynamo.CancelBulkOperationOutput, error) {
	return reply[dynamo.CancelBulkOperationOutput](s, in)
}

func (s *fake) CreateTable(_ context.Context, in *dynamo.CreateTableInput) (*dynamo.CreateTableOutput, error) {
	return reply[dynamo.CreateTableOutput](s, in)
}

func (s *fake) DeleteBackup(_ context.Context, in *dynamo.DeleteBackupInput) (*dynamo.DeleteBackupOutput, error) {
	return reply[dynamo.DeleteBackupOutput](s, in)
}

func (s *fake) DeleteItem(_ context.Context, in *dynamo.DeleteItemInput) (*dynamo.DeleteItemOutput, error) {
	return reply[dynamo.DeleteItemOutput](s, in)
}

func (s *fake) DeleteResourcePolicy(_ context.Context, in *dynamo.DeleteResourcePolicyInput) (*dynamo.DeleteResourcePolicyOutput, error) {
	return reply[dynamo.DeleteResourcePolicyOutput](s, in)
}

func (s *fake) DeleteTable(_ context.Context, in *dynamo.DeleteTableInput) (*dynamo.DeleteTableOutput, error) {
	return reply[dynamo.DeleteTableOutput](s, in)
}

func (s *fake) DescribeBackup(_ context.Context, in *dynamo.DescribeBackupInput) (*dynamo.DescribeBackupOutput, error) {
	return reply[dynamo.DescribeBackupOutput](s, in)
}

func (s *fake) DescribeBulkOperation(_ context.Context, in *dynamo.DescribeBulkOperationInput) (*dynamo.DescribeBulkOperationOutput, error) {
	return reply[dynamo.DescribeBulkOperationOutput](s, in)
}

func (s *fake) DescribeContinuousBackups(_ context.Context, in *dynamo.DescribeContinuousBackupsInput) (*dynamo.DescribeContinuousBackupsOutput, error) {
	return reply[dynamo.DescribeContinuousBackupsOutput](s, in)
}

func (s *fake) DescribeContributorInsights(_ context.Context, in *dynamo.DescribeContributorInsightsInput) (*dynamo.DescribeContributorInsightsOutput, error) {
	return reply[dynamo.DescribeContributorInsightsOutput](s, in)
}

func (s *fake) DescribeEndpoints(_ context.Context, in *dynamo.DescribeEndpointsInput) (*dynamo.DescribeEndpointsOutput, error) {
	return reply[dynamo.DescribeEndpointsOutput](s, in)
}

func (s *fake) DescribeExport(_ context.Context, in *dynamo.DescribeExportInput) (*dynamo.DescribeExportOutput, error) {
	return reply[dynamo.DescribeExportOutput](s, in)
}

func (s *fake) DescribeGlobalTable(_ context.Context, in *dynamo.DescribeGlobalTableInput) (*dynamo.DescribeGlobalTableOutput, error) {
	return reply[dynamo.DescribeGlobalTableOutput](s, in)
}

func (s *fake) DescribeGlobalTableSettings(_ context.Context, in *dynamo.DescribeGlobalTableSettingsInput) (*dynamo.DescribeGlobalTableSettingsOutput, error) {
	return reply[dynamo.DescribeGlobalTableSettingsOutput](s, in)
}

func (s *fake) DescribeImport(_ context.Context, in *dynamo.DescribeImportInput) (*dynamo.DescribeImportOutput, error) {
	return reply[dynamo.DescribeImportOutput](s, in)
}

func (s *fake) DescribeKinesisStreamingDestination(_ context.Context, in *dynamo.DescribeKinesisStreamingDestinationInput) (*dynamo.DescribeKinesisStreamingDestinationOutput, error) {
	return reply[dynamo.DescribeKinesisStreamingDestinationOutput](s, in)
}

func (s *fake) DescribeLimits(_ context.Context, in *dynamo.DescribeLimitsInput) (*dynamo.DescribeLimitsOutput, error) {
	return reply[dynamo.DescribeLimitsOutput](s, in)
}

func (s *fake) DescribeStream(_ context.Context, in *dynamo.DescribeStreamInput) (*dynamo.DescribeStreamOutput, error) {
	return reply[dynamo.DescribeStreamOutput](s, in)
}

func (s *fake) DescribeTable(_ context.Context, in *dynamo.DescribeTableInput) (*dynamo.DescribeTableOutput, error) {
	return reply[dynamo.DescribeTableOutput](s, in)
}

func (s *fake) DescribeTableReplicaAutoScaling(_ context.Context, in *dynamo.DescribeTableReplicaAutoScalingInput) (*dynamo.DescribeTableReplicaAutoScalingOutput, error) {
	return reply[dynamo.DescribeTableReplicaAutoScalingOutput](s, in)
}

func (s *fake) DescribeTimeToLive(_ context.Context, in *dynamo.DescribeTimeToLiveInput) (*dynamo.DescribeTimeToLiveOutput, error) {
	return reply[dynamo.DescribeTimeToLiveOutput](s, in)
}

func (s *fake) DisableKinesisStreamingDestination(_ context.Context, in *dynamo.DisableKinesisStreamingDestinationInput) (*dynamo.DisableKinesisStreamingDestinationOutput, error) {
	return reply[dynamo.DisableKinesisStreamingDestinationOutput](s, in)
}

func (s *fake) EnableKinesisStreamingDestination(_ context.Context, in *dynamo.EnableKinesisStreamingDestinationInput) (*dynamo.EnableKinesisStreamingDestinationOutput, error) {
	return reply[dynamo.EnableKinesisStreamingDestinationOutput](s, in)
}

func (s *fake) ExecuteStatement(_ context.Context, in *dynamo.ExecuteStatementInput) (*dynamo.ExecuteStatementOutput, error) {
	return reply[dynamo.ExecuteStatementOutput](s, in)
}

func (s *fake) ExecuteTransaction(_ context.Context, in *dynamo.ExecuteTransactionInput) (*dynamo.ExecuteTransactionOutput, error) {
	return reply[dynamo.ExecuteTransactionOutput](s, in)
}

func (s *fake) GetItem(_ context.Context, in *dynamo.GetItemInput) (*dynamo.GetItemOutput, error) {
	return reply[dynamo.GetItemOutput](s, in)
}

func (s *fake) GetRecords(_ context.Context, in *dynamo.GetRecordsInput) (*dynamo.GetRecordsOutput, error) {
	return reply[dynamo.GetRecordsOutput](s, in)
}

func (s *fake) GetResourcePolicy(_ context.Context, in *dynamo.GetResourcePolicyInput) (*dynamo.GetResourcePolicyOutput, error) {
	return reply[dynamo.GetResourcePolicyOutput](s, in)
}

func (s *fake) GetShardIterator(_ context.Context, in *dynamo.GetShardIteratorInput) (*dynamo.GetShardIteratorOutput, error) {
	return reply[dynamo.GetShardIteratorOutput](s, in)
}

func (s *fake) ListBackups(_ context.Context, in *dynamo.ListBackupsInput) (*dynamo.ListBackupsOutput, error) {
	return reply[dynamo.ListBackupsOutput](s, in)
}

func (s *fake) ListBulkOperations(_ context.Context, in *dynamo.ListBulkOperationsInput) (*dynamo.ListBulkOperationsOutput, error) {
	return reply[dynamo.ListBulkOperationsOutput](s, in)
}

func (s *fake) ListContributorInsights(_ context.Context, in *dynamo.ListContributorInsightsInput) (*dynamo.ListContributorInsightsOutput, error) {
	return reply[dynamo.ListContributorInsightsOutput](s, in)
}

func (s *fake) ListExports(_ context.Context, in *dynamo.ListExportsInput) (*dynamo.ListExportsOutput, error) {
	return reply[dynamo.ListExportsOutput](s, in)
}

func (s *fake) ListGlobalTables(_ context.Context, in *dynamo.ListGlobalTablesInput) (*dynamo.ListGlobalTablesOutput, error) {
	return reply[dynamo.ListGlobalTablesOutput](s, in)
}

func (s *fake) ListImports(_ context.Context, in *dynamo.ListImportsInput) (*dynamo.ListImportsOutput, error) {
	return reply[dynamo.ListImportsOutput](s, in)
}

func (s *fake) ListStreams(_ context.Context, in *dynamo.ListStreamsInput) (*dynamo.ListStreamsOutput, error) {
	return reply[dynamo.ListStreamsOutput](s, in)
}

func (s *fake) ListTables(_ context.Context, in *dynamo.ListTablesInput) (*dynamo.ListTablesOutput, error) {
	return reply[dynamo.ListTablesOutput](s, in)
}

func (s *fake) ListTagsOfResource(_ context.Context, in *dynamo.ListTagsOfResourceInput) (*dynamo.ListTagsOfResourceOutput, error) {
	return reply[dynamo.ListTagsOfResourceOutput](s, in)
}

func (s *fake) PutItem(_ context.Context, in *dynamo.PutItemInput) (*dynamo.PutItemOutput, error) {
	return reply[dynamo.PutItemOutput](s, in)
}

func (s *fake) PutResourcePolicy(_ context.Context, in *dynamo.PutResourcePolicyInput) (*dynamo.PutResourcePolicyOutput, error) {
	return reply[dynamo.PutResourcePolicyOutput](s, in)
}

func (s *fake) Query(_ context.Context, in *dynamo.QueryInput) (*dynamo.QueryOutput, error) {
	return reply[dynamo.QueryOutput](s, in)
}

func (s *fake) Scan(_ context.Context, in *dynamo.ScanInput) (*dynamo.ScanOutput, error) {
	return reply[dynamo.ScanOutput](s, in)
}

func (s *fake) SearchVectors(_ context.Context, in *dynamo.SearchVectorsInput) (*dynamo.SearchVectorsOutput, error) {
	return reply[dynamo.SearchVectorsOutput](s, in)
}

func (s *fake) StartBulkPutItems(_ context.Context, in *dynamo.StartBulkPutItemsInput) (*dynamo.StartBulkPutItemsOutput, error) {
	return reply[dynamo.StartBulkPutItemsOutput](s, in)
}

func (s *fake) TagResource(_ context.Context, in *dynamo.TagResourceInput) (*dynamo.TagResourceOutput, error) {
	return reply[dynamo.TagResourceOutput](s, in)
}

func (s *fake) TransactGetItems(_ context.Context, in *dynamo.TransactGetItemsInput) (*dynamo.TransactGetItemsOutput, error) {
	return reply[dynamo.TransactGetItemsOutput](s, in)
}

func (s *fake) TransactWriteItems(_ context.Context, in *dynamo.TransactWriteItemsInput) (*dynamo.TransactWriteItemsOutput, error) {
	return reply[dynamo.TransactWriteItemsOutput](s, in)
}

func (s *fake) UntagResource(_ context.Context, in *dynamo.UntagResourceInput) (*dynamo.UntagResourceOutput, error) {
	return reply[dynamo.UntagResourceOutput](s, in)
}

func (s *fake) UpdateContinuousBackups(_ context.Context, in *dynamo.UpdateContinuousBackupsInput) (*dynamo.UpdateContinuousBackupsOutput, error) {
	return reply[dynamo.UpdateContinuousBackupsOutput](s, in)
}

func (s *fake) UpdateContributorInsights(_ context.Context, in *dynamo.UpdateContributorInsightsInput) (*dynamo.UpdateContributorInsightsOutput, error) {
	return reply[dynamo.UpdateContributorInsightsOutput](s, in)
}

func (s *fake) UpdateItem(_ context.Context, in *dynamo.UpdateItemInput) (*dynamo.UpdateItemOutput, error) {
	return reply[dynamo.UpdateItemOutput](s, in)
}

func (s *fake) UpdateKinesisStreamingDestination(_ context.Context, in *dynamo.UpdateKinesisStreamingDestinationInput) (*dynamo.UpdateKinesisStreamingDestinationOutput, error) {
	return reply[dynamo.UpdateKinesisStreamingDestinationOutput](s, in)
}

func (s *fake) UpdateTable(_ context.Context, in *dynamo.UpdateTableInput) (*dynamo.UpdateTableOutput, error) {
	return reply[dynamo.UpdateTableOutput](s, in)
}

func (s *fake) UpdateTimeToLive(_ context.Context, in *dynamo.UpdateTimeToLiveInput) (*dynamo.UpdateTimeToLiveOutput, error) {
	return reply[dynamo.UpdateTimeToLiveOutput](s, in)
}
