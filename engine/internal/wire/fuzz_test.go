package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

var jsonSeeds = []string{
	`{}`, `[]`, `null`, `"a\u0041\ud83d\ude00\n"`, `-0.5e+10`, `[1,{"a":[true,false,null]}]`, ` { "a" : 1 , "b" : "c" } `,
	`"\ud800"`, "\"\xff\"", `{"a":1,}`, `01`, `"`, `[[[[]]]]`, `{"a":"0123456789é0123456789"}`, `"01234567\"89"`, "\"01234567\x1f\"",
}

// tree decodes any JSON with the scanner into the types of encoding/json.
func tree(s *scanner) any {
	switch s.next() {
	case '{':
		object := map[string]any{}
		for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
			key := string(name)
			object[key] = tree(s)
		}
		return object
	case '[':
		list := []any{}
		for more := s.firstElement(bodyType); more; more = s.nextElement() {
			list = append(list, tree(s))
		}
		return list
	case '"':
		return string(s.quoted())
	case 't':
		s.word("true")
		return true
	case 'f':
		s.word("false")
		return false
	case 'n':
		s.word("null")
		return nil
	}
	text, _ := s.number()
	return json.Number(text)
}

// FuzzScanner compares the scanner with encoding/json: both accept the same
// texts, except invalid Unicode, and decode the same from them.
func FuzzScanner(f *testing.F) {
	for _, seed := range jsonSeeds {
		f.Add([]byte(seed))
	}
	f.Add([]byte(everyKind))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s scanner
		s.start(text)
		got := tree(&s)
		err := s.finish()
		s.start(text)
		s.skip()
		if skipErr := s.finish(); (skipErr == nil) != (err == nil) {
			t.Fatalf("read: %v, passed over: %v", err, skipErr)
		}
		if err != nil {
			if json.Valid(text) && err != errNotText {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		if !utf8.Valid(text) {
			t.Fatal("accepted text that is no UTF-8")
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var want any
		if err := d.Decode(&want); err != nil {
			t.Fatalf("accepted what encoding/json refuses: %v", err)
		}
		if _, err := d.Token(); err != io.EOF {
			t.Fatal("accepted what follows the value")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

// FuzzItem decodes an item, encodes it, and decodes it again.
func FuzzItem(f *testing.F) {
	for _, seed := range []string{
		everyKind, `{"a":{"NS":["1e2","-0"]}}`, `{"a":{"S":"x"},"a":{"S":"y"}}`, `{"a":{"S":"x","N":"1"}}`, `{"a":{"L":[{"M":{"b":{"SS":[]}}}]}}`,
		`{"b":{"S":""},"a":{"B":""}}`, nestedLists(40), `{"a":{"M":{"x":{"S":"a","N":"1"},"y":{"BS":["AA=="]}},"L":[]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s scanner
		s.start(text)
		raw := s.item()
		if s.finish() != nil || raw.Item == nil {
			return
		}
		answer := appendItem(nil, raw.Item)
		if !json.Valid(answer) || !utf8.Valid(answer) {
			t.Fatalf("%q is no JSON", answer)
		}
		if raw.Fault != nil {
			return
		}
		s.start(answer)
		again := s.item()
		if err := s.finish(); err != nil || again.Fault != nil || !bytes.Equal(again.Item, raw.Item) {
			t.Fatalf("%s\nread again: %v, %v\n%q, want\n%q", answer, err, again.Fault, again.Item, raw.Item)
		}
		if diff := cmp.Diff(plainItem(t, text), plainItem(t, answer)); diff != "" {
			t.Fatalf("(-sent +answered):\n%s", diff)
		}
	})
}

// plainItem returns an item as encoding/json decodes it, in a canonical form.
func plainItem(t *testing.T, text []byte) map[string]any {
	var members map[string]map[string]any
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	item := map[string]any{}
	for name, value := range members {
		item[name] = plainValue(t, value)
	}
	return item
}

func plainValue(t *testing.T, value map[string]any) any {
	for kind, content := range value {
		if content == nil || kindNamed([]byte(kind)) == 0 {
			continue
		}
		switch kind {
		case "M":
			item := map[string]any{}
			for name, element := range content.(map[string]any) {
				item[name] = plainValue(t, element.(map[string]any))
			}
			return item
		case "L":
			list := []any{}
			for _, element := range content.([]any) {
				list = append(list, plainValue(t, element.(map[string]any)))
			}
			return list
		case "N":
			return []string{kind, canonical(t, content.(string))}
		case "SS", "NS", "BS":
			members := []string{kind}
			for _, member := range content.([]any) {
				text := member.(string)
				if kind == "NS" {
					text = canonical(t, text)
				}
				members = append(members, text)
			}
			slices.Sort(members[1:])
			return members
		case "BOOL", "NULL":
			if word, ok := content.(string); ok {
				return []any{kind, slices.Contains([]string{"TRUE", "YES", "1"}, strings.ToUpper(word))}
			}
		}
		return []any{kind, content}
	}
	return nil
}

// canonical returns a number in canonical form.
func canonical(t *testing.T, text string) string {
	var e dynamo.Encoder
	if err := e.Number([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return string(e.Value(0).Bytes())
}

// FuzzRequest sends anything to the handler: every response must be JSON.
func FuzzRequest(f *testing.F) {
	for name := range operations {
		f.Add(interfaceOf(name)+"."+name, json10, "", []byte(`{"TableName":"t","Key":{"pk":{"S":"a"}},"Limit":1,"RequestItems":{"t":[{"PutRequest":{"Item":{}}}]}}`))
	}
	f.Add("DynamoDB_20120810.PutItem", json10, "", []byte(`{"Item":`+everyKind+`,"ExpressionAttributeValues":`+everyKind+`}`))
	f.Add("DynamoDB_20120810.BatchGetItem", json10, "", []byte(`{"RequestItems":{"t":{"Keys":[{"pk":{"S":"a","N":"1"}}]}}}`))
	f.Add("DynamoDB_20120810.TransactWriteItems", json10, "", []byte(`{"ClientRequestToken":"x","TransactItems":[{"Put":{"Item":`+everyKind+`}},{"Delete":{"Key":{"pk":{"S":"a"}}}},
		{"Update":{"UpdateExpression":"u","ExpressionAttributeNames":{"#a":"b"}}},{"ConditionCheck":{"ExpressionAttributeValues":{":v":{"N":"1","S":"2"}}}},null]}`))
	f.Add("DynamoDB_20120810.TransactGetItems", json10, "", []byte(`{"TransactItems":[{"Get":{"TableName":"t","Key":{"pk":{"S":"a"}},"ProjectionExpression":"p"}},{"Get":null}]}`))
	f.Add("DynamoDB_20120810.BatchExecuteStatement", json10, "", []byte(`{"Statements":[{"Statement":"SELECT","Parameters":[`+everyKind+`,{"N":"x"}]},null]}`))
	f.Add("DynamoDBStreams_20120810.GetRecords", json10, "", []byte(`{"ShardIterator":"i","Limit":1000}`))
	f.Add("DynamoDBStreams_20120810.DescribeStream", json10, "", []byte(`{"StreamArn":"arn","ShardFilter":{"Type":"CHILD_SHARDS","ShardId":"s"}}`))
	f.Add("DynamoDB_20120810.UpdateTimeToLive", json10, "", []byte(`{"TimeToLiveSpecification":{"AttributeName":"a","Enabled":"yes"}}`))
	f.Add("DynamoDB_20120810.UpdateTable", "application/json", "", []byte(`{"GlobalSecondaryIndexUpdates":[{"Create":{"KeySchema":[null]}}],"ReplicaUpdates":[]}`))
	f.Add("DynamoDB_20120810.GetItem", json10, "gzip", []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0})
	f.Add("DynamoDB_20120810.GetItem", json10, "deflate", []byte{0x78, 0x9c, 1})
	f.Fuzz(func(t *testing.T, target, contentType, encoding string, body []byte) {
		r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
		r.Header = http.Header{"X-Amz-Target": {target}, "Content-Type": {contentType}, "Content-Encoding": {encoding}}
		w := serve(t, &fake{}, r)
		switch w.Code {
		case http.StatusOK:
			if strings.HasSuffix(strings.ToLower(target), "tagresource") && w.Body.Len() == 0 {
				return
			}
		case http.StatusBadRequest:
			if !strings.HasPrefix(w.Body.String(), `{"__type":"com.amazon`) {
				t.Fatalf("error %s", w.Body)
			}
		case http.StatusInternalServerError:
			if encoding == "" || !strings.Contains(w.Body.String(), "Content-Encoding") {
				t.Fatalf("status %d, %s", w.Code, w.Body)
			}
		case http.StatusNotFound, http.StatusRequestEntityTooLarge:
			return
		default:
			t.Fatalf("status %d, %s", w.Code, w.Body)
		}
		if !json.Valid(w.Body.Bytes()) {
			t.Fatalf("answer %s", w.Body)
		}
	})
}

// An accepted line of a bulk operation has an item that the engine can use.
func FuzzBulkLine(f *testing.F) {
	f.Add([]byte(`{"Item":{"id":{"S":"a"},"m":{"M":{"x":{"L":[{"N":"1"},{"NULL":true}]}}}}}`))
	f.Add([]byte(`{"Item":{"id":{"S":"a"}},"ConditionExpression":"a = :v","ExpressionAttributeNames":{"#a":"b"},"ExpressionAttributeValues":{":v":{"BS":["AA==","AA=="]}}}`))
	f.Add([]byte(`{"Item":{"id":{"S":"a"},"id":{"N":"x"}},"Item":null}`))
	f.Add([]byte(`{"Other":1}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		in, err := ReadBulkLine(line)
		if err != nil {
			if refusal, ok := errors.AsType[*dynamo.Error](err); !ok || refusal.Message == "" {
				t.Fatalf("%q: %v", line, err)
			}
			return
		}
		if in.Item.Item.Only([]string{"id"}) == nil {
			t.Fatalf("%q has no item", line)
		}
		if in.Item.Fault != nil {
			return
		}
		whole := append(AppendItem([]byte(`{"Item":`), in.Item.Item), '}')
		again, err := ReadBulkLine(whole)
		if err != nil || !bytes.Equal(again.Item.Item, in.Item.Item) {
			t.Errorf("%q became %q: %v", line, whole, err)
		}
	})
}
