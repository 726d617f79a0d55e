package wire

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

func TestTableRequestsReachTheAPI(t *testing.T) {
	schema := []dynamo.KeySchemaElement{{AttributeName: new("pk"), KeyType: "HASH"}, {AttributeName: new("sk"), KeyType: "RANGE"}}
	const schemaJSON = `"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]`
	throughput := &dynamo.ProvisionedThroughput{ReadCapacityUnits: new(int64(5)), WriteCapacityUnits: new(int64(6))}
	const throughputJSON = `"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6}`
	for _, test := range []struct {
		operation, body string
		want            any
	}{
		{"CreateTable", `{"TableName":"t",` + schemaJSON + `,` + throughputJSON + `,"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
			"BillingMode":"PROVISIONED","DeletionProtectionEnabled":true,"TableClass":"STANDARD","Tags":[{"Key":"k","Value":"v"},null],
			"GlobalSecondaryIndexes":[{"IndexName":"g",` + schemaJSON + `,"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a",null]},` + throughputJSON + `,
			"OnDemandThroughput":{"MaxReadRequestUnits":-1},"WarmThroughput":{"ReadUnitsPerSecond":12000}}],
			"LocalSecondaryIndexes":[{"IndexName":"l",` + schemaJSON + `,"Projection":null}],"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"k"},
			"StreamSpecification":{"StreamEnabled":false},"WarmThroughput":null,"ResourcePolicy":null,"Unknown":{"a":1}}`,
			&dynamo.CreateTableInput{
				TableName: new("t"), KeySchema: schema, ProvisionedThroughput: throughput, BillingMode: "PROVISIONED", DeletionProtectionEnabled: new(true),
				AttributeDefinitions: []dynamo.AttributeDefinition{{AttributeName: new("pk"), AttributeType: "S"}}, TableClass: "STANDARD",
				Tags: []dynamo.Tag{{Key: new("k"), Value: new("v")}, {}},
				GlobalSecondaryIndexes: []dynamo.GlobalSecondaryIndex{{
					IndexName: new("g"), KeySchema: schema, Projection: &dynamo.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: []string{"a", ""}},
					ProvisionedThroughput: throughput, OnDemandThroughput: &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(-1))},
					WarmThroughput: &dynamo.WarmThroughput{ReadUnitsPerSecond: new(int64(12000))},
				}},
				LocalSecondaryIndexes: []dynamo.LocalSecondaryIndex{{IndexName: new("l"), KeySchema: schema}},
				SSESpecification:      &dynamo.SSESpecification{Enabled: new(true), SSEType: "KMS", KMSMasterKeyId: new("k")},
				StreamSpecification:   &dynamo.StreamSpecification{StreamEnabled: new(false)},
			}},
		{"UpdateTable", `{"TableName":"t","GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"g"}},{"Delete":{"IndexName":"h"}},{"Update":{"IndexName":"i",` + throughputJSON + `}}],
			"ReplicaUpdates":null,"BillingMode":"PAY_PER_REQUEST"}`,
			&dynamo.UpdateTableInput{TableName: new("t"), BillingMode: "PAY_PER_REQUEST", GlobalSecondaryIndexUpdates: []dynamo.GlobalSecondaryIndexUpdate{
				{Create: &dynamo.GlobalSecondaryIndex{IndexName: new("g")}},
				{Delete: &dynamo.DeleteGlobalSecondaryIndexAction{IndexName: new("h")}},
				{Update: &dynamo.UpdateGlobalSecondaryIndexAction{IndexName: new("i"), ProvisionedThroughput: throughput}},
			}}},
		{"DeleteTable", `{"TableName":"t"}`, &dynamo.DeleteTableInput{TableName: new("t")}},
		{"DescribeTable", `{"TableName":"a","tablename":"b","TableName":"t"}`, &dynamo.DescribeTableInput{TableName: new("t")}},
		{"ListTables", `{"ExclusiveStartTableName":"a","Limit":5.5}`, &dynamo.ListTablesInput{ExclusiveStartTableName: new("a"), Limit: new(int32(5))}},
		{"TagResource", `{"ResourceArn":"arn","Tags":[]}`, &dynamo.TagResourceInput{ResourceArn: new("arn"), Tags: []dynamo.Tag{}}},
		{"UntagResource", `{"ResourceArn":"arn","TagKeys":["a","b"]}`, &dynamo.UntagResourceInput{ResourceArn: new("arn"), TagKeys: []string{"a", "b"}}},
		{"ListTagsOfResource", `{"ResourceArn":"arn","NextToken":"n"}`, &dynamo.ListTagsOfResourceInput{ResourceArn: new("arn"), NextToken: new("n")}},
		{"UpdateTimeToLive", `{"TableName":"t","TimeToLiveSpecification":{"AttributeName":"expires","Enabled":false}}`,
			&dynamo.UpdateTimeToLiveInput{TableName: new("t"), TimeToLiveSpecification: &dynamo.TimeToLiveSpecification{AttributeName: new("expires"), Enabled: new(false)}}},
		{"DescribeTimeToLive", `{"TableName":"t"}`, &dynamo.DescribeTimeToLiveInput{TableName: new("t")}},
		{"ListStreams", `{"ExclusiveStartStreamArn":"arn","Limit":5,"TableName":"t"}`,
			&dynamo.ListStreamsInput{ExclusiveStartStreamArn: new("arn"), Limit: new(int32(5)), TableName: new("t")}},
		{"DescribeStream", `{"StreamArn":"arn","ExclusiveStartShardId":"s","Limit":5,"ShardFilter":{"ShardId":"p","Type":"CHILD_SHARDS"}}`,
			&dynamo.DescribeStreamInput{StreamArn: new("arn"), ExclusiveStartShardId: new("s"), Limit: new(int32(5)),
				ShardFilter: &dynamo.ShardFilter{ShardId: new("p"), Type: "CHILD_SHARDS"}}},
		{"GetShardIterator", `{"StreamArn":"arn","ShardId":"s","ShardIteratorType":"AT_SEQUENCE_NUMBER","SequenceNumber":"5"}`,
			&dynamo.GetShardIteratorInput{StreamArn: new("arn"), ShardId: new("s"), ShardIteratorType: "AT_SEQUENCE_NUMBER", SequenceNumber: new("5")}},
		{"DescribeLimits", `{}`, &dynamo.DescribeLimitsInput{}},
		{"DescribeEndpoints", `{"Host":"elsewhere"}`, &dynamo.DescribeEndpointsInput{}},
	} {
		t.Run(test.operation, func(t *testing.T) {
			if diff := cmp.Diff(test.want, inputOf(t, test.operation, test.body)); diff != "" {
				t.Errorf("input (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParametersThatAreNotSupportedYet(t *testing.T) {
	for operation, parameters := range map[string][]string{
		"CreateTable": {"GlobalTableSettingsReplicationMode", "GlobalTableSourceArn"},
		"UpdateTable": {"DisassociationProtectionEnabled", "GlobalTableSettingsReplicationMode", "GlobalTableWitnessUpdates", "MultiRegionConsistency", "ReplicaUpdates"},
	} {
		for _, parameter := range parameters {
			api := &fake{}
			body := `{"` + parameter + `":[{"x":1}],"TableName":"t","` + parameter + `":null}`
			answer, status := NewHandler(api, Options{}).Call(context.Background(), operation, []byte(body), nil)
			want := `{"__type":"com.amazon.coral.validate#ValidationException","message":"sortkey does not support ` + parameter
			if status != http.StatusBadRequest || !strings.HasPrefix(string(answer), want) {
				t.Errorf("%s: status %d, answer %s, want %s", body, status, answer, want)
			}
			if replicas := !strings.HasPrefix(parameter, "Vector"); replicas != strings.Contains(string(answer), "one region") {
				t.Errorf("%s: answer %s", body, answer)
			}
			if api.input != nil {
				t.Errorf("%s: the operation ran", body)
			}
		}
	}
}

func TestDescribeEndpointsIsToldTheHost(t *testing.T) {
	api := &fake{}
	r := httptest.NewRequest(http.MethodPost, "http://localhost:8000/", strings.NewReader(`{}`))
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DescribeEndpoints")
	r.Header.Set("Content-Type", json10)
	NewHandler(api, Options{}).ServeHTTP(httptest.NewRecorder(), r)
	if diff := cmp.Diff(&dynamo.DescribeEndpointsInput{Host: "localhost:8000"}, api.input); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
}

func TestEveryOperationOfTheServiceIsKnown(t *testing.T) {
	if got := len(dynamo.OperationNames); got != 62+4 || !slices.IsSorted(dynamo.OperationNames) {
		t.Errorf("%d operations, or not in order; the service has 62 and 4 of streams", got)
	}
	for name := range operations {
		if !slices.Contains(dynamo.OperationNames, name) {
			t.Errorf("the service has no operation %s", name)
		}
	}
	for _, name := range dynamo.OperationNames {
		if operations[name] != nil {
			continue
		}
		answer, status := NewHandler(&fake{}, Options{}).Call(context.Background(), name, []byte(`{}`), nil)
		var got struct{ Message string }
		if err := json.Unmarshal(answer, &got); err != nil || status != http.StatusBadRequest || got.Message == "" {
			t.Errorf("%s: status %d, answer %s, want a message", name, status, answer)
		}
	}
}

func TestTimesAreSecondsWithMilliseconds(t *testing.T) {
	for text, want := range map[string]int64{ // in milliseconds
		"20": 20_000, "20.5": 20_500, "20.501": 20_501, "1791316726.480": 1_791_316_726_480, "1.7913167264804E9": 1_791_316_726_480,
		"0": 0, "-1.5": -1_500, "1e300": maxSeconds * 1000, "-1e300": -maxSeconds * 1000, "12345678901234567890123": maxSeconds * 1000,
	} {
		in := inputOf(t, "GetShardIterator", `{"Timestamp": `+text+`}`).(*dynamo.GetShardIteratorInput)
		if got := in.Timestamp.UnixMilli(); got != want {
			t.Errorf("%s is read as %d milliseconds, want %d", text, got, want)
		}
	}
	if in := inputOf(t, "GetShardIterator", `{"Timestamp": null}`).(*dynamo.GetShardIteratorInput); in.Timestamp != nil {
		t.Errorf("null is read as %v", in.Timestamp)
	}
	for text, want := range map[string]string{
		`"20"`: "STRING_VALUE cannot be converted to Date", `true`: "TRUE_VALUE cannot be converted to Date",
		`[]`: "Unrecognized collection type class java.util.Date", `{}`: "Start of structure or map found where not expected", `x`: "",
	} {
		if got := refusal(t, "GetShardIterator", `{"Timestamp": `+text+`}`); got != want {
			t.Errorf("%s is refused with %q, want %q", text, got, want)
		}
	}
}
