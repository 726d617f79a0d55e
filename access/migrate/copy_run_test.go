package migrate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/shape"
	"sortkey.dev/engine"
)

// An event is what a writer knows of one.
type event struct {
	note  string
	count int64
}

// An eventWriter writes events as generated code does while they move, and compares everything that it is told with what it
// knows: nobody else writes its events, but for the one of all.
type eventWriter struct {
	t      *testing.T
	client *access.Client
	to     string
	move   *shape.Move
	owner  string
	events map[int]event
}

func newEventWriter(t *testing.T, api access.API, m *Migration, owner string) *eventWriter {
	design := taskDesign
	return &eventWriter{
		t: t, client: access.NewClient(api, design, access.WithRetries(50, time.Millisecond, 5*time.Millisecond)), to: m.Parts[0].To,
		move: compiled(t, m).Move, owner: owner, events: map[int]event{},
	}
}

var eventPattern = &access.Pattern{Name: "WriteEvent", Table: "tasks"}

// place returns the table and the key of an event in a version, and the name of its note.
func (w *eventWriter) place(version int, owner string, n int) (table string, key access.Item, keys []string, note string) {
	switch {
	case version == 1:
		return "tasks", access.Item{"PK": marshal.S(fmt.Sprintf("EVENT#%s#%d", owner, n))}, []string{"PK"}, "note"
	case w.to == "tasks":
		return "tasks", access.Item{"PK": marshal.S(fmt.Sprintf("E#%s#%06d", strings.ToLower(owner), n))}, []string{"PK"}, "text"
	}
	return "events", access.Item{"owner": marshal.S(owner), "number": marshal.N(int64(n))}, []string{"owner", "number"}, "text"
}

// action begins a write of a version.
func (w *eventWriter) action(version int, kind call.Kind, owner string, n int) (call.Action, string) {
	table, key, keys, note := w.place(version, owner, n)
	a := call.Action{Kind: kind, Name: "write Event", Table: table, Key: key, KeyNames: keys, Move: w.move}
	if kind == call.Put {
		a.Item, a.Key = access.Item{"owner": marshal.S(owner), "number": marshal.N(int64(n))}, nil
		if table == "tasks" {
			a.Item["type"] = marshal.S("Event")
		}
		for name, v := range key {
			a.Item[name] = v
		}
	}
	return a, note
}

// put returns the write that makes an event, or replaces it.
func (w *eventWriter) put(version, n int, e event, create bool) func() call.Action {
	return func() call.Action {
		a, note := w.action(version, call.Put, w.owner, n)
		if e.note != "" {
			a.Item[note] = marshal.S(e.note)
		}
		a.Item["count"] = marshal.N(e.count)
		if create {
			a.Condition, a.Names, a.Expects = "attribute_not_exists(#pk)", map[string]string{"#pk": a.KeyNames[0]}, call.Absent
		}
		return a
	}
}

// update returns the write that changes the note of an event, if it is there, and adds to its count.
func (w *eventWriter) update(version int, owner string, n int, text string, upsert bool) func() call.Action {
	return func() call.Action {
		a, note := w.action(version, call.Update, owner, n)
		a.Names, a.Values = map[string]string{"#note": note, "#count": "count"}, access.Item{":note": marshal.S(text), ":one": marshal.N(1)}
		a.Update = "SET #note = :note ADD #count :one"
		if upsert { // makes the item if there is none
			a.Update = "SET #note = :note, #owner = :owner, #number = :number, #type = :type ADD #count :one"
			for placeholder, name := range map[string]string{"owner": "owner", "number": "number", "type": "type"} {
				if a.Key[name] == nil && (name != "type" || a.Table == "tasks") {
					a.Names["#"+placeholder] = name
				} else {
					a.Update = strings.Replace(a.Update, ", #"+placeholder+" = :"+placeholder, "", 1)
				}
			}
			for placeholder, v := range map[string]any{"owner": owner, "number": int64(n), "type": "Event"} {
				if a.Names["#"+placeholder] == "" {
					continue
				}
				if text, is := v.(string); is {
					a.Values[":"+placeholder] = marshal.S(text)
				} else {
					a.Values[":"+placeholder] = marshal.N(v.(int64))
				}
			}
			return a
		}
		a.Condition, a.Names["#pk"], a.Expects = "attribute_exists(#pk)", a.KeyNames[0], call.Present
		return a
	}
}

