package request

import (
	"strconv"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// action returns an action on one item of the table Music.
func action(subject dynamo.RawItem, alter ...func(*dynamo.TransactAction)) *dynamo.TransactAction {
	a := &dynamo.TransactAction{TableName: new("Music"), Subject: subject}
	for _, f := range alter {
		f(a)
	}
	return a
}

// condition adds a condition to an action, and update an update.
func condition(text string) func(*dynamo.TransactAction) {
	return func(a *dynamo.TransactAction) { a.ConditionExpression = &text }
}

func update(text string) func(*dynamo.TransactAction) {
	return func(a *dynamo.TransactAction) { a.UpdateExpression = &text }
}

// using adds expression attribute values to an action.
func using(values dynamo.RawValues) func(*dynamo.TransactAction) {
	return func(a *dynamo.TransactAction) { a.Values = values }
}

// transactPuts returns n actions that put different items.
func transactPuts(t testing.TB, n int) []dynamo.TransactWriteItem {
	all := make([]dynamo.TransactWriteItem, n)
	for i, key := range keys(t, n) {
		all[i].Put = action(key)
	}
	return all
}

func TestTransactWriteMembers(t *testing.T) {
	empty := &dynamo.TransactAction{}
	const path = "transactItems.1.member."
	pattern := func(path string) string {
		return "Value 'bad!name' at '" + path + "' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
	}
	named := func(name string) *dynamo.TransactAction {
		return &dynamo.TransactAction{TableName: &name, Subject: item(t, "pk", "a")}
	}
	tests := []struct {
		name   string
		change func(in *dynamo.TransactWriteItemsInput)
		want   string
	}{
		{"a plain transaction is good", func(*dynamo.TransactWriteItemsInput) {}, ""},
		{"most actions", func(in *dynamo.TransactWriteItemsInput) { in.TransactItems = transactPuts(t, 100) }, ""},
		{"shortest token", func(in *dynamo.TransactWriteItemsInput) { in.ClientRequestToken = new("t") }, ""},
		{"longest token", func(in *dynamo.TransactWriteItemsInput) { in.ClientRequestToken = new(long(36)) }, ""},
		{"members in their order", func(in *dynamo.TransactWriteItemsInput) {
			*in = dynamo.TransactWriteItemsInput{ClientRequestToken: new(long(37)), ReturnConsumedCapacity: "X", ReturnItemCollectionMetrics: "X"}
		}, "4 validation errors detected: " + longer(long(37), "clientRequestToken", "36") + "; " + badCapacity + "; " + badMetrics + "; " + null("transactItems")},
		{"put without members", func(in *dynamo.TransactWriteItemsInput) { in.TransactItems[0] = dynamo.TransactWriteItem{Put: empty} },
			"2 validation errors detected: " + null(path+"put.tableName") + "; " + null(path+"put.item")},
		{"update without members", func(in *dynamo.TransactWriteItemsInput) {
			in.TransactItems[0] = dynamo.TransactWriteItem{Update: empty}
		},
			"3 validation errors detected: " + null(path+"update.tableName") + "; " + null(path+"update.key") + "; " + null(path+"update.updateExpression")},
		{"check without members", func(in *dynamo.TransactWriteItemsInput) {
			in.TransactItems[0] = dynamo.TransactWriteItem{ConditionCheck: empty}
		}, "3 validation errors detected: " + null(path+"conditionCheck.tableName") + "; " + null(path+"conditionCheck.key") + "; " + null(path+"conditionCheck.conditionExpression")},
		{"delete without a key", func(in *dynamo.TransactWriteItemsInput) {
			in.TransactItems[0] = dynamo.TransactWriteItem{Delete: action(dynamo.RawItem{})}
		}, one(null(path + "delete.key"))},
		{"bad names of two tables", func(in *dynamo.TransactWriteItemsInput) {
			in.TransactItems = []dynamo.TransactWriteItem{{Put: named("bad!name")}, {Delete: named("bad!name")}}
		}, "2 validation errors detected: " + pattern(path+"put.tableName") + "; " + pattern("transactItems.2.member.delete.tableName")},
		{"empty table name", func(in *dynamo.TransactWriteItemsInput) { in.TransactItems[0].Put = named("") }, one(short("", path+"put.tableName", "1"))},
		{"a table name of three letters", func(in *dynamo.TransactWriteItemsInput) { in.TransactItems[0].Put = named("Mus") }, ""},
		{"a table name of one letter", func(in *dynamo.TransactWriteItemsInput) { in.TransactItems[0].Put = named("M") }, one(short("M", path+"put.tableName", "3"))},
		{"table name too long", func(in *dynamo.TransactWriteItemsInput) { in.TransactItems[0].Put = named(long(256)) },
			one(longer(long(256), path+"put.tableName", "255"))},
		{"a table named by its ARN", func(in *dynamo.TransactWriteItemsInput) { in.TransactItems[0].Put = named(tableARN) }, ""},
		{"bad word for failed conditions", func(in *dynamo.TransactWriteItemsInput) {
			in.TransactItems[0].Put.ReturnValuesOnConditionCheckFailure = "X"
		}, one("Value 'X' at '" + path + "put.returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]")},
		{"a member of a later action beats an expression of an earlier one", func(in *dynamo.TransactWriteItemsInput) {
			in.TransactItems = []dynamo.TransactWriteItem{{Put: action(item(t, "pk", "a"), condition("("))}, {Put: named("bad!name")}}
		}, one(pattern("transactItems.2.member.put.tableName"))},
		{"no more than ten", func(in *dynamo.TransactWriteItemsInput) {
			in.TransactItems = make([]dynamo.TransactWriteItem, 100)
			for i := range in.TransactItems {
				in.TransactItems[i].Put = named("bad!name")
			}
		}, "10 validation errors detected: " + strings.Join(func() (all []string) {
			for i := range 10 {
				all = append(all, pattern("transactItems."+strconv.Itoa(i+1)+".member.put.tableName"))
			}
			return all
		}(), "; ")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := &dynamo.TransactWriteItemsInput{TransactItems: transactPuts(t, 2)}
			test.change(in)
			_, err := CheckTransactWriteItems(in)
			expect(t, err, test.want)
		})
	}
}

