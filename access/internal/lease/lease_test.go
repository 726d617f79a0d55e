package lease_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/lease"
	"sortkey.dev/access/stream"
	"sortkey.dev/engine"
)

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// tables returns the table of two processes on one engine.
func tables(t *testing.T, now func() time.Time) (a, b lease.Table) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.API().CreateTable(t.Context(), stream.CheckpointTable("Leases")); err != nil {
		t.Fatal(err)
	}
	a = lease.Table{DB: db.API(), Name: "Leases", Owner: "a", Now: now, Try: func(ctx context.Context, _ string, request func(context.Context) error) error { return request(ctx) }}
	b = a
	b.Owner = "b"
	return a, b
}

func TestOneOwnerAtATime(t *testing.T) {
	a, b := tables(t, time.Now)
	key := access.Item{"pk": text("p"), "sk": text("s")}
	ctx := t.Context()
	item, err := a.Take(ctx, "take", key, lease.Row{})
	if err != nil {
		t.Fatal(err)
	}
	first := lease.Parse(item)
	if _, err := b.Take(ctx, "take", key, lease.Row{}); !errors.Is(err, lease.ErrLost) {
		t.Errorf("a row that is there was taken as a new one: %v", err)
	}
	if item, err = a.Put(ctx, "write", key, first, lease.Columns{Set: access.Item{"position": text("7")}}, false); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Take(ctx, "take", key, first); !errors.Is(err, lease.ErrLost) {
		t.Errorf("a row with a heartbeat since was taken: %v", err)
	}
	seen := lease.Parse(item)
	item, err = b.Take(ctx, "take", key, seen)
	if err != nil {
		t.Fatal(err)
	}
	if got := lease.Parse(item); got.Owner != "b" || got.Lease != 2 || got.Beat != 0 {
		t.Errorf("taken over: %+v", got)
	}
	if _, err := a.Put(ctx, "write", key, seen, lease.Columns{}, false); !errors.Is(err, lease.ErrLost) {
		t.Errorf("the owner of before wrote: %v", err)
	}
	if item["position"].(*types.AttributeValueMemberS).Value != "7" {
		t.Errorf("the position was lost: %v", item)
	}
	if item, err = b.Put(ctx, "release", key, lease.Parse(item), lease.Columns{}, true); err != nil || lease.Parse(item).Owner != "" {
		t.Errorf("released: %v, %v", item, err)
	}
}

func TestLifeIsJudgedByHeartbeatsOnTheOwnClock(t *testing.T) {
	now := time.Now()
	watch := lease.NewWatch(func() time.Time { return now }, 10*time.Second)
	row := lease.Row{Owner: "a", Lease: 1, Beat: 5, Exists: true, At: now.Add(-time.Hour)} // a clock far behind
	if watch.Live("x", row) {
		t.Error("a row that was never seen has a living owner")
	}
	watch.See("x", row, now)
	now = now.Add(9 * time.Second)
	watch.See("x", row, now)
	if !watch.Live("x", row) {
		t.Error("dead after nine of ten seconds")
	}
	now = now.Add(time.Second)
	if watch.Live("x", row) {
		t.Error("alive after a lease without a heartbeat")
	}
	row.Beat++
	watch.See("x", row, now)
	if !watch.Live("x", row) {
		t.Error("dead in spite of a heartbeat")
	}
}
