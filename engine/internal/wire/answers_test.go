package wire

import (
	"context"
	"net/http"
	"testing"
	"time"

	"sortkey.dev/engine/internal/dynamo"
)

func TestAnswers(t *testing.T) {
	item := textItem("pk", "a")
	itemJSON := `{"pk":{"S":"a"}}`
	capacity := &dynamo.ConsumedCapacity{TableName: "t", Units: 1.5}
	detailed := dynamo.ConsumedCapacity{
		TableName: "t", Units: 4, Write: true, Detailed: true, Table: 1,
		LocalIndexes:  []dynamo.IndexCapacity{{IndexName: "l", Units: 1}},
		VectorIndexes: []dynamo.IndexCapacity{{IndexName: "v", Units: 1024}, {IndexName: "w", Units: 4125}},
		GlobalIndexes: []dynamo.IndexCapacity{{IndexName: "g", Units: 0.5}, {IndexName: "h", Units: 1.5}},
	}
	const vectors = `"VectorIndexes":{"v":{"VectorWriteRequestBytes":1024.0},"w":{"VectorWriteRequestBytes":4125.0}}`
	detailedJSON := `{"CapacityUnits":4.0,"GlobalSecondaryIndexes":{"g":{"CapacityUnits":0.5},"h":{"CapacityUnits":1.5}},` +
		`"LocalSecondaryIndexes":{"l":{"CapacityUnits":1.0}},"Table":{"CapacityUnits":1.0},` + vectors + `,"TableName":"t"}`
	named := detailed
	named.Named = true
	namedJSON := `{"CapacityUnits":4.0,"WriteCapacityUnits":4.0,"GlobalSecondaryIndexes":{"g":{"CapacityUnits":0.5,"WriteCapacityUnits":0.5},` +
		`"h":{"CapacityUnits":1.5,"WriteCapacityUnits":1.5}},"LocalSecondaryIndexes":{"l":{"CapacityUnits":1.0,"WriteCapacityUnits":1.0}},` +
		`"Table":{"CapacityUnits":1.0,"WriteCapacityUnits":1.0},` + vectors + `,"TableName":"t"}`
	metrics := dynamo.ItemCollectionMetrics{Key: item, UpperGB: 1}
	metricsJSON := `{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}`
	for _, test := range []struct {
		name, operation string
		output          any
		want            string
	}{
		{"not found", "GetItem", &dynamo.GetItemOutput{}, `{}`},
		{"found", "GetItem", &dynamo.GetItemOutput{Item: item, ConsumedCapacity: capacity}, `{"ConsumedCapacity":{"CapacityUnits":1.5,"TableName":"t"},"Item":` + itemJSON + `}`},
		{"nothing of the item", "GetItem", &dynamo.GetItemOutput{Item: encoded(func(*dynamo.Encoder) {})}, `{"Item":{}}`},
		{"put", "PutItem", &dynamo.PutItemOutput{}, `{}`},
		{"put everything", "PutItem", &dynamo.PutItemOutput{Attributes: item, ConsumedCapacity: &detailed, ItemCollectionMetrics: &metrics},
			`{"Attributes":` + itemJSON + `,"ConsumedCapacity":` + detailedJSON + `,"ItemCollectionMetrics":` + metricsJSON + `}`},
		{"update", "UpdateItem", &dynamo.UpdateItemOutput{Attributes: item}, `{"Attributes":` + itemJSON + `}`},
		{"delete", "DeleteItem", &dynamo.DeleteItemOutput{ItemCollectionMetrics: &metrics}, `{"ItemCollectionMetrics":` + metricsJSON + `}`},
		{"page", "Query", &dynamo.QueryOutput{Items: []dynamo.Item{item, item}, Count: 2, ScannedCount: 3, LastEvaluatedKey: item},
			`{"Items":[` + itemJSON + `,` + itemJSON + `],"Count":2,"LastEvaluatedKey":` + itemJSON + `,"ScannedCount":3}`},
		{"empty page", "Scan", &dynamo.QueryOutput{Items: []dynamo.Item{}, ConsumedCapacity: capacity},
			`{"Items":[],"ConsumedCapacity":{"CapacityUnits":1.5,"TableName":"t"},"Count":0,"ScannedCount":0}`},
		{"count", "Query", &dynamo.QueryOutput{Count: 5, ScannedCount: 7}, `{"Count":5,"ScannedCount":7}`},
		{"nothing in a batch", "BatchGetItem", &dynamo.BatchGetItemOutput{}, `{"Responses":{},"UnprocessedKeys":{}}`},
		{"batch", "BatchGetItem", &dynamo.BatchGetItemOutput{
			Responses: []dynamo.TableItems{{TableName: "t", Items: []dynamo.Item{item, item}}, {TableName: "u"}},
			UnprocessedKeys: []dynamo.KeysAndAttributes{
				{TableName: "t", Keys: []dynamo.RawItem{{Item: item}, {Item: item}}, AttributesToGet: []string{"a", "b"}, ConsistentRead: new(true), ProjectionExpression: new(`a "b"`), Names: map[string]string{"#a": "b"}},
				{TableName: "u", Keys: []dynamo.RawItem{{Item: item}}},
			},
			ConsumedCapacity: []dynamo.ConsumedCapacity{*capacity, detailed},
		}, `{"ConsumedCapacity":[{"CapacityUnits":1.5,"TableName":"t"},` + detailedJSON + `],"Responses":{"t":[` + itemJSON + `,` + itemJSON + `],"u":[]},` +
			`"UnprocessedKeys":{"t":{"AttributesToGet":["a","b"],"ConsistentRead":true,"ExpressionAttributeNames":{"#a":"b"},"Keys":[` + itemJSON + `,` + itemJSON + `],"ProjectionExpression":"a \"b\""},` +
			`"u":{"Keys":[` + itemJSON + `]}}}`},
		{"writes", "BatchWriteItem", &dynamo.BatchWriteItemOutput{}, `{"UnprocessedItems":{}}`},
		{"writes left", "BatchWriteItem", &dynamo.BatchWriteItemOutput{
			UnprocessedItems: []dynamo.TableWrites{
				{TableName: "t", Requests: []dynamo.WriteRequest{{Put: &dynamo.RawItem{Item: item}}, {Delete: &dynamo.RawItem{Item: item}}}}, {TableName: "u"},
			},
			ConsumedCapacity: []dynamo.ConsumedCapacity{*capacity},
			ItemCollectionMetrics: []dynamo.TableCollectionMetrics{
				{TableName: "t", Metrics: []dynamo.ItemCollectionMetrics{metrics, metrics}}, {TableName: "u", Metrics: []dynamo.ItemCollectionMetrics{metrics}},
			},
		}, `{"ConsumedCapacity":[{"CapacityUnits":1.5,"TableName":"t"}],"ItemCollectionMetrics":{"t":[` + metricsJSON + `,` + metricsJSON + `],"u":[` + metricsJSON + `]},` +
			`"UnprocessedItems":{"t":[{"PutRequest":{"Item":` + itemJSON + `}},{"DeleteRequest":{"Key":` + itemJSON + `}}],"u":[]}}`},
		{"written", "TransactWriteItems", &dynamo.TransactWriteItemsOutput{}, `{}`},
		{"written everything", "TransactWriteItems", &dynamo.TransactWriteItemsOutput{
			ConsumedCapacity:      []dynamo.ConsumedCapacity{named, {TableName: "u", Units: 2, Write: true, Named: true}},
			ItemCollectionMetrics: []dynamo.TableCollectionMetrics{{TableName: "t", Metrics: []dynamo.ItemCollectionMetrics{metrics}}},
		}, `{"ConsumedCapacity":[` + namedJSON + `,{"CapacityUnits":2.0,"WriteCapacityUnits":2.0,"TableName":"u"}],"ItemCollectionMetrics":{"t":[` + metricsJSON + `]}}`},
		{"written before", "TransactWriteItems", &dynamo.TransactWriteItemsOutput{ConsumedCapacity: []dynamo.ConsumedCapacity{{TableName: "t", Units: 2, Named: true, Detailed: true, Table: 2}}},
			`{"ConsumedCapacity":[{"CapacityUnits":2.0,"ReadCapacityUnits":2.0,"Table":{"CapacityUnits":2.0,"ReadCapacityUnits":2.0},"TableName":"t"}]}`},
		{"read nothing", "TransactGetItems", &dynamo.TransactGetItemsOutput{}, `{"Responses":[]}`},
		{"read", "TransactGetItems", &dynamo.TransactGetItemsOutput{
			Responses:        []dynamo.Item{item, nil, item},
			ConsumedCapacity: []dynamo.ConsumedCapacity{{TableName: "t", Units: 6, Named: true}},
		}, `{"ConsumedCapacity":[{"CapacityUnits":6.0,"ReadCapacityUnits":6.0,"TableName":"t"}],"Responses":[{"Item":` + itemJSON + `},{},{"Item":` + itemJSON + `}]}`},
		{"found no vectors", "SearchVectors", &dynamo.SearchVectorsOutput{}, `{"SearchResults":[]}`},
		{"found vectors", "SearchVectors", &dynamo.SearchVectorsOutput{
			SearchResults:    []dynamo.SearchResult{{Item: item, Score: 0}, {Item: item, Score: -1.5}, {Item: item, Score: 1e-20}},
			ConsumedCapacity: &dynamo.VectorCapacity{SearchBytes: 1024},
		}, `{"ConsumedCapacity":{"VectorSearchRequestBytes":1024.0},"SearchResults":[{"Item":` + itemJSON + `,"Score":0},{"Item":` + itemJSON + `,"Score":-1.5},{"Item":` + itemJSON + `,"Score":1e-20}]}`},
		{"no items", "ExecuteStatement", &dynamo.ExecuteStatementOutput{Items: []dynamo.Item{}}, `{"Items":[]}`},
		{"items of a statement", "ExecuteStatement", &dynamo.ExecuteStatementOutput{Items: []dynamo.Item{item}, NextToken: new("n"), LastEvaluatedKey: item, ConsumedCapacity: capacity},
			`{"ConsumedCapacity":{"CapacityUnits":1.5,"TableName":"t"},"Items":[` + itemJSON + `],"LastEvaluatedKey":` + itemJSON + `,"NextToken":"n"}`},
		{"batch of statements", "BatchExecuteStatement", &dynamo.BatchExecuteStatementOutput{
			Responses: []dynamo.BatchStatementResponse{{Error: &dynamo.BatchStatementError{Code: "ValidationError", Message: "m"}}, {TableName: "t", Item: item}, {TableName: "t"}},
		}, `{"Responses":[{"Error":{"Code":"ValidationError","Message":"m"}},{"Item":` + itemJSON + `,"TableName":"t"},{"TableName":"t"}]}`},
		{"transaction of statements", "ExecuteTransaction", &dynamo.ExecuteTransactionOutput{Responses: []dynamo.Item{item, nil}}, `{"Responses":[{"Item":` + itemJSON + `},{}]}`},
		{"no records", "GetRecords", &dynamo.GetRecordsOutput{NextShardIterator: new("i")}, `{"NextShardIterator":"i","Records":[]}`},
		{"records", "GetRecords", &dynamo.GetRecordsOutput{Records: streamRecords()}, `{"Records":` + streamRecordsJSON + `}`},
		{"iterator", "GetShardIterator", &dynamo.GetShardIteratorOutput{ShardIterator: new("i")}, `{"ShardIterator":"i"}`},
		{"no streams", "ListStreams", &dynamo.ListStreamsOutput{}, `{"Streams":[]}`},
		{"streams", "ListStreams", &dynamo.ListStreamsOutput{LastEvaluatedStreamArn: new("arn"), Streams: []dynamo.StreamSummary{{StreamArn: new("arn"), StreamLabel: new("l"), TableName: new("t")}}},
			`{"LastEvaluatedStreamArn":"arn","Streams":[{"StreamArn":"arn","StreamLabel":"l","TableName":"t"}]}`},
		{"stream", "DescribeStream", &dynamo.DescribeStreamOutput{StreamDescription: describedStream()}, `{"StreamDescription":` + describedStreamJSON + `}`},
		{"stream without shards", "DescribeStream", &dynamo.DescribeStreamOutput{StreamDescription: &dynamo.StreamDescription{StreamStatus: "ENABLING"}},
			`{"StreamDescription":{"Shards":[],"StreamStatus":"ENABLING"}}`},
		{"expiry", "UpdateTimeToLive", &dynamo.UpdateTimeToLiveOutput{TimeToLiveSpecification: &dynamo.TimeToLiveSpecification{AttributeName: new("a"), Enabled: new(true)}},
			`{"TimeToLiveSpecification":{"AttributeName":"a","Enabled":true}}`},
		{"no expiry", "DescribeTimeToLive", &dynamo.DescribeTimeToLiveOutput{TimeToLiveDescription: &dynamo.TimeToLiveDescription{TimeToLiveStatus: "DISABLED"}},
			`{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`},
		{"tables", "ListTables", &dynamo.ListTablesOutput{}, `{"TableNames":[]}`},
		{"more tables", "ListTables", &dynamo.ListTablesOutput{TableNames: []string{"a", "b"}, LastEvaluatedTableName: new("b")}, `{"LastEvaluatedTableName":"b","TableNames":["a","b"]}`},
		{"tags", "ListTagsOfResource", &dynamo.ListTagsOfResourceOutput{Tags: []dynamo.Tag{{Key: new("k"), Value: new("")}}}, `{"Tags":[{"Key":"k","Value":""}]}`},
		{"no answer", "TagResource", &dynamo.TagResourceOutput{}, ``},
		{"no answer either", "UntagResource", &dynamo.UntagResourceOutput{}, ``},
		{"limits", "DescribeLimits", &dynamo.DescribeLimitsOutput{AccountMaxReadCapacityUnits: new(int64(80000)), TableMaxWriteCapacityUnits: new(int64(40000))},
			`{"AccountMaxReadCapacityUnits":80000,"TableMaxWriteCapacityUnits":40000}`},
		{"endpoints", "DescribeEndpoints", &dynamo.DescribeEndpointsOutput{Endpoints: []dynamo.Endpoint{{Address: new("localhost:8000"), CachePeriodInMinutes: 1440}}},
			`{"Endpoints":[{"Address":"localhost:8000","CachePeriodInMinutes":1440}]}`},
		{"table", "DescribeTable", &dynamo.DescribeTableOutput{Table: describedTable()}, `{"Table":` + describedTableJSON + `}`},
		{"created", "CreateTable", &dynamo.CreateTableOutput{TableDescription: describedTable()}, `{"TableDescription":` + describedTableJSON + `}`},
	} {
		t.Run(test.operation+" "+test.name, func(t *testing.T) {
			h := NewHandler(&fake{output: test.output}, Options{})
			answer, status := h.Call(context.Background(), test.operation, []byte(leastBody), []byte("before"))
			if status != http.StatusOK || string(answer) != "before"+test.want {
				t.Errorf("status %d, answer\n%s, want\n%s", status, answer, "before"+test.want)
			}
		})
	}
}

