package call_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
)

// The old version of a product has its name under name and its stock under stock; the new one has them under title and
// count, and an index key by_name. The old one has an index key by_stock.
var renamed = map[string]string{"name": "title", "stock": "count"}

func updated(version string, x call.Expression) call.Action {
	w := call.Action{
		Kind: call.Update, Name: "update Product", Table: "Shop", Key: productKey("1"), KeyNames: []string{"PK", "SK"},
		Update: x.Update(), Condition: x.Condition(), Names: x.Names(), Values: x.Values(), Needs: version,
	}
	if version == "old" {
		w.Renamed = renamed
	}
	return w
}

// expression returns an expression of clauses, by word, and of names and values.
func expression(clauses string, names map[string]string, values access.Item, conditions ...string) call.Expression {
	x := call.Expression{}
	for line := range strings.SplitSeq(clauses, "; ") {
		switch word, text, _ := strings.Cut(line, " "); word {
		case "SET":
			x.Set(text)
		case "ADD":
			x.Add(text)
		case "DELETE":
			x.Delete(text)
		case "REMOVE":
			x.Remove(text)
		}
	}
	for _, c := range conditions {
		x.And(c)
	}
	for placeholder, name := range names {
		x.Name(placeholder, name)
	}
	for placeholder, v := range values {
		x.Value(placeholder, v)
	}
	return x
}

// spelled returns an update with names and values in the place of placeholders.
func spelled(w call.Action) string {
	text := w.Update
	for _, all := range []map[string]string{w.Names, valuesOf(w)} {
		for placeholder, with := range all {
			text = replaceWord(text, placeholder, with)
		}
	}
	return text
}

func valuesOf(w call.Action) map[string]string {
	all := map[string]string{}
	for placeholder, v := range w.Values {
		all[placeholder] = fmt.Sprint(reflect.ValueOf(v).Elem().Field(0).Interface())
	}
	return all
}

func replaceWord(text, word, with string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, word)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if after != "" && strings.ContainsAny(after[:1], "abcdefghijklmnopqrstuvwxyz0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			b.WriteString(word)
		} else {
			b.WriteString(with)
		}
		text = after
	}
}

func TestUpdatesInPhases(t *testing.T) {
	one := marshal.N(1)
	for _, test := range []struct {
		name     string
		old, new call.Expression
		want     [5]string // by phase
	}{
		{
			"an index key of the new version",
			expression("SET #name = :name", map[string]string{"#name": "name"}, access.Item{":name": marshal.S("lamp")}),
			expression("SET #name = :name, #k = :k", map[string]string{"#name": "title", "#k": "by_name"}, access.Item{":name": marshal.S("lamp"), ":k": marshal.S("lamp#1")}),
			[5]string{
				"SET name = lamp",
				"SET name = lamp REMOVE title, by_name",
				"SET name = lamp, title = lamp, by_name = lamp#1",
				"SET title = lamp, by_name = lamp#1, name = lamp",
				"SET title = lamp, by_name = lamp#1",
			},
		},
		{
			"an index key of the old version, removed and set",
			expression("REMOVE #k", map[string]string{"#k": "by_stock"}, nil),
			expression("SET #k = :k", map[string]string{"#k": "by_name"}, access.Item{":k": marshal.S("x")}),
			[5]string{
				"REMOVE by_stock",
				"REMOVE by_stock, by_name",
				"SET by_name = x REMOVE by_stock",
				"SET by_name = x REMOVE by_stock",
				"SET by_name = x",
			},
		},
		{
			"a number that is added to: what the item lacks is computed",
			expression("ADD #stock :n, #version :n", map[string]string{"#stock": "stock", "#version": "version"}, access.Item{":n": one}),
			expression("ADD #stock :n, #version :n", map[string]string{"#stock": "count", "#version": "version"}, access.Item{":n": one}),
			[5]string{
				"ADD stock 1, version 1",
				"ADD stock 1, version 1 REMOVE count",
				"SET count = if_not_exists(stock, 0) + 1 ADD stock 1, version 1",
				"SET stock = if_not_exists(count, 0) + 1 ADD count 1, version 1",
				"ADD count 1, version 1",
			},
		},
		{
			"a value that depends on what the item has",
			expression("SET #name = if_not_exists(#name, :name)", map[string]string{"#name": "name"}, access.Item{":name": marshal.S("lamp")}),
			expression("SET #name = if_not_exists(#name, :name)", map[string]string{"#name": "title"}, access.Item{":name": marshal.S("lamp")}),
			[5]string{
				"SET name = if_not_exists(name, lamp)",
				"SET name = if_not_exists(name, lamp) REMOVE title",
				"SET name = if_not_exists(name, lamp), title = if_not_exists(name, lamp)",
				"SET title = if_not_exists(title, lamp), name = if_not_exists(title, lamp)",
				"SET title = if_not_exists(title, lamp)",
			},
		},
		{
			"a removal",
			expression("SET #a = :a; REMOVE #name", map[string]string{"#name": "name", "#a": "a"}, access.Item{":a": one}),
			expression("SET #a = :a; REMOVE #name", map[string]string{"#name": "title", "#a": "a"}, access.Item{":a": one}),
			[5]string{
				"SET a = 1 REMOVE name",
				"SET a = 1 REMOVE name, title",
				"SET a = 1 REMOVE name, title",
				"SET a = 1 REMOVE title, name",
				"SET a = 1 REMOVE title",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for phase, want := range test.want {
				got := call.WriteInPhase(access.Phase(phase),
					func() call.Action { return updated("old", test.old) }, func() call.Action { return updated("new", test.new) })
				if got.Err != nil {
					t.Fatal(got.Err)
				}
				if text := spelled(got); text != want {
					t.Errorf("%s: got  %s\nwant %s", access.Phase(phase), text, want)
				}
				from := "old"
				if access.Phase(phase) >= access.PhaseRead {
					from = "new"
				}
				if got.Needs != from {
					t.Errorf("%s: the condition is that of the %s version", access.Phase(phase), got.Needs)
				}
			}
		})
	}
}

