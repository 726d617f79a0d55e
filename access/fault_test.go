package access_test

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

func TestFaultOf(t *testing.T) {
	cause := &types.ConditionalCheckFailedException{}
	whole := product{ID: "1", Name: "lamp", Stock: 1, Version: 7}.item()
	bare := product{ID: "1", Name: "lamp", Version: 7}.item()
	delete(bare, "id")
	delete(bare, "version")
	locked := access.Write{Name: "update Product", Version: "version", Seen: 6, Expects: access.Present}
	type want struct {
		notFound, exists, taken, decode bool
		have                            int64 // -1: no VersionError
		current                         bool
	}
	for _, test := range []struct {
		name    string
		write   access.Write
		current access.Item
		want    want
	}{
		{"present, there is none", access.Write{Expects: access.Present}, nil, want{notFound: true, have: -1}},
		{"present, something else", access.Write{Expects: access.Present}, whole, want{have: -1, current: true}},
		{"absent", access.Write{Expects: access.Absent}, whole, want{exists: true, have: -1, current: true}},
		{"absent, item not returned", access.Write{Expects: access.Absent}, nil, want{exists: true, have: -1}},
		{"anything, there is none", access.Write{}, nil, want{have: -1}},
		{"version, there is none", locked, nil, want{notFound: true, have: -1}},
		{"version without Expects, there is none", access.Write{Version: "version", Seen: 6}, nil, want{notFound: true, have: -1}},
		{"version differs", locked, whole, want{have: 7, current: true}},
		{"version is the same", access.Write{Version: "version", Seen: 7}, whole, want{have: -1, current: true}},
		{"no version yet, cannot be decoded", locked, bare, want{have: 0, decode: true}},
		{"cannot be decoded", access.Write{Expects: access.Absent}, bare, want{exists: true, have: -1, decode: true}},
		{"taken", access.Write{Expects: access.Absent, Taken: &access.TakenError{Entity: "Product", Attributes: []string{"name"}}}, bare, want{taken: true, have: -1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := access.FaultOf(productOf)(access.Failure{Pattern: "P", Write: &test.write, Current: test.current, Cause: cause})
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

func TestAnItemOfAnotherEntityIsNotCurrent(t *testing.T) {
	skip := func(access.Item) (product, error) { return product{}, access.Skip }
	err := access.FaultOf(skip)(access.Failure{Pattern: "P", Write: &access.Write{Expects: access.Absent}, Current: productKey("1")})
	var unmet *access.ConditionError[product]
	if !errors.As(err, &unmet) || unmet.Current != nil || !errors.Is(err, access.ErrExists) || errors.Is(err, access.Skip) {
		t.Errorf("got %#v", err)
	}
}

func TestATakenErrorIsNotSharedByCalls(t *testing.T) {
	w := guard("lamp")
	template := *w.Taken
	access.FaultOf(productOf)(access.Failure{Pattern: "P", Write: &w, Cause: errors.New("x")})
	if w.Taken.Pattern != template.Pattern || w.Taken.Unwrap() != nil {
		t.Errorf("the write's own error was changed: %+v", w.Taken)
	}
}