func describedTable() *dynamo.TableDescription {
	return &dynamo.TableDescription{
		AttributeDefinitions:      []dynamo.AttributeDefinition{{AttributeName: new("pk"), AttributeType: "S"}},
		BillingModeSummary:        &dynamo.BillingModeSummary{BillingMode: "PAY_PER_REQUEST", LastUpdateToPayPerRequestDateTime: new(time.Unix(1760013296, 0))},
		CreationDateTime:          new(time.UnixMilli(1760013296789)),
		DeletionProtectionEnabled: new(false),
		GlobalSecondaryIndexes: []dynamo.GlobalSecondaryIndexDescription{{
			IndexName: new("g"), IndexStatus: "ACTIVE", ItemCount: new(int64(0)), KeySchema: []dynamo.KeySchemaElement{{AttributeName: new("g"), KeyType: "HASH"}},
			Projection:            &dynamo.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: []string{"x"}},
			ProvisionedThroughput: &dynamo.ProvisionedThroughputDescription{NumberOfDecreasesToday: new(int64(0)), ReadCapacityUnits: new(int64(0)), WriteCapacityUnits: new(int64(0))},
		}},
		LocalSecondaryIndexes: []dynamo.LocalSecondaryIndexDescription{},
		ItemCount:             new(int64(12)),
		KeySchema:             []dynamo.KeySchemaElement{{AttributeName: new("pk"), KeyType: "HASH"}},
		LatestStreamArn:       new("arn"),
		LatestStreamLabel:     new("label"),
		StreamSpecification:   &dynamo.StreamSpecification{StreamEnabled: new(true), StreamViewType: "KEYS_ONLY"},
		TableName:             new("t"),
		TableStatus:           "ACTIVE",
	}
}

