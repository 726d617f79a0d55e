package migrate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/stream"
)

// Streams reads the streams of tables. The zero value: the endpoint has none, or they may not be read.
type Streams struct {
	API stream.StreamsAPI
	DB  stream.TableAPI
}

// A ViolationError says that a program wrote an item in a way that the phases do not allow: it reads no state row, or has no new
// code. The run is paused; go back, or end the program and resume.
type ViolationError struct {
	Part, Table string
	Key         access.Item
	Attribute   string // of the part
	At          time.Time
}

func (e *ViolationError) Error() string { return "migrate: " + e.text() }

func (e *ViolationError) text() string {
	return fmt.Sprintf("an item of table %s, %s, was written at %s with the wrong %s of part %s: a program writes that does not know the migration",
		e.Table, KeyText(e.Key), e.At.UTC().Format(time.RFC3339), e.Attribute, e.Part)
}

// A WatchLostError says that the stream that the run was watched by is gone.
type WatchLostError struct{ Table, Why string }

func (e *WatchLostError) Error() string {
	return fmt.Sprintf("migrate: the run cannot be watched any more: the stream of table %s: %s", e.Table, e.Why)
}

// A watch follows the streams of the tables in phases write and read, and stops the run when an item is written whose
// part is not as the phases promise. Only the runner that decides watches. Where it is in the streams is kept in the control table, so
// that the next one misses nothing.
type watch struct {
	*execution
	fail context.CancelCauseFunc // stops what the runner does

	cancel  context.CancelFunc // nil: the watch is not on
	readers sync.WaitGroup
	tables  map[string]string // those that are watched, with their streams

	client *access.Client

	mu      sync.Mutex
	why     error // the run was stopped
	alarmed bool  // people were told that it lags
	marks   marking
	phase   access.Phase
	since   time.Time                       // the first record that is surely of phase write
	until   map[string]map[string]time.Time // by stream and shard: up to when records were handled
}

// A watchRow is the row of the watch in the control table.
type watchRow struct {
	epoch int64    // in which write was entered
	on    []string // the tables that are watched
	again bool     // something was seen, or missed, after which items have to be verified again
	text  string   // for the status
	tails int64    // how often the repair from the streams began anew
}

func (l ledger) watchRow(ctx context.Context) (watchRow, error) {
	item, err := l.item(ctx, runRows, "watch")
	w := watchRow{text: textOf(item["text"])}
	w.epoch, _ = marshal.ParseInt(textOf(item["epoch"]))
	if on, is := item["on"].(*types.AttributeValueMemberSS); is {
		w.on = on.Value
	}
	_, w.again = item["again"]
	w.tails, _ = marshal.ParseInt(textOf(item["tails"]))
	return w, err
}

func (l ledger) setWatch(ctx context.Context, w watchRow) error {
	columns := access.Item{"epoch": marshal.N(w.epoch), "tails": marshal.N(w.tails)}
	if w.text != "" {
		columns["text"] = marshal.S(w.text)
	}
	if len(w.on) > 0 {
		columns["on"] = &types.AttributeValueMemberSS{Value: w.on}
	}
	if w.again {
		columns["again"] = &types.AttributeValueMemberBOOL{Value: true}
	}
	return l.put(ctx, runRows, "watch", columns)
}

// doubt notes that items have to be verified again.
func (l ledger) doubt(ctx context.Context) error {
	_, err := l.run.try(ctx, l.run.free, func(ctx context.Context) (*types.ConsumedCapacity, error) {
		_, err := l.run.api.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &l.table, Key: l.key(runRows, "watch"), UpdateExpression: new("SET again = :true"),
			ExpressionAttributeValues: access.Item{":true": &types.AttributeValueMemberBOOL{Value: true}},
		})
		return nil, err
	})
	if err != nil {
		return fmt.Errorf("write the control table: %w", err)
	}
	return nil
}

// overlook begins and ends the watch as the phase needs it.
func (e *execution) overlook(ctx context.Context, s access.State) error {
	if s.Phase <= access.PhasePrepare {
		if err := e.throttles.rest(ctx, e); err != nil {
			return err
		}
	}
	if s.Migration != e.migration.ID || s.Phase != access.PhaseWrite && s.Phase != access.PhaseRead {
		e.watch.stop()
		return nil
	}
	e.watch.mu.Lock()
	e.watch.phase = s.Phase
	e.watch.mu.Unlock()
	if e.watch.cancel != nil {
		return nil
	}
	return e.watch.begin(ctx)
}