// TestUpdatesInPhasesUseEveryPlaceholder sends merged updates: DynamoDB refuses names and values that no expression uses, and
// paths that overlap.
func TestUpdatesInPhasesUseEveryPlaceholder(t *testing.T) {
	s := newShop(t)
	old := expression("SET #name = :v; ADD #stock :n", map[string]string{"#name": "name", "#stock": "stock", "#v": "version"},
		access.Item{":v": marshal.S("a"), ":n": marshal.N(1), ":none": marshal.N(0)}, "#v >= :none")
	changed := expression("SET #name = :v, #k = :k; ADD #stock :n", map[string]string{"#name": "title", "#k": "key", "#stock": "count"},
		access.Item{":v": marshal.S("a"), ":k": marshal.S("b"), ":n": marshal.N(1)})
	for phase := access.PhaseBefore; phase <= access.PhaseAfter; phase++ {
		s.mustCreate(t, product{ID: fmt.Sprint(phase), Name: "x", Stock: 5, Version: 1})
		w := call.WriteInPhase(phase, func() call.Action { return updated("old", old) }, func() call.Action { return updated("new", changed) })
		w.Key = productKey(fmt.Sprint(phase))
		item, err := call.UpdateItem(t.Context(), s.c, sellProduct, &w, func(item access.Item) (access.Item, error) { return item, nil })
		if err != nil {
			t.Fatalf("%s: %v", phase, err)
		}
		for attribute, want := range map[string][5]any{
			"name": {"a", "a", "a", "a", "x"}, "stock": {"6", "6", "6", "1", "5"}, // from PhaseRead on, stock follows count
			"title": {nil, nil, "a", "a", "a"}, "count": {nil, nil, "6", "1", "1"}, "key": {nil, nil, "b", "b", "b"},
		} {
			var got any
			if item[attribute] != nil {
				got = reflect.ValueOf(item[attribute]).Elem().Field(0).Interface()
			}
			if got != want[phase] {
				t.Errorf("%s: %s is %v, want %v", phase, attribute, got, want[phase])
			}
		}
	}
}