func TestTransactWriteErrors(t *testing.T) {
	key := item(t, "pk", "a")
	badValue := dynamo.RawValues{ByName: values(t, ":v").ByName, Fault: twoWordings, FaultName: ":v"}
	const syntax = `Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("`
	tests := []struct {
		name  string
		items []dynamo.TransactWriteItem
		want  string
	}{
		{"a check alone", []dynamo.TransactWriteItem{{ConditionCheck: action(key, condition("attribute_exists(pk)"))}}, ""},
		{"long condition", []dynamo.TransactWriteItem{{Delete: action(key, condition(long(4097)))}},
			"Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097"},
		{"condition before update", []dynamo.TransactWriteItem{{Update: action(key, update("x"), condition("attribute_not_exists("))}}, syntax},
		{"a value of the update is used", []dynamo.TransactWriteItem{{Update: action(key, update("SET x = :v"), using(values(t, ":v")))}}, ""},
		{"names without an expression", []dynamo.TransactWriteItem{{Put: action(key, func(a *dynamo.TransactAction) { a.Names = map[string]string{"#a": "a"} })}},
			"ExpressionAttributeNames can only be specified when using expressions"},
		{"a bad item is worded the older way", []dynamo.TransactWriteItem{{Put: action(faulty(t, twoWordings))}}, "older words"},
		{"a bad key is worded the older way", []dynamo.TransactWriteItem{{Delete: action(faulty(t, twoWordings))}}, "older words"},
		{"a bad value names its placeholder", []dynamo.TransactWriteItem{{Put: action(key, condition("pk = :v"), using(badValue))}},
			"ExpressionAttributeValues contains invalid value: older words for key :v"},
		{"a value nested too deep names its placeholder", []dynamo.TransactWriteItem{{Put: action(key, condition("pk = :v"),
			using(dynamo.RawValues{ByName: badValue.ByName, Fault: dynamo.FaultNesting, FaultName: ":v"}))}},
			"ExpressionAttributeValues contains invalid value: " + nesting + " for key :v"},
		{"a condition comes before its key", []dynamo.TransactWriteItem{{Delete: action(faulty(t, dynamo.FaultNesting), condition("attribute_not_exists("))}}, syntax},
		{"a key comes before unused values", []dynamo.TransactWriteItem{{Delete: action(faulty(t, dynamo.FaultNesting), condition("attribute_exists(pk)"), using(values(t, ":v")))}}, nesting},
		{"an attribute without a name comes first in its item", []dynamo.TransactWriteItem{
			{Put: action(dynamo.RawItem{Item: item(t, "", "a").Item, Fault: dynamo.FaultNesting})}}, "Empty attribute name"},
		{"largest item", []dynamo.TransactWriteItem{{Put: action(item(t, "pk", long(409598)))}}, ""},
		{"the first action with a fault is reported", []dynamo.TransactWriteItem{
			{Put: action(item(t, "pk", long(409599)))}, {Put: action(key, condition("attribute_not_exists("))}, {},
		}, "Item size has exceeded the maximum allowed size"},
		{"one item twice is not seen here", []dynamo.TransactWriteItem{{Put: action(key)}, {Put: action(key)}}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := CheckTransactWriteItems(&dynamo.TransactWriteItemsInput{TransactItems: test.items})
			expect(t, err, test.want)
		})
	}
}

