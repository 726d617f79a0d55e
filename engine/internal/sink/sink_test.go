package sink

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/memkv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

const stream = "arn:aws:kinesis:eu-west-1:111122223333:stream/changes"

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// A database is a store with a table, and a folder for its changes.
type database struct {
	*Sinks
	t *testing.T
}

func newDatabase(t *testing.T) *database {
	db := open(t, memkv.Open(), t.TempDir())
	id := dynamo.KeyAttribute{Name: "id", Kind: dynamo.KindString}
	_, err := db.catalog.CreateTable(t.Context(), dynamo.TableDefinition{
		Name: "things", Attributes: []dynamo.KeyAttribute{id}, Key: dynamo.KeySchema{Partition: []dynamo.KeyAttribute{id}}, BillingMode: dynamo.BillingOnDemand,
	})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func open(t *testing.T, store kv.Store, dir string) *database {
	t.Helper()
	c, err := catalog.Open(t.Context(), store, catalog.Options{
		Now: func() time.Time { return noon }, Rand: rand.Reader, Region: "eu-west-1", Account: "111122223333",
	})
	if err != nil {
		t.Fatal(err)
	}
	return &database{New(store, c, dir, unlocked), t}
}

func (db *database) enable(precision string) {
	db.t.Helper()
	req := &request.EnableKinesisStreamingDestination{Table: "things", StreamARN: stream, Precision: precision}
	if _, err := db.catalog.EnableKinesisStreamingDestination(db.t.Context(), req, db.Reason(stream)); err != nil {
		db.t.Fatal(err)
	}
}

// item returns an item with an id.
func (db *database) item(id string) dynamo.Item {
	db.t.Helper()
	var e dynamo.Encoder
	e.OpenItem()
	e.Name("id")
	e.String(id)
	item, err := e.CloseItem()
	if err != nil {
		db.t.Fatal(err)
	}
	return item
}

// put logs a change, as a write to the table does.
func (db *database) put(id string) {
	db.t.Helper()
	change := rowformat.AppendChange(nil, &rowformat.Change{Kind: rowformat.Insert, Time: noon, Keys: db.item(id), New: db.item(id)})
	log := db.catalog.Lookup("things").SinkLog
	if err := db.store.Update(db.t.Context(), nil, func(tx kv.Txn) error { tx.Log(log, change); return nil }); err != nil {
		db.t.Fatal(err)
	}
}

// deliver delivers all changes and returns the number of remaining sinks.
func (db *database) deliver() int {
	db.t.Helper()
	sinks, _ := db.catalog.Sinks()
	left, err := db.deliverAll(db.t.Context(), sinks)
	if err != nil {
		db.t.Fatal(err)
	}
	return len(left)
}

// unlocked is a lock that everyone gets.
func unlocked(string) (io.Closer, error) { return io.NopCloser(nil), nil }

// ids returns the ids of the items in the file.
func (db *database) ids() string {
	db.t.Helper()
	content, err := os.ReadFile(filepath.Join(db.dir, "changes.jsonl"))
	if err != nil {
		db.t.Fatal(err)
	}
	var ids []string
	for line := range bytes.Lines(content) {
		var record struct {
			Dynamodb struct{ Keys map[string]map[string]string }
		}
		if err := json.Unmarshal(line, &record); err != nil {
			db.t.Fatalf("%s: %v", line, err)
		}
		ids = append(ids, record.Dynamodb.Keys["id"]["S"])
	}
	return strings.Join(ids, " ")
}

func TestChangesAreDeliveredOnceAndInOrder(t *testing.T) {
	db := newDatabase(t)
	db.enable("")
	db.put("a")
	db.put("b")
	db.deliver()
	db.put("c")
	db.deliver()
	db.deliver()
	if got := db.ids(); got != "a b c" {
		t.Errorf("delivered %s", got)
	}
	again := open(t, db.store, db.dir) // as after a restart
	again.put("d")
	again.deliver()
	if got := again.ids(); got != "a b c d" {
		t.Errorf("delivered %s after a restart", got)
	}
}

// A stream whose file cannot be written does not block the others.
func TestOneSinkThatFailsDoesNotBlockTheOthers(t *testing.T) {
	db := newDatabase(t)
	db.enable("")
	db.put("a")
	if err := os.Rename(filepath.Join(db.dir, "changes.jsonl"), filepath.Join(db.dir, "away")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(db.dir, "changes.jsonl"), 0o755); err != nil {
		t.Fatal(err)
	}
	sinks, _ := db.catalog.Sinks()
	other := sinks[0]
	other.StreamARN, other.Log = strings.Replace(stream, "changes", "others", 1), other.Log+1
	change := rowformat.AppendChange(nil, &rowformat.Change{Kind: rowformat.Insert, Time: noon, Keys: db.item("b"), New: db.item("b")})
	if err := db.store.Update(t.Context(), nil, func(tx kv.Txn) error { tx.Log(other.Log, change); return nil }); err != nil {
		t.Fatal(err)
	}
	left, err := db.deliverAll(t.Context(), append(sinks, other))
	if err == nil || len(left) != 1 || left[0].Shard != other.Log {
		t.Errorf("left %v, error %v", left, err)
	}
	if content, err := os.ReadFile(filepath.Join(db.dir, "others.jsonl")); !bytes.Contains(content, []byte(`"b"`)) {
		t.Errorf("delivered %q, error %v", content, err)
	}
}

// A crash can happen after the file was written and before that was recorded, and in the middle of a line.
func TestAfterACrashNothingIsMissing(t *testing.T) {
	db := newDatabase(t)
	db.enable("")
	db.put("a")
	db.deliver()
	file := filepath.Join(db.dir, "changes.jsonl")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range [][]byte{whole[:5], append(bytes.Clone(whole), `{"awsReg`...), append(bytes.Clone(whole), whole...)} {
		if err := os.WriteFile(file, cut, 0o644); err != nil {
			t.Fatal(err)
		}
		db.put("b")
		db.deliver()
		if got := db.ids(); !strings.HasSuffix(got, "b") || strings.Count(got, "a") != bytes.Count(cut, []byte{'\n'}) {
			t.Errorf("%q became %s", cut, got)
		}
	}
}

func TestChangesOutliveTheirDestinationAndTheirTable(t *testing.T) {
	for name, end := range map[string]func(db *database) error{
		"disabled": func(db *database) error {
			_, err := db.catalog.DisableKinesisStreamingDestination(t.Context(), &request.DisableKinesisStreamingDestination{Table: "things", StreamARN: stream})
			return err
		},
		"deleted": func(db *database) error {
			_, err := db.catalog.DeleteTable(t.Context(), "things")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := newDatabase(t)
			db.enable("")
			db.put("a")
			if err := end(db); err != nil {
				t.Fatal(err)
			}
			db = open(t, db.store, db.dir)
			if left := db.deliver(); left != 0 || db.ids() != "a" {
				t.Errorf("%d sinks left, delivered %s", left, db.ids())
			}
			if sinks, _ := db.catalog.Sinks(); len(sinks) != 0 {
				t.Errorf("sinks %v", sinks)
			}
		})
	}
}

