package wire

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// refusal returns the message of the SerializationException of an operation,
// "" for one without a message.
func refusal(t *testing.T, operation, body string) string {
	t.Helper()
	answer, status := NewHandler(&fake{}, Options{}).Call(context.Background(), operation, []byte(body), nil)
	var got struct {
		Type    string `json:"__type"`
		Message *string
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatalf("%s: answer %s: %v", body, answer, err)
	}
	if status != http.StatusBadRequest || got.Type != "com.amazon.coral.service#SerializationException" {
		t.Fatalf("%s: status %d, answer %s", body, status, answer)
	}
	if got.Message == nil {
		return ""
	}
	if !strings.Contains(string(answer), `"Message":`) {
		t.Errorf("the message is not called Message in %s", answer)
	}
	return *got.Message
}

func TestValuesOfTheWrongType(t *testing.T) {
	const cast = "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
		"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"
	const start = "Start of structure or map found where not expected"
	attributeMap := "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"
	for _, place := range []struct {
		operation, before, after string
		want                     map[string]string // JSON to message
	}{
		{"PutItem", `{"TableName":`, `}`, map[string]string{
			`true`: "TRUE_VALUE cannot be converted to String", `false`: "FALSE_VALUE cannot be converted to String",
			`23`: "NUMBER_VALUE cannot be converted to String", `34.56`: "DECIMAL_VALUE cannot be converted to String",
			`[]`: "Unrecognized collection type class java.lang.String", `{}`: start,
		}},
		{"Query", `{"ReturnConsumedCapacity":`, `}`, map[string]string{`1`: "NUMBER_VALUE cannot be converted to String"}},
		{"Query", `{"KeyConditions":`, `}`, map[string]string{
			`true`: "Unexpected field type", `[]`: "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.Condition>",
			`{"a":1}`: "Unexpected value type in payload", `{"a":[]}`: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Condition",
			`{"a":{"AttributeValueList":1}}`: "Unexpected field type", `{"a":{"ComparisonOperator":1}}`: "NUMBER_VALUE cannot be converted to String",
		}},
		{"PutItem", `{"Expected":`, `}`, map[string]string{
			`{"a":1}`: "Unexpected value type in payload", `{"a":{"Exists":1}}`: "NUMBER_VALUE cannot be converted to Boolean",
		}},
		{"UpdateItem", `{"AttributeUpdates":`, `}`, map[string]string{
			`{"a":{"Action":true}}`: "TRUE_VALUE cannot be converted to String", `{"a":{"Value":"x"}}`: "Unexpected value type in payload",
		}},
		{"Scan", `{"AttributesToGet":`, `}`, map[string]string{`"a"`: "Unexpected field type", `{}`: start, `[1]`: "NUMBER_VALUE cannot be converted to String"}},
		{"Query", `{"Limit":`, `}`, map[string]string{
			`"23"`: "STRING_VALUE cannot be converted to Integer", `true`: "TRUE_VALUE cannot be converted to Integer",
			`[]`: "Unrecognized collection type class java.lang.Integer", `{}`: start,
		}},
		{"GetItem", `{"ConsistentRead":`, `}`, map[string]string{
			`"23"`: "Unexpected token received from parser", `23`: "NUMBER_VALUE cannot be converted to Boolean",
			`-1e3`: "DECIMAL_VALUE cannot be converted to Boolean", `[]`: "Unrecognized collection type class java.lang.Boolean", `{}`: start,
		}},
		{"PutItem", `{"Item":`, `}`, map[string]string{
			`"x"`: "Unexpected field type", `true`: "Unexpected field type", `1`: "Unexpected field type", `1.5`: "Unexpected field type",
			`[]`: attributeMap,
		}},
		{"Scan", `{"ExpressionAttributeNames":`, `}`, map[string]string{
			`"x"`: "Unexpected field type", `[]`: "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>",
			`{"#a":1}`: "NUMBER_VALUE cannot be converted to String",
		}},
		{"UpdateItem", `{"ExpressionAttributeValues":{":v":`, `}}`, map[string]string{
			`"x"`: "Unexpected value type in payload", `1`: "Unexpected value type in payload",
			`[]`: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
		}},
		{"PutItem", `{"Item":{"a":`, `}}`, map[string]string{
			`"x"`: "Unexpected value type in payload", `[]`: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
			`{"S":1}`: "NUMBER_VALUE cannot be converted to String", `{"N":1}`: "NUMBER_VALUE cannot be converted to String",
			`{"B":true}`: "only base-64-encoded strings are convertible to bytes", `{"B":1}`: "only base-64-encoded strings are convertible to bytes",
			`{"B":[]}`: "Unrecognized collection type class java.nio.ByteBuffer", `{"B":{}}`: start,
			`{"B":"23456"}`: "Base64 encoded length is expected a multiple of 4 bytes but found: 5",
			`{"B":"=+/="}`:  "Invalid last non-pad Base64 character dectected", `{"B":"+/+="}`: "Invalid last non-pad Base64 character dectected",
			`{"B":"AA\n=="}`:       "Base64 encoded length is expected a multiple of 4 bytes but found: 5",
			`{"B":"AA==\n\n\n\n"}`: "Invalid last non-pad Base64 character dectected",
			`{"BOOL":1}`:           "NUMBER_VALUE cannot be converted to Boolean", `{"NULL":"x"}`: "Unexpected token received from parser",
			`{"SS":"x"}`: "Unexpected field type", `{"SS":{}}`: start, `{"SS":[1]}`: "NUMBER_VALUE cannot be converted to String",
			`{"NS":[1]}`: "NUMBER_VALUE cannot be converted to String", `{"BS":["x"]}`: "Base64 encoded length is expected a multiple of 4 bytes but found: 1",
			`{"L":{}}`: start, `{"L":[1]}`: "Unexpected value type in payload", `{"M":1}`: "Unexpected field type", `{"M":[]}`: attributeMap,
			`{"M":{"a":{"L":[{"S":true}]}}}`: "TRUE_VALUE cannot be converted to String",
			`{"S":"ok","N":1}`:               "NUMBER_VALUE cannot be converted to String",
		}},
		{"BatchGetItem", `{"RequestItems":`, `}`, map[string]string{
			`1`: "Unexpected field type", `[]`: "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.KeysAndAttributes>",
			`{"t":1}`: "Unexpected value type in payload", `{"t":[]}`: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.KeysAndAttributes",
			`{"t":{"Keys":1}}`: "Unexpected field type", `{"t":{"Keys":{}}}`: start,
			`{"t":{"Keys":[1]}}`: cast, `{"t":{"Keys":[[]]}}`: attributeMap,
		}},
		{"BatchWriteItem", `{"RequestItems":`, `}`, map[string]string{
			`1`:         "Unexpected field type",
			`[]`:        "Unrecognized collection type java.util.Map<java.lang.String, java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>>",
			`{"t":"x"}`: cast, `{"t":{}}`: start,
			`{"t":["x"]}`: "Unexpected value type in payload", `{"t":[[]]}`: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.WriteRequest",
			`{"t":[{"PutRequest":1}]}`: "Unexpected field type", `{"t":[{"PutRequest":[]}]}`: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.PutRequest",
			`{"t":[{"DeleteRequest":[]}]}`: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.DeleteRequest",
		}},
		{"TransactWriteItems", `{"TransactItems":`, `}`, map[string]string{
			`1`: "Unexpected field type", `{}`: start, `["x"]`: "Unexpected value type in payload",
			`[[]]`:          "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.TransactWriteItem",
			`[{"Put":"x"}]`: "Unexpected field type", `[{"Put":[]}]`: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Put",
			`[{"Delete":[]}]`:                  "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Delete",
			`[{"Update":[]}]`:                  "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Update",
			`[{"ConditionCheck":[]}]`:          "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.ConditionCheck",
			`[{"Put":{"Item":[]}}]`:            attributeMap,
			`[{"Update":{"Key":1}}]`:           "Unexpected field type",
			`[{"Delete":{"Key":{"pk":"a"}}}]`:  "Unexpected value type in payload",
			`[{"Update":{"TableName":1}}]`:     "NUMBER_VALUE cannot be converted to String",
			`[{"Delete":{"TableName":true}}]`:  "TRUE_VALUE cannot be converted to String",
			`[{"Put":{}},{"Put":{"Item":[]}}]`: attributeMap,
		}},
		{"TransactWriteItems", `{"ClientRequestToken":`, `}`, map[string]string{`1`: "NUMBER_VALUE cannot be converted to String"}},
		{"TransactGetItems", `{"TransactItems":`, `}`, map[string]string{
			`1`: "Unexpected field type", `{}`: start, `["x"]`: "Unexpected value type in payload",
			`[[]]`:          "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.TransactGetItem",
			`[{"Get":"x"}]`: "Unexpected field type", `[{"Get":[]}]`: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Get",
			`[{"Get":{"Key":[]}}]`: attributeMap, `[{"Get":{"ExpressionAttributeNames":1}}]`: "Unexpected field type",
		}},
		{"GetRecords", `{"Limit":`, `}`, map[string]string{`"1"`: "STRING_VALUE cannot be converted to Integer"}},
		{"GetRecords", `{"ShardIterator":`, `}`, map[string]string{`1`: "NUMBER_VALUE cannot be converted to String", `[]`: "Unrecognized collection type class java.lang.String"}},
		{"UpdateTimeToLive", `{"TimeToLiveSpecification":`, `}`, map[string]string{
			`"x"`: "Unexpected field type", `[]`: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.TimeToLiveSpecification",
			`{"Enabled":1}`: "NUMBER_VALUE cannot be converted to Boolean",
		}},
		{"CreateTable", `{"KeySchema":`, `}`, map[string]string{
			`"x"`: "Unexpected field type", `{}`: start, `["x"]`: "Unexpected value type in payload",
			`[[]]`:                  "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.KeySchemaElement",
			`[{"AttributeName":1}]`: "NUMBER_VALUE cannot be converted to String",
		}},
		{"CreateTable", `{"ProvisionedThroughput":`, `}`, map[string]string{
			`"x"`: "Unexpected field type", `[]`: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.ProvisionedThroughput",
			`{"ReadCapacityUnits":"1"}`: "STRING_VALUE cannot be converted to Long", `{"ReadCapacityUnits":false}`: "FALSE_VALUE cannot be converted to Long",
		}},
	} {
		for given, want := range place.want {
			if got := refusal(t, place.operation, place.before+given+place.after); got != want {
				t.Errorf("%s %s%s%s: %q, want %q", place.operation, place.before, given, place.after, got, want)
			}
		}
	}
}

