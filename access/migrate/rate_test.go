package migrate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// A virtual clock moves only when a goroutine waits.
type virtual struct {
	mu  sync.Mutex
	now time.Time
}

func (v *virtual) clock() Clock {
	return Clock{
		Now: func() time.Time {
			v.mu.Lock()
			defer v.mu.Unlock()
			return v.now
		},
		Sleep: func(ctx context.Context, d time.Duration) error {
			v.mu.Lock()
			defer v.mu.Unlock()
			v.now = v.now.Add(d)
			return ctx.Err()
		},
	}
}

// A bucket is an endpoint that takes so many units a second.
type bucket struct {
	units, rate float64
	at          time.Time
}

func (b *bucket) take(now time.Time) error {
	b.units = min(b.units+now.Sub(b.at).Seconds()*b.rate, b.rate/2)
	b.at = now
	if b.units < 1 {
		return &types.ProvisionedThroughputExceededException{}
	}
	b.units--
	return nil
}

// TestRateOfThrottledEndpoint finds the rate of an endpoint that takes 300 units a second, within a tenth, and loses nothing.
func TestRateOfThrottledEndpoint(t *testing.T) {
	for _, limit := range []float64{400, 1000, 5000} {
		v := &virtual{now: time.Unix(0, 0)}
		r := newRun(nil, nil, taskMigration(), Options{WriteRate: limit, Clock: v.clock()})
		b := &bucket{rate: 300, at: v.now}
		accepted, throttled := 0, 0
		for v.now.Before(time.Unix(120, 0)) {
			if v.now.Equal(time.Unix(30, 0)) || v.now.Before(time.Unix(30, 0)) {
				accepted, throttled = 0, 0 // it is found after half a minute
			}
			err := r.paced(t.Context(), func(context.Context) (*types.ConsumedCapacity, error) {
				err := b.take(v.now)
				if err != nil {
					throttled++
				}
				return &types.ConsumedCapacity{CapacityUnits: new(1.0)}, err
			})
			if err != nil {
				t.Fatal(err)
			}
			accepted++
		}
		if rate := float64(accepted) / 90; rate < 270 || rate > 301 {
			t.Errorf("limit %.0f: %.0f units a second of 300", limit, rate)
		}
		if throttled > accepted/50 {
			t.Errorf("limit %.0f: %d requests were throttled, and %d were not", limit, throttled, accepted)
		}
	}
}

// TestRateFollows changes the rate within a second, also while a worker waits for units.
func TestRateFollows(t *testing.T) {
	v := &virtual{now: time.Unix(0, 0)}
	r := newRun(nil, nil, taskMigration(), Options{WriteRate: 1, Clock: v.clock()})
	rate := 0.0
	r.orders = func(context.Context) (Orders, error) { return Orders{WriteRate: rate}, nil }
	r.writes.spend(1000)
	at := time.Time{}
	r.checks = func(context.Context, Orders) error {
		if v.now.Unix() == 5 {
			rate, at = 5000, v.now
		}
		return nil
	}
	if err := r.writes.wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if took := v.now.Sub(at); at.IsZero() || took > 4*time.Second { // it begins at a tenth
		t.Errorf("it took %v to wait for 1,000 units at 5,000 a second", took)
	}
}

// throttling is an API that takes a few writes of items at once.
type throttling struct {
	access.API
	mu        sync.Mutex
	writes    int
	throttled int
}

func (a *throttling) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if *in.TableName == "tasks" && !strings.Contains(*in.UpdateExpression, "settled") {
		a.mu.Lock()
		a.writes++
		busy := a.writes%3 > 0
		if busy {
			a.throttled++
		}
		a.mu.Unlock()
		if busy {
			return nil, &types.ProvisionedThroughputExceededException{Message: new("busy")}
		}
	}
	return a.API.UpdateItem(ctx, in, o...)
}

// TestThrottledRun loses nothing at an endpoint that refuses most writes.
func TestThrottledRun(t *testing.T) {
	db := openTasks(t)
	e := taskEpochs(t, db)
	const old = 60
	for i := range old {
		put(t, db.API(), taskItem(fmt.Sprint("old", i), "Old", []string{"", "Bob"}[i%2], false))
	}
	api := &throttling{API: db.API()}
	e.API = api
	stop := traffic(t, db, 2)
	if err := Run(t.Context(), e, noHolds(taskMigration()), Options{Lease: 30 * time.Millisecond, Segments: 4, WriteRate: 10000, Clock: fastClock(1000), Patience: 1000 * time.Hour}); err != nil {
		t.Error(err)
	}
	compareTasks(t, db, stop(), 2, old)
	if api.throttled < old {
		t.Errorf("%d requests were throttled", api.throttled)
	}
}

// TestBudget pauses the run when the money is spent, and goes on with more.
func TestBudget(t *testing.T) {
	db := openTasks(t)
	e := taskEpochs(t, db)
	for i := range 300 {
		put(t, db.API(), taskItem(fmt.Sprint(i), strings.Repeat("x", 1500), "Ann", false))
	}
	m := noHolds(taskMigration())
	m.Estimates = []Estimate{{Step: stepFill, Part: "Task.by_title", Items: 300, Price: 6}}
	o := Options{Lease: 20 * time.Millisecond, Segments: 8, Workers: 1, Prices: Prices{Read: 0.001, Write: 0.01}, Most: 1, Clock: fastClock(1000)}
	err := Run(t.Context(), e, m, o)
	if p, is := errors.AsType[*PausedError](err); !is || !strings.Contains(p.Why, "of $1.00 are spent") {
		t.Fatalf("%v, want a pause", err)
	}
	if err := Resume(t.Context(), e, m); err != nil {
		t.Fatal(err)
	}
	err = Run(t.Context(), e, m, o) // the budget was not raised
	if _, is := errors.AsType[*PausedError](err); !is {
		t.Fatalf("%v, want a pause", err)
	}
	r, err := Read(t.Context(), e, m, o)
	if err != nil || r.Spent < 1 || r.Price != 6 || r.Most != 1 || !strings.Contains(r.String(), "paused: $") {
		t.Errorf("%+v, %v", r, err)
	}
	if err := errors.Join(SetMost(t.Context(), e, m, 1000), Resume(t.Context(), e, m)); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), e, m, o); err != nil {
		t.Fatal(err)
	}
}

// TestThrottlesOfOthers pauses the run when an endpoint throttles others more than before, and not when it throttles as before.
func TestThrottlesOfOthers(t *testing.T) {
	for _, more := range []bool{false, true} {
		v := &virtual{now: time.Unix(0, 0)}
		throttled := int64(0)
		o := Options{Clock: v.clock(), Throttles: func(context.Context) (int64, error) { return throttled, nil }}
		e, err := newExecution(taskEpochs(t, openTasks(t)), taskMigration(), o)
		if err != nil {
			t.Fatal(err)
		}
		for second := range 60 {
			v.now = v.now.Add(time.Second)
			throttled += 10
			if second < 20 {
				err = e.throttles.rest(t.Context(), e)
			} else {
				if more && second > 40 {
					throttled += 2
				}
				throttled += 5 // of this process
				e.spent.throttled.Add(5)
				err = e.throttles.check(t.Context(), e)
			}
			if err != nil {
				break
			}
		}
		p, paused := errors.AsType[*PausedError](err)
		if paused != more || !paused && err != nil {
			t.Errorf("more %v: %v", more, err)
		}
		if paused && p.Why != "the endpoint throttles 12.0 requests of others a second, and 10.0 before" {
			t.Errorf("it is paused because %s", p.Why)
		}
	}
}
