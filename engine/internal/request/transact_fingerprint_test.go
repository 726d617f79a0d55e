package request

import (
	"maps"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// tokened checks a transaction with a token and returns its fingerprint.
func tokened(t testing.TB, items ...dynamo.TransactWriteItem) Fingerprint {
	t.Helper()
	transaction, err := CheckTransactWriteItems(&dynamo.TransactWriteItemsInput{TransactItems: items, ClientRequestToken: new("token")})
	if err != nil {
		t.Fatal(err)
	}
	if transaction.Token != "token" || transaction.Fingerprint == (Fingerprint{}) {
		t.Fatalf("got %+v", transaction)
	}
	return transaction.Fingerprint
}

// numbered returns an item of a number and a set.
func numbered(t testing.TB, number string, members ...string) dynamo.RawItem {
	t.Helper()
	var e dynamo.Encoder
	e.OpenItem()
	e.Name("n")
	if err := e.Number([]byte(number)); err != nil {
		t.Fatal(err)
	}
	e.Name("a")
	e.OpenSet(dynamo.KindStringSet)
	for _, m := range members {
		if err := e.Member([]byte(m)); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.CloseSet(); err != nil {
		t.Fatal(err)
	}
	encoded, err := e.CloseItem()
	if err != nil {
		t.Fatal(err)
	}
	return dynamo.RawItem{Item: encoded}
}

func TestFingerprintsOfTheSameRequest(t *testing.T) {
	names := func(pairs ...string) func(*dynamo.TransactAction) {
		m := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return func(a *dynamo.TransactAction) { a.Names = maps.Clone(m) }
	}
	const text = "#a = :a AND #b = :b AND #c = :c"
	remove := func(names, values func(*dynamo.TransactAction)) dynamo.TransactWriteItem {
		return dynamo.TransactWriteItem{Delete: action(item(t, "pk", "a"), condition(text), names, values)}
	}
	want := tokened(t, remove(names("#a", "a", "#b", "b", "#c", "c"), using(values(t, ":a", ":b", ":c"))))
	for range 20 { // maps have a new order each time
		if got := tokened(t, remove(names("#c", "c", "#b", "b", "#a", "a"), using(values(t, ":c", ":b", ":a")))); got != want {
			t.Fatal("the order of a map counts")
		}
	}
	if tokened(t, dynamo.TransactWriteItem{Put: action(numbered(t, "1", "x", "y"))}) !=
		tokened(t, dynamo.TransactWriteItem{Put: action(numbered(t, "1.0", "y", "x"))}) {
		t.Error("equal values count as different")
	}
	none := func(a *dynamo.TransactAction) { a.ReturnValuesOnConditionCheckFailure = "NONE" }
	if tokened(t, dynamo.TransactWriteItem{Put: action(item(t, "pk", "a"), none)}) != tokened(t, dynamo.TransactWriteItem{Put: action(item(t, "pk", "a"))}) {
		t.Error("a default that was sent counts as different")
	}
	other, err := CheckTransactWriteItems(&dynamo.TransactWriteItemsInput{
		TransactItems:      []dynamo.TransactWriteItem{{Put: action(item(t, "pk", "a"))}},
		ClientRequestToken: new("other"), ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE",
	})
	if err != nil {
		t.Fatal(err)
	}
	if other.Fingerprint != tokened(t, dynamo.TransactWriteItem{Put: action(item(t, "pk", "a"))}) {
		t.Error("the requested response details count")
	}
}

func TestFingerprintsOfDifferentRequests(t *testing.T) {
	a, b := item(t, "pk", "a"), item(t, "pk", "b")
	names := func(m map[string]string) func(*dynamo.TransactAction) {
		return func(a *dynamo.TransactAction) { a.Names = m }
	}
	table := func(name string) func(*dynamo.TransactAction) {
		return func(a *dynamo.TransactAction) { a.TableName = &name }
	}
	other := dynamo.RawValues{ByName: map[string]dynamo.Value{":v": a.Item.Get("pk")}}
	put := func(item dynamo.RawItem, alter ...func(*dynamo.TransactAction)) dynamo.TransactWriteItem {
		return dynamo.TransactWriteItem{Put: action(item, alter...)}
	}
	del := func(alter ...func(*dynamo.TransactAction)) dynamo.TransactWriteItem {
		return dynamo.TransactWriteItem{Delete: action(a, alter...)}
	}
	requests := map[string][]dynamo.TransactWriteItem{
		"a put":                    {put(a)},
		"another item":             {put(b)},
		"another table":            {put(a, table("Books"))},
		"two puts":                 {put(a), put(b)},
		"two puts the other way":   {put(b), put(a)},
		"a put twice":              {put(a), put(a)},
		"a condition":              {put(a, condition("attribute_exists(pk)"))},
		"another condition":        {put(a, condition("attribute_exists(pk) "))},
		"a name":                   {put(a, condition("attribute_exists(#n)"), names(map[string]string{"#n": "x"}))},
		"another name":             {put(a, condition("attribute_exists(#n)"), names(map[string]string{"#n": "y"}))},
		"a value":                  {put(a, condition("x = :v"), using(values(t, ":v")))},
		"another value":            {put(a, condition("x = :v"), using(other))},
		"the item of a failure":    {put(a, func(a *dynamo.TransactAction) { a.ReturnValuesOnConditionCheckFailure = "ALL_OLD" })},
		"a delete":                 {del()},
		"a delete with condition":  {del(condition("attribute_exists(pk)"))},
		"a check":                  {{ConditionCheck: action(a, condition("attribute_exists(pk)"))}},
		"an update":                {{Update: action(a, update("REMOVE x"))}},
		"another update":           {{Update: action(a, update("REMOVE y"))}},
		"an update with condition": {{Update: action(a, update("REMOVE x"), condition("attribute_exists(pk)"))}},
	}
	seen := map[Fingerprint]string{}
	for name, items := range requests {
		f := tokened(t, items...)
		if same, found := seen[f]; found {
			t.Errorf("%s and %s have one fingerprint", name, same)
		}
		seen[f] = name
	}
}

// fuzzedTransaction returns a transaction of one element with the named members, and a
// put. Empty texts are not sent.
func fuzzedTransaction(t testing.TB, members, table, attribute, conditionText, updateText, name, value, token string) *dynamo.TransactWriteItemsInput {
	sent := func(text string) *string {
		if text == "" {
			return nil
		}
		return &text
	}
	a := &dynamo.TransactAction{
		TableName: sent(table), Subject: item(t, attribute, "x"),
		ConditionExpression: sent(conditionText), UpdateExpression: sent(updateText),
	}
	if name != "" {
		a.Names = map[string]string{name: "x", "#other": "y"}
	}
	if value != "" {
		a.Values = values(t, value)
	}
	var first dynamo.TransactWriteItem
	for member, field := range map[string]**dynamo.TransactAction{
		"put": &first.Put, "update": &first.Update, "delete": &first.Delete, "conditionCheck": &first.ConditionCheck,
	} {
		if strings.Contains(members, member) {
			*field = a
		}
	}
	return &dynamo.TransactWriteItemsInput{
		TransactItems:      []dynamo.TransactWriteItem{first, {Put: action(item(t, "pk", "b"))}},
		ClientRequestToken: sent(token),
	}
}

func FuzzCheckTransactWriteItems(f *testing.F) {
	f.Add("put", "Music", "pk", "#n = :v AND #other = :v", "", "#n", ":v", "token")
	f.Add("update", "Music", "pk", "", "SET #n = :v, #other = :v", "#n", ":v", "")
	f.Add("delete", tableARN, "", "#n = :v", "", "#n", ":v", long(37))
	f.Add("conditionCheck", "a b", "pk", "(", "", "", "", "t")
	f.Add("put delete", "Music", "pk", "", "", "", "", "t")
	f.Add("", "", "", "", "", "", "", "")
	f.Fuzz(func(t *testing.T, members, table, attribute, conditionText, updateText, name, value, token string) {
		if !dynamo.ValidText(attribute) {
			return // doors decode only valid strings
		}
		made := func() *dynamo.TransactWriteItemsInput {
			return fuzzedTransaction(t, members, table, attribute, conditionText, updateText, name, value, token)
		}
		in := made()
		got, err := CheckTransactWriteItems(in)
		if err != nil {
			if answer(t, err) == "" {
				t.Error("the transaction was rejected without a message")
			}
			return
		}
		if len(got.Actions) != len(in.TransactItems) || got.Token != token {
			t.Fatalf("%+v became %+v", in, got)
		}
		for _, a := range got.Actions {
			set := 0
			for _, is := range []bool{a.Put != nil, a.Update != nil, a.Delete != nil, a.Check != nil} {
				if is {
					set++
				}
			}
			if set != 1 {
				t.Errorf("an action became %+v", a)
			}
		}
		again, err := CheckTransactWriteItems(made())
		if err != nil || again.Fingerprint != got.Fingerprint {
			t.Errorf("the same request became %+v, then %+v, %v", got, again, err)
		}
		if (got.Fingerprint == Fingerprint{}) != (token == "") {
			t.Errorf("the token %q has the fingerprint %x", token, got.Fingerprint)
		}
	})
}
