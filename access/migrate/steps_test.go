package migrate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/shape"
	"sortkey.dev/access/stream"
	"sortkey.dev/engine"
)

// The old tasks have a title; the new ones lie in an index by title, too, under another stored name of
// their owner.
func taskShapes() (before, after *shape.Table) {
	attributes := []shape.Attribute{
		{Name: "task_id", Type: "string"}, {Name: "title", Type: "string"}, {Name: "owner", Type: "string?"},
	}
	keys := []shape.Key{{Name: "PK", Template: "TASK#{task_id}"}}
	before = &shape.Table{PK: "PK", Type: "type", Entities: []shape.Entity{
		{Name: "Task", Attributes: attributes, Keys: keys},
		{Name: "Note", Attributes: []shape.Attribute{{Name: "text", Type: "string"}}},
	}}
	after = &shape.Table{PK: "PK", Type: "type", Entities: []shape.Entity{
		{Name: "Task", Attributes: append(attributes[:2:2], shape.Attribute{Name: "holder", Type: "string?"}), Keys: append(keys[:1:1],
			shape.Key{Name: "GSI1PK", Template: "OWNER#{holder|lower}", In: []string{"by_title"}},
			shape.Key{Name: "GSI1SK", Template: "{title|lower}", In: []string{"by_title"}})},
		before.Entities[1],
	}}
	return before, after
}

func taskMigration() *Migration {
	before, after := taskShapes()
	return &Migration{
		ID: "0002-titles", Design: "Tasks", From: 1, To: 2,
		Tables: []Table{{Name: "tasks", Old: before, New: after}},
		Parts: []Part{{
			Name: "Task.by_title", Table: "tasks", Entity: "Task", As: "Task",
			Set:    []Source{{Attribute: "holder", From: "owner"}, {Attribute: "GSI1PK", Key: true}, {Attribute: "GSI1SK", Key: true}},
			Remove: []string{"owner"},
		}},
	}
}

func taskItem(id, title, owner string, both bool) access.Item {
	item := access.Item{"PK": marshal.S("TASK#" + id), "type": marshal.S("Task"), "task_id": marshal.S(id), "title": marshal.S(title)}
	if owner != "" {
		item["owner"] = marshal.S(owner)
	}
	if both {
		item["GSI1SK"] = marshal.S(strings.ToLower(title))
		if owner != "" {
			item["holder"], item["GSI1PK"] = item["owner"], marshal.S("OWNER#"+strings.ToLower(owner))
		}
	}
	return item
}

func openTasks(t *testing.T) *engine.DB { return openTasksWith(t, nil) }

func openTasksWith(t *testing.T, o *engine.Options) *engine.DB {
	t.Helper()
	db, err := engine.Open("", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, in := range []*dynamodb.CreateTableInput{
		stream.CheckpointTable("control"),
		{
			TableName: new("tasks"), BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: new("PK"), AttributeType: types.ScalarAttributeTypeS}},
			KeySchema:            []types.KeySchemaElement{{AttributeName: new("PK"), KeyType: types.KeyTypeHash}},
		},
	} {
		if _, err := db.API().CreateTable(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func put(t *testing.T, api access.API, item access.Item) {
	t.Helper()
	if _, err := api.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: new("tasks"), Item: item}); err != nil {
		t.Error(err)
	}
}

