package call_test

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
)

func TestFaultOf(t *testing.T) {
	cause := &types.ConditionalCheckFailedException{}
	whole := product{ID: "1", Name: "lamp", Stock: 1, Version: 7}.item()
	bare := product{ID: "1", Name: "lamp", Version: 7}.item()
	delete(bare, "id")
	delete(bare, "version")
	locked := call.Action{Name: "update Product", Version: "version", Seen: 6, Expects: call.Present}
	type want struct {
		notFound, exists, taken, decode bool
		have                            int64 // -1: no VersionError
		current                         bool
	}
	for _, test := range []struct {
		name    string
		write   call.Action
		current access.Item
		want    want
	}{
		{"present, there is none", call.Action{Expects: call.Present}, nil, want{notFound: true, have: -1}},
		{"present, something else", call.Action{Expects: call.Present}, whole, want{have: -1, current: true}},
		{"absent", call.Action{Expects: call.Absent}, whole, want{exists: true, have: -1, current: true}},
		{"absent, item not returned", call.Action{Expects: call.Absent}, nil, want{exists: true, have: -1}},
		{"a delete, there is none", call.Action{Kind: call.Delete}, nil, want{notFound: true, have: -1}},
		{"a delete, something else", call.Action{Kind: call.Delete}, whole, want{have: -1, current: true}},
		{"a put that replaces, there is none", call.Action{Kind: call.Put}, nil, want{notFound: true, have: -1}},
		{"an update that makes the item, there is none", call.Action{Kind: call.Update}, nil, want{have: -1}},
		{"version, there is none", locked, nil, want{notFound: true, have: -1}},
		{"version without Expects, there is none", call.Action{Version: "version", Seen: 6}, nil, want{notFound: true, have: -1}},
		{"version differs", locked, whole, want{have: 7, current: true}},
		{"version is the same", call.Action{Version: "version", Seen: 7}, whole, want{have: -1, current: true}},
		{"no version yet, cannot be decoded", locked, bare, want{have: 0, decode: true}},
		{"cannot be decoded", call.Action{Expects: call.Absent}, bare, want{exists: true, have: -1, decode: true}},
		{"taken", call.Action{Expects: call.Absent, Taken: &access.TakenError{Entity: "Product", Attributes: []string{"name"}}}, bare, want{taken: true, have: -1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := call.FaultOf(productOf)(call.Failure{Pattern: "P", Action: &test.write, Current: test.current, Cause: cause})
			got := want{notFound: errors.Is(err, access.ErrNotFound), exists: errors.Is(err, access.ErrExists), have: -1}
			var taken *access.TakenError
			var decode *access.DecodeError
			var changed *access.VersionError
			var unmet *access.ConditionError[product]
			got.taken, got.decode = errors.As(err, &taken), errors.As(err, &decode)
			if errors.As(err, &changed) {
				got.have, got.current = changed.Have, changed.Current != nil
			} else if errors.As(err, &unmet) {
				got.current = unmet.Current != nil
			}
			if got != test.want {
				t.Errorf("got %+v, want %+v (%v)", got, test.want, err)
			}
			var sdk *types.ConditionalCheckFailedException
			if !errors.As(err, &sdk) || sdk != cause {
				t.Errorf("the SDK's error is not in %v", err)
			}
		})
	}
}

// What a pattern requires of other items is no answer about the item it writes.
func TestRequiredItemIsNotTheWrittenItem(t *testing.T) {
	whole := product{ID: "1", Name: "lamp", Stock: 1, Version: 7}.item()
	for name, test := range map[string]struct {
		write   call.Action
		current access.Item
	}{
		"must be there":                   {call.Action{Expects: call.Present}, nil},
		"must not be there":               {call.Action{Expects: call.Absent}, whole},
		"must not be there, not returned": {call.Action{Expects: call.Absent}, nil},
		"must be in a state":              {call.Action{Expects: call.Present}, whole},
		"must have a version, and has it": {call.Action{Expects: call.Present, Version: "version", Seen: 7}, whole},
		"must have a version, is gone":    {call.Action{Expects: call.Present, Version: "version", Seen: 6}, nil},
	} {
		test.write.Required, test.write.Name = true, "require Product"
		for kind, fault := range map[string]func(call.Failure) error{"typed": call.FaultOf(productOf), "default": nil} {
			test.write.Fault = fault
			err := requiredBy(t, test.write, test.current)
			if !errors.Is(err, access.ErrRequired) || errors.Is(err, access.ErrExists) || errors.Is(err, access.ErrNotFound) {
				t.Errorf("%s, %s: %v", name, kind, err)
			}
			var typed *access.ConditionError[product]
			if errors.As(err, &typed) != (kind == "typed") || typed != nil && (typed.Current != nil) != (test.current != nil) {
				t.Errorf("%s, %s: %#v", name, kind, err)
			}
		}
	}
}

