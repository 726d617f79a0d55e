package request

import (
	"strconv"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// keys returns n different keys.
func keys(t testing.TB, n int) []dynamo.RawItem {
	all := make([]dynamo.RawItem, n)
	for i := range all {
		all[i] = item(t, "pk", strconv.Itoa(i))
	}
	return all
}

const badMapKeys = "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"

func TestBatchGetItemErrors(t *testing.T) {
	gets := func(table string, keys []dynamo.RawItem) dynamo.KeysAndAttributes {
		return dynamo.KeysAndAttributes{TableName: table, Keys: keys}
	}
	tests := []struct {
		name   string
		change func(in *dynamo.BatchGetItemInput)
		want   string
	}{
		{"a plain batch is good", func(*dynamo.BatchGetItemInput) {}, ""},
		{"no tables sent", func(in *dynamo.BatchGetItemInput) { in.RequestItems, in.ReturnConsumedCapacity = nil, "X" },
			"2 validation errors detected: Value null at 'requestItems' failed to satisfy constraint: Member must not be null; " + badCapacity},
		{"keys not sent", func(in *dynamo.BatchGetItemInput) { in.RequestItems[0].Keys = nil },
			one("Value null at 'requestItems.Music.member.keys' failed to satisfy constraint: Member must not be null")},
		{"no keys", func(in *dynamo.BatchGetItemInput) { in.RequestItems[0].Keys = []dynamo.RawItem{} },
			one("Value at 'RequestItems.Music.member.Keys' failed to satisfy constraint: Member must have length greater than or equal to 1")},
		{"most keys", func(in *dynamo.BatchGetItemInput) { in.RequestItems[0].Keys = keys(t, 100) }, ""},
		{"too many keys of one table", func(in *dynamo.BatchGetItemInput) {
			in.RequestItems[0].Keys, in.ReturnConsumedCapacity = keys(t, 101), "X"
		}, one("Value at 'RequestItems.Music.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100")},
		{"too many keys of two tables", func(in *dynamo.BatchGetItemInput) {
			in.RequestItems = []dynamo.KeysAndAttributes{gets("Music", keys(t, 60)), gets("Books", keys(t, 41))}
		}, "Too many items requested for the BatchGetItem call"},
		{"bad table name and bad word", func(in *dynamo.BatchGetItemInput) {
			in.RequestItems[0], in.ReturnConsumedCapacity = gets("ab", []dynamo.RawItem{item(t, "pk", "a")}), "X"
		}, `2 validation errors detected: Value '{"ab":{"Keys":[{"pk":{"S":"a"}}]}}' at 'requestItems' failed to satisfy constraint: ` + badMapKeys + "; " + badCapacity},

		{"both APIs for a table", func(in *dynamo.BatchGetItemInput) {
			in.RequestItems[0].AttributesToGet, in.RequestItems[0].ProjectionExpression = []string{"a"}, new("a")
		}, mixed + "AttributesToGet} Expression parameters: {ProjectionExpression}"},
		{"both APIs, one for each table", func(in *dynamo.BatchGetItemInput) {
			in.RequestItems = append(in.RequestItems, gets("Books", keys(t, 1)))
			in.RequestItems[0].ProjectionExpression, in.RequestItems[1].AttributesToGet = new("a"), []string{"a"}
		}, mixed + "AttributesToGet} Expression parameters: {ProjectionExpression}"},
		{"the older API", func(in *dynamo.BatchGetItemInput) { in.RequestItems[0].AttributesToGet = []string{"a", "b"} }, ""},
		{"no attributes to get", func(in *dynamo.BatchGetItemInput) { in.RequestItems[0].AttributesToGet = []string{} },
			one("Value '[]' at 'requestItems.Music.member.attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1")},
		{"an attribute to get twice", func(in *dynamo.BatchGetItemInput) { in.RequestItems[0].AttributesToGet = []string{"a", "b", "a"} },
			"One or more parameter values were invalid: Duplicate value in attribute name: a"},
		{"a batch is repeated with its attributes", func(in *dynamo.BatchGetItemInput) {
			in.RequestItems[0] = gets("ab", []dynamo.RawItem{item(t, "pk", "a")})
			in.RequestItems[0].AttributesToGet = []string{"a", "b"}
		}, one(`Value '{"ab":{"Keys":[{"pk":{"S":"a"}}],"AttributesToGet":["a","b"]}}' at 'requestItems' failed to satisfy constraint: ` + badMapKeys)},
		{"an empty projection beats a bad key", func(in *dynamo.BatchGetItemInput) {
			in.RequestItems[0].ProjectionExpression, in.RequestItems[0].Keys[0] = new(""), faulty(t, twoWordings)
		}, "Invalid ProjectionExpression: The expression can not be empty;"},
		{"a bad key is worded the newer way", func(in *dynamo.BatchGetItemInput) { in.RequestItems[0].Keys[1] = faulty(t, twoWordings) },
			"newer words"},
		{"the same key twice is not seen here", func(in *dynamo.BatchGetItemInput) { in.RequestItems[0].Keys = append(keys(t, 1), keys(t, 1)...) }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := &dynamo.BatchGetItemInput{RequestItems: []dynamo.KeysAndAttributes{gets("Music", keys(t, 2))}}
			test.change(in)
			_, err := Current.CheckBatchGetItem(in)
			expect(t, err, test.want)
		})
	}
}

func TestBatchGetItemIsResolved(t *testing.T) {
	in := &dynamo.BatchGetItemInput{
		RequestItems: []dynamo.KeysAndAttributes{
			{TableName: tableARN, Keys: keys(t, 2), ConsistentRead: new(true), ProjectionExpression: new("a")},
			{TableName: "Books", Keys: keys(t, 1)},
		},
		ReturnConsumedCapacity: "TOTAL",
	}
	batch, err := Current.CheckBatchGetItem(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(batch.Tables) != 2 || batch.Capacity != CapacityTotal {
		t.Fatalf("got %+v", batch)
	}
	music, books := batch.Tables[0], batch.Tables[1]
	if music.Table != in.RequestItems[0].TableName || len(music.Keys) != 2 || string(music.Keys[1]) != string(in.RequestItems[0].Keys[1].Item) ||
		music.Projection == nil || !music.Consistent || music.Input.TableName != tableARN {
		t.Errorf("got %+v", music)
	}
	if books.Table != "Books" || len(books.Keys) != 1 || books.Projection != nil || books.Consistent {
		t.Errorf("got %+v", books)
	}
}