func all(t *testing.T, api access.API) map[string]access.Item {
	t.Helper()
	found := map[string]access.Item{}
	in := &dynamodb.ScanInput{TableName: new("tasks"), ConsistentRead: new(true)}
	for {
		out, err := api.Scan(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range out.Items {
			found[textOf(item["PK"])] = item
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return found
		}
	}
}

func compiled(t *testing.T, m *Migration) *part {
	t.Helper()
	p, err := m.compile(&m.Parts[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFillUnderTraffic fills a table while writers change and delete its items, as writers in phase
// write do, and other workers fill it, too, some of which stop half-way. All parts are right afterwards, and
// nothing deleted comes back.
func TestFillUnderTraffic(t *testing.T) {
	const items = 400
	db, m := openTasks(t), taskMigration()
	for i := range items {
		owner := []string{"", "Ann", "Bob"}[i%3]
		put(t, db.API(), taskItem(fmt.Sprint(i), "T"+strings.Repeat("x", 3000), owner, false))
	}
	put(t, db.API(), access.Item{"PK": marshal.S("note"), "type": marshal.S("Note"), "text": marshal.S("x")})
	traffic, stop := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	deleted := make([]bool, items)
	for w := range 4 {
		writers.Go(func() {
			for n := 0; traffic.Err() == nil; n++ {
				i := rand.IntN(items/4)*4 + w // no two writers change one item
				if n%5 == 0 {
					deleted[i] = true
					if _, err := db.API().DeleteItem(context.Background(), &dynamodb.DeleteItemInput{TableName: new("tasks"), Key: access.Item{"PK": marshal.S(fmt.Sprint("TASK#", i))}}); err != nil {
						t.Error(err)
					}
				} else if !deleted[i] {
					put(t, db.API(), taskItem(fmt.Sprint(i), fmt.Sprint("Title ", n), []string{"", "Cid"}[n%2], true))
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	var fillers sync.WaitGroup
	for n := range 3 {
		fillers.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			pages := 0
			o := Options{Progress: func(Status) {
				if pages++; n == 0 && pages == 2 {
					cancel() // the first worker stops half-way
				}
			}}
			r := newRun(db.API(), nil, m, o)
			r.sleep = func(context.Context, time.Duration) error { return nil }
			lag := time.Now()
			r.now = func() time.Time { return lag.Add(60 * time.Since(lag)) } // leases of workers that stopped end soon
			_, err := r.step(ctx, stepFill, compiled(t, m), place{control: "control", prefix: "Tasks#M", owner: fmt.Sprint("w", n), epoch: 3}, 8)
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	fillers.Wait()
	stop()
	writers.Wait()
	p := compiled(t, m)
	for key, item := range all(t, db.API()) {
		if key == "note" {
			if len(item) != 3 {
				t.Errorf("an item of another entity was changed: %v", item)
			}
			continue
		}
		want, err := p.New(item)
		if err != nil || len(p.Wrong(item, want)) > 0 {
			t.Errorf("%s: wrong %v, %v", key, p.Wrong(item, want), err)
		}
		var i int
		if _, err := fmt.Sscanf(key, "TASK#%d", &i); err != nil || deleted[i] || item["title"] == nil {
			t.Errorf("%s is there: it was deleted, or is a stub: %v", key, item)
		}
	}
}

// TestVerifyRepairAndRemove finds a part that is not right, makes it right, and takes parts away on the way
// back and forth.
func TestVerifyRepairAndRemove(t *testing.T) {
	db, m := openTasks(t), taskMigration()
	for i := range 20 {
		put(t, db.API(), taskItem(fmt.Sprint(i), "Title", "Ann", true))
	}
	put(t, db.API(), taskItem("stale", "Title", "Ann", true))
	stale := taskItem("stale", "Title", "Ann", true)
	stale["GSI1SK"] = marshal.S("other")
	put(t, db.API(), stale)
	extra := taskItem("extra", "Title", "", true)
	extra["GSI1PK"] = marshal.S("OWNER#ann")
	put(t, db.API(), extra)
	r := newRun(db.API(), nil, m, Options{})
	r.sleep = func(context.Context, time.Duration) error { return nil }
	p := compiled(t, m)
	epoch := int64(0)
	step := func(name string, want Result) {
		t.Helper()
		epoch++
		got, err := r.step(t.Context(), name, p, place{control: "control", prefix: "Tasks#M", owner: "me", epoch: epoch}, 2)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
	step(stepVerify, Result{Seen: 22, Differing: 2})
	step(stepFill, Result{Seen: 22}) // nothing is absent
	step(stepRepair, Result{Seen: 22, Changed: 2})
	step(stepVerify, Result{Seen: 22})
	step(stepClean, Result{Seen: 22, Changed: 21})
	for key, item := range all(t, db.API()) {
		if item["owner"] != nil || item["GSI1SK"] == nil {
			t.Errorf("%s after clean: %v", key, item)
		}
	}
	for i := range 20 {
		put(t, db.API(), taskItem(fmt.Sprint(i), "Title", "Ann", true))
	}
	step(stepRemove, Result{Seen: 22, Changed: 22})
	step(stepRemove, Result{Seen: 22})
}

// TestConflicts lists what cannot be computed, with its key and nothing else.
func TestConflicts(t *testing.T) {
	db, m := openTasks(t), taskMigration()
	put(t, db.API(), taskItem("ok", "Title", "Ann", false))
	bad := taskItem("bad", "Title", "Ann", false)
	bad["title"] = marshal.N(7)
	put(t, db.API(), bad)
	put(t, db.API(), access.Item{"PK": marshal.S("x"), "type": marshal.S("Stranger")})
	m.Parts[0].Set[0].Convert = "upper"
	p, err := m.compile(&m.Parts[0], map[string]Conversion{"upper": func(old types.AttributeValue) (types.AttributeValue, error) {
		return nil, errors.New("no upper case today")
	}})
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(db.API(), nil, m, Options{})
	var mu sync.Mutex
	var conflicts []Conflict
	r.listed = func(_ context.Context, c Conflict) error {
		mu.Lock()
		defer mu.Unlock()
		conflicts = append(conflicts, c)
		return nil
	}
	got, err := r.step(t.Context(), stepFill, p, place{control: "control", prefix: "Tasks#M", owner: "me", epoch: 1}, 1)
	if err != nil || got.Conflicting != 3 || len(conflicts) != 3 {
		t.Fatalf("%+v, %v, %v", got, err, conflicts)
	}
	reasons := map[string]string{}
	for _, c := range conflicts {
		reasons[textOf(c.Key["PK"])] = c.Reason
	}
	for key, want := range map[string]string{
		"TASK#ok": "owner cannot be converted: no upper case today", "TASK#bad": "the item is of no entity: Task: title holds N, not S",
		"x": "the item is of no entity: its attribute type names no entity of the design",
	} {
		if reasons[key] != want {
			t.Errorf("%s: %q, want %q", key, reasons[key], want)
		}
	}
}

// TestRate spends no more units than it may, on a clock of its own.
func TestRate(t *testing.T) {
	now := time.Unix(0, 0)
	l := newLimiter(100, func() time.Time { return now }, func(_ context.Context, d time.Duration) error {
		now = now.Add(d)
		return nil
	})
	spent := 0.0
	for now.Before(time.Unix(60, 0)) {
		if err := l.wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.spend(5)
		spent += 5
	}
	if spent < 0.85*6000 || spent > 6010 { // it rises for nine seconds
		t.Errorf("spent %.0f units in a minute at 100 a second", spent)
	}
	l.throttled()
	if l.rate > 51 {
		t.Errorf("rate %.0f after a throttled request", l.rate)
	}
}
