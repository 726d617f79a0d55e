package platform_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/secret"
)

// moody is a database whose writes behave as the test says.
type moody struct {
	apps.DynamoDB
	puts  *atomic.Int64
	first func() error // before the write; an error takes its place
}

func (m moody) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	m.puts.Add(1)
	if err := m.first(); err != nil {
		return nil, err
	}
	return m.DynamoDB.PutItem(ctx, in, options...)
}

var errBroken = errors.New("the disk is full")

func TestTheResultOfAHeartbeatIsReused(t *testing.T) {
	w := platformtest.Open(t)
	var puts atomic.Int64
	var broken atomic.Bool
	database := w.Database
	database.DynamoDB = moody{DynamoDB: database.DynamoDB, puts: &puts, first: func() error {
		if broken.Load() {
			return errBroken
		}
		return nil
	}}
	p := platformtest.On(t, database, w.Box, w.Clock)
	for i, step := range []struct {
		broken  bool
		advance time.Duration
		want    error
		puts    int64
	}{
		{false, 0, nil, 1},
		{true, 10*time.Second - time.Millisecond, nil, 1},
		{true, time.Millisecond, errBroken, 2},
		{false, 10*time.Second - time.Millisecond, errBroken, 2},
		{false, time.Millisecond, nil, 3},
		{false, -time.Hour, nil, 4}, // a clock that was set back says nothing about age
	} {
		broken.Store(step.broken)
		w.Clock.Advance(step.advance)
		if err := p.Writable(t.Context()); !errors.Is(err, step.want) || puts.Load() != step.puts {
			t.Errorf("step %d: %v after %d writes, want %v after %d", i, err, puts.Load(), step.want, step.puts)
		}
	}
}

func TestADatabaseThatHangsIsReportedInTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var puts atomic.Int64
		goOn := make(chan error)
		box, err := secret.NewBox([]byte("a secret of tests"))
		if err != nil {
			t.Fatal(err)
		}
		p, err := platform.New(platformdb.New(moody{puts: &puts, first: func() error { return <-goOn }}, access.WithoutState()), box, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		ask := func(want error, after time.Duration) {
			t.Helper()
			began := time.Now()
			if err := p.Writable(t.Context()); !errors.Is(err, want) || time.Since(began) != after {
				t.Errorf("%v after %v, want %v after %v", err, time.Since(began), want, after)
			}
		}
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { ask(platform.ErrNoAnswer, 2*time.Second) })
		}
		all.Go(func() { // a caller that leaves
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := p.Writable(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a caller that left gets %v", err)
			}
		})
		all.Wait()
		time.Sleep(time.Hour) // of the bubble
		ask(platform.ErrNoAnswer, 0)
		if puts.Load() != 1 {
			t.Errorf("there were %d writes, want one at a time", puts.Load())
		}
		goOn <- errBroken
		synctest.Wait()
		ask(errBroken, 0)
		time.Sleep(10 * time.Second)
		go func() { goOn <- errBroken }()
		ask(errBroken, 0) // an answer in time
		if puts.Load() != 2 {
			t.Errorf("there were %d writes, want 2", puts.Load())
		}
	})
}