func TestPutsInPhases(t *testing.T) {
	put := func(version string, attributes ...string) func() call.Action {
		return func() call.Action {
			w := call.Action{Kind: call.Put, Name: "put Product", Table: "Shop", Item: productKey("1"), KeyNames: []string{"PK", "SK"}, Needs: version}
			for _, name := range attributes {
				w.Item[name] = marshal.S("of " + version)
			}
			if version == "old" {
				w.Renamed = renamed
			}
			return w
		}
	}
	old, changed := put("old", "name", "by_stock", "both"), put("new", "title", "by_name", "both")
	for phase, want := range [5]map[string]string{
		{"name": "of old", "by_stock": "of old", "both": "of old"},
		{"name": "of old", "by_stock": "of old", "both": "of old"},
		{"name": "of old", "title": "of old", "by_stock": "of old", "by_name": "of new", "both": "of old"},
		{"name": "of new", "title": "of new", "by_stock": "of old", "by_name": "of new", "both": "of new"},
		{"title": "of new", "by_name": "of new", "both": "of new"},
	} {
		got := map[string]string{}
		for name, v := range call.WriteInPhase(access.Phase(phase), old, changed).Item {
			if name != "PK" && name != "SK" {
				got[name] = reflect.ValueOf(v).Elem().Field(0).String()
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", access.Phase(phase), diff)
		}
	}
}

func TestWritesThatCannotBeMergedFail(t *testing.T) {
	update := func(version, clauses, name string, value types.AttributeValue) func() []call.Action {
		names := map[string]string{"#t": name}
		if strings.Contains(clauses, "#k") {
			names["#k"] = "k"
		}
		return func() []call.Action {
			return []call.Action{updated(version, expression(clauses, names, access.Item{":t": value}))}
		}
	}
	set := &types.AttributeValueMemberSS{Value: []string{"a"}}
	for _, test := range []struct {
		name     string
		old, new func() []call.Action
		want     string
	}{
		{"a set", update("old", "ADD #t :t", "name", set), update("new", "ADD #t :t", "title", set), "elements of the set"},
		{"entries", update("old", "SET #t.#k = :t", "name", marshal.S("a")), update("new", "SET #t.#k = :t", "title", marshal.S("a")), "entries cannot"},
		{"another key", func() []call.Action { return []call.Action{remove("1")} }, func() []call.Action { return []call.Action{remove("2")} }, "only the old version"},
		{"one more", func() []call.Action { return []call.Action{remove("1")} }, func() []call.Action { return []call.Action{remove("1"), remove("2")} }, "1 writes in the old version"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, phase := range []access.Phase{access.PhaseWrite, access.PhaseRead} {
				err := call.Transact(t.Context(), shopOn(nil).c, registerByName, call.WritesInPhase(phase, test.old, test.new))
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%s: got %v", phase, err)
				}
			}
		})
	}
}

func TestCallsOvertakenByAPhaseBeginAgain(t *testing.T) {
	s := newShop(t)
	overtaken := &access.FencedError{Overtaken: true}
	for _, test := range []struct {
		err   error
		times int
	}{
		{overtaken, 2},
		{fmt.Errorf("pattern: %w", overtaken), 2},
		{&access.FencedError{Overtaken: true, Sent: true}, 1},
		{&access.FencedError{}, 1},
		{&access.BatchError{Left: []int{0, 1}, Of: 2, Err: overtaken}, 2},
		{&access.BatchError{Left: []int{1}, Of: 2, Err: overtaken}, 1},
		{errors.New("another"), 1},
	} {
		times := 0
		err := call.InPhase(context.Background(), s.c, func(*access.Client) error {
			if times++; times == 1 {
				return test.err
			}
			return nil
		})
		if times != test.times || (err == nil) != (test.times == 2) {
			t.Errorf("%v: called %d times, then %v", test.err, times, err)
		}
	}
}

// TestCopiesFollowTheirSource plays updates of both versions at random on one item, in write and in read, and compares the two
// names of each attribute.
func TestCopiesFollowTheirSource(t *testing.T) {
	s := newShop(t)
	s.mustCreate(t, product{ID: "1", Name: "x", Stock: 5, Version: 1})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	clauses := []string{"SET #name = :s", "REMOVE #name", "SET #name = if_not_exists(#name, :s)", "ADD #stock :n", "SET #stock = :n", "REMOVE #stock"}
	var read bool
	for range 200 {
		clause := clauses[random.IntN(len(clauses))]
		build := func(version string, name, stock string) func() call.Action {
			return func() call.Action {
				names, values := map[string]string{}, access.Item{}
				for placeholder, attribute := range map[string]string{"#name": name, "#stock": stock} {
					if strings.Contains(clause, placeholder) {
						names[placeholder] = attribute
					}
				}
				if strings.Contains(clause, ":s") {
					values[":s"] = marshal.S(fmt.Sprint(random.IntN(9)))
				}
				if strings.Contains(clause, ":n") {
					values[":n"] = marshal.N(int64(random.IntN(9)))
				}
				return updated(version, expression(clause, names, values))
			}
		}
		phase := access.PhaseWrite
		if read {
			phase = access.PhaseRead
		}
		w := call.WriteInPhase(phase, build("old", "name", "stock"), build("new", "title", "count"))
		item, err := call.UpdateItem(t.Context(), s.c, sellProduct, &w, func(item access.Item) (access.Item, error) { return item, nil })
		if err != nil {
			t.Fatalf("%s: %v", clause, err)
		}
		right := 0
		for old, new := range renamed {
			switch {
			case reflect.DeepEqual(item[old], item[new]):
				right++
			case read || item[new] != nil:
				t.Fatalf("%s in %s: %s is %v and %s is %v", clause, phase, old, item[old], new, item[new])
			}
		}
		read = right == 2 && random.IntN(2) == 0 || read && right == 2
	}
	out, err := s.api.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: new("Shop"), Key: productKey("1")})
	if err != nil || len(out.Item) == 0 {
		t.Fatal(out, err)
	}
}