// A version that is not the one seen says more than that something required does not hold,
// and tells the caller to read again.
func TestStaleVersionOfARequiredItem(t *testing.T) {
	whole := product{ID: "1", Name: "lamp", Stock: 1, Version: 7}.item()
	for name, fault := range map[string]func(call.Failure) error{"typed": call.FaultOf(productOf), "default": nil} {
		err := requiredBy(t, call.Action{
			Name: "require Product", Expects: call.Present, Required: true, Needs: "stock > 0", Version: "version", Seen: 6, Fault: fault,
		}, whole)
		var changed *access.VersionError
		if !errors.As(err, &changed) || changed.Seen != 6 || changed.Have != 7 || changed.Current == nil {
			t.Fatalf("%s: got %#v", name, err)
		}
		if !errors.Is(err, access.ErrRequired) || errors.Is(err, access.ErrNotFound) || !access.Contended(err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// requiredBy returns the error of a transaction in which a write fails.
func requiredBy(t *testing.T, w call.Action, current access.Item) error {
	t.Helper()
	w.Kind, w.Table, w.Key, w.Condition = call.Check, "Shop", productKey("1"), "attribute_exists(PK)"
	api := moody{API: openShop(t).API(), transact: func(*dynamodb.TransactWriteItemsInput) error {
		return &types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{
			{Code: aws.String("ConditionalCheckFailed"), Item: current},
		}}
	}}
	err := call.Transact(t.Context(), shopOn(api).c, registerByName, []call.Action{w})
	var tx *access.TxError
	if !errors.As(err, &tx) || len(tx.Reasons) != 1 || !access.Refused(err) {
		t.Fatalf("got %v", err)
	}
	return tx.Reasons[0].Err
}

func TestAFailedConditionSaysWhatItNeeds(t *testing.T) {
	const needs = "status = STARTED and current_position = $previous_position"
	whole := product{ID: "1", Name: "lamp", Stock: 1, Version: 7}.item()
	for name, test := range map[string]struct {
		write   call.Action
		current access.Item
		want    string
	}{
		"a state":             {call.Action{Needs: needs, Expects: call.Present}, whole, "it needs " + needs},
		"a state not told":    {call.Action{Expects: call.Present}, whole, "the item is not in a state that allows it"},
		"there is none":       {call.Action{Needs: needs, Expects: call.Present}, nil, "access: no such item"},
		"there is one":        {call.Action{Needs: needs, Expects: call.Absent}, whole, "access: the item exists already"},
		"required":            {call.Action{Needs: "status = OPEN", Required: true}, whole, "access: something the write requires does not hold: it needs status = OPEN"},
		"required, not told":  {call.Action{Required: true, Expects: call.Absent}, whole, "access: something the write requires does not hold"},
		"a delete of none":    {call.Action{Kind: call.Delete, Needs: needs}, nil, "access: no such item: it needs " + needs},
		"nothing is expected": {call.Action{Kind: call.Update, Needs: needs}, nil, "it needs " + needs},
	} {
		test.write.Name = "update ExamSession"
		err := call.FaultOf(productOf)(call.Failure{Pattern: "PresentQuestion", Action: &test.write, Current: test.current})
		if want := "PresentQuestion: update ExamSession: " + test.want; err.Error() != want {
			t.Errorf("%s: got  %v\nwant %s", name, err, want)
		}
		var unmet *access.ConditionError[product]
		if !errors.As(err, &unmet) || unmet.Needs != test.write.Needs {
			t.Errorf("%s: %#v", name, err)
		}
	}
}

// The reasons of a transaction stay readable with the design's words in them.
func TestATransactionSaysWhatItNeeds(t *testing.T) {
	s := newShop(t)
	s.mustCreate(t, product{ID: "1", Name: "lamp", Version: 1})
	sold, required := sell("1", 1), remove("2")
	sold.Needs = "stock >= 1"
	required.Kind, required.Required, required.Name, required.Needs = call.Check, true, "require Product", "a Product with the id $other"
	err := call.Transact(t.Context(), s.c, registerByName, []call.Action{sold, required})
	want := "RegisterProduct: the transaction was not done: update Product: it needs stock >= 1; " +
		"require Product: access: something the write requires does not hold: it needs a Product with the id $other"
	if err == nil || err.Error() != want || !errors.Is(err, access.ErrRequired) || errors.Is(err, access.ErrNotFound) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestAnItemOfAnotherEntityIsNotCurrent(t *testing.T) {
	skip := func(access.Item) (product, error) { return product{}, marshal.Skip }
	err := call.FaultOf(skip)(call.Failure{Pattern: "P", Action: &call.Action{Expects: call.Absent}, Current: productKey("1")})
	var unmet *access.ConditionError[product]
	if !errors.As(err, &unmet) || unmet.Current != nil || !errors.Is(err, access.ErrExists) || errors.Is(err, marshal.Skip) {
		t.Errorf("got %#v", err)
	}
}

func TestATakenErrorIsNotSharedByCalls(t *testing.T) {
	w := guard("lamp")
	template := *w.Taken
	call.FaultOf(productOf)(call.Failure{Pattern: "P", Action: &w, Cause: errors.New("x")})
	if w.Taken.Pattern != template.Pattern || w.Taken.Unwrap() != nil {
		t.Errorf("the write's own error was changed: %+v", w.Taken)
	}
}
