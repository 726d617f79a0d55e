package verify_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/design/internal/verify"
)

// A mute deleter never answers.
type mute struct{ asked int }

func (m *mute) UpdateTable(ctx context.Context, _ *dynamodb.UpdateTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	m.asked++
	<-ctx.Done()
	return nil, ctx.Err()
}

func (m *mute) DeleteTable(ctx context.Context, _ *dynamodb.DeleteTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteTableOutput, error) {
	m.asked++
	<-ctx.Done()
	return nil, ctx.Err()
}

// Clean-up after a run that was stopped ends by itself, and says what may be left; where
// nothing was made, nothing is asked.
func TestCleanUpEnds(t *testing.T) {
	layout := layoutOf(t, "../../../apps/homeops/homeops.design.yaml")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	options := verify.Options{Prefix: "verify-1-", CleanUp: time.Millisecond}
	err := verify.DropTables(ctx, layout, &mute{}, options, context.Canceled)
	left, ok := errors.AsType[*verify.TablesLeftError](err)
	if !ok || left.Prefix != "verify-1-" || !errors.Is(left.Err, context.DeadlineExceeded) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	nothing := &verify.NothingMadeError{Err: context.Canceled}
	m := &mute{}
	if err := verify.DropTables(ctx, layout, m, options, nothing); err != error(nothing) || m.asked > 0 {
		t.Errorf("got %v after %d requests", err, m.asked)
	}
}
