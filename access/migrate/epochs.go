package migrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/code"
	"sortkey.dev/internal/wait"
)

// How long a request that was sent under a lease can still be carried out after the end of the lease.
const (
	// SettleAWS is for endpoints that refuse signatures of more than fifteen minutes.
	SettleAWS = 15*time.Minute + 30*time.Second
	// SettleOnMachine is for an engine on the machine of all processes, which refuses requests that come after the end of the lease.
	SettleOnMachine = 5 * time.Second
)

var (
	// ErrNoState says that there is no state row. Restore makes it again from the control table.
	ErrNoState = errors.New("migrate: there is no state row")
	// ErrChanged says that another runner has changed the state row, or that it was deleted. Read it again.
	ErrChanged = errors.New("migrate: the state row is not as it was read")
	// ErrUnsettled says that an epoch is not settled. Settle waits for it.
	ErrUnsettled = errors.New("migrate: the epoch is not settled")
)

// Epochs changes the state row of a design, which processes read (access.State): it raises the epoch, waits until no process is under a
// lease of an earlier one and no request of an earlier one can arrive, and writes that the epoch is settled. Any number of runners may
// try; each change is made on condition of what was read. What a phase means for items is not its business.
type Epochs struct {
	API    access.API
	Design access.Design
	// TableName maps the name of a table in the design to its name in DynamoDB; nil: it is the same.
	TableName func(string) string
	// Control is the name of the control table, with the definition of stream.CheckpointTable.
	Control string
	// Settle says how long a request can be carried out after the end of its lease. It has no default: too little breaks the promise of a
	// migration. access.RefusesLate finds out whether SettleOnMachine will do.
	Settle time.Duration
	// Alone says that no other process can send requests to the store, and that this one sends those of its runner only, as before a program
	// begins to serve: an epoch is settled at once, and what another process has leased is free.
	Alone bool

	Clock Clock // for tests; the zero value is the clock of the machine
}

func (e *Epochs) table() string {
	name := e.Design.State.Table
	if e.TableName != nil {
		name = e.TableName(name)
	}
	return name
}

// controlKey returns the key of the copy of the state row in the control table. All migrations share it: a copy of an earlier one
// could bring back an epoch that is over.
func (e *Epochs) controlKey() access.Item {
	return access.Item{"pk": text(e.Design.Name + "#run"), "sk": text("state")}
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// Read reads the state row.
func (e *Epochs) Read(ctx context.Context) (access.State, error) {
	return e.read(ctx, e.table(), e.Design.State.Key())
}

func (e *Epochs) read(ctx context.Context, table string, key access.Item) (access.State, error) {
	out, err := e.API.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: key, ConsistentRead: new(true)})
	switch {
	case err != nil:
		return access.State{}, fmt.Errorf("migrate: read the state in table %s: %w", table, err)
	case len(out.Item) == 0:
		return access.State{}, fmt.Errorf("%w in table %s", ErrNoState, table)
	}
	return access.ParseState(out.Item)
}

// Create makes the state row of a design whose table is new, or which begins its history: settled, in peace. If there is one, the error is ErrChanged.
func (e *Epochs) Create(ctx context.Context, version int, lease time.Duration) (access.State, error) {
	s := access.State{Version: version, Least: version, Epoch: 1, Settled: 1, Lease: lease, Longest: lease}
	table, key := e.table(), e.Design.State.Key()
	_, err := e.API.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &table, Item: s.Item(key), ConditionExpression: new("attribute_not_exists(#pk)"),
		ExpressionAttributeNames: map[string]string{"#pk": e.Design.State.Partition.Name},
	})
	return s, ifChanged("make the state row", err)
}

// Advance raises the epoch to the next state, and returns when it is settled: no request of an earlier epoch is carried out any more. The
// fields Epoch, Settled and Longest of next are set by Advance. If ctx ends, or the runner dies, the epoch may be raised and not settled: then
// another runner reads the row and calls Wait.
func (e *Epochs) Advance(ctx context.Context, state, next access.State) (access.State, error) {
	next, err := e.Raise(ctx, state, next)
	if err != nil {
		return next, err
	}
	return e.Wait(ctx, next)
}

