package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv/pebblekv"
)

// A crashedDisk is a disk after a crash, and the history before it.
type crashedDisk struct {
	label string // says how to reproduce it
	disk  vfs.FS
	sync  pebblekv.SyncPolicy
	now   time.Time // at the crash
	acked []int     // steps that must have survived, by actor
	pasts []actor   // steps that may have survived
}

// A check opens a crashedDisk and checks it.
type check struct {
	*crashedDisk
	t      *testing.T
	db     *DB
	ahead  time.Duration // of the clock
	failed bool
}

func (c *check) fail(format string, args ...any) {
	c.t.Helper()
	c.failed = true
	c.t.Errorf("%s: %s", c.label, fmt.Sprintf(format, args...))
}

// checkCrashed opens a crashed disk and checks everything that the engine guarantees. It
// writes to the disk.
func checkCrashed(t *testing.T, w *crashedDisk) (ok bool) {
	c := &check{crashedDisk: w, t: t}
	if !c.open() {
		return false
	}
	before := c.look()
	reached := c.checkHistory(before)
	c.checkWhole(before)
	if reached != nil {
		c.checkTokens(reached, before)
	}
	c.expireAll()
	c.close()
	return !c.failed
}

// reopenCrashed opens a crashed disk that has been checked twice more: nothing may have changed.
// The second time it opens the disk that again returns, while the database is open on the first.
func reopenCrashed(t *testing.T, w *crashedDisk, again func(vfs.FS) vfs.FS) (ok bool) {
	first := &check{crashedDisk: w, t: t}
	if !first.open() {
		return false
	}
	before := first.look()
	second := &check{crashedDisk: &crashedDisk{}, t: t}
	*second.crashedDisk = *w
	second.disk = again(w.disk)
	first.close()
	if !second.open() {
		return false
	}
	after := second.look()
	if problem := before.differs(after); problem != "" {
		second.fail("after opening again: %s", problem)
	}
	second.checkWhole(after)
	second.close()
	return !first.failed && !second.failed
}

func (c *check) open() bool {
	log := failLog(func(format string, args ...any) { c.t.Errorf("%s: %s", c.label, fmt.Sprintf(format, args...)) })
	db, err := openDisk(c.disk, c.sync, func() time.Time { return c.now.Add(c.ahead) }, time.Hour, log)
	if err != nil {
		c.fail("open: %v", err)
		return false
	}
	c.db = db
	if problem := eventually(func() string { return beingBuilt(db) }); problem != "" {
		c.fail("%s", problem)
	}
	return true
}

func (c *check) close() {
	if err := c.db.Close(); err != nil {
		c.fail("close: %v", err)
	}
}

// A snapshot holds all items of all tables, as stored.
type snapshot map[string]map[itemID]string

func (c *check) look() snapshot {
	p := snapshot{}
	for _, t := range c.db.api.ops.catalog.Tables() {
		p[t.Name()] = c.scan(t.Name(), "")
	}
	return p
}

// scan reads all items of a table or an index.
func (c *check) scan(table, index string) map[itemID]string {
	items := map[itemID]string{}
	in := &dynamo.ScanInput{PageParameters: dynamo.PageParameters{TableName: &table, Visit: func(item dynamo.Item) {
		stored := string(item)
		id := itemID{table, textOf(stored, "pk"), textOf(stored, "sk")}
		if _, twice := items[id]; twice {
			c.fail("%v is in %s %s twice", id, table, index)
		}
		items[id] = stored
	}}}
	if index != "" {
		in.IndexName = &index
	}
	out, err := c.db.api.ops.Scan(context.Background(), in)
	switch {
	case err != nil:
		c.fail("scan %s %s: %v", table, index, err)
	case out.LastEvaluatedKey != nil:
		c.fail("scan %s %s: more than one page; the test expects one", table, index)
	}
	return items
}

// differs names a difference between two snapshots.
func (p snapshot) differs(q snapshot) string {
	if a, b := slices.Sorted(maps.Keys(p)), slices.Sorted(maps.Keys(q)); !slices.Equal(a, b) {
		return fmt.Sprintf("tables %v, before %v", b, a)
	}
	for table, items := range p {
		if problem := differs(items, q[table]); problem != "" {
			return problem
		}
	}
	return ""
}

// differs names an item that differs.
func differs(want, got map[itemID]string) string {
	for id, item := range want {
		if got[id] != item {
			return fmt.Sprintf("%v is %s, want %s", id, showItem(got[id]), showItem(item))
		}
	}
	for id, item := range got {
		if _, wanted := want[id]; !wanted {
			return fmt.Sprintf("%v is %s, want nothing", id, showItem(item))
		}
	}
	return ""
}

// checkHistory checks that the items of each actor match the state after its last acknowledged
// step, or after a later step that had begun. It returns the number of steps each actor reached.
func (c *check) checkHistory(p snapshot) (reached []int) {
	parts := map[string]map[itemID]string{}
	for _, items := range p {
		for id, item := range items {
			if id == hotItem {
				continue
			}
			if parts[id.owner()] == nil {
				parts[id.owner()] = map[itemID]string{}
			}
			parts[id.owner()][id] = item
		}
	}
	shapes := c.shapes()
	for i, past := range c.pasts {
		step, problems := -1, []string(nil)
		for n := len(past.steps); n >= c.acked[i] && step < 0; n-- {
			problem := c.mismatch(past.states[n], past.name, parts[past.name], p, shapes)
			if problem == "" {
				step = n
			}
			problems = append(problems, fmt.Sprintf("after step %d: %s", n, problem))
		}
		if step < 0 {
			c.fail("%s had %d steps acknowledged and %d begun; %s", past.name, c.acked[i], len(past.steps), strings.Join(problems, "; "))
			return nil
		}
		reached = append(reached, step)
		delete(parts, past.name)
	}
	for owner, items := range parts {
		c.fail("%d items of %s, which is no actor", len(items), owner)
	}
	return reached
}