func (w *eventWriter) delete(version, n int) func() call.Action {
	return func() call.Action {
		a, _ := w.action(version, call.Delete, w.owner, n)
		a.Condition, a.Names, a.Expects = "attribute_exists(#pk)", map[string]string{"#pk": a.KeyNames[0]}, call.Present
		return a
	}
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
	inPhase := func(old, new func() call.Action, send func(*access.Client, *call.Action) error) error {
		return call.InPhase(ctx, w.client, func(c *access.Client) error { return send(c, new0(call.WriteInPhase(c.Phase(), old, new))) })
	}
	switch rand.IntN(8) {
	case 0: // create
		err := inPhase(w.put(1, n, next, true), w.put(2, n, next, true), func(c *access.Client, a *call.Action) error {
			return call.PutItem(ctx, c, eventPattern, a)
		})
		if exists {
			return wants(err, access.ErrExists)
		}
		w.events[n] = next
		return err
	case 1: // put
		w.events[n] = next
		return inPhase(w.put(1, n, next, false), w.put(2, n, next, false), func(c *access.Client, a *call.Action) error {
			return call.PutItem(ctx, c, eventPattern, a)
		})
	case 2, 3: // update, which returns the item
		text, upsert := fmt.Sprint("updated ", i), rand.IntN(2) == 0
		var got access.Item
		err := inPhase(w.update(1, w.owner, n, text, upsert), w.update(2, w.owner, n, text, upsert), func(c *access.Client, a *call.Action) (err error) {
			got, err = call.UpdateItem(ctx, c, eventPattern, a, asItem)
			return err
		})
		if !exists && !upsert {
			return wants(err, access.ErrNotFound)
		}
		have.note, have.count = text, have.count+1
		if w.events[n] = have; err == nil && eventOf(got) != have {
			return fmt.Errorf("updated %d: %v, want %v", n, got, have)
		}
		return err
	case 4: // delete
		err := inPhase(w.delete(1, n), w.delete(2, n), func(c *access.Client, a *call.Action) error {
			return call.DeleteItem(ctx, c, eventPattern, a)
		})
		if !exists {
			return wants(err, access.ErrNotFound)
		}
		delete(w.events, n)
		return err
	case 5: // two at once, and all or none
		m := (n + 1) % 8
		other, otherExists := w.events[m]
		writes := func(version int) func() []call.Action {
			return func() []call.Action {
				return []call.Action{w.put(version, n, next, false)(), w.update(version, w.owner, m, text+"!", false)()}
			}
		}
		err := call.InPhase(ctx, w.client, func(c *access.Client) error {
			return call.Transact(ctx, c, eventPattern, call.WritesInPhase(c.Phase(), writes(1), writes(2)))
		})
		if !otherExists {
			return wants(err, access.ErrNotFound)
		}
		w.events[n], w.events[m] = next, event{text + "!", other.count + 1}
		return err
	case 6: // a batch
		writes := func(version int) func() []call.Action {
			return func() []call.Action {
				d := w.delete(version, (n+1)%8)()
				d.Condition, d.Names, d.Expects = "", nil, call.Anything
				return []call.Action{w.put(version, n, next, false)(), d}
			}
		}
		w.events[n] = next
		delete(w.events, (n+1)%8)
		for {
			err := call.InPhase(ctx, w.client, func(c *access.Client) error {
				return call.BatchWrite(ctx, c, eventPattern, call.WritesInPhase(c.Phase(), writes(1), writes(2)))
			})
			if batch, is := errors.AsType[*access.BatchError](err); !is || !access.Overtaken(batch.Err) { // a batch may be stopped between two writes
				return err
			}
		}
	}
	var item access.Item
	err := call.InPhase(ctx, w.client, func(c *access.Client) error {
		version := 1
		if c.Phase() >= access.PhaseRead {
			version = 2
		}
		table, key, _, _ := w.place(version, w.owner, n)
		g := call.Get{Pattern: &access.Pattern{Name: "GetEvent", Table: table}, Key: key, Consistent: true}
		var err error
		item, err = call.GetOne(ctx, c, &g, asItem)
		return err
	})
	if !exists {
		return wants(err, access.ErrNotFound)
	}
	if err == nil && eventOf(item) != have {
		return fmt.Errorf("read %d: %v, want %v", n, item, have)
	}
	return err
}

func new0[T any](v T) *T { return &v }

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
		w := newEventWriter(t, db.API(), m, fmt.Sprint("W", n))
		all = append(all, w)
		group.Go(func() {
			for i := 0; !over.Load(); i++ {
				err := w.once(t.Context(), i)
				if err == nil && i%7 == 0 {
					err = call.InPhase(t.Context(), w.client, func(c *access.Client) error {
						a := call.WriteInPhase(c.Phase(), w.update(1, "all", 1, "hot", true), w.update(2, "all", 1, "hot", true))
						item, err := call.UpdateItem(t.Context(), c, eventPattern, &a, asItem)
						if _, twice := told.LoadOrStore(eventOf(item).count, w.owner); err == nil && twice {
							err = fmt.Errorf("the count %d was told twice", eventOf(item).count)
						}
						return err
					})
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
