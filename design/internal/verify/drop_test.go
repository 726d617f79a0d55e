package verify_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/design/internal/verify"
)

// A hanging deleter never answers.
type hanging struct{ asked int }

func (h *hanging) UpdateTable(ctx context.Context, _ *dynamodb.UpdateTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	h.asked++
	<-ctx.Done()
	return nil, ctx.Err()
}

func (h *hanging) DeleteTable(ctx context.Context, _ *dynamodb.DeleteTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteTableOutput, error) {
	h.asked++
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestDropTablesTimesOut deletes the tables of an interrupted run on a DynamoDB that does not
// answer, and of a run that created none.
func TestDropTablesTimesOut(t *testing.T) {
	layout := layoutOf(t, "../../../apps/homeops/homeops.design.yaml")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	options := verify.Options{Prefix: "verify-1-", CleanUp: time.Millisecond}
	err := verify.DropTables(ctx, layout, &hanging{}, options, context.Canceled)
	left, ok := errors.AsType[*verify.TablesLeftError](err)
	if !ok || left.Prefix != "verify-1-" || !errors.Is(left.Err, context.DeadlineExceeded) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	nothing := &verify.NothingMadeError{Err: context.Canceled}
	deleter := &hanging{}
	if err := verify.DropTables(ctx, layout, deleter, options, nothing); err != error(nothing) || deleter.asked > 0 {
		t.Errorf("got %v after %d requests", err, deleter.asked)
	}
}