func TestTransactWriteSize(t *testing.T) {
	items := func(last int) []dynamo.TransactWriteItem {
		all := make([]dynamo.TransactWriteItem, 11)
		for i := range 10 {
			all[i].Put = action(item(t, "pk", long(400_000-2)))
		}
		all[10].Delete = action(item(t, "pk", long(last-2)))
		return all
	}
	const room = 4<<20 - 10*400_000
	_, err := CheckTransactWriteItems(&dynamo.TransactWriteItemsInput{TransactItems: items(room)})
	expect(t, err, "")
	_, err = CheckTransactWriteItems(&dynamo.TransactWriteItemsInput{TransactItems: items(room + 1)})
	expect(t, err, "The aggregate size of the items in the transaction exceeded 4 MBs")
}

func TestTransactWriteSizeCountsValues(t *testing.T) {
	items := func(last int) []dynamo.TransactWriteItem {
		all := make([]dynamo.TransactWriteItem, 11)
		for i := range 11 {
			size := 400_000
			if i == 10 {
				size = last
			}
			value := item(t, ":v", long(size-3)).Item.Get(":v") // and 3 bytes for the key
			all[i].Update = action(item(t, "pk", "k"), update("SET x = :v"), using(dynamo.RawValues{ByName: map[string]dynamo.Value{":v": value}}))
		}
		return all
	}
	const room = 4<<20 - 10*400_000
	_, err := CheckTransactWriteItems(&dynamo.TransactWriteItemsInput{TransactItems: items(room)})
	expect(t, err, "")
	_, err = CheckTransactWriteItems(&dynamo.TransactWriteItemsInput{TransactItems: items(room + 1)})
	expect(t, err, "The aggregate size of the items in the transaction exceeded 4 MBs")
}

