package call_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func TestTransactDoesAllOrNothing(t *testing.T) {
	everyDoor(t, func(t *testing.T, s shop) {
		lamp := product{ID: "1", Name: "lamp", Stock: 1, Version: 1}
		if err := call.Transact(t.Context(), s.c, registerByName, []call.Action{create(lamp), guard("lamp")}); err != nil {
			t.Fatal(err)
		}
		if got, _ := s.get(t, "1"); got != lamp {
			t.Errorf("got %+v", got)
		}
		err := call.Transact(t.Context(), s.c, registerByName, []call.Action{create(product{ID: "2", Name: "lamp"}), guard("lamp")})
		var taken *access.TakenError
		if !errors.As(err, &taken) || taken.Pattern != "RegisterProduct" {
			t.Errorf("got %v", err)
		}
		if want := "RegisterProduct: the transaction was not done: another Product has this name"; err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		if p, found := s.get(t, "2"); found {
			t.Errorf("a part was done: %+v", p)
		}
	})
}

func TestTransactTellsEveryReason(t *testing.T) {
	everyDoor(t, func(t *testing.T, s shop) {
		s.mustCreate(t, product{ID: "1", Name: "lamp", Stock: 1, Version: 2}, product{ID: "2", Name: "chair"}, product{ID: "4", Name: "desk"})
		check := remove("4")
		check.Kind, check.Name = call.Check, "check Product"
		writes := []call.Action{sell("1", 1), create(product{ID: "2"}), remove("3"), check, guard("lamp")}
		err := call.Transact(t.Context(), s.c, registerByName, writes)
		var tx *access.TxError
		if !errors.As(err, &tx) {
			t.Fatal(err)
		}
		var got []string
		for _, r := range tx.Reasons {
			got = append(got, r.Action+" "+r.Code)
		}
		want := []string{"update Product ConditionalCheckFailed", "create Product ConditionalCheckFailed", "delete Product ConditionalCheckFailed"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		var changed *access.VersionError
		var exists, missing *access.ConditionError[product]
		if !errors.As(tx.Reasons[0].Err, &changed) || changed.Have != 2 || changed.Current.(*product).Name != "lamp" {
			t.Errorf("update: %v", tx.Reasons[0].Err)
		}
		if !errors.As(tx.Reasons[1].Err, &exists) || exists.Current == nil || exists.Current.Name != "chair" {
			t.Errorf("create: %v", tx.Reasons[1].Err)
		}
		if !errors.As(tx.Reasons[2].Err, &missing) || missing.Current != nil || !errors.Is(missing, access.ErrNotFound) {
			t.Errorf("delete: %v", tx.Reasons[2].Err)
		}
		// The whole shows what its parts do.
		var sdk *types.TransactionCanceledException
		if !errors.Is(err, access.ErrExists) || !errors.Is(err, access.ErrNotFound) || !errors.As(err, &changed) || !errors.As(err, &sdk) {
			t.Errorf("%v hides its reasons", err)
		}
		if !access.Refused(err) {
			t.Errorf("%v is an answer about the data", err)
		}
	})
}

func TestTransactRefusesWhatDynamoDBWould(t *testing.T) {
	many := func(n int) (writes []call.Action) {
		for i := range n {
			writes = append(writes, create(product{ID: fmt.Sprint(i)}))
		}
		return writes
	}
	same := create(product{ID: "1"})
	same.Item["SK"] = &types.AttributeValueMemberN{Value: "0.0"}
	keyless := create(product{ID: "1"})
	delete(keyless.Item, "SK")
	for _, test := range []struct {
		name    string
		writes  []call.Action
		options []access.WriteOption
		want    string
	}{
		{"nothing", nil, nil, "RegisterProduct: access: a transaction without an action"},
		{"too much", many(101), nil, "RegisterProduct: access: a transaction of 101 actions, and DynamoDB takes 100"},
		{"no key", []call.Action{keyless}, nil, "RegisterProduct: create Product: access: the item has no SK, a key attribute of table Shop"},
		{"empty token", many(1), []access.WriteOption{access.Token("")}, `RegisterProduct: access: the token "" has 0 characters, not 1 to 36`},
		{"long token", many(1), []access.WriteOption{access.Token(strings.Repeat("x", 37))}, "has 37 characters, not 1 to 36"},
		{"one item twice", []call.Action{guard("x"), remove("1"), same}, nil,
			"RegisterProduct: access: one call touches one item twice: action 2 (delete Product) and action 3 (create Product) on table Shop"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := shopOn(nil) // nothing may be sent
			err := call.Transact(t.Context(), s.c, registerByName, test.writes, test.options...)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v\nwant %s", err, test.want)
			}
			if errors.Is(err, access.ErrTwice) != strings.Contains(test.want, "twice") {
				t.Errorf("errors.Is(ErrTwice) is wrong for %v", err)
			}
		})
	}
	s := newShop(t)
	if err := call.Transact(t.Context(), s.c, registerByName, many(100)); err != nil {
		t.Errorf("100 actions: %v", err)
	}
}

