package stream_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/stream"
)

const sampleEvent = `{
  "Records": [
    {
      "eventID": "c4ca4238a0b923820dcc509a6f75849b", "eventName": "INSERT", "eventVersion": "1.1",
      "eventSource": "aws:dynamodb", "awsRegion": "eu-west-1",
      "dynamodb": {
        "ApproximateCreationDateTime": 1.7986464005E9,
        "Keys": {"id": {"S": "owl"}},
        "NewImage": {
          "id": {"S": "owl"}, "n": {"N": "-1.5E+2"}, "b": {"B": "AAEC"}, "yes": {"BOOL": true}, "nothing": {"NULL": true},
          "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2"]}, "bs": {"BS": ["AA==", ""]},
          "l": {"L": [{"S": "x"}, {"L": []}]}, "m": {"M": {"deep": {"M": {}}}}
        },
        "SequenceNumber": "111", "SizeBytes": 26, "StreamViewType": "NEW_AND_OLD_IMAGES"
      },
      "eventSourceARN": "arn:aws:dynamodb:eu-west-1:123456789012:table/Birds/stream/2026-11-01T12:00:00.000",
      "somethingNew": {"with": ["anything", 1, null]}
    },
    {
      "eventName": "REMOVE",
      "userIdentity": {"type": "Service", "principalId": "dynamodb.amazonaws.com"},
      "dynamodb": {"ApproximateCreationDateTime": 1798646401, "Keys": {"id": {"S": "owl"}}, "OldImage": {"id": {"S": "owl"}}, "SequenceNumber": "222"}
    },
    {"eventName": "MODIFY", "userIdentity": null, "dynamodb": {"SequenceNumber": "333"}}
  ],
  "alsoNew": 1
}`

