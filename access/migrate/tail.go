package migrate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/shape"
	"sortkey.dev/access/stream"
)

// The strategies. With Dual all writers keep both parts. With Tail there are writers that do not know the migration: the runner
// repairs from the streams what they write. Before readers use the new parts, their writes have to be denied; afterwards they may
// write as the next version does, and the runner keeps the old parts for the way back.
const (
	Dual = "dual"
	Tail = "tail"
)

// How far the repair may be behind the stream. Streams keep records for 24 hours.
const (
	lagShown   = time.Minute
	lagAlarm   = 12 * time.Hour
	lagTooMuch = 20 * time.Hour
)

// errTailAnew says that the repair from the stream has fallen too far behind: all items are repaired instead.
var errTailAnew = errors.New("migrate: the repair from the stream begins anew")

// The steps of a run with strategy tail.
const (
	stepDenied  = "denied"  // no write of strangers is under way any more
	stepRestore = "restore" // all old parts are made right, before the way back
)

// reverse returns the migration in which the old parts are made from the new ones, of parts that have some.
func (m *Migration) reverse() *Migration {
	back := &Migration{ID: m.ID, Design: m.Design}
	for _, t := range m.Tables {
		back.Tables = append(back.Tables, Table{Name: t.Name, Old: t.New, New: t.Old})
	}
	for _, p := range m.Parts {
		r := Part{Name: p.Name, Table: p.Table, Entity: p.As, As: p.Entity}
		for _, s := range p.Set {
			if s.From != "" && slices.Contains(p.Remove, s.From) {
				r.Set = append(r.Set, Source{Attribute: s.From, From: s.Attribute, Convert: inverse(s.Convert)})
			}
		}
		for _, name := range p.Remove {
			if t := m.table(p.Table); t != nil && shape.NewReader(t.Old).HasKey(p.Entity, name) {
				r.Set = append(r.Set, Source{Attribute: name, Key: true})
			}
		}
		if len(r.Set) > 0 {
			back.Parts = append(back.Parts, r)
		}
	}
	return back
}

// inverse returns the name of the conversion that goes the other way.
func inverse(conversion string) string {
	if conversion == "" {
		return ""
	}
	return conversion + ".inverse"
}

// compileTail prepares the old parts of a migration with strategy tail.
func (e *execution) compileTail() error {
	if e.migration.Strategy != Tail {
		return nil
	}
	for _, p := range e.parts {
		if p.elsewhere() {
			return fmt.Errorf("migration %s: part %s is not within its items, and strategy tail is for such parts alone", e.migration.ID, p.Name)
		}
	}
	back := e.migration.reverse()
	for i := range back.Parts {
		p, err := back.compile(&back.Parts[i], orNone(e.options.Convert))
		if err != nil {
			return fmt.Errorf("migration %s: the way back of part %s: %w", e.migration.ID, back.Parts[i].Name, err)
		}
		p.state = e.epochs.Design.State.Key()
		e.old = append(e.old, p)
	}
	return nil
}

// tails reports whether the run repairs from the streams.
func (e *execution) tails() bool { return e.migration.Strategy == Tail }

// repairRecord makes the parts of an item right that a program has written: in phase write the new ones, in phase read the old ones.
func (w *watch) repairRecord(ctx context.Context, table string, r stream.Record) error {
	if w.isMarker(r) || r.Kind == stream.Remove {
		return nil
	}
	if err := w.lags(ctx, table, w.now().Sub(r.At)); err != nil {
		return err
	}
	for {
		err := w.repairItem(ctx, table, r.Keys)
		if !access.Overtaken(err) {
			return err
		}
		if err := w.sleep(ctx, 50*time.Millisecond); err != nil { // the next epoch begins
			return err
		}
	}
}