// begin follows the streams of the tables that have parts within items.
func (w *watch) begin(ctx context.Context) error {
	row, err := w.ledger.watchRow(ctx)
	if err != nil {
		return err
	}
	following, cancel := context.WithCancel(ctx)
	w.client = w.newClient()
	w.cancel, w.since, w.tables, w.until = cancel, w.now().Add(2*time.Second), map[string]string{}, map[string]map[string]time.Time{}
	var off []string
	for _, table := range w.watched() {
		arn, why, err := w.stream(ctx, table)
		if err != nil {
			return err
		}
		if arn == "" {
			off = append(off, why)
			if w.tails() {
				return &WatchLostError{Table: table, Why: why}
			}
			if slices.Contains(row.on, table) && !w.options.Unwatched {
				return &WatchLostError{Table: table, Why: why}
			}
			continue
		}
		w.tables[table] = arn
	}
	row.on, row.text = slices.Sorted(maps.Keys(w.tables)), "on"
	if len(off) > 0 {
		row.text = "off: " + strings.Join(slices.Compact(off), ", ")
	}
	kind, handle := "watch-"+strconv.FormatInt(row.epoch, 10), w.record
	if w.tails() {
		row.text = "off: what strangers write is repaired from the stream"
		kind, handle = fmt.Sprintf("tail-%d-%d", row.epoch, row.tails), w.repairRecord
	}
	if err := w.ledger.setWatch(ctx, row); err != nil {
		return err
	}
	w.count(func(s *Status) { s.Watch = row.text })
	for table, arn := range w.tables {
		c := w.consumer(kind, table, arn, func(ctx context.Context, r stream.Record) error { return handle(ctx, table, r) })
		w.readers.Go(func() { w.follow(following, table, c) })
	}
	return nil
}

// watched returns the tables that have parts within items.
func (w *watch) watched() []string {
	var all []string
	for _, p := range w.parts {
		if p.within() && !slices.Contains(all, p.Table) {
			all = append(all, p.Table)
		}
	}
	return all
}

// stream returns the stream of a table, or why there is none.
func (w *watch) stream(ctx context.Context, table string) (arn, why string, err error) {
	if w.options.Streams.API == nil || w.options.Streams.DB == nil {
		return "", "the runner reads no streams", nil
	}
	name := w.table(table)
	out, err := w.options.Streams.DB.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return "", "", fmt.Errorf("find the stream of table %s: %w", name, err)
	}
	if s := out.Table.StreamSpecification; s == nil || s.StreamEnabled == nil || !*s.StreamEnabled || out.Table.LatestStreamArn == nil {
		return "", "table " + name + " has no stream", nil
	}
	return *out.Table.LatestStreamArn, "", nil
}

// consumer returns a reader of a stream that remembers where it is.
func (w *watch) consumer(kind, table, arn string, handle stream.Handler) *stream.Consumer {
	shards := map[string]time.Time{}
	w.mu.Lock()
	w.until[arn] = shards
	w.mu.Unlock()
	return &stream.Consumer{
		Streams: w.options.Streams.API, DB: w.options.Streams.DB, StreamARN: arn, Table: w.table(table),
		Name: strings.ReplaceAll(w.ledger.pk, "#", "-") + "-" + kind, Checkpoints: w.epochs.Control,
		Handler: handle, From: stream.Newest, Owner: w.owner, LeaseTime: leaseTime, Now: w.now, Sleep: w.sleep,
		OnHandled: func(shard string, until time.Time) {
			w.mu.Lock()
			defer w.mu.Unlock()
			shards[shard] = until
		},
		OnTrimmed: func(stream.Trimmed) { w.missed(table) },
		OnParked:  func(stream.Record, error) { w.missed(table) },
	}
}

// follow reads a stream until the watch ends.
func (w *watch) follow(ctx context.Context, table string, c *stream.Consumer) {
	err := c.Run(ctx)
	if ctx.Err() != nil {
		return
	}
	why := "it was switched off"
	if err != nil {
		why = err.Error()
	}
	if !w.options.Unwatched || w.tails() {
		w.halt(&WatchLostError{Table: w.table(table), Why: why})
		return
	}
	w.count(func(s *Status) { s.Watch = "off: the stream of table " + w.table(table) + ": " + why })
	w.missed(table)
}

// missed notes that the watch does not know everything.
func (w *watch) missed(table string) {
	ctx := context.Background() // that of the reader may be over
	err := errors.Join(w.ledger.log(ctx, w.owner, "records of table "+table+" were missed"), w.ledger.doubt(ctx))
	if w.tails() && err == nil {
		err = errTailAnew
	}
	if err != nil {
		w.halt(err)
	}
}

// halt stops the run.
func (w *watch) halt(why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.why == nil {
		w.why = why
	}
	w.fail(w.why)
}

// failed returns why the watch has stopped the run.
func (w *watch) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.why
}