func TestATokenMakesATransactionHappenOnce(t *testing.T) {
	everyDoor(t, func(t *testing.T, s shop) {
		writes := []call.Action{create(product{ID: "1", Name: "lamp"})}
		for range 2 {
			if err := call.Transact(t.Context(), s.c, registerByName, writes, access.Token("order-1")); err != nil {
				t.Fatal(err)
			}
		}
		if err := call.Transact(t.Context(), s.c, registerByName, writes); !errors.Is(err, access.ErrExists) {
			t.Errorf("without the token: %v", err)
		}
		err := call.Transact(t.Context(), s.c, registerByName, []call.Action{create(product{ID: "2"})}, access.Token("order-1"))
		var mismatch *types.IdempotentParameterMismatchException
		if !errors.As(err, &mismatch) || !strings.Contains(err.Error(), `RegisterProduct: access: the token "order-1" stands for another transaction`) {
			t.Errorf("with the token of another: %v", err)
		}
	})
}

func cancel(codes ...string) error {
	all := &types.TransactionCanceledException{Message: aws.String("canceled")}
	for _, code := range codes {
		all.CancellationReasons = append(all.CancellationReasons, types.CancellationReason{Code: aws.String(code), Message: aws.String("because")})
	}
	return all
}

func TestTransactRetriesOnlyConflictsAndThrottling(t *testing.T) {
	for _, test := range []struct {
		name  string
		err   error
		again bool
	}{
		{"conflict", cancel("None", "TransactionConflict"), true},
		{"throttled", cancel("ThrottlingError", "None"), true},
		{"capacity", cancel("ProvisionedThroughputExceeded", "TransactionConflict"), true},
		{"in progress", &types.TransactionInProgressException{}, true},
		{"internal", &types.InternalServerError{}, true},
		{"condition", cancel("None", "ConditionalCheckFailed"), false},
		{"condition and conflict", cancel("ConditionalCheckFailed", "TransactionConflict"), false},
		{"invalid", cancel("ValidationError", "None"), false},
		{"no reasons", cancel(), false},
		{"nothing but None", cancel("None", "None"), false},
		{"mismatch", &types.IdempotentParameterMismatchException{}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var tokens []string
			api := moody{API: openShop(t).API(), transact: func(in *dynamodb.TransactWriteItemsInput) error {
				if tokens = append(tokens, *in.ClientRequestToken); len(tokens) < 4 {
					return test.err
				}
				return nil
			}}
			s := shopOn(api, patient)
			err := call.Transact(t.Context(), s.c, registerByName, []call.Action{create(product{ID: "1"}), guard("x")})
			want := 1
			if test.again {
				want = 4
			}
			if len(tokens) != want || (err == nil) != test.again {
				t.Fatalf("sent %d times, want %d: %v", len(tokens), want, err)
			}
			for _, token := range tokens {
				if token != tokens[0] || token == "" {
					t.Errorf("the token changed: %q", tokens)
				}
			}
			if !test.again && !errors.Is(err, test.err) {
				t.Errorf("the SDK's error is not in %v", err)
			}
		})
	}
}

func TestContendedTellsConflictsFromFailedConditions(t *testing.T) {
	conflict := access.Reason{Code: "TransactionConflict", Err: errors.New("conflict")}
	stale := access.Reason{Code: "ConditionalCheckFailed", Err: &access.VersionError{}}
	unmet := access.Reason{Code: "ConditionalCheckFailed", Err: &access.ConditionError[product]{}}
	for _, test := range []struct {
		name string
		err  error
		want bool
	}{
		{"a version", &access.VersionError{}, true},
		{"a plain write and a transaction", &types.TransactionConflictException{}, true},
		{"two transactions", &access.TxError{Reasons: []access.Reason{conflict, stale}}, true},
		{"a version and a condition", &access.TxError{Reasons: []access.Reason{unmet, stale}}, true},
		{"a condition", &access.TxError{Reasons: []access.Reason{unmet}}, false},
		{"a condition and a transaction", &access.TxError{Reasons: []access.Reason{conflict, unmet}}, false},
		{"somebody wraps it", fmt.Errorf("answer: %w", &access.TxError{Reasons: []access.Reason{conflict}}), true},
		{"another error", access.ErrNotFound, false},
		{"none", nil, false},
	} {
		if got := access.Contended(test.err); got != test.want {
			t.Errorf("%s: got %t", test.name, got)
		}
	}
}

func TestOtherReasonsHaveDynamoDBsMessage(t *testing.T) {
	api := moody{API: openShop(t).API(), transact: func(*dynamodb.TransactWriteItemsInput) error { return cancel("None", "ValidationError") }}
	err := call.Transact(t.Context(), shopOn(api).c, registerByName, []call.Action{create(product{ID: "1"}), guard("x")})
	if want := "RegisterProduct: the transaction was not done: guard Product.name: ValidationError: because"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if access.Refused(err) {
		t.Error("that is not an answer about the data")
	}
}

func TestContendingTransactionsAllSucceed(t *testing.T) {
	s := shopOn(openShop(t).API(), access.WithRetries(50, time.Millisecond, 20*time.Millisecond))
	const goroutines, times = 8, 25
	s.mustCreate(t, product{ID: "1", Name: "lamp"}, product{ID: "2", Name: "chair", Stock: goroutines * times})
	move := func(id string, by int64) call.Action {
		return call.Action{Kind: call.Update, Name: "update Product", Table: "Shop", Key: productKey(id),
			Update: "SET stock = stock + :by", Values: access.Item{":by": number(by)}}
	}
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for range times {
				if err := call.Transact(t.Context(), s.c, sellProduct, []call.Action{move("1", 1), move("2", -1)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	lamp, _ := s.get(t, "1")
	chair, _ := s.get(t, "2")
	if lamp.Stock != goroutines*times || chair.Stock != 0 {
		t.Errorf("lamps %d, chairs %d", lamp.Stock, chair.Stock)
	}
}