// Raise is the first half of Advance: processes that read the row from now on are in the next epoch.
func (e *Epochs) Raise(ctx context.Context, state, next access.State) (access.State, error) {
	if err := checkNext(state, next); err != nil {
		return state, err
	}
	next.Epoch, next.Settled, next.Longest = state.Epoch+1, state.Settled, max(state.Longest, state.Lease, next.Lease)
	copied, err := e.read(ctx, e.Control, e.controlKey())
	if err != nil && !errors.Is(err, ErrNoState) {
		return state, err
	}
	control := next
	control.Longest = max(next.Longest, copied.Longest) // that any row ever gave
	return next, e.write(ctx, "raise the epoch", next, state.Epoch, control, copied.Epoch)
}

// checkNext refuses what would bring processes into phases that are not adjacent.
func checkNext(state, next access.State) error {
	by := int(next.Phase) - int(state.Phase)
	switch {
	case state.Settled != state.Epoch:
		return fmt.Errorf("%w: epoch %d, settled %d", ErrUnsettled, state.Epoch, state.Settled)
	case next.Lease <= 0:
		return errors.New("migrate: the next state has no lease")
	case next.Migration == state.Migration && next.Version == state.Version && by >= -1 && by <= 1:
		return nil
	case state.Migration == "" && next.Version == state.Version && next.Phase == access.PhaseBefore:
		return nil // a migration begins
	case next.Migration == "" && next.Version > state.Version && state.Phase == access.PhaseAfter && next.Phase == access.PhaseBefore:
		return nil // it ends
	case next.Migration == "" && next.Version == state.Version && state.Phase == access.PhaseBefore && next.Phase == access.PhaseBefore:
		return nil // it is given up
	}
	return fmt.Errorf("migrate: %s cannot follow %s", describe(next), describe(state))
}

func describe(s access.State) string {
	return fmt.Sprintf("version %d, migration %q, phase %s", s.Version, s.Migration, s.Phase)
}

// write writes the state row and its copy in the control table in one transaction, each on condition of the epoch that it has; 0:
// there is none.
func (e *Epochs) write(ctx context.Context, what string, next access.State, epoch int64, control access.State, copied int64) error {
	in := &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		putState(e.table(), next.Item(e.Design.State.Key()), epoch, e.Design.State.Partition.Name),
		putState(e.Control, control.Item(e.controlKey()), copied, "pk"),
	}}
	for attempt := 0; ; attempt++ {
		_, err := e.API.TransactWriteItems(ctx, in)
		if _, other := canceled(err); attempt == 10 || !errors.As(other, new(errBusy)) { // another runner does the same
			return ifChanged(what, err)
		}
		if err := e.sleep(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

func putState(table string, item access.Item, epoch int64, partition string) types.TransactWriteItem {
	p := &types.Put{
		TableName: &table, Item: item, ConditionExpression: new("#epoch = :epoch"),
		ExpressionAttributeNames: map[string]string{"#epoch": "epoch"}, ExpressionAttributeValues: access.Item{":epoch": number(epoch)},
	}
	if epoch == 0 {
		p.ConditionExpression, p.ExpressionAttributeNames, p.ExpressionAttributeValues = new("attribute_not_exists(#pk)"), map[string]string{"#pk": partition}, nil
	}
	return types.TransactWriteItem{Put: p}
}

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: fmt.Sprint(n)}
}

// ifChanged returns the error of a write whose condition may have failed.
func ifChanged(what string, err error) error {
	if err == nil {
		return nil
	}
	_, failed := errors.AsType[*types.ConditionalCheckFailedException](err)
	if canceled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		for _, reason := range canceled.CancellationReasons {
			failed = failed || reason.Code != nil && *reason.Code == "ConditionalCheckFailed"
		}
	}
	if failed {
		return fmt.Errorf("%s: %w", what, ErrChanged)
	}
	return fmt.Errorf("migrate: %s: %w", what, err)
}

