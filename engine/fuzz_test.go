package engine_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine"
)

// notesTable creates a table with a vector index.
const notesTable = `{"TableName":"notes","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"tag","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"VectorIndexes":[{"IndexName":"vix","VectorAttribute":{"AttributeName":"v"},"Dimensions":2,"DistanceFunction":"COSINE",
	"Projection":{"ProjectionType":"ALL"},"SearchSchema":[{"AttributeName":"tag","SearchSchemaElementType":"HASH"}]}]}`

// FuzzHTTP sends mutated requests to a table with items and an index, and to one with a
// vector index. No response is a failure of the engine, and every response is JSON.
func FuzzHTTP(f *testing.F) {
	const key = `"TableName":"music","Key":{"artist":{"S":"a"},"song":{"S":"b"}}`
	for operation, body := range map[string]string{
		"GetItem":        `{` + key + `,"ProjectionExpression":"song, #a[0].b","ExpressionAttributeNames":{"#a":"list"},"ConsistentRead":true}`,
		"PutItem":        `{"TableName":"music","Item":{"artist":{"S":"a"},"song":{"S":"c"},"l":{"L":[{"N":"1e5"},{"BS":["AA=="]},{"M":{"x":{"NULL":true}}}]}},"ReturnValues":"ALL_OLD"}`,
		"UpdateItem":     `{` + key + `,"UpdateExpression":"SET l[1] = list_append(:l, l), n = if_not_exists(n, :n) + :n REMOVE x ADD s :s","ExpressionAttributeValues":{":l":{"L":[]},":n":{"N":"1"},":s":{"NS":["1","2"]}},"ReturnValues":"UPDATED_NEW"}`,
		"DeleteItem":     `{` + key + `,"ConditionExpression":"size(song) BETWEEN :a AND :b OR NOT contains(song, :c)","ExpressionAttributeValues":{":a":{"N":"1"},":b":{"N":"2"},":c":{"S":"x"}}}`,
		"Query":          `{"TableName":"music","KeyConditionExpression":"artist = :a AND begins_with(song, :s)","ExpressionAttributeValues":{":a":{"S":"a"},":s":{"S":""}},"Limit":1,"ReturnConsumedCapacity":"INDEXES"}`,
		"Scan":           `{"TableName":"music","Segment":1,"TotalSegments":3,"FilterExpression":"attribute_type(song, :t)","ExpressionAttributeValues":{":t":{"S":"S"}}}`,
		"BatchGetItem":   `{"RequestItems":{"music":{"Keys":[{"artist":{"S":"a"},"song":{"S":"b"}}]}}}`,
		"BatchWriteItem": `{"RequestItems":{"music":[{"DeleteRequest":{"Key":{"artist":{"S":"a"},"song":{"S":"zz"}}}}]}}`,
		"CreateTable":    `{"TableName":"more","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"k","AttributeType":"N"}],"KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]}`,
		"UpdateTable":    `{"TableName":"music","DeletionProtectionEnabled":false}`,
		"DescribeTable":  `{"TableName":"arn:aws:dynamodb:us-east-1:123456789012:table/music"}`,
		"SearchVectors":  `{"TableName":"notes","IndexName":"vix","SearchVector":[{"N":"1"},{"N":"-0.5e3"}],"TopK":3,"SearchConditionExpression":"tag = :t","ProjectionExpression":"id, v[1]","ExpressionAttributeValues":{":t":{"S":"x"}},"ReturnConsumedCapacity":"TOTAL"}`,
		"ListTables":     `{"Limit":1,"ExclusiveStartTableName":"abc"}`,
		"TagResource":    `{"ResourceArn":"arn:aws:dynamodb:us-east-1:123456789012:table/music","Tags":[{"Key":"k","Value":"v"}]}`,
	} {
		f.Add(operation, []byte(body))
	}
	f.Add("CreateTable", []byte(notesTable))
	f.Add("PutItem", []byte(`{"TableName":"notes","Item":{"id":{"S":"b"},"tag":{"S":"x"},"v":{"L":[{"N":"1"},{"N":"1e38"}]}},"ReturnConsumedCapacity":"INDEXES"}`))
	for operation, body := range map[string]string{ // with the parameters of the API before expressions
		"GetItem":      `{` + key + `,"AttributesToGet":["song","n"]}`,
		"PutItem":      `{"TableName":"music","Item":{"artist":{"S":"a"},"song":{"S":"c"}},"Expected":{"n":{"Exists":false},"l":{"Exists":true,"Value":{"L":[]}}},"ConditionalOperator":"OR"}`,
		"UpdateItem":   `{` + key + `,"AttributeUpdates":{"n":{"Action":"ADD","Value":{"N":"1"}},"s":{"Action":"DELETE","Value":{"SS":["x"]}},"l":{"Action":"ADD","Value":{"L":[{"S":""}]}},"x":{"Action":"DELETE"},"y":{"Value":{"M":{}}}},"ReturnValues":"UPDATED_NEW"}`,
		"DeleteItem":   `{` + key + `,"Expected":{"n":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"x"}]},"song":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"S":"a"},{"S":"b"}]}}}`,
		"Query":        `{"TableName":"music","KeyConditions":{"artist":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]},"song":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"b"}]}},"FilterExpression":"size(song) > :n","ExpressionAttributeValues":{":n":{"N":"0"}}}`,
		"Scan":         `{"TableName":"music","ScanFilter":{"n":{"ComparisonOperator":"IN","AttributeValueList":[{"N":"1"},{"N":"2"}]},"song":{"ComparisonOperator":"NOT_NULL"}},"ConditionalOperator":"OR","AttributesToGet":["n"]}`,
		"BatchGetItem": `{"RequestItems":{"music":{"Keys":[{"artist":{"S":"a"},"song":{"S":"b"}}],"AttributesToGet":["song"]}}}`,
	} {
		f.Add(operation, []byte(body))
	}
	f.Add("Query", []byte(`{"TableName":"music","KeyConditions":{"artist":{"ComparisonOperator":"GE","AttributeValueList":[{"L":[]}]}},"QueryFilter":{"n":{"ComparisonOperator":"CONTAINS","AttributeValueList":[{"N":"1"}]}},"AttributesToGet":["n"]}`))
	f.Add("PutItem", []byte(strings.Repeat(`{"Item":`, 3000)))
	f.Add("DeleteItem", []byte(`{`+key+`,"ConditionExpression":"`+strings.Repeat("(", 2000)+`"}`))
	db, err := engine.Open("", nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { db.Close() })
	if _, err := db.API().CreateTable(f.Context(), musicTable("music")); err != nil {
		f.Fatal(err)
	}
	if _, err := db.API().PutItem(f.Context(), &dynamodb.PutItemInput{TableName: aws.String("music"), Item: song("a", "b")}); err != nil {
		f.Fatal(err)
	}
	send := func(operation, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header["X-Amz-Target"] = []string{"DynamoDB_20120810." + operation}
		r.Header["Content-Type"] = []string{"application/x-amz-json-1.0"}
		w := httptest.NewRecorder()
		db.ServeHTTP(w, r)
		return w
	}
	if w := send("CreateTable", notesTable); w.Code != http.StatusOK {
		f.Fatal(w.Body)
	}
	f.Fuzz(func(t *testing.T, operation string, body []byte) {
		w := send(operation, string(body))
		if w.Code >= http.StatusInternalServerError {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		if w.Body.Len() > 0 && !json.Valid(w.Body.Bytes()) {
			t.Errorf("the answer is not JSON: %q", w.Body)
		}
	})
}
