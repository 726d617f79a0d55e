package wire

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

// everyKind is an item with a value of every kind, in the form of a response.
const everyKind = `{"binary":{"B":"AAEC/w=="},"binaries":{"BS":["","AA=="]},"empty":{"S":""},"escaped":{"S":"a\"b\\c\n\r\t\u0001é\u007f😀"},` +
	`"false":{"BOOL":false},"list":{"L":[{"S":"x"},{"N":"1"},{"L":[]},{"M":{}}]},"map":{"M":{"a\"b":{"NULL":true},"b":{"M":{"c":{"BOOL":true}}}}},` +
	`"name \\ \u0007":{"S":"x"},"number":{"N":"-12.5"},"numbers":{"NS":["1","2.5"]},"texts":{"SS":["","a\"","b"]},"名前":{"S":"値"}}`

func TestItemsComeBackAsTheyWere(t *testing.T) {
	item := readItem(t, everyKind)
	answer := string(appendItem(nil, item))
	if diff := cmp.Diff(decoded(t, everyKind), decoded(t, answer)); diff != "" {
		t.Errorf("item (-want +got):\n%s", diff)
	}
	if again := readItem(t, answer); string(again) != string(item) {
		t.Errorf("read again the item is\n%q, want\n%q", again, item)
	}
}

func decoded(t testing.TB, text string) (tree any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return tree
}

func TestSpaceAndEscapesDoNotMatter(t *testing.T) {
	want := textItem("pk", "a/é😀\b\f")
	for _, text := range []string{
		`{"pk":{"S":"a/é😀\b\f"}}`,
		" { \"pk\" :\t{ \"S\"\n:\r\"a/é😀\\b\\f\" } } ",
		`{"\u0070\u006B":{"\u0053":"\u0061\/\u00e9\uD83d\ude00\u0008\u000C"}}`,
		`{"pk":{"S":"a/é😀\b\f","X":1,"N":null}}`,
	} {
		if got := readItem(t, text); string(got) != string(want) {
			t.Errorf("%s is\n%q, want\n%q", text, got, want)
		}
	}
}

// nestedLists returns lists around a number, levels deep.
func nestedLists(levels int) string {
	return strings.Repeat(`{"L":[`, levels-1) + `{"N":"1"}` + strings.Repeat(`]}`, levels-1)
}

func TestFaultsOfValuesAreReportedWithTheInput(t *testing.T) {
	const emptySet = "One or more parameter values were invalid: An string set  may not be empty"
	for _, test := range []struct{ name, value, want string }{
		{"no type", `{}`, dynamo.FaultNoType.Text},
		{"null", `null`, dynamo.FaultNoType.Text},
		{"null type", `{"S":null}`, dynamo.FaultNoType.Text},
		{"unknown type", `{"X":1,"s":"a"}`, dynamo.FaultNoType.Text},
		{"two types", `{"S":"a","N":"1"}`, dynamo.FaultManyTypes.Text},
		{"three types", `{"N":"1","M":{"a":{"S":"a","N":"1"}},"L":[{"S":"a","SS":["b"]}]}`, dynamo.FaultManyTypes.Text},
		{"a fault before two types", `{"S":"a","SS":[]}`, emptySet},
		{"null that is false", `{"NULL":false}`, dynamo.FaultNullFalse.Text},
		{"no number", `{"N":"abc"}`, "The parameter cannot be converted to a numeric value: abc"},
		{"no number in a set", `{"NS":["1","x"]}`, "The parameter cannot be converted to a numeric value: x"},
		{"empty set", `{"SS":[]}`, emptySet},
		{"set with null", `{"SS":["a",null]}`, faultNullMember.Text},
		{"repeated member", `{"SS":["b","a","b"]}`, `One or more parameter values were invalid: Input collection ["a", "b", "b"] contains duplicates.`},
		{"in a map", `{"M":{"a":{"L":[{"SS":[]}]}}}`, emptySet},
		{"the first of two", `{"L":[{"SS":[]},{"N":"abc"}]}`, emptySet},
		{"level 32", nestedLists(32), ""},
		{"level 33", nestedLists(33), dynamo.FaultNesting.Text},
		{"level 1000", nestedLists(1000), dynamo.FaultNesting.Text},
	} {
		t.Run(test.name, func(t *testing.T) {
			put := inputOf(t, "PutItem", `{"Item":{"a":`+test.value+`,"z":{"S":"behind"}},"TableName":"t"}`).(*dynamo.PutItemInput)
			if got := faultText(put.Item.Fault); got != test.want {
				t.Errorf("fault of the item is %q, want %q", got, test.want)
			}
			if put.TableName == nil || string(put.Item.Item.Get("z")) != string(textValue("behind")) {
				t.Error("what follows the fault was not read")
			}
			query := inputOf(t, "Query", `{"ExpressionAttributeValues":{":a":{"S":"x"},":b":`+test.value+`,":c":{"SS":[]}}}`).(*dynamo.QueryInput)
			wantName, wantFault := ":b", test.want
			if test.want == "" {
				wantName, wantFault = ":c", emptySet
			}
			if got := faultText(query.Values.Fault); got != wantFault || query.Values.FaultName != wantName {
				t.Errorf("fault of the values is %q of %s, want %q of %s", got, query.Values.FaultName, wantFault, wantName)
			}
		})
	}
}

func faultText(err error) string {
	var fault *dynamo.Fault
	if errors.As(err, &fault) {
		return fault.Text
	}
	return ""
}

func TestAFaultBelongsToItsItem(t *testing.T) {
	in := inputOf(t, "BatchWriteItem", `{"RequestItems":{"t":[{"PutRequest":{"Item":{"a":{"SS":[]}}}},{"PutRequest":{"Item":{"a":{"S":"x"}}}}]}}`).(*dynamo.BatchWriteItemInput)
	first, second := in.RequestItems[0].Requests[0].Put, in.RequestItems[0].Requests[1].Put
	if first.Fault == nil || second.Fault != nil {
		t.Errorf("faults are %v and %v, want one of the first item only", first.Fault, second.Fault)
	}
}

// The inputs must not share memory with the body or the pooled buffers of a
// later request.
func TestInputsOutliveTheRequest(t *testing.T) {
	api := &fake{}
	h := NewHandler(api, Options{})
	call := func(letter string) *dynamo.PutItemInput {
		long := strings.Repeat(letter, 100)
		body := []byte(`{"TableName":"` + long + `","ConditionExpression":"\u0041` + long + `","Item":{"` + long + `":{"S":"` + long + `"}},"ReturnValues":"` + long + `",` +
			`"ExpressionAttributeValues":{":` + long + `":{"S":"` + long + `"}},"ExpressionAttributeNames":{"#` + long + `":"` + long + `"}}`)
		if answer, status := h.Call(context.Background(), "PutItem", body, nil); status != http.StatusOK {
			t.Fatalf("%s", answer)
		}
		clear(body)
		return api.input.(*dynamo.PutItemInput)
	}
	long := strings.Repeat("a", 100)
	want := &dynamo.PutItemInput{
		WriteParameters: dynamo.WriteParameters{
			TableName: &long, ConditionExpression: new("A" + long), ReturnValues: long,
			Expressions: dynamo.Expressions{
				Names:  map[string]string{"#" + long: long},
				Values: dynamo.RawValues{ByName: map[string]dynamo.Value{":" + long: textValue(long)}},
			},
		},
		Item: dynamo.RawItem{Item: textItem(long, long)},
	}
	for range 10 {
		got := call("a")
		call("b")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("the input changed (-want +got):\n%s", diff)
		}
	}
}
