package request

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// puts returns n requests that put different items.
func puts(t testing.TB, n int) []dynamo.WriteRequest {
	all := make([]dynamo.WriteRequest, n)
	for i, key := range keys(t, n) {
		all[i].Put = &key
	}
	return all
}

const badMapValues = "Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"

// javaPut formats a request that puts an item with one string attribute like Java.
func javaPut(name, value string) string {
	return "WriteRequest(putRequest=PutRequest(item={" + name + "=AttributeValue(s=" + value + ", n=null, b=null, iNT=null, dECIMAL=null, dOUBLE=null, sS=null, nS=null, bS=null, iNTSET=null, dECIMALSET=null, dOUBLESET=null, m=null, l=null, nULL=null, bOOL=null)}, workloadProfileName=null), deleteRequest=null)"
}

func TestBatchWriteItemErrors(t *testing.T) {
	writes := func(table string, requests []dynamo.WriteRequest) dynamo.TableWrites {
		return dynamo.TableWrites{TableName: table, Requests: requests}
	}
	raw := func(r dynamo.RawItem) *dynamo.RawItem { return &r }
	tooMany := "{Music=["
	for i, key := range puts(t, 26) {
		if i > 0 {
			tooMany += ", "
		}
		tooMany += javaPut("pk", string(key.Put.Item.Get("pk").Bytes()))
	}
	tooMany += "]}"

	tests := []struct {
		name   string
		change func(in *dynamo.BatchWriteItemInput)
		want   string
	}{
		{"a plain batch is good", func(*dynamo.BatchWriteItemInput) {}, ""},
		{"no tables in the map, without the envelope", func(in *dynamo.BatchWriteItemInput) { in.RequestItems = []dynamo.TableWrites{} },
			"The requestItems parameter is required for BatchWriteItem"},
		{"two bad words", func(in *dynamo.BatchWriteItemInput) {
			in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics = "X", "X"
		},
			"2 validation errors detected: " + badCapacity + "; " + badMetrics},
		{"a bad word hides a bad table name", func(in *dynamo.BatchWriteItemInput) {
			in.ReturnConsumedCapacity, in.RequestItems[0].TableName = "X", "bad!name"
		}, one(badCapacity)},
		{"no requests for a table", func(in *dynamo.BatchWriteItemInput) { in.RequestItems[0].Requests = nil },
			one("Value '{Music=[]}' at 'requestItems' failed to satisfy constraint: " + badMapValues)},
		{"bad table name", func(in *dynamo.BatchWriteItemInput) { in.RequestItems[0] = writes("bad!name", puts(t, 1)) },
			one("Value '{bad!name=[" + javaPut("pk", "0") + "]}' at 'requestItems' failed to satisfy constraint: " + badMapKeys)},
		{"bad name of a second table, with a delete of nothing", func(in *dynamo.BatchWriteItemInput) {
			in.RequestItems = []dynamo.TableWrites{writes("Music", puts(t, 1)), writes("b!", []dynamo.WriteRequest{{Delete: &dynamo.RawItem{}}})}
		}, "2 validation errors detected: Value '{Music=[" + javaPut("pk", "0") + "], b!=[WriteRequest(putRequest=null, deleteRequest=DeleteRequest(key=null))]}' at 'requestItems' failed to satisfy constraint: " +
			badMapKeys + "; Value null at 'requestItems.b!.member.1.member.deleteRequest.key' failed to satisfy constraint: Member must not be null"},
		{"most requests", func(in *dynamo.BatchWriteItemInput) { in.RequestItems[0].Requests = puts(t, 25) }, ""},
		{"too many requests for a table", func(in *dynamo.BatchWriteItemInput) { in.RequestItems[0].Requests = puts(t, 26) },
			one("Value '" + tooMany + "' at 'requestItems' failed to satisfy constraint: " + badMapValues)},
		{"too many requests for two tables", func(in *dynamo.BatchWriteItemInput) {
			in.RequestItems = []dynamo.TableWrites{writes("Music", puts(t, 20)), writes("Books", puts(t, 6))}
		}, "Too many items requested for the BatchWriteItem call"},
		{"put of nothing", func(in *dynamo.BatchWriteItemInput) { in.RequestItems[0].Requests[0].Put = &dynamo.RawItem{} },
			one("Value null at 'requestItems.Music.member.1.member.putRequest.item' failed to satisfy constraint: Member must not be null")},
		{"delete of nothing", func(in *dynamo.BatchWriteItemInput) {
			in.RequestItems[0].Requests[0] = dynamo.WriteRequest{Delete: &dynamo.RawItem{}}
		}, one("Value null at 'requestItems.Music.member.1.member.deleteRequest.key' failed to satisfy constraint: Member must not be null")},

		{"a bad item is worded the older way", func(in *dynamo.BatchWriteItemInput) { in.RequestItems[0].Requests[0].Put = raw(faulty(t, twoWordings)) },
			"older words"},
		{"a bad key is worded the older way", func(in *dynamo.BatchWriteItemInput) {
			in.RequestItems[0].Requests[0] = dynamo.WriteRequest{Delete: raw(faulty(t, twoWordings))}
		}, "older words"},
		{"largest item", func(in *dynamo.BatchWriteItemInput) {
			in.RequestItems[0].Requests[0].Put = raw(item(t, "pk", long(409598)))
		}, ""},
		{"the same item twice is not seen here", func(in *dynamo.BatchWriteItemInput) {
			in.RequestItems[0].Requests = append(puts(t, 1), puts(t, 1)...)
		}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := &dynamo.BatchWriteItemInput{RequestItems: []dynamo.TableWrites{writes("Music", puts(t, 2))}}
			test.change(in)
			_, err := CheckBatchWriteItem(in)
			expect(t, err, test.want)
		})
	}
}