func TestTextThatIsNoJSON(t *testing.T) {
	deep := strings.Repeat(`[`, 50_000)
	for _, body := range []string{
		``, ` `, `hi`, `{`, `{"`, `{"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{,}`, `{a:1}`, `{"a" 1}`, `{"a":1 "b":2}`,
		`{"a":}`, `{"a":[1,]}`, `{"a":[,1]}`, `{"a":[1 2]}`, `{"a":[1}`, `{"a":01}`, `{"a":-}`, `{"a":+1}`, `{"a":.5}`, `{"a":1.}`,
		`{"a":1e}`, `{"a":1e+}`, `{"a":0x1}`, `{"a":NaN}`, `{"a":tru}`, `{"a":True}`, `{"a":nul}`, `{"a":falsey}`, `{"a":'b'}`,
		`{"a":"b}`, "{\"a\":\"\x01\"}", "{\"a\":\"\n\"}", "{\"a\":\"\t\"}", `{"a":"\x"}`, `{"a":"\`, `{"a":"\u12"}`, `{"a":"\u12g4"}`,
		`{} {}`, `{}x`, `{}]`, "{}\x00", `{"TableName":"t"}}`, "\ufeff{}", `{/* */}`, "\v{}",
		`null`, `true`, `1`, `"x"`, `[]`, `[{"TableName":"t"}]`,
		`{"Item":{"a":{"S":"x"}`, `{"Item":{"a":{"S":"x"}}`, `{"Item":{"a":{"SS":["x"`, `{"TableName":tru}`, `{"Item":-}`, `{"Item":{"a":{"S" "x"}}}`,
	} {
		for _, operation := range []string{"PutItem", "CreateTable"} {
			if got := refusal(t, operation, body); got != "" {
				t.Errorf("%s %q: message %q, want none", operation, body, got)
			}
		}
	}
	for _, body := range []string{
		"{\"a\":\"\xff\"}", "{\"a\":\"abcdefgh\xc3\"}", "{\"a\":\"\xed\xa0\x80\"}", "{\"\xc0\x80\":1}", "{\"a\":\"\\n\xff\"}",
		`{"a":"\ud800"}`, `{"a":"\udc00"}`, `{"a":"\ud800x"}`, `{"a":"\ud800\u0041"}`, `{"a":"\udc00\ud800"}`,
		"{\"Item\":{\"a\":{\"S\":\"\xff\"}}}", `{"TableName":"\ud800"}`,
	} {
		if got := refusal(t, "PutItem", body); got != errNotText.Message {
			t.Errorf("%q: message %q, want %q", body, got, errNotText.Message)
		}
	}
	for _, body := range []string{
		`{"a":` + deep, `{"Item":` + strings.Repeat(`{"a":`, 50_000), `{"Item":{"a":` + strings.Repeat(`{"L":[`, 25_000),
		`{"Item":{"a":` + strings.Repeat(`{"M":{"a":`, 25_000), `{"Unknown":` + deep,
		`{"Expected":{"a":{"Value":` + strings.Repeat(`{"L":[`, 25_000),
	} {
		if got := refusal(t, "PutItem", body); got != "JSON is nested too deeply" && got != unexpectedField && got != unexpectedValue {
			t.Errorf("deep JSON: message %q", got)
		}
	}
}

// The scanner checks eight bytes at once: each byte that ends or corrupts a
// string must be found at each position of the eight.
func TestStringsOfEveryLength(t *testing.T) {
	for place := range 20 {
		before, after := strings.Repeat("a", place), strings.Repeat("b", 20-place)
		for c := range 0x20 {
			if got := refusal(t, "PutItem", `{"TableName":"`+before+string(rune(c))+after+`"}`); got != "" {
				t.Errorf("character %#x at %d: message %q", c, place, got)
			}
		}
		if got := refusal(t, "PutItem", `{"TableName":"`+before+"\xff"+after+`"}`); got != errNotText.Message {
			t.Errorf("bad UTF-8 at %d: message %q", place, got)
		}
		for written, want := range map[string]string{`\"`: `"`, `\\`: `\`, `\u00e9`: "é", "é": "é", "\u007f": "\u007f", " ": " ", "😀": "😀"} {
			in := inputOf(t, "GetItem", `{"TableName":"`+before+written+after+`"}`).(*dynamo.GetItemInput)
			if *in.TableName != before+want+after {
				t.Errorf("%q is read as %q", before+written+after, *in.TableName)
			}
		}
	}
}

// SearchVectors has another deserialiser: required members must be there
// and must not be null.
func TestSearchVectorsIsReadStrictly(t *testing.T) {
	for body, want := range map[string]string{
		`{"IndexName":null}`:                     "invalid type: null, expected a string at line 1 column 17",
		"{\n  \"TableName\": null\n}":            "invalid type: null, expected a string at line 2 column 19",
		`{"SearchVector":null,"TopK":null}`:      "invalid type: null, expected a sequence at line 1 column 20",
		`{"TableName":"t", "TopK":null}`:         "invalid type: null, expected i32 at line 1 column 29",
		`{"SearchVector":[{"N":"1"}],"TopK":[]}`: "Unrecognized collection type class java.lang.Integer",
	} {
		if got := refusal(t, "SearchVectors", body); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
	for body, want := range map[string]string{
		`{}`: "missing field `TableName` at line 1 column 2",
		`{"TopK":1,"SearchVector":[],"TableName":"t"}`:                                          "missing field `IndexName` at line 1 column 44",
		"{\"TableName\":\"t\",\n\"IndexName\":\"i\"}":                                           "missing field `SearchVector` at line 2 column 16",
		`{"TableName":"t","IndexName":"i","SearchVector":[], "SearchConditionExpression":null}`: "missing field `TopK` at line 1 column 85",
	} {
		answer, status := NewHandler(&fake{}, Options{}).Call(context.Background(), "SearchVectors", []byte(body), nil)
		if wantAnswer := `{"__type":"com.amazon.coral.validate#ValidationException","message":"` + want + `"}`; status != http.StatusBadRequest || string(answer) != wantAnswer {
			t.Errorf("%s: status %d, answer %s, want %s", body, status, answer, wantAnswer)
		}
	}
}
