package call_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
)

func TestExpression(t *testing.T) {
	var e call.Expression
	e.Remove("#r")
	e.Add("#n :n")
	e.Set("#a = :a")
	e.Set("#b = :b")
	e.And("attribute_exists(#a)")
	e.And("#a = :a OR (#b = :b AND #n = :n)")
	e.And("(#a = :a OR #b = :b)")
	e.Name("#a", "stock")
	e.Value(":a", number(1))
	if got, want := e.Update(), "SET #a = :a, #b = :b ADD #n :n REMOVE #r"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := e.Condition(), "attribute_exists(#a) AND (#a = :a OR (#b = :b AND #n = :n)) AND (#a = :a OR #b = :b)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if diff := cmp.Diff(map[string]string{"#a": "stock"}, e.Names()); diff != "" {
		t.Error(diff)
	}
	if len(e.Values()) != 1 {
		t.Errorf("values: %v", e.Values())
	}
}

func TestAnEmptyExpressionAddsNothingToARequest(t *testing.T) {
	var e call.Expression
	if e.Update() != "" || e.Condition() != "" || e.Names() != nil || e.Values() != nil {
		t.Errorf("got %q %q %v %v", e.Update(), e.Condition(), e.Names(), e.Values())
	}
	var one call.Expression
	one.And("a = :a OR b = :b")
	if got, want := one.Condition(), "a = :a OR b = :b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	one.Add("n :n")
	if got, want := one.Update(), "ADD n :n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The engine reads what an expression writes, all sections and conditions at once.
func TestAnExpressionIsUnderstood(t *testing.T) {
	s := newShop(t)
	s.mustCreate(t, product{ID: "1", Name: "lamp", Stock: 1, Version: 1})
	var e call.Expression
	e.Set("#name = :name")
	e.Add("#stock :more")
	e.Remove("#gone")
	e.And("attribute_exists(PK)")
	e.And("#stock = :none OR #stock = :one")
	e.And("NOT (#stock = :none OR #stock = :more)")
	e.Name("#name", "name")
	e.Name("#stock", "stock")
	e.Name("#gone", "note")
	e.Value(":name", product{Name: "light"}.item()["name"])
	e.Value(":more", number(5))
	e.Value(":none", number(0))
	e.Value(":one", number(1))
	w := sell("1", 0)
	w.Version, w.Update, w.Condition, w.Names, w.Values = "", e.Update(), e.Condition(), e.Names(), e.Values()
	got, err := call.UpdateItem(t.Context(), s.c, sellProduct, &w, productOf)
	if want := (product{ID: "1", Name: "light", Stock: 6, Version: 1}); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if _, err := call.UpdateItem(t.Context(), s.c, sellProduct, &w, productOf); !access.Refused(err) {
		t.Errorf("the second time the stock is another: %v", err)
	}
}

func TestExpressionsNameWhatTheirClausesUse(t *testing.T) {
	names := map[string]string{"#a": "a", "#ab": "a.b", "#c_1": "c", "#d": "d"}
	x := call.NewExpression(names)
	call.SetOrRemove(&x, "#ab = :ab", new("v"), marshal.S)
	call.SetOrRemove(&x, "#c_1 = :c_1", nil, marshal.S)
	x.And("attribute_exists(#d)")
	if diff := cmp.Diff(map[string]string{"#ab": "a.b", "#c_1": "c", "#d": "d"}, x.Names()); diff != "" {
		t.Error(diff)
	}
	if got, want := x.Update(), "SET #ab = :ab REMOVE #c_1"; got != want {
		t.Errorf("update is %s, want %s", got, want)
	}
	if diff := cmp.Diff(access.Item{":ab": marshal.S("v")}, x.Values(), cmpopts.IgnoreUnexported(types.AttributeValueMemberS{})); diff != "" {
		t.Error(diff)
	}
	if len(names) != 4 {
		t.Errorf("the map of the caller has changed: %v", names)
	}
	x.And("#a = #d")
	if diff := cmp.Diff(names, x.Names()); diff != "" {
		t.Errorf("with every name in use: %s", diff)
	}
	x.Name("#other", "o")
	if got := x.Names(); len(got) != 5 || got["#other"] != "o" || len(names) != 4 {
		t.Errorf("with one name more: %v, and the caller's map %v", got, names)
	}
}
