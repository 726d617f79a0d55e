package worker_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

// A mortal is a connection of a process that is killed: after a number of writes, the last of which
// still takes effect but is not answered, nothing works any more.
type mortal struct {
	access.API
	left atomic.Int64
	dead atomic.Bool
}

var errKilled = errors.New("the process was killed")

func write[In, Out any](m *mortal, ctx context.Context, in In, call func(context.Context, In, ...func(*dynamodb.Options)) (Out, error)) (Out, error) {
	var none Out
	if m.dead.Load() {
		return none, errKilled
	}
	out, err := call(ctx, in)
	if m.left.Add(-1) <= 0 {
		m.dead.Store(true)
		return none, errKilled
	}
	return out, err
}

func (m *mortal) PutItem(ctx context.Context, in *dynamodb.PutItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return write(m, ctx, in, m.API.PutItem)
}

func (m *mortal) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return write(m, ctx, in, m.API.UpdateItem)
}

func (m *mortal) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	return write(m, ctx, in, m.API.DeleteItem)
}

func (m *mortal) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return write(m, ctx, in, m.API.TransactWriteItems)
}

func (m *mortal) GetItem(ctx context.Context, in *dynamodb.GetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	if m.dead.Load() {
		return nil, errKilled
	}
	return m.API.GetItem(ctx, in)
}

func (m *mortal) Query(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if m.dead.Load() {
		return nil, errKilled
	}
	return m.API.Query(ctx, in)
}

// TestKilledAtEveryWrite kills the process at each of its writes while it takes a message that
// logs, fulfils a promise and is answered; another process goes on. Everything is there once, and
// the bot has spoken at most once.
func TestKilledAtEveryWrite(t *testing.T) {
	survived := false
	for kill := int64(1); !survived; kill++ {
		t.Run(fmt.Sprint("write ", kill), func(t *testing.T) {
			if kill > 60 {
				t.Fatal("the process never finishes")
			}
			w := open(t)
			home := w.Home(t)
			w.Means("Jag tar disken sen", homeopstest.Promised("dishes", homeopstest.Start.Add(24*time.Hour)))
			w.Say(t, anna, "Jag tar disken sen")
			if _, err := w.Households.Preferences(t.Context(), anna); err != nil {
				t.Fatal(err)
			}
			w.Clock.Advance(time.Hour)
			connection := &mortal{API: w.Database.DynamoDB}
			connection.left.Store(kill)
			process := w.Through(t, connection, access.WithRetries(1, time.Millisecond, time.Millisecond))
			m := w.Message(anna, "Jag har diskat")
			u := telegram.Update{UpdateID: 77, Message: m}
			if _, err := process.Ingest.Deliver(t.Context(), &u); err == nil {
				_, _ = process.Env.Jobs.Step(t.Context())
			}
			survived = !connection.dead.Load()
			// Telegram delivers again what was not answered; the lease of the dead process ends.
			if _, err := w.Ingest.Deliver(t.Context(), &u); err != nil {
				t.Fatal(err)
			}
			for range 4 {
				w.Step(t)
				w.Clock.Advance(2 * time.Minute)
			}
			w.Step(t)
			events := w.Events(t)
			if len(events) != 1 || events[0].Activity != "dishes" || events[0].PromiseID == nil {
				t.Fatalf("events %+v", events)
			}
			effort, err := w.DB.GetEffort(t.Context(), home.HouseholdID, anna, "dishes")
			if err != nil || effort.SampleCount != 1 {
				t.Errorf("effort %+v (%v)", effort, err)
			}
			habit, err := w.DB.GetHabit(t.Context(), anna, home.HouseholdID, "dishes")
			if err != nil || habit.TotalCount != 1 {
				t.Errorf("habit %+v (%v)", habit, err)
			}
			if page, err := w.Promises.Mine(t.Context(), anna, ""); err != nil || page.Items[0].Status != homeopsdb.PromiseStatusFulfilled {
				t.Errorf("promises %+v (%v)", page.Items, err)
			}
			days, err := w.DB.ListUserDays(home.HouseholdID, anna, "2037-02-16", "2037-02-16").Slice(t.Context())
			if err != nil || len(days) != 1 || days[0].Messages != 2 {
				t.Errorf("counted %+v (%v)", days, err)
			}
			if said := w.Telegram.Texts(chat); len(said) > 1 || survived && len(said) != 1 {
				t.Errorf("the bot said %q", said)
			}
		})
	}
}

// TestTwoProcessesHandleTheSameMessage runs a handler in two processes at once.
func TestTwoProcessesHandleTheSameMessage(t *testing.T) {
	w := open(t)
	meaning := homeopstest.Did("dishes", understanding.Medium, 0.9)
	meaning.Activities = append(meaning.Activities, meaning.Activities[0], homeopstest.Did("cooking", understanding.High, 0.9).Activities[0])
	w.Means("Jag har diskat två gånger och lagat mat", meaning)
	m := w.Message(anna, "Jag har diskat två gånger och lagat mat")
	w.Deliver(t, telegram.Update{Message: m})
	done := make(chan error)
	for range 4 {
		process := w.Through(t, w.Database.DynamoDB)
		go func() {
			done <- process.Worker.Conversation().Handle(t.Context(), messageRef(m))
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	w.Step(t)
	if n := len(w.Events(t)); n != 3 {
		t.Errorf("%d events", n)
	}
	wantTexts(t, w, chat, "Noterat ✓")
}

// A flood of updates, redelivered and handled by several processes.
func TestFloodIsLoggedExactlyOnce(t *testing.T) {
	w := open(t)
	var updates []*telegram.Update
	for i := range 30 {
		w.Clock.Advance(time.Second)
		u := w.Update(telegram.Update{Message: w.Message([]int64{anna, erik}[i%2], "Jag har diskat")})
		updates = append(updates, u, u)
	}
	if _, err := w.Ingest.Deliver(t.Context(), updates[0]); err != nil { // is answered; the others are part of a conversation
		t.Fatal(err)
	}
	w.Step(t)
	processes := []*homeopstest.World{w.Through(t, w.Database.DynamoDB), w.Through(t, w.Database.DynamoDB)}
	done := make(chan error)
	for i, process := range processes {
		go func() {
			for j := range updates {
				u := updates[(j+i*7)%len(updates)]
				if _, err := process.Ingest.Deliver(t.Context(), u); err != nil {
					done <- err
					return
				}
				if j%10 == 0 {
					if _, err := process.Env.Jobs.Step(t.Context()); err != nil {
						done <- err
						return
					}
				}
			}
			done <- nil
		}()
	}
	for range processes {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	for range 4 {
		w.Step(t)
		w.Clock.Advance(5 * time.Minute)
	}
	w.Step(t)
	if n := len(w.Events(t)); n != 30 {
		t.Errorf("%d events, want 30", n)
	}
	home := w.Home(t)
	for _, userID := range []int64{anna, erik} {
		if e, err := w.DB.GetEffort(t.Context(), home.HouseholdID, userID, "dishes"); err != nil || e.SampleCount != 15 {
			t.Errorf("%d: %d samples (%v)", userID, e.SampleCount, err)
		}
	}
	if said := w.Telegram.Texts(chat); len(said) != 1 {
		t.Errorf("the bot said %q", said)
	}
}
