package call

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/engine"
)

// TestEvaluateAsTheEngineDoes compares random updates of random items with what the engine makes of them.
func TestEvaluateAsTheEngineDoes(t *testing.T) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	api := db.API()
	if _, err := api.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: new("ttt"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: new("k"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: new("k"), KeyType: types.KeyTypeHash}},
	}); err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	names := map[string]string{"#a": "a", "#n": "n", "#m": "m", "#x": "x", "#l": "l", "#s": "s", "#z": "z", "#b": "b"}
	clauses := map[string][]string{
		"a": {"SET #a = :t", "REMOVE #a", "SET #a = if_not_exists(#z, if_not_exists(#a, :t))", "SET #a = #n"},
		"n": {"ADD #n :n", "SET #n = #n + :n", "SET #n = if_not_exists(#n, :n) - :n", "SET #n = :n - #n"},
		"m": {"SET #m.#x = :t", "REMOVE #m.#x", "SET #m.#x = if_not_exists(#m.#x, :n) + :n", "SET #m = :m", "ADD #m.#x :n"},
		"l": {"SET #l = list_append(#l, :l)", "SET #l = list_append(:l, if_not_exists(#l, :l))", "SET #l[1] = :t", "REMOVE #l[0]", "SET #l[9] = :n"},
		"s": {"ADD #s :s", "DELETE #s :s", "SET #s = :s"},
		"b": {"ADD #b :b", "DELETE #b :b"},
	}
	number := func() types.AttributeValue {
		return &types.AttributeValueMemberN{Value: []string{"1", "-2.5", "1E+30", "0.001", "99999999999999999999999999999999999999"}[random.IntN(5)]}
	}
	words := func() []string { return [][]string{{"a"}, {"b", "c"}, {"a", "b"}}[random.IntN(3)] }
	values := func() access.Item {
		return access.Item{
			":t": &types.AttributeValueMemberS{Value: fmt.Sprint(random.IntN(9))}, ":n": number(),
			":m": &types.AttributeValueMemberM{Value: access.Item{"x": number()}}, ":l": &types.AttributeValueMemberL{Value: []types.AttributeValue{number()}},
			":s": &types.AttributeValueMemberSS{Value: words()}, ":b": &types.AttributeValueMemberBS{Value: bytesOf(words())},
		}
	}
	key := access.Item{"k": &types.AttributeValueMemberS{Value: "1"}}
	var item access.Item
	done := 0
	for range 3000 {
		if random.IntN(20) == 0 {
			item = nil
			if _, err := api.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: new("ttt"), Key: key}); err != nil {
				t.Fatal(err)
			}
		}
		var all []clause
		for _, of := range clauses {
			if random.IntN(3) == 0 {
				all = append(all, parseUpdate(of[random.IntN(len(of))])...)
			}
		}
		w := Action{Kind: Update, Key: key, Update: formatUpdate(all), Names: names, Values: values()}
		made, unknown := evaluate(&w, item)
		out, err := api.UpdateItem(context.Background(), &dynamodb.UpdateItemInput{
			TableName: new("ttt"), Key: key, UpdateExpression: optional(&w.Update), ReturnValues: types.ReturnValueAllNew,
			ExpressionAttributeNames: usedNames(w.Update, names), ExpressionAttributeValues: usedValues(w.Update, w.Values),
		})
		if (err == nil) != (unknown == nil) {
			t.Fatalf("seed %d: %s of %s: %v, and the engine says %v", seed, w.Update, textOfItem(item), unknown, err)
		}
		if err != nil {
			continue
		}
		done++
		if !bytes.Equal(appendItem(nil, made), appendItem(nil, out.Attributes)) {
			t.Fatalf("seed %d: %s of %s: %s, and the engine says %s", seed, w.Update, textOfItem(item), textOfItem(made), textOfItem(out.Attributes))
		}
		item = out.Attributes
	}
	if done < 500 {
		t.Errorf("only %d updates were valid", done)
	}
}

func textOfItem(item access.Item) string { return fmt.Sprintf("%q", appendItem(nil, item)) }

func usedNames(update string, all map[string]string) map[string]string {
	used := map[string]string{}
	replacePlaceholders(update, func(p string) string {
		if all[p] != "" {
			used[p] = all[p]
		}
		return p
	})
	return filled(used)
}

func usedValues(update string, all access.Item) access.Item {
	used := access.Item{}
	replacePlaceholders(update, func(p string) string {
		if all[p] != nil {
			used[p] = all[p]
		}
		return p
	})
	return filled(used)
}