// record looks at an item as a program wrote it.
func (w *watch) record(ctx context.Context, table string, r stream.Record) error {
	if r.Kind == stream.Remove {
		return nil
	}
	for _, p := range w.parts {
		if p.Table != table || !p.within() {
			continue
		}
		item := r.New
		if item == nil { // the stream has keys alone: what is there now obeys the same rule
			begun, err := w.client.Begin(ctx)
			if err != nil {
				return err
			}
			item, err = (itemPass{w.run, p}).again(within(ctx, begun.Admit), r.Keys)
			if item == nil || err != nil {
				return err
			}
		}
		attribute := w.violated(p, r, item)
		if attribute == "" {
			continue
		}
		why := &ViolationError{Part: p.Name, Table: w.table(table), Key: r.Keys, Attribute: attribute, At: r.At}
		if err := w.ledger.doubt(ctx); err != nil {
			return err
		}
		if err := w.pause(ctx, why.text()); err != nil {
			if _, paused := errors.AsType[*PausedError](err); !paused {
				return err
			}
		}
		w.halt(why)
		return nil
	}
	return nil
}

// violated returns an attribute of a part that an item may not have, or has to have; "" if all is as it may be. In phase
// write a part is absent or right, and who makes an item or replaces it gives it its part. In phase read it is right.
func (w *watch) violated(p *part, r stream.Record, item access.Item) string {
	if is, err := p.of(item); err != nil || !is { // of others, or unreadable: fill and verify list it
		return ""
	}
	want, err := p.New(item)
	if err != nil {
		want = access.Item{}
	}
	w.mu.Lock()
	phase, since := w.phase, w.since
	w.mu.Unlock()
	whole := phase == access.PhaseRead || r.At.After(since) && (r.Kind == stream.Insert || p.complete(r.Old))
	for _, name := range p.Wrong(item, want) {
		if item[name] != nil || whole && err == nil {
			return name
		}
	}
	return ""
}

// within reports whether the part is attributes of its items. Of copies and rows elsewhere, a record shows one side alone.
func (p *part) within() bool { return !p.elsewhere() && len(p.Set) > 0 }

// elsewhere reports whether the part is a copy, the rows of unique values or counted.
func (p *part) elsewhere() bool { return p.To != "" || p.Unique != nil || p.Count != nil }

// complete reports whether an item has its part.
func (p *part) complete(item access.Item) bool {
	if item == nil {
		return false
	}
	want, err := p.New(item)
	return err == nil && len(want) > 0 && len(p.Wrong(item, want)) == 0
}

// stop ends the watch, if it is on.
func (w *watch) stop() {
	if w.cancel == nil {
		return
	}
	w.cancel()
	w.readers.Wait()
	w.cancel, w.tables = nil, nil
}

// contradicts reports, when all that was written up to now has been looked at, whether items have to be verified again, and
// forgets it.
func (w *watch) contradicts(ctx context.Context) (bool, error) {
	if err := w.catchUp(ctx); err != nil {
		return false, err
	}
	row, err := w.ledger.watchRow(ctx)
	if err != nil || !row.again {
		return false, err
	}
	row.again = false
	return true, w.ledger.setWatch(ctx, row)
}

// streamDelay is after what time a write has come to its stream.
const streamDelay = time.Second

// catchUp waits until what was written up to now has been read from all shards.
func (w *watch) catchUp(ctx context.Context) error {
	now := w.now().Add(streamDelay)
	for _, arn := range w.tables {
		for {
			behind, err := w.behind(ctx, arn, now)
			if err != nil {
				return err
			}
			if !behind {
				break
			}
			if err := w.sleep(ctx, streamDelay/4); err != nil {
				return errors.Join(w.failed(), err)
			}
		}
	}
	return w.failed()
}

// behind reports whether a shard was not read to its end since a time.
func (w *watch) behind(ctx context.Context, arn string, since time.Time) (bool, error) {
	open, err := stream.OpenShards(ctx, w.options.Streams.API, arn)
	if err != nil {
		return false, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, shard := range open {
		if !w.until[arn][shard].After(since) {
			return true, nil
		}
	}
	return false, nil
}

// KeyText returns a key as people read it: PK = "TASK#1".
func KeyText(key access.Item) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(key)) {
		text := "..."
		switch v := key[name].(type) {
		case *types.AttributeValueMemberS:
			text = strconv.Quote(v.Value)
		case *types.AttributeValueMemberN:
			text = v.Value
		case *types.AttributeValueMemberB:
			text = fmt.Sprintf("%x", v.Value)
		}
		parts = append(parts, name+" = "+text)
	}
	return strings.Join(parts, ", ")
}
