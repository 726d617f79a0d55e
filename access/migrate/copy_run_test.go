package migrate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	parts "sortkey.dev/access/part"
	"sortkey.dev/engine"
)

// An event holds what a writer knows of one event.
type event struct {
	note  string
	count int64
}

// An eventWriter writes events as generated code of the new version does, and compares everything that it is told with what it
// knows: no other program writes its events, but for the one of all.
type eventWriter struct {
	client *access.Client
	to     string
	owner  string
	events map[int]event
}

func newEventWriter(api access.API, m *Migration, owner string) *eventWriter {
	design := taskDesign
	design.Change = &parts.Change{Tables: m.Tables, Parts: m.Parts}
	return &eventWriter{
		client: access.NewClient(api, design, access.WithRetries(50, time.Millisecond, 5*time.Millisecond)),
		to:     m.Parts[0].To, owner: owner, events: map[int]event{},
	}
}

var eventPattern = &access.Pattern{Name: "WriteEvent", Table: "tasks"}

// action begins a write of an event.
func (w *eventWriter) action(kind call.Kind, owner string, n int) call.Action {
	a := call.Action{Kind: kind, Name: "write Event", Part: "Event", Table: w.to, Names: map[string]string{}, Values: access.Item{}}
	known := access.Item{"owner": marshal.S(owner), "number": marshal.N(int64(n))}
	a.Key, a.KeyNames, a.Known = known, []string{"owner", "number"}, known
	if w.to == "tasks" {
		a.Key, a.KeyNames = access.Item{"PK": marshal.S(fmt.Sprintf("E#%s#%06d", strings.ToLower(owner), n))}, []string{"PK"}
	}
	if kind == call.Put {
		a.Item = maps.Clone(known)
		if w.to == "tasks" {
			a.Item["PK"], a.Item["type"] = a.Key["PK"], marshal.S("Event")
		}
		a.Key = nil
	}
	return a
}

// asked adds the condition that the item is there, or that there is none.
func asked(a call.Action, present bool) call.Action {
	a.Names["#pk"] = a.KeyNames[0]
	a.Condition, a.Expects = "attribute_not_exists(#pk)", call.Absent
	if present {
		a.Condition, a.Expects = "attribute_exists(#pk)", call.Present
	}
	return a
}

// put returns the write that makes an event, or replaces it.
func (w *eventWriter) put(n int, e event) call.Action {
	a := w.action(call.Put, w.owner, n)
	if e.note != "" {
		a.Item["text"] = marshal.S(e.note)
	}
	a.Item["count"] = marshal.N(e.count)
	return a
}

// update returns the write that changes the text of an event and adds to its count. If the event need not be there, it is made.
func (w *eventWriter) update(owner string, n int, text string, upsert bool) call.Action {
	a := w.action(call.Update, owner, n)
	a.Names["#text"], a.Names["#count"] = "text", "count"
	a.Values[":text"], a.Values[":one"] = marshal.S(text), marshal.N(1)
	a.Update = "SET #text = :text ADD #count :one"
	switch {
	case !upsert:
		return asked(a, true)
	case w.to == "tasks":
		a.Update = "SET #text = :text, #owner = :owner, #number = :number, #type = :type ADD #count :one"
		for name, v := range map[string]types.AttributeValue{"owner": marshal.S(owner), "number": marshal.N(int64(n)), "type": marshal.S("Event")} {
			a.Names["#"+name], a.Values[":"+name] = name, v
		}
	}
	return a
}

func asItem(item access.Item) (access.Item, error) { return item, nil }

func eventOf(item access.Item) event {
	count, _ := marshal.ParseInt(textOf(item["count"]))
	note := textOf(item["note"])
	if note == "" {
		note = textOf(item["text"])
	}
	return event{note, count}
}