func TestRecords(t *testing.T) {
	db := newDatabase(t)
	db.enable(dynamo.PrecisionMicrosecond)
	db.put("a")
	db.deliver()
	content, err := os.ReadFile(filepath.Join(db.dir, "changes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	log := db.catalog.Lookup("things").SinkLog
	want := `{"awsRegion":"eu-west-1","eventID":"` + eventID(log, 1) + `","eventName":"INSERT","userIdentity":null,"recordFormat":"application/json",` +
		`"tableName":"things","dynamodb":{"ApproximateCreationDateTime":1793534400000000,"ApproximateCreationDateTimePrecision":"MICROSECOND",` +
		`"Keys":{"id":{"S":"a"}},"NewImage":{"id":{"S":"a"}},"SizeBytes":6},"eventSource":"aws:dynamodb"}` + "\n"
	if string(content) != want {
		t.Errorf("got  %swant %s", content, want)
	}
	if len(eventID(log, 1)) != 36 || eventID(log, 1) == eventID(log, 2) {
		t.Errorf("event ids %s, %s", eventID(log, 1), eventID(log, 2))
	}
}

func TestReasons(t *testing.T) {
	db := newDatabase(t)
	for arn, want := range map[string]string{
		stream: "",
		"arn:aws:kinesis:eu-west-1:111122223333:stream/..":      "User does not have a permission to use kinesis stream",
		"arn:aws:kinesis:eu-west-1:111122223333:stream/a/b":     "User does not have a permission to use kinesis stream",
		"arn:aws:dynamodb:eu-west-1:111122223333:table/things":  "User does not have a permission to use kinesis stream",
		"arn:aws:kinesis:us-east-1:111122223333:stream/changes": "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in the current region",
	} {
		if got := db.Reason(arn); got != want {
			t.Errorf("%s: %q, want %q", arn, got, want)
		}
	}
	if got := New(db.store, db.catalog, "", unlocked).Reason(stream); !strings.Contains(got, "--kinesis-dir") {
		t.Errorf("without a folder: %q", got)
	}
}