const describedTableJSON = `{"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],` +
	`"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1760013296},"CreationDateTime":1760013296.789,` +
	`"DeletionProtectionEnabled":false,"GlobalSecondaryIndexes":[{"IndexName":"g","IndexStatus":"ACTIVE","ItemCount":0,` +
	`"KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"NonKeyAttributes":["x"],"ProjectionType":"INCLUDE"},` +
	`"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0}}],"ItemCount":12,` +
	`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"LatestStreamArn":"arn","LatestStreamLabel":"label",` +
	`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},"TableName":"t","TableStatus":"ACTIVE"}`

func describedStream() *dynamo.StreamDescription {
	return &dynamo.StreamDescription{
		CreationRequestDateTime: new(time.UnixMilli(1760013296789)),
		KeySchema:               []dynamo.KeySchemaElement{{AttributeName: new("pk"), KeyType: "HASH"}},
		LastEvaluatedShardId:    new("s2"),
		Shards: []dynamo.Shard{
			{ShardId: new("s1"), SequenceNumberRange: &dynamo.SequenceNumberRange{StartingSequenceNumber: new("1"), EndingSequenceNumber: new("9")}},
			{ShardId: new("s2"), ParentShardId: new("s1"), SequenceNumberRange: &dynamo.SequenceNumberRange{StartingSequenceNumber: new("10")}},
		},
		StreamArn: new("arn"), StreamLabel: new("label"), StreamStatus: "ENABLED", StreamViewType: "KEYS_ONLY", TableName: new("t"),
	}
}