// once does something at random, and compares the answer with what the writer knows.
func (w *eventWriter) once(ctx context.Context, i int) error {
	n := rand.IntN(8)
	have, exists := w.events[n]
	text := fmt.Sprint("note ", i)
	if rand.IntN(4) == 0 {
		text = ""
	}
	next := event{text, int64(rand.IntN(5))}
	switch rand.IntN(8) {
	case 0: // create
		err := call.PutItem(ctx, w.client, eventPattern, ptr(asked(w.put(n, next), false)))
		if exists {
			return wants(err, access.ErrExists)
		}
		w.events[n] = next
		return err
	case 1: // put
		w.events[n] = next
		return call.PutItem(ctx, w.client, eventPattern, ptr(w.put(n, next)))
	case 2, 3: // update, which returns the item
		text, upsert := fmt.Sprint("updated ", i), rand.IntN(2) == 0
		got, err := call.UpdateItem(ctx, w.client, eventPattern, ptr(w.update(w.owner, n, text, upsert)), asItem)
		if !exists && !upsert {
			return wants(err, access.ErrNotFound)
		}
		have.note, have.count = text, have.count+1
		if w.events[n] = have; err == nil && eventOf(got) != have {
			return fmt.Errorf("updated %d: %v, want %v", n, got, have)
		}
		return err
	case 4: // delete
		err := call.DeleteItem(ctx, w.client, eventPattern, ptr(asked(w.action(call.Delete, w.owner, n), true)))
		if !exists {
			return wants(err, access.ErrNotFound)
		}
		delete(w.events, n)
		return err
	case 5: // two at once, and all or none
		m := (n + 1) % 8
		other, otherExists := w.events[m]
		err := call.Transact(ctx, w.client, eventPattern, []call.Action{w.put(n, next), w.update(w.owner, m, text+"!", false)})
		if !otherExists {
			return wants(err, access.ErrNotFound)
		}
		w.events[n], w.events[m] = next, event{text + "!", other.count + 1}
		return err
	case 6: // a batch
		w.events[n] = next
		delete(w.events, (n+1)%8)
		for {
			err := call.BatchWrite(ctx, w.client, eventPattern, []call.Action{w.put(n, next), w.action(call.Delete, w.owner, (n+1)%8)})
			if batch, is := errors.AsType[*access.BatchError](err); !is || !access.Overtaken(batch.Err) { // a batch may be stopped between two writes
				return err
			}
		}
	}
	of := w.action(call.Delete, w.owner, n)
	get := call.Get{Pattern: &access.Pattern{Name: "GetEvent", Table: w.to, Parts: []string{"Event"}}, Key: of.Key, Known: of.Known, Consistent: true}
	item, err := call.GetOne(ctx, w.client, &get, asItem)
	if !exists {
		return wants(err, access.ErrNotFound)
	}
	if err == nil && eventOf(item) != have {
		return fmt.Errorf("read %d: %v, want %v", n, item, have)
	}
	return err
}

func ptr[T any](v T) *T { return &v }

// wants returns an error unless another one says what it must.
func wants(err, want error) error {
	if errors.Is(err, want) {
		return nil
	}
	return fmt.Errorf("got %v, want %w", err, want)
}

// compareEvents compares the place of a version with what the writers know, and with what is left elsewhere.
func compareEvents(t *testing.T, db *engine.DB, m *Migration, writers []*eventWriter, version int, others int) {
	t.Helper()
	p := compiled(t, m)
	originals, copies := eventsIn(t, db, p, false), eventsIn(t, db, p, true)
	here, elsewhere := originals, copies
	if version == 2 {
		here, elsewhere = copies, originals
	}
	if len(elsewhere) > 0 {
		t.Errorf("%d events are left elsewhere", len(elsewhere))
	}
	want := others
	for _, w := range writers {
		want += len(w.events)
		for n, e := range w.events {
			if item := here[fmt.Sprintf("%s/%d", w.owner, n)]; item == nil || eventOf(item) != e {
				t.Errorf("%s/%d is %v, want %v", w.owner, n, item, e)
			}
		}
	}
	if len(here) != want {
		t.Errorf("%d events, want %d", len(here), want)
	}
}

// eventTraffic lets writers change their events until stop is called. Each adds to one event of all, whose count
// it is told: no two are told the same.
func eventTraffic(t *testing.T, db *engine.DB, m *Migration, writers int) (stop func() []*eventWriter) {
	t.Helper()
	var all []*eventWriter
	var group sync.WaitGroup
	var over atomic.Bool
	var told sync.Map
	for n := range writers {
		w := newEventWriter(db.API(), m, fmt.Sprint("W", n))
		all = append(all, w)
		group.Go(func() {
			for i := 0; !over.Load(); i++ {
				err := w.once(t.Context(), i)
				if err == nil && i%7 == 0 {
					var item access.Item
					item, err = call.UpdateItem(t.Context(), w.client, eventPattern, ptr(w.update("all", 1, "hot", true)), asItem)
					if _, twice := told.LoadOrStore(eventOf(item).count, w.owner); err == nil && twice {
						err = fmt.Errorf("the count %d was told twice", eventOf(item).count)
					}
				}
				if err != nil {
					t.Errorf("writer %d, call %d: %v", n, i, err)
					return
				}
			}
		})
	}
	return func() []*eventWriter {
		over.Store(true)
		group.Wait()
		return all
	}
}