// repairItem repairs an item as it is now, in one epoch.
func (w *watch) repairItem(ctx context.Context, table string, key access.Item) error {
	begun, err := w.client.Begin(ctx)
	if err != nil {
		return err
	}
	var parts []*part
	switch begun.Phase() {
	case access.PhaseWrite:
		parts = w.parts
	case access.PhaseRead:
		parts = w.old
	}
	ctx = within(ctx, begun.Admit)
	for _, p := range parts {
		if p.Table != table || !p.within() {
			continue
		}
		pass := itemPass{w.run, p}
		item, err := pass.again(ctx, key)
		if err != nil || item == nil {
			return err
		}
		if is, err := p.of(item); err != nil || !is { // unreadable: fill and verify list it
			continue
		}
		if _, err := pass.repair(ctx, item); err != nil {
			return err
		}
	}
	return nil
}

// lags notes how far the repair is behind, and begins it anew when records may soon be gone.
func (w *watch) lags(ctx context.Context, table string, lag time.Duration) error {
	text := ""
	if lag >= lagShown {
		text = minutes(lag)
	}
	w.mu.Lock()
	alarmed := w.alarmed
	w.alarmed = lag >= lagAlarm
	w.mu.Unlock()
	w.count(func(s *Status) { s.Lag = text })
	if lag >= lagAlarm && !alarmed {
		w.report()
		if err := w.ledger.log(ctx, w.owner, "the repair from the stream of table "+table+" lags by "+text); err != nil {
			return err
		}
	}
	if lag >= lagTooMuch {
		w.halt(errTailAnew)
		return ctx.Err()
	}
	return nil
}

// tailAnew gives up the place in the streams, from which records are gone or will be soon. In phase write all items are repaired,
// beside what comes from now on; in phase read the old parts are, before the way back.
func (e *execution) tailAnew(ctx context.Context) error {
	s, err := e.epochs.Read(ctx)
	if err != nil {
		return err
	}
	row, err := e.ledger.watchRow(ctx)
	if err != nil {
		return err
	}
	row.tails++
	row.again = row.again || s.Phase == access.PhaseRead
	if err := e.ledger.setWatch(ctx, row); err != nil || s.Phase != access.PhaseWrite {
		return err
	}
	return e.ledger.setProgress(ctx, progress{Step: stepRepair})
}

// denied lets readers use the new parts: the writes of strangers are denied and none is under way, so that all that they wrote is in the
// streams before the markers.
func (e *execution) denied(ctx context.Context, s access.State, p progress) error {
	if p.Epoch != s.Epoch {
		return e.ledger.setProgress(ctx, progress{Step: stepVerify, Epoch: s.Epoch, Attempt: p.Attempt + 1})
	}
	if err := e.watch.passMarkers(ctx); err != nil {
		return err
	}
	return e.enter(ctx, s, access.PhaseRead)
}

// backFromRead lets readers use the old parts again.
func (e *execution) backFromRead(ctx context.Context, s access.State) error {
	if !e.tails() {
		return e.enter(ctx, s, access.PhaseWrite)
	}
	p, err := e.ledger.progress(ctx)
	if err != nil {
		return err
	}
	if p.Step != stepDenied || p.Epoch != s.Epoch {
		row, err := e.ledger.watchRow(ctx)
		if err != nil {
			return err
		}
		if row.again {
			if err := e.restore(ctx, s, p); err != nil {
				return err
			}
			row.again = false
			if err := e.ledger.setWatch(ctx, row); err != nil {
				return err
			}
		}
		return e.after(ctx, s, stepDenied)
	}
	if err := e.watch.passMarkers(ctx); err != nil {
		return err
	}
	return e.enter(ctx, s, access.PhaseWrite)
}

// restore makes all old parts right.
func (e *execution) restore(ctx context.Context, s access.State, p progress) error {
	p = progress{Step: stepRestore, Epoch: s.Epoch, Attempt: p.Attempt + 1}
	if err := e.ledger.setProgress(ctx, p); err != nil {
		return err
	}
	for _, part := range e.old {
		if _, err := e.step(ctx, stepRestore, part, e.place(p), e.options.segments()); err != nil {
			return err
		}
	}
	return nil
}

// A marking is the markers that are awaited.
type marking struct {
	id   string
	seen map[string]bool // shards
}

// markerAttribute tells markers from items. They are in the table for seconds only, under keys that no item has.
const markerAttribute = "sortkey-marker"

