package dynamo

import "context"

// API is the operations the engine knows, those of streams among them, in its own vocabulary. The doors
// (wire, sdk) call it; the engine implements it.
type API interface {
	BatchGetItem(context.Context, *BatchGetItemInput) (*BatchGetItemOutput, error)
	BatchWriteItem(context.Context, *BatchWriteItemInput) (*BatchWriteItemOutput, error)
	CreateTable(context.Context, *CreateTableInput) (*CreateTableOutput, error)
	DeleteItem(context.Context, *DeleteItemInput) (*DeleteItemOutput, error)
	DeleteTable(context.Context, *DeleteTableInput) (*DeleteTableOutput, error)
	DescribeEndpoints(context.Context, *DescribeEndpointsInput) (*DescribeEndpointsOutput, error)
	DescribeLimits(context.Context, *DescribeLimitsInput) (*DescribeLimitsOutput, error)
	DescribeStream(context.Context, *DescribeStreamInput) (*DescribeStreamOutput, error)
	DescribeTable(context.Context, *DescribeTableInput) (*DescribeTableOutput, error)
	DescribeTimeToLive(context.Context, *DescribeTimeToLiveInput) (*DescribeTimeToLiveOutput, error)
	GetItem(context.Context, *GetItemInput) (*GetItemOutput, error)
	GetRecords(context.Context, *GetRecordsInput) (*GetRecordsOutput, error)
	GetShardIterator(context.Context, *GetShardIteratorInput) (*GetShardIteratorOutput, error)
	ListStreams(context.Context, *ListStreamsInput) (*ListStreamsOutput, error)
	ListTables(context.Context, *ListTablesInput) (*ListTablesOutput, error)
	ListTagsOfResource(context.Context, *ListTagsOfResourceInput) (*ListTagsOfResourceOutput, error)
	PutItem(context.Context, *PutItemInput) (*PutItemOutput, error)
	Query(context.Context, *QueryInput) (*QueryOutput, error)
	Scan(context.Context, *ScanInput) (*ScanOutput, error)
	TagResource(context.Context, *TagResourceInput) (*TagResourceOutput, error)
	TransactGetItems(context.Context, *TransactGetItemsInput) (*TransactGetItemsOutput, error)
	TransactWriteItems(context.Context, *TransactWriteItemsInput) (*TransactWriteItemsOutput, error)
	UntagResource(context.Context, *UntagResourceInput) (*UntagResourceOutput, error)
	UpdateItem(context.Context, *UpdateItemInput) (*UpdateItemOutput, error)
	UpdateTable(context.Context, *UpdateTableInput) (*UpdateTableOutput, error)
	UpdateTimeToLive(context.Context, *UpdateTimeToLiveInput) (*UpdateTimeToLiveOutput, error)
}