// mismatch says how the database differs from a state of an actor.
func (c *check) mismatch(s state, name string, items map[itemID]string, p snapshot, shapes map[string]shape) string {
	for id, want := range s.items {
		if got := items[id]; got != want && (got != "" || !c.mayHaveExpired(id, want)) {
			return fmt.Sprintf("%v is %s, want %s", id, showItem(got), showItem(want))
		}
	}
	for id, got := range items {
		if _, wanted := s.items[id]; !wanted {
			return fmt.Sprintf("%v is %s, want nothing", id, showItem(got))
		}
	}
	if name == "admin" {
		if !maps.Equal(s.shapes, shapes) {
			return fmt.Sprintf("tables are %+v, want %+v", shapes, s.shapes)
		}
		return ""
	}
	want := ""
	if s.hot > 0 {
		want = strconv.Itoa(s.hot)
	}
	if got := textOf(p["main"][hotItem], name); got != want {
		return fmt.Sprintf("added to the hot item: %q, want %q", got, want)
	}
	return ""
}

// mayHaveExpired reports whether an item may have expired before the crash.
func (c *check) mayHaveExpired(id itemID, item string) bool {
	second, has := numberOf(item, "until")
	if !has || second >= int(c.now.Unix()) || second < int(c.now.AddDate(-5, 0, 0).Unix()) {
		return false
	}
	return slices.ContainsFunc(c.pasts[0].states, func(s state) bool { return s.shapes[id.table].expires })
}

// shapes describes the tables as they are.
func (c *check) shapes() map[string]shape {
	shapes := map[string]shape{}
	for _, t := range c.db.api.ops.catalog.Tables() {
		var names []string
		for _, x := range t.Indexes {
			names = append(names, x.Name)
		}
		shapes[t.Name()] = shape{joined(names), t.Stream != nil, t.Expiry != nil}
	}
	return shapes
}

// checkTokens repeats transactions. One that was committed must not be executed again; one that
// had begun and was lost is executed now, once.
func (c *check) checkTokens(reached []int, before snapshot) {
	if before["main"] == nil || before["plain"] == nil {
		return // a relaxed database may have lost the tables
	}
	for i, past := range c.pasts {
		replays := 0
		for n := reached[i] - 1; n >= 0 && replays < 3; n-- {
			if past.steps[n].transaction == nil || past.steps[n].refused {
				continue
			}
			replays++
			c.repeat(past.name, n, past.steps[n], true)
			c.misuseToken(past.name, past.steps[n])
		}
		if n := reached[i]; n < len(past.steps) && past.steps[n].transaction != nil {
			c.repeat(past.name, n, past.steps[n], false)
			c.repeat(past.name, n, past.steps[n], true)
			c.follow(past.states[n], past.states[n+1], before)
		}
	}
	after := c.look()
	if problem := before.differs(after); problem != "" {
		c.fail("after sending transactions again: %s", problem)
	}
	c.checkWhole(after)
}

// follow brings a snapshot from one state of an actor to the next.
func (c *check) follow(from, to state, p snapshot) {
	for id := range from.items {
		if _, stays := to.items[id]; !stays {
			delete(p[id.table], id)
		}
	}
	for id, item := range to.items {
		if from.items[id] != item {
			p[id.table][id] = item
		}
	}
}

func (c *check) repeat(name string, n int, s *step, replay bool) {
	if err := s.transactOnce(context.Background(), c.db.API(), replay); err != nil {
		c.fail("%s: the transaction of step %d, sent again: %v", name, n+1, err)
	}
}

// misuseToken sends another transaction with a token that was used.
func (c *check) misuseToken(name string, s *step) {
	other := *s.transaction
	other.TransactItems = append(slices.Clone(other.TransactItems),
		types.TransactWriteItem{Delete: &types.Delete{TableName: new("plain"), Key: itemID{"plain", "nobody", "0"}.key()}})
	_, err := c.db.API().TransactWriteItems(context.Background(), &other)
	if err := refusal[*types.IdempotentParameterMismatchException](err); err != nil {
		c.fail("%s: another transaction with a used token: %v", name, err)
	}
}

// expireAll advances the clock and checks that exactly the due items expire.
func (c *check) expireAll() {
	c.ahead = time.Hour
	want, now := c.look(), c.now.Add(c.ahead)
	for _, t := range c.db.api.ops.catalog.Tables() {
		maps.DeleteFunc(want[t.Name()], func(_ itemID, item string) bool {
			second, has := numberOf(item, "until")
			return t.Expiry != nil && has && second < int(now.Unix()) && second > int(now.AddDate(-5, 0, 0).Unix())
		})
	}
	if _, err := c.db.api.ops.tables.Expire(context.Background()); err != nil {
		c.fail("expire: %v", err)
	}
	got := c.look()
	if problem := want.differs(got); problem != "" {
		c.fail("after expiry: %s", problem)
	}
	for table := range got {
		id := itemID{table, "later-0", "0"}
		d := doc{"pk": id.pk, "sk": id.sk, "op": 1, "rank": 1, "group": "g"}
		if _, err := c.db.API().PutItem(context.Background(), &dynamodb.PutItemInput{TableName: &table, Item: d.attributes()}); err != nil {
			c.fail("put after the crash: %v", err)
		}
		got[table][id] = d.stored()
	}
	c.checkWhole(got)
}