// isMarker notes a marker.
func (w *watch) isMarker(r stream.Record) bool {
	id := textOf(r.New[markerAttribute])
	if id == "" {
		id = textOf(r.Old[markerAttribute])
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if id != "" && id == w.marks.id {
		w.marks.seen[r.Shard] = true
	}
	return id != ""
}

// passMarkers returns when all that was in the streams has been repaired: markers that are written now have come out of every shard.
func (w *watch) passMarkers(ctx context.Context) error {
	for table, arn := range w.tables {
		if err := w.passTable(ctx, table, arn); err != nil {
			return errors.Join(w.failed(), err)
		}
	}
	return w.failed()
}

func (w *watch) passTable(ctx context.Context, table, arn string) (err error) {
	id := strconv.FormatUint(rand.Uint64(), 36)
	w.mu.Lock()
	w.marks = marking{id: id, seen: map[string]bool{}}
	w.mu.Unlock()
	var keys []access.Item
	defer func() {
		for _, key := range keys {
			err = errors.Join(err, w.unmark(context.WithoutCancel(ctx), table, key))
		}
	}()
	for {
		open, err := stream.OpenShards(ctx, w.options.Streams.API, arn)
		if err != nil {
			return err
		}
		missing := 0
		w.mu.Lock()
		for _, shard := range open {
			if !w.marks.seen[shard] {
				missing++
			}
		}
		w.mu.Unlock()
		if missing == 0 {
			return nil
		}
		if len(keys) > mostMarkers {
			return fmt.Errorf("migrate: %d markers were written to table %s, and %d shards of its stream have none", len(keys), w.table(table), missing)
		}
		for range 4 * missing {
			key, err := w.mark(ctx, table, id)
			if err != nil {
				return err
			}
			keys = append(keys, key)
		}
		if err := w.sleep(ctx, 2*time.Second); err != nil {
			return err
		}
	}
}

// mostMarkers bounds the markers of a table; a marker is in a shard by chance.
const mostMarkers = 10_000

// mark writes a marker.
func (w *watch) mark(ctx context.Context, table, id string) (access.Item, error) {
	t := w.migration.table(table)
	name := w.table(table)
	out, err := w.options.Streams.DB.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return nil, fmt.Errorf("write a marker: %w", err)
	}
	key := access.Item{}
	for _, a := range out.Table.AttributeDefinitions {
		if attribute := *a.AttributeName; attribute == t.Old.PK || attribute == t.Old.SK {
			key[attribute] = markerKey(a.AttributeType)
		}
	}
	item := access.Item{markerAttribute: marshal.S(id)}
	for attribute, value := range key {
		item[attribute] = value
	}
	_, err = w.try(ctx, w.free, func(ctx context.Context) (*types.ConsumedCapacity, error) {
		_, err := w.api.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: &name, Item: item, ConditionExpression: new("attribute_not_exists(#pk)"), ExpressionAttributeNames: map[string]string{"#pk": t.Old.PK},
		})
		return nil, err
	})
	if err != nil {
		return nil, fmt.Errorf("write a marker: %w", err)
	}
	return key, nil
}

// markerKey returns a random value that no item has.
func markerKey(kind types.ScalarAttributeType) types.AttributeValue {
	text := markerAttribute + "#" + strconv.FormatUint(rand.Uint64(), 36)
	switch kind {
	case types.ScalarAttributeTypeN:
		return &types.AttributeValueMemberN{Value: "-" + strconv.FormatUint(rand.Uint64(), 10) + ".5"}
	case types.ScalarAttributeTypeB:
		return &types.AttributeValueMemberB{Value: []byte(text)}
	}
	return marshal.S(text)
}

// unmark removes a marker.
func (w *watch) unmark(ctx context.Context, table string, key access.Item) error {
	name := w.table(table)
	_, err := w.try(ctx, w.free, func(ctx context.Context) (*types.ConsumedCapacity, error) {
		_, err := w.api.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &name, Key: key})
		return nil, err
	})
	if err != nil {
		return fmt.Errorf("remove a marker: %w", err)
	}
	return nil
}