const describedStreamJSON = `{"CreationRequestDateTime":1760013296.789,"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"LastEvaluatedShardId":"s2",` +
	`"Shards":[{"SequenceNumberRange":{"EndingSequenceNumber":"9","StartingSequenceNumber":"1"},"ShardId":"s1"},` +
	`{"ParentShardId":"s1","SequenceNumberRange":{"StartingSequenceNumber":"10"},"ShardId":"s2"}],` +
	`"StreamArn":"arn","StreamLabel":"label","StreamStatus":"ENABLED","StreamViewType":"KEYS_ONLY","TableName":"t"}`

// streamRecords returns a change of the caller and one of the service.
func streamRecords() []dynamo.Record {
	return []dynamo.Record{
		{
			EventID: "e1", EventName: "MODIFY", AwsRegion: "eu-west-2", Created: time.UnixMilli(1760013296789), Keys: textItem("pk", "a"), NewImage: textItem("pk", "b"),
			OldImage: textItem("pk", "c"), SequenceNumber: "100000000000000000001", SizeBytes: 9, StreamViewType: "NEW_AND_OLD_IMAGES",
		},
		{EventID: "e2", EventName: "REMOVE", AwsRegion: "eu-west-2", Created: time.Unix(1760013297, 0), Keys: textItem("pk", "a"), SequenceNumber: "2", StreamViewType: "KEYS_ONLY", ByService: true},
	}
}