func TestTransactionOfTooManyActions(t *testing.T) {
	many := transactPuts(t, 200)
	many[1] = dynamo.TransactWriteItem{Update: action(item(t, "pk", "b"), update("SET #x = :v"), using(values(t, ":v")), func(a *dynamo.TransactAction) {
		a.Names, a.ReturnValuesOnConditionCheckFailure = map[string]string{"#x": "x"}, "NONE"
	})}
	many[2] = dynamo.TransactWriteItem{}
	_, err := CheckTransactWriteItems(&dynamo.TransactWriteItemsInput{TransactItems: many})
	got := answer(t, err)
	value := func(text string) string {
		return "AttributeValue(s=" + text + ", n=null, b=null, iNT=null, dECIMAL=null, dOUBLE=null, sS=null, nS=null, bS=null, iNTSET=null, dECIMALSET=null, dOUBLESET=null, m=null, l=null, nULL=null, bOOL=null)"
	}
	for _, part := range []string{
		"1 validation error detected: Value '[TransactWriteItem(conditionCheck=null, put=Put(item={pk=" + value("0") + "}, tableName=Music, conditionExpression=null, " +
			"expressionAttributeNames=null, expressionAttributeValues=null, returnValuesOnConditionCheckFailure=null), delete=null, update=null), ",
		"update=Update(updateExpression=SET #x = :v, key={pk=" + value("b") + "}, tableName=Music, conditionExpression=null, " +
			"expressionAttributeNames={#x=x}, expressionAttributeValues={:v=" + value("x") + "}, returnValuesOnConditionCheckFailure=NONE)), " +
			"TransactWriteItem(conditionCheck=null, put=null, delete=null, update=null), ",
		")]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%q\nis not in\n%s", part, got)
		}
	}
	if n := strings.Count(got, "TransactWriteItem("); n != 101 {
		t.Errorf("%d actions are shown", n)
	}
}

func TestTransactWriteItemsIsResolved(t *testing.T) {
	key := item(t, "pk", "a")
	remember := func(a *dynamo.TransactAction) { a.ReturnValuesOnConditionCheckFailure = "ALL_OLD" }
	in := &dynamo.TransactWriteItemsInput{
		TransactItems: []dynamo.TransactWriteItem{
			{Put: action(key, condition("attribute_exists(pk)"), remember)},
			{Update: action(key, update("REMOVE x"), func(a *dynamo.TransactAction) { a.TableName = new(tableARN) })},
			{Delete: action(key)},
			{ConditionCheck: action(key, condition("attribute_exists(pk)"))},
		},
		ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE",
	}
	got, err := CheckTransactWriteItems(in)
	if err != nil {
		t.Fatal(err)
	}
	if got.Capacity != CapacityTotal || !got.Metrics || got.Token != "" || got.Fingerprint != (Fingerprint{}) {
		t.Errorf("got %+v", got)
	}
	put, upd, del, check := got.Actions[0].Put, got.Actions[1].Update, got.Actions[2].Delete, got.Actions[3].Check
	if put == nil || upd == nil || del == nil || check == nil {
		t.Fatalf("the actions became %+v", got.Actions)
	}
	if got.Actions[0] != (TransactAction{Put: put}) || got.Actions[1] != (TransactAction{Update: upd}) ||
		got.Actions[2] != (TransactAction{Delete: del}) || got.Actions[3] != (TransactAction{Check: check}) {
		t.Errorf("the actions became %+v", got.Actions)
	}
	if put.Table != "Music" || put.Size != 3 || put.Condition == nil || !put.ReturnOnFailure || string(put.Item) != string(key.Item) {
		t.Errorf("the put became %+v", put)
	}
	if upd.Table != tableARN || upd.Update == nil || upd.Condition != nil || upd.ReturnOnFailure || string(upd.Key) != string(key.Item) {
		t.Errorf("the update became %+v", upd)
	}
	if del.Condition != nil || string(del.Key) != string(key.Item) {
		t.Errorf("the delete became %+v", del)
	}
	if check.Condition == nil || string(check.Key) != string(key.Item) {
		t.Errorf("the check became %+v", check)
	}
	if w := put.Write; w.Return != ReturnNone || w.Capacity != CapacityNone || w.Metrics {
		t.Errorf("an action requests response details: %+v", w)
	}
}
