package migrate

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/code"
)

// errBusy says that a transaction met another request on one of its items. It is sent again.
type errBusy struct{ error }

// ErrorCode makes it an error that may pass.
func (errBusy) ErrorCode() string { return "TransactionConflictException" }

func (e errBusy) Unwrap() error { return e.error }

// canceled returns which conditions of a transaction failed, each with the item as it is; nil if the error is
// another one, which is returned, as one that may pass if only other requests are the reason.
func canceled(err error) ([]*access.Item, error) {
	all, is := errors.AsType[*types.TransactionCanceledException](err)
	if !is {
		return nil, err
	}
	failed, busy := make([]*access.Item, len(all.CancellationReasons)), false
	any := false
	for i := range all.CancellationReasons {
		switch reason := &all.CancellationReasons[i]; textAt(reason.Code) {
		case "", code.None:
		case code.ConditionalCheckFailed:
			failed[i], any = &reason.Item, true
		case code.TransactionConflict, code.ThrottlingError, code.ProvisionedThroughputExceeded:
			busy = true
		default:
			return nil, err
		}
	}
	switch {
	case any:
		return failed, nil
	case busy:
		return nil, errBusy{err}
	}
	return nil, err
}

func textAt(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// transact sends a transaction, and returns the conditions that failed, nil if it was done.
func (r *run) transact(ctx context.Context, items ...types.TransactWriteItem) ([]*access.Item, error) {
	var failed []*access.Item
	err := r.paced(ctx, func(ctx context.Context) (*types.ConsumedCapacity, error) {
		options, err := r.permitted(ctx)
		if err != nil {
			return nil, err
		}
		out, err := r.api.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: items, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}, options...)
		if err != nil {
			failed, err = canceled(err)
			return nil, err
		}
		return sumOf(out.ConsumedCapacity), nil
	})
	if err != nil {
		return nil, fmt.Errorf("write items together: %w", err)
	}
	return failed, nil
}

// both reads an original and its copy as they are at one moment; nil: there is none.
func (r *run) both(ctx context.Context, p *part, original, copied access.Item) (one, other access.Item, err error) {
	from, to := r.table(p.Table), r.table(p.To)
	units, err := r.try(ctx, r.reads, func(ctx context.Context) (*types.ConsumedCapacity, error) {
		options, err := r.permitted(ctx)
		if err != nil {
			return nil, err
		}
		out, err := r.api.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal, TransactItems: []types.TransactGetItem{
			{Get: &types.Get{TableName: &from, Key: original}}, {Get: &types.Get{TableName: &to, Key: copied}},
		}}, options...)
		if err != nil {
			_, err = canceled(err)
			return nil, err
		}
		one, other = out.Responses[0].Item, out.Responses[1].Item
		return sumOf(out.ConsumedCapacity), nil
	})
	r.count(func(s *Status) { s.Reads += units })
	if err != nil {
		return nil, nil, fmt.Errorf("read an item and its copy: %w", err)
	}
	return orNil(one), orNil(other), nil
}

func orNil(item access.Item) access.Item {
	if len(item) == 0 {
		return nil
	}
	return item
}

// sumOf adds up what a transaction consumed of several tables; nil if the endpoint does not say.
func sumOf(all []types.ConsumedCapacity) *types.ConsumedCapacity {
	if len(all) == 0 {
		return nil
	}
	total := 0.0
	for i := range all {
		if all[i].CapacityUnits != nil {
			total += *all[i].CapacityUnits
		}
	}
	return &types.ConsumedCapacity{CapacityUnits: &total}
}