// Wait waits until no request of an epoch before the state's is carried out any more, and writes that the epoch is settled. It waits whole,
// also if another runner has waited before. A settled state it returns at once.
func (e *Epochs) Wait(ctx context.Context, state access.State) (access.State, error) {
	if state.Settled == state.Epoch {
		return state, nil
	}
	if err := e.outlast(ctx, state); err != nil {
		return state, err
	}
	settled := state
	settled.Settled, settled.Longest = state.Epoch, state.Lease
	table := e.table()
	err := e.update(ctx, &dynamodb.UpdateItemInput{
		TableName: &table, Key: e.Design.State.Key(), UpdateExpression: new("SET settled = :epoch, longest = :lease"), ConditionExpression: new("epoch = :epoch"),
		ExpressionAttributeValues: access.Item{":epoch": number(state.Epoch), ":lease": number(state.Lease.Milliseconds())},
	})
	if err != nil {
		return state, ifChanged("settle the epoch", err)
	}
	return settled, nil
}

// outlast waits until no request of an epoch before the state's can be carried out.
func (e *Epochs) outlast(ctx context.Context, state access.State) error {
	switch {
	case e.Alone:
		return ctx.Err()
	case e.Settle <= 0:
		return errors.New("migrate: it is not known how long a request can still be carried out: set Settle")
	}
	if err := e.sleep(ctx, max(state.Longest, state.Lease)+e.Settle); err != nil {
		return fmt.Errorf("migrate: wait for epoch %d: %w", state.Epoch, err)
	}
	return nil
}

// verified notes that all items have their new parts in the epoch of a state.
func (e *Epochs) verified(ctx context.Context, state access.State) error {
	table := e.table()
	err := e.update(ctx, &dynamodb.UpdateItemInput{
		TableName: &table, Key: e.Design.State.Key(), UpdateExpression: new("SET verified = :epoch"), ConditionExpression: new("epoch = :epoch"),
		ExpressionAttributeValues: access.Item{":epoch": number(state.Epoch)},
	})
	if err != nil {
		return ifChanged("note the verification", err)
	}
	return nil
}

// patience bounds for how long the state row is written again while the endpoint is busy.
const patience = 2 * time.Minute

// update changes the state row, and again while the endpoint is busy.
func (e *Epochs) update(ctx context.Context, in *dynamodb.UpdateItemInput) error {
	began := time.Now()
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		_, err := e.API.UpdateItem(ctx, in)
		if err == nil || !code.Unavailable(code.Of(err)) || time.Since(began) > patience {
			return err
		}
		if stopped := e.sleep(ctx, pause); stopped != nil {
			return errors.Join(stopped, err)
		}
	}
}

// sleep waits by the monotonic clock. A Sleep that returns early is called again.
func (e *Epochs) sleep(ctx context.Context, d time.Duration) error {
	clock := e.Clock
	if clock.Now == nil {
		clock = Clock{Now: time.Now, Sleep: wait.For}
	}
	for start := clock.Now(); ; {
		left := d - clock.Now().Sub(start)
		if left <= 0 {
			return ctx.Err()
		}
		if err := clock.Sleep(ctx, left); err != nil {
			return err
		}
	}
}

// Restore makes a state row that was deleted, from its copy: the same phase in a higher epoch, which is not settled. Without a
// copy no epoch was ever raised, and the error is ErrNoState. If there is a state row, the error is ErrChanged.
func (e *Epochs) Restore(ctx context.Context) (access.State, error) {
	copied, err := e.read(ctx, e.Control, e.controlKey())
	if err != nil {
		return access.State{}, err
	}
	next := copied
	next.Epoch++
	return next, e.write(ctx, "restore the state row", next, 0, next, copied.Epoch)
}