const streamRecordsJSON = `[{"awsRegion":"eu-west-2","dynamodb":{"ApproximateCreationDateTime":1760013296,"Keys":{"pk":{"S":"a"}},"NewImage":{"pk":{"S":"b"}},` +
	`"OldImage":{"pk":{"S":"c"}},"SequenceNumber":"100000000000000000001","SizeBytes":9,"StreamViewType":"NEW_AND_OLD_IMAGES"},` +
	`"eventID":"e1","eventName":"MODIFY","eventSource":"aws:dynamodb","eventVersion":"1.1"},` +
	`{"awsRegion":"eu-west-2","dynamodb":{"ApproximateCreationDateTime":1760013297,"Keys":{"pk":{"S":"a"}},"SequenceNumber":"2","SizeBytes":0,"StreamViewType":"KEYS_ONLY"},` +
	`"eventID":"e2","eventName":"REMOVE","eventSource":"aws:dynamodb","eventVersion":"1.1","userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}}]`

// The memory of a transaction's items is reused once they are written.
func TestTransactionsReleaseTheirMemory(t *testing.T) {
	out := &dynamo.TransactGetItemsOutput{}
	out.Responses = []dynamo.Item{out.Keep(textItem("pk", "a"))}
	answer, _ := NewHandler(&fake{output: out}, Options{}).Call(context.Background(), "TransactGetItems", []byte(`{}`), nil)
	if want := `{"Responses":[{"Item":{"pk":{"S":"a"}}}]}`; string(answer) != want {
		t.Errorf("answer %s, want %s", answer, want)
	}
	if out.Memory != (dynamo.Memory{}) {
		t.Error("the memory is still held")
	}
}