func TestBatchWriteItemIsResolved(t *testing.T) {
	key := item(t, "pk", "b")
	in := &dynamo.BatchWriteItemInput{
		RequestItems: []dynamo.TableWrites{{
			TableName: tableARN,
			Requests:  append(puts(t, 1), dynamo.WriteRequest{Delete: &key}),
		}},
		ReturnConsumedCapacity: "INDEXES", ReturnItemCollectionMetrics: "SIZE",
	}
	batch, err := CheckBatchWriteItem(in)
	if err != nil {
		t.Fatal(err)
	}
	music := batch.Tables[0]
	if music.Table != tableARN || batch.Capacity != CapacityIndexes || !batch.Metrics {
		t.Errorf("got %+v", batch)
	}
	put, del := music.Writes[0], music.Writes[1]
	if string(put.Put) != string(in.RequestItems[0].Requests[0].Put.Item) || put.Delete != nil {
		t.Errorf("the put became %+v", put)
	}
	if string(del.Delete) != string(key.Item) || del.Put != nil {
		t.Errorf("the delete became %+v", del)
	}
}

func TestEchoesOfAllTypes(t *testing.T) {
	var e dynamo.Encoder
	e.OpenItem()
	write := func(name string, value func() error) {
		e.Name(name)
		if err := value(); err != nil {
			t.Fatal(err)
		}
	}
	set := func(kind dynamo.Kind, members ...string) func() error {
		return func() error {
			e.OpenSet(kind)
			for _, m := range members {
				if err := e.Member([]byte(m)); err != nil {
					return err
				}
			}
			return e.CloseSet()
		}
	}
	write("a", func() error { e.Binary([]byte{0}); return nil })
	write("b", func() error { e.Bool(true); return nil })
	write("c", func() error { e.Null(); return nil })
	write("d", func() error { e.OpenList(); e.String(`<"`); err := e.Number([]byte("1.0")); e.CloseList(); return err })
	write("e", func() error { e.OpenMap(); e.Name("x"); e.Bool(false); return e.CloseMap() })
	write("f", set(dynamo.KindNumberSet, "2", "1"))
	write("g", set(dynamo.KindBinarySet, "\xff"))
	encoded, err := e.CloseItem()
	if err != nil {
		t.Fatal(err)
	}
	tables := []dynamo.KeysAndAttributes{
		{TableName: "a!", Keys: []dynamo.RawItem{{Item: encoded}}, ConsistentRead: new(true)},
		{TableName: "b!", ProjectionExpression: new("#a"), Names: map[string]string{"#a": "a"}},
	}
	want := `{"a!":{"Keys":[{"a":{"B":"AA=="},"b":{"BOOL":true},"c":{"NULL":true},"d":{"L":[{"S":"<\""},{"N":"1"}]},` +
		`"e":{"M":{"x":{"BOOL":false}}},"f":{"NS":["1","2"]},"g":{"BS":["/w=="]}}],"ConsistentRead":true},` +
		`"b!":{"Keys":[],"ProjectionExpression":"#a","ExpressionAttributeNames":{"#a":"a"}}}`
	if got := echoKeys(tables); got != want {
		t.Errorf("\n got: %s\nwant: %s", got, want)
	}
	null := func(field, content string) string {
		text := "AttributeValue("
		for i, name := range javaTypes {
			if i > 0 {
				text += ", "
			}
			if name == field {
				text += name + "=" + content
			} else {
				text += name + "=null"
			}
		}
		return text + ")"
	}
	want = "{a=" + null("b", "AA==") + ", b=" + null("bOOL", "true") + ", c=" + null("nULL", "true") +
		", d=" + null("l", "["+null("s", `<"`)+", "+null("n", "1")+"]") + ", e=" + null("m", "{x="+null("bOOL", "false")+"}") +
		", f=" + null("nS", "[1, 2]") + ", g=" + null("bS", "[/w==]") + "}"
	if got := javaItem(encoded); got != want {
		t.Errorf("\n got: %s\nwant: %s", got, want)
	}
}
