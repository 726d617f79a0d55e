package call_test

import (
	"errors"
	"strings"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
)

func TestItemsOfACallAgree(t *testing.T) {
	first := func(s string) byte { return s[0] }
	var err error
	if got := call.Same(&err, []string{"ab", "ac"}, "Line", "order_id", first); got != 'a' || err != nil {
		t.Errorf("the value in common is %c, %v", got, err)
	}
	if !call.Alike([]string{"ab", "ac"}, first) || !call.Alike(nil, first) || call.Alike([]string{"ab", "bc"}, first) {
		t.Error("Alike does not report whether the values are the same")
	}
	call.Agree(&err, []string{"ab", "ac"}, "Line", "order_id", func(s string) bool { return s[0] == 'a' })
	if err != nil {
		t.Errorf("items that agree: %v", err)
	}
	call.Same(&err, []string{"ab", "bc"}, "Line", "order_id", first)
	call.Agree(&err, []string{"ab"}, "Line", "number", func(string) bool { return false }) // the first error sticks
	var wrong *access.KeyError
	if !errors.As(err, &wrong) || wrong.Attribute != "order_id" {
		t.Errorf("items that differ: %v", err)
	}
}

func TestFailedWritesKeepEveryError(t *testing.T) {
	one, other := errors.New("one"), errors.New("other")
	if got := call.FailWrites(nil, nil); got != nil {
		t.Errorf("without an error the writes become %v", got)
	}
	if got := call.FailWrites(nil, one); len(got) != 1 || !errors.Is(got[0].Err, one) {
		t.Errorf("without writes an error becomes %v", got)
	}
	if got := call.FailWrites([]call.Action{{Err: other}}, one); len(got) != 1 || !errors.Is(got[0].Err, one) || !errors.Is(got[0].Err, other) {
		t.Errorf("a write with an error becomes %v", got)
	}
}

// TestGuardsThatStayAreNotWritten: an update that frees a unique value and takes it again leaves
// the row of the value alone.
func TestGuardsThatStayAreNotWritten(t *testing.T) {
	key := func(value string) access.Item { return access.Item{"pk": marshal.S(value)} }
	guard := func(kind call.Kind, value string) call.Action {
		a := call.Action{Kind: kind, Name: "guard User.email", Table: "t", KeyNames: []string{"pk"}}
		if kind == call.Put {
			a.Item, a.Taken = key(value), &access.TakenError{}
		} else {
			a.Key = key(value)
		}
		return a
	}
	kept := call.MergeGuards([]call.Action{guard(call.Delete, "a"), guard(call.Put, "a"), guard(call.Delete, "b"), guard(call.Put, "c")})
	if len(kept) != 2 || marshal.TextAt(kept[0].Key, "pk") != "b" || marshal.TextAt(kept[1].Item, "pk") != "c" {
		t.Errorf("what is written is %v", kept)
	}
	elsewhere := guard(call.Put, "a")
	elsewhere.Table = "other"
	if kept := call.MergeGuards([]call.Action{guard(call.Delete, "a"), elsewhere}); len(kept) != 2 {
		t.Errorf("rows of two tables became %v", kept)
	}
}

// TestGuardsMoveToAnotherItem: a value that one item of a call frees and another takes has one row, which names the other.
func TestGuardsMoveToAnotherItem(t *testing.T) {
	write := func(kind call.Kind, id string) call.Action {
		a := call.Action{Kind: kind, Name: kind.String() + " User", Table: "t", KeyNames: []string{"pk"}}
		if kind == call.Put {
			a.Item = access.Item{"pk": marshal.S(id)}
		} else {
			a.Key = access.Item{"pk": marshal.S(id)}
		}
		return a
	}
	free := call.Action{Kind: call.Delete, Name: "guard User.email", Table: "t", KeyNames: []string{"pk"}, Key: access.Item{"pk": marshal.S("E#a")}}
	take := func(owner string) call.Action {
		return call.Action{
			Kind: call.Put, Name: "guard User.email", Table: "t", KeyNames: []string{"pk"}, Condition: "attribute_not_exists(#pk)",
			Item:  access.Item{"pk": marshal.S("E#a"), marshal.OwnerName("pk"): marshal.S(owner)},
			Names: map[string]string{"#pk": "pk"}, Expects: call.Absent, Taken: &access.TakenError{},
		}
	}
	moved := call.MergeGuards([]call.Action{write(call.Delete, "1"), free, write(call.Put, "2"), take("2")})
	if len(moved) != 3 || moved[2].Kind != call.Put || moved[2].Condition != "" || marshal.TextAt(marshal.Owner(moved[2].Item), "pk") != "2" {
		t.Errorf("what is written is %v", moved)
	}
	if same := call.MergeGuards([]call.Action{write(call.Update, "1"), free, take("1")}); len(same) != 1 {
		t.Errorf("the row of the same item is written: %v", same)
	}
}

func TestOneOfSplitsLongLists(t *testing.T) {
	values := make([]string, 101)
	for i := range values {
		values[i] = "v"
	}
	for n, want := range map[int]int{1: 1, 100: 1, 101: 2} {
		var x call.Expression
		call.AndOneOf(&x, "#a", ":a", values[:n], marshal.S)
		if got := strings.Count(x.Condition(), " IN ("); got != want || len(x.Values()) != n {
			t.Errorf("%d values: %d times IN with %d values, want %d", n, got, len(x.Values()), want)
		}
	}
	var x call.Expression
	call.AndOneOf(&x, "#a", ":a", nil, marshal.S)
	if got := x.Condition(); got != "attribute_exists(#a) AND attribute_not_exists(#a)" {
		t.Errorf("the condition of no values is %s", got)
	}
}
