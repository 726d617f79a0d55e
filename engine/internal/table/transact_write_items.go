package table

import (
	"context"
	"errors"
	"slices"
	"strings"

	"sortkey.dev/engine/internal/capacity"
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// A transaction is the state of a TransactWriteItems: its mutations, which are in
// the order of its actions, and its cancellation reasons.
type transaction struct {
	req     *request.TransactWriteItems
	tables  []*catalog.Table
	ms      []mutation
	keys    [][]byte
	reasons []dynamo.CancellationReason
	failed  bool // some reason is not None
	replay  *rowformat.Token
}

// TransactWriteItems executes up to 100 actions, all or none.
func (s *Tables) TransactWriteItems(ctx context.Context, req *request.TransactWriteItems) (*dynamo.TransactWriteItemsOutput, error) {
	names := make([]string, len(req.Actions))
	for i := range req.Actions {
		names[i] = write(&req.Actions[i]).Table
	}
	tables, leave, err := s.enter(names)
	if err != nil {
		return nil, err
	}
	defer leave()
	x := &transaction{req: req, tables: tables, reasons: make([]dynamo.CancellationReason, len(req.Actions))}
	if err := x.prepare(); err != nil {
		return nil, err
	}
	if err := s.transact(ctx, x); err != nil {
		return nil, err
	}
	return x.output(), nil
}

// transact executes a prepared transaction.
func (s *Tables) transact(ctx context.Context, x *transaction) error {
	if token := x.req.Token; token != "" {
		if !s.tokens.begin(token) {
			return dynamo.Errorf(dynamo.TransactionInProgress, "Transaction from previous request is still in progress")
		}
		defer s.tokens.end(token)
	}
	if conflicts := s.claims.take(x.keys); conflicts != nil {
		x.start()
		for _, i := range conflicts {
			x.fail(i, dynamo.ReasonTransactionConflict, conflictMessage, nil)
		}
		return x.cancelled()
	}
	defer s.claims.release(x.keys)
	if err := s.commit(ctx, x); err != nil || x.replay != nil {
		return err
	}
	for i := range x.ms {
		x.ms[i].counted.book()
	}
	return nil
}

// commit writes the changes of a transaction, and its token, unless it is a replay.
func (s *Tables) commit(ctx context.Context, x *transaction) error {
	now := s.catalog.Now()
	for i := range x.ms {
		x.ms[i].clock = &s.catalog.Clock
	}
	if x.req.Token == "" {
		return s.store.Update(ctx, x.keys, s.inTime(ctx, x.run))
	}
	tokenAt, held := s.tokenKeys(ctx, x.req.Token, now)
	return s.store.Update(ctx, slices.Concat(x.keys, [][]byte{tokenAt}, held), s.inTime(ctx, func(tx kv.Txn) (err error) {
		if x.replay, err = replayed(tx, x.req, held, now); err != nil || x.replay != nil {
			return err
		}
		if err := x.run(tx); err != nil {
			return err
		}
		tx.Set(tokenAt, rowformat.AppendToken(nil, &rowformat.Token{Done: now, Fingerprint: x.req.Fingerprint, Sizes: x.sizes()}))
		return nil
	}))
}

// start resets the cancellation reasons.
func (x *transaction) start() {
	x.failed = false
	for i := range x.reasons {
		x.reasons[i] = dynamo.CancellationReason{Code: dynamo.ReasonNone}
	}
}

func (x *transaction) fail(i int, code, message string, item dynamo.Item) {
	x.failed = true
	x.reasons[i] = dynamo.CancellationReason{Code: code, Message: message, Item: item}
}

// run runs all mutations, to collect all reasons if some fail.
func (x *transaction) run(tx kv.Txn) error {
	x.start()
	for i := range x.ms {
		if err := x.note(i, x.ms[i].run(tx)); err != nil {
			return err
		}
	}
	if x.failed {
		return x.cancelled()
	}
	return nil
}

// note turns the error of an action into its reason. It returns errors that are not reasons.
func (x *transaction) note(i int, err error) error {
	if err == nil {
		return nil
	}
	if _, empty := errors.AsType[*emptyKeyError](err); empty {
		return err
	}
	e, ok := errors.AsType[*dynamo.Error](err)
	switch {
	case ok && e.Code == dynamo.ConditionalCheckFailed:
		x.fail(i, dynamo.ReasonConditionalCheckFailed, e.Message, e.Item)
	case ok && e.Code == dynamo.DuplicateItem:
		x.fail(i, dynamo.ReasonDuplicateItem, e.Message, nil)
	case ok && e.Code == dynamo.Validation:
		x.fail(i, dynamo.ReasonValidationError, e.Message, nil)
	default:
		return err
	}
	return nil
}

// cancelled returns the error for a transaction with cancellation reasons.
func (x *transaction) cancelled() error { return cancelled(x.reasons) }

func cancelled(reasons []dynamo.CancellationReason) error {
	codes := make([]string, len(reasons))
	for i, r := range reasons {
		codes[i] = r.Code
	}
	err := dynamo.Errorf(dynamo.TransactionCanceled, "Transaction cancelled, please refer cancellation reasons for specific reasons [%s]", strings.Join(codes, ", "))
	err.Reasons = reasons
	return err
}

// sizes returns the sizes by which the actions were charged.
func (x *transaction) sizes() []int {
	sizes := make([]int, len(x.ms))
	for i := range x.ms {
		sizes[i] = x.ms[i].size
	}
	return sizes
}

func (x *transaction) output() *dynamo.TransactWriteItemsOutput {
	out := &dynamo.TransactWriteItemsOutput{}
	bill := newBill(x.req.Capacity, x.replay == nil)
	var metrics metricsByTable
	for i := range x.req.Actions {
		a := &x.req.Actions[i]
		account := &x.ms[i].account
		if x.replay != nil {
			account = &capacity.Account{}
			account.Table(2 * capacity.ReadUnits(x.replay.Sizes[i], true))
		}
		bill.add(write(a).Table, account)
		if a.Check == nil {
			metrics.add(write(a).Table, collectionMetrics(x.tables[i], subject(a), x.req.Metrics))
		}
	}
	out.ConsumedCapacity, out.ItemCollectionMetrics = bill.consumed(), metrics
	return out
}
