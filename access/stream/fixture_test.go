package stream_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/access"
	"sortkey.dev/access/stream"
	"sortkey.dev/engine"
)

const (
	tableName   = "Birds"
	checkpoints = "Checkpoints"
)

// A world is an engine with a table that has a stream, and one for checkpoints. Its time is
// that of a bubble: it goes on when everybody waits, so hours take no time.
type world struct {
	*testing.T
	db     *engine.DB
	client *dynamodb.Client
	stop   []func()
}

// inWorld runs a test in a world of its own.
func inWorld(t *testing.T, test func(*world)) {
	t.Helper()
	inWorldWith(t, engine.Options{}, test)
}

func inWorldWith(t *testing.T, options engine.Options, test func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		options.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
		if options.ExpiryInterval == 0 {
			options.ExpiryInterval = time.Hour
		}
		db, err := engine.Open("", &options)
		if err != nil {
			t.Fatal(err)
		}
		w := &world{T: t, db: db, client: db.Client()}
		defer func() {
			for _, stop := range slices.Backward(w.stop) {
				stop()
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}()
		w.must(stream.EnsureTable(t.Context(), w.client, checkpoints))
		w.createTable(types.StreamViewTypeNewAndOldImages)
		test(w)
	})
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) createTable(view types.StreamViewType) {
	w.Helper()
	_, err := w.client.CreateTable(w.Context(), &dynamodb.CreateTableInput{
		TableName: new(tableName), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: new("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: new("id"), KeyType: types.KeyTypeHash}},
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: new(true), StreamViewType: view},
	})
	w.must(err)
}

// endStream switches the stream off: a consumer that has handled everything returns.
func (w *world) endStream() {
	w.Helper()
	_, err := w.client.UpdateTable(w.Context(), &dynamodb.UpdateTableInput{
		TableName: new(tableName), StreamSpecification: &types.StreamSpecification{StreamEnabled: new(false)},
	})
	w.must(err)
}

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
func num(n int) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.Itoa(n)}
}

func textOf(v types.AttributeValue) string {
	if s, is := v.(*types.AttributeValueMemberS); is {
		return s.Value
	}
	return ""
}

// sameValues lets cmp compare the SDK's values.
var sameValues = cmpopts.IgnoreUnexported(
	types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberB{}, types.AttributeValueMemberBOOL{},
	types.AttributeValueMemberNULL{}, types.AttributeValueMemberSS{}, types.AttributeValueMemberNS{}, types.AttributeValueMemberBS{},
	types.AttributeValueMemberL{}, types.AttributeValueMemberM{})

func birdName(i int) string { return "bird-" + strconv.Itoa(i) }

// write writes versions from first to last of some birds.
func (w *world) write(birds, first, last int) {
	w.Helper()
	for v := first; v <= last; v++ {
		for i := range birds {
			w.put(access.Item{"id": str(birdName(i)), "v": num(v)})
		}
	}
}

func (w *world) put(item access.Item) {
	w.Helper()
	_, err := w.db.API().PutItem(w.Context(), &dynamodb.PutItemInput{TableName: new(tableName), Item: item})
	w.must(err)
}

// consumer returns one with the things that have no default.
func (w *world) consumer(h stream.Handler) *stream.Consumer {
	return &stream.Consumer{
		Streams: w.db.Streams(), DB: w.client, Table: tableName, Name: "test", Checkpoints: checkpoints, Handler: h,
		OnTrimmed: func(t stream.Trimmed) { w.Errorf("records were lost: %+v", t) },
		OnParked:  func(r stream.Record, err error) { w.Errorf("%s was parked: %v", r.SequenceNumber, err) },
	}
}

// A running is a consumer or tail that runs.
type running struct {
	cancel context.CancelFunc
	done   chan struct{}
	err    error
}

// start lets a consumer run until the test ends, or earlier.
func (w *world) start(c *stream.Consumer) *running { return w.startAny(c.Run) }

func (w *world) startAny(run func(context.Context) error) *running {
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		r.err = run(ctx)
	}()
	w.stop = append(w.stop, func() { r.end() })
	return r
}

// end cancels a consumer and returns what its Run does.
func (r *running) end() error {
	r.cancel()
	<-r.done
	return r.err
}

// settle lets time go on until a consumer has had enough of it to see everything.
func settle() { time.Sleep(5 * time.Minute) }

// A diary notes what is handled.
type diary struct {
	t  *testing.T
	mu sync.Mutex
	// versions lists the handled versions of each bird in their order.
	versions map[string][]int
	records  int
}

func newDiary(t *testing.T) *diary { return &diary{t: t, versions: map[string][]int{}} }

func (d *diary) handle(_ context.Context, r stream.Record) error {
	id, v := birdOf(r.New)
	if id == "" {
		return errors.New("a record without a bird")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.records++
	d.versions[id] = append(d.versions[id], v)
	return nil
}

func (d *diary) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.records
}

func birdOf(item access.Item) (id string, v int) {
	id = textOf(item["id"])
	if n, is := item["v"].(*types.AttributeValueMemberN); is {
		v, _ = strconv.Atoi(n.Value)
	}
	return id, v
}

// expectOnce checks that each version of each bird was handled once, in order.
func (d *diary) expectOnce(birds, last int) {
	d.t.Helper()
	d.expect(birds, last)
	if n := d.count(); n != birds*last {
		d.t.Errorf("%d records were handled, want %d", n, birds*last)
	}
}

// expect checks that each version of each bird was handled, in order but for repetitions:
// a version comes for the first time only when all earlier ones have come.
func (d *diary) expect(birds, last int) {
	d.t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range birds {
		id, latest := birdName(i), 0
		for _, v := range d.versions[id] {
			if v > latest+1 {
				d.t.Errorf("%s: version %d was handled when %d was the latest", id, v, latest)
			}
			latest = max(latest, v)
		}
		if latest != last {
			d.t.Errorf("%s: %d versions were handled, want %d", id, latest, last)
		}
	}
	if len(d.versions) != birds {
		d.t.Errorf("birds %v, want %d", slices.Sorted(maps.Keys(d.versions)), birds)
	}
}

// rows reads what the table of checkpoints has under a partition.
func (w *world) rows(partition string) []access.Item {
	w.Helper()
	out, err := w.client.Query(w.Context(), &dynamodb.QueryInput{
		TableName: new(checkpoints), ConsistentRead: new(true), KeyConditionExpression: new("pk = :pk"),
		ExpressionAttributeValues: access.Item{":pk": str(partition)},
	})
	w.must(err)
	return out.Items
}

// owners counts the shards of each process.
func (w *world) owners() map[string]int {
	w.Helper()
	counts := map[string]int{}
	for _, row := range w.rows("test#shards") {
		if owner := textOf(row["owner"]); owner != "" {
			counts[owner]++
		}
	}
	return counts
}

var errTest = errors.New("not today")