func eventNoHolds(to string) *Migration {
	m := eventMigration(to)
	m.Holds = map[string]bool{"deploy": false, "read": false, "after": false}
	return m
}

// eventEpochs waits longer than a request takes on a busy machine: nothing tells an engine in the process until when a request may
// be carried out.
func eventEpochs(t *testing.T, db *engine.DB) *Epochs {
	e := taskEpochs(t, db)
	e.Settle = 150 * time.Millisecond
	return e
}

func putOldEvents(t *testing.T, db *engine.DB, n int) {
	t.Helper()
	for i := range n {
		put(t, db.API(), eventItem("old", i, strings.Repeat("x", 500)))
	}
	put(t, db.API(), eventItem("all", 1, "hot"))
	put(t, db.API(), access.Item{"PK": marshal.S("TASK#1"), "type": marshal.S("Task"), "task_id": marshal.S("1")})
}

// TestCopiesUnderTraffic moves events to another table, and to other keys, while writers go on with every kind of write, with
// three runners of which one is stopped again and again. No call fails or is told something wrong.
func TestCopiesUnderTraffic(t *testing.T) {
	for _, to := range []string{"events", "tasks"} {
		t.Run(to, func(t *testing.T) {
			db := openEvents(t)
			e := eventEpochs(t, db)
			putOldEvents(t, db, 300)
			stop := eventTraffic(t, db, eventNoHolds(to), 4)
			o := Options{Lease: 30 * time.Millisecond, Segments: 4, Clock: fastClock(50)}
			var runners sync.WaitGroup
			var over atomic.Bool
			for range 2 {
				runners.Go(func() {
					if err := Run(t.Context(), e, eventNoHolds(to), o); err != nil {
						t.Errorf("runner: %v", err)
					}
					over.Store(true)
				})
			}
			runners.Go(func() {
				for !over.Load() {
					time.Sleep(rand.N(100 * time.Millisecond))
					ctx, cancel := context.WithTimeout(t.Context(), rand.N(150*time.Millisecond))
					err := Run(ctx, e, eventNoHolds(to), o)
					cancel()
					if err != nil && ctx.Err() == nil {
						t.Errorf("the runner that is stopped: %v", err)
					}
				}
			})
			runners.Wait()
			compareEvents(t, db, eventNoHolds(to), stop(), 2, 301)
			if out, err := db.API().GetItem(t.Context(), &dynamodb.GetItemInput{TableName: new("tasks"), Key: access.Item{"PK": marshal.S("TASK#1")}}); err != nil || out.Item == nil {
				t.Errorf("another item is gone: %v", err)
			}
		})
	}
}

// TestCopiesGoBackFromEveryPhase goes back from each hold, under traffic, and ends where it began; then a second try succeeds.
func TestCopiesGoBackFromEveryPhase(t *testing.T) {
	for _, held := range []string{"read", "after"} {
		t.Run(held, func(t *testing.T) {
			db := openEvents(t)
			e := eventEpochs(t, db)
			putOldEvents(t, db, 50)
			m, o := eventNoHolds("events"), Options{Lease: 30 * time.Millisecond, Segments: 2, Clock: fastClock(50)}
			stop := eventTraffic(t, db, m, 3)
			delete(m.Holds, held)
			err := Run(t.Context(), e, m, o)
			if h, is := errors.AsType[*HeldError](err); !is || h.Step != held {
				t.Errorf("%v, want a hold before %s", err, held)
			}
			if err := Back(t.Context(), e, m); err != nil {
				t.Fatal(err)
			}
			if err := Run(t.Context(), e, m, o); err != nil {
				t.Errorf("back: %v", err)
			}
			writers := stop()
			compareEvents(t, db, m, writers, 1, 51)
			if err := Resume(t.Context(), e, m, "deploy", held); err != nil {
				t.Fatal(err)
			}
			if err := Run(t.Context(), e, m, o); err != nil {
				t.Errorf("second try: %v", err)
			}
			compareEvents(t, db, m, writers, 2, 51)
		})
	}
}