func TestEventIsReadAsLambdaSendsIt(t *testing.T) {
	var got stream.Event
	if err := json.Unmarshal([]byte(sampleEvent), &got); err != nil {
		t.Fatal(err)
	}
	owl := access.Item{"id": str("owl")}
	want := stream.Event{Records: []stream.Record{
		{
			EventID: "c4ca4238a0b923820dcc509a6f75849b", Table: "Birds", SequenceNumber: "111", Kind: stream.Insert, Keys: owl,
			At: time.Date(2026, 12, 30, 16, 0, 0, 500_000_000, time.UTC),
			New: access.Item{
				"id": str("owl"), "n": &types.AttributeValueMemberN{Value: "-1.5E+2"}, "b": &types.AttributeValueMemberB{Value: []byte{0, 1, 2}},
				"yes": &types.AttributeValueMemberBOOL{Value: true}, "nothing": &types.AttributeValueMemberNULL{Value: true},
				"ss": &types.AttributeValueMemberSS{Value: []string{"a", "b"}}, "ns": &types.AttributeValueMemberNS{Value: []string{"1", "2"}},
				"bs": &types.AttributeValueMemberBS{Value: [][]byte{{0}, {}}},
				"l":  &types.AttributeValueMemberL{Value: []types.AttributeValue{str("x"), &types.AttributeValueMemberL{Value: []types.AttributeValue{}}}},
				"m":  &types.AttributeValueMemberM{Value: access.Item{"deep": &types.AttributeValueMemberM{Value: access.Item{}}}},
			},
		},
		{SequenceNumber: "222", Kind: stream.Remove, Keys: owl, Old: owl, Expired: true, At: time.Date(2026, 12, 30, 16, 0, 1, 0, time.UTC)},
		{SequenceNumber: "333", Kind: stream.Modify},
	}}
	if diff := cmp.Diff(want, got, sameValues); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEventsThatAreMalformedAreRefused(t *testing.T) {
	image := func(v string) string {
		return `{"Records":[{"eventName":"INSERT","dynamodb":{"SequenceNumber":"1","NewImage":` + v + `}}]}`
	}
	for _, test := range []struct{ name, event, want string }{
		{"not an object", `[]`, "an array where an object should be"},
		{"records", `{"Records": 1}`, "Records: a number where an array should be"},
		{"record", `{"Records": [null]}`, "Records: element 0: null where an object should be"},
		{"no kind", `{"Records": [{"dynamodb":{"SequenceNumber":"1"}}]}`, `eventName: "" is not INSERT, MODIFY or REMOVE`},
		{"no change", `{"Records": [{"eventName":"INSERT"}]}`, "a record without a SequenceNumber"},
		{"queue", `{"Records": [{"eventSource":"aws:sqs","body":"x"}]}`, "a record of aws:sqs, not of a DynamoDB stream"},
		{"ARN", `{"Records": [{"eventName":"INSERT","dynamodb":{"SequenceNumber":"1"},"eventSourceARN":"arn:aws:sqs:x:1:q"}]}`, "is not the ARN of a DynamoDB stream"},
		{"time", `{"Records": [{"eventName":"INSERT","dynamodb":{"SequenceNumber":"1","ApproximateCreationDateTime":"now"}}]}`, "a text where a number of seconds should be"},
		{"late", `{"Records": [{"eventName":"INSERT","dynamodb":{"SequenceNumber":"1","ApproximateCreationDateTime":1e300}}]}`, "is not a time in seconds"},
		{"image", image(`null`), "dynamodb: NewImage: null where an object should be"},
		{"value", image(`{"a": "x"}`), "NewImage: a: a text where an object should be"},
		{"no type", image(`{"a": {}}`), "a: a value without a type"},
		{"two types", image(`{"a": {"S":"x","N":"1"}}`), "a: N: a second type of one value"},
		{"unknown type", image(`{"a": {"X":"x"}}`), "a: X: an unknown type of value"},
		{"text", image(`{"a": {"S":1}}`), "S: a number where a text should be"},
		{"number", image(`{"a": {"N":"one"}}`), `N: "one" is not a number`},
		{"empty number", image(`{"a": {"N":""}}`), `N: "" is not a number`},
		{"number with blanks", image(`{"a": {"N":"1 "}}`), `N: "1 " is not a number`},
		{"bytes", image(`{"a": {"B":"?"}}`), "B: not base64"},
		{"bool", image(`{"a": {"BOOL":"true"}}`), "BOOL: a text where true or false should be"},
		{"set", image(`{"a": {"NS":["1","x"]}}`), `NS: element 1: "x" is not a number`},
		{"list", image(`{"a": {"L":[{"S":"x"},{"S":{}}]}}`), "L: element 1: S: an object where a text should be"},
		{"deep", image(`{"a": ` + strings.Repeat(`{"L":[`, 50) + strings.Repeat(`]}`, 50) + `}`), "nested deeper than"},
	} {
		var e stream.Event
		err := json.Unmarshal([]byte(test.event), &e)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
	var e stream.Event
	for _, bad := range []string{``, `{`, `{"Records":[`, `{"Records":[{"eventName":`, `{} {}`} {
		if err := e.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%q is taken for an event", bad)
		}
	}
}

func FuzzEvent(f *testing.F) {
	f.Add([]byte(sampleEvent))
	f.Add([]byte(`{"Records":[{"eventName":"INSERT","dynamodb":{"SequenceNumber":"1","NewImage":{"a":{"L":[{"M":{"b":{"N":"1e5"}}}]}}}}]}`))
	f.Add([]byte(`{"Records":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var e stream.Event
		if err := e.UnmarshalJSON(data); err != nil {
			if e.Records != nil {
				t.Error("an event that was refused has records")
			}
			return
		}
		if !json.Valid(data) {
			t.Errorf("%q is not JSON", data)
		}
		for _, r := range e.Records {
			if r.SequenceNumber == "" || r.Kind != stream.Insert && r.Kind != stream.Modify && r.Kind != stream.Remove {
				t.Errorf("a record that cannot be handled: %+v", r)
			}
			for _, image := range []access.Item{r.Keys, r.Old, r.New} {
				for name, v := range image {
					if v == nil {
						t.Errorf("attribute %q has no value", name)
					}
				}
			}
		}
	})
}

func TestLambdaReportsTheFirstRecordThatFails(t *testing.T) {
	for _, test := range []struct {
		name, poison string
		handled      []string
		want         string
	}{
		{"all well", "", []string{"111", "222", "333"}, `{"batchItemFailures":[]}`},
		{"in the middle", "222", []string{"111"}, `{"batchItemFailures":[{"itemIdentifier":"222"}]}`},
		{"at once", "111", nil, `{"batchItemFailures":[{"itemIdentifier":"111"}]}`},
	} {
		var handled []string
		f := stream.Lambda(func(_ context.Context, r stream.Record) error {
			if r.SequenceNumber == test.poison {
				return errTest
			}
			handled = append(handled, r.SequenceNumber)
			return nil
		})
		if got := call(t, t.Context(), f); got != test.want {
			t.Errorf("%s: answers %s, want %s", test.name, got, test.want)
		}
		if diff := cmp.Diff(test.handled, handled); diff != "" {
			t.Errorf("%s: handled (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestLambdaReportsARecordThatPanics must not end the process: Lambda would send the whole
// batch again, and not only what is left of it.
func TestLambdaReportsARecordThatPanics(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	f := stream.Lambda(func(_ context.Context, r stream.Record) error {
		if r.SequenceNumber == "222" {
			panic("no owl")
		}
		return nil
	})
	if got, want := call(t, t.Context(), f), `{"batchItemFailures":[{"itemIdentifier":"222"}]}`; got != want {
		t.Errorf("answers %s, want %s", got, want)
	}
	for _, want := range []string{"level=ERROR", "sequence=222", "the handler panicked: no owl", "event_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log is without %q:\n%s", want, &log)
		}
	}
}

func TestLambdaStopsWhenItsTimeIsOver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := stream.Lambda(func(context.Context, stream.Record) error { cancel(); return nil })
	if got, want := call(t, ctx, f), `{"batchItemFailures":[{"itemIdentifier":"222"}]}`; got != want {
		t.Errorf("answers %s, want %s", got, want)
	}
}

// call calls a function the way Lambda does: with JSON, for JSON.
func call(t *testing.T, ctx context.Context, f func(context.Context, stream.Event) (stream.Response, error)) string {
	t.Helper()
	var e stream.Event
	if err := json.Unmarshal([]byte(sampleEvent), &e); err != nil {
		t.Fatal(err)
	}
	response, err := f(ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := json.Marshal(response)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}
