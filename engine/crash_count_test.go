package engine

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/engine/internal/rowformat"
)

// An uncountable store does not let rows be counted until it is released.
type uncountable struct {
	kv.Store
	released chan struct{}
}

func (s *uncountable) View(ctx context.Context, c kv.Consistency, fn func(kv.Reader) error) error {
	if c == kv.Latest {
		select {
		case <-s.released:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.Store.View(ctx, c, fn)
}

// openUncounted opens the database on a disk and returns a function that lets its rows be counted.
func openUncounted(t *testing.T, disk vfs.FS) (db *DB, release func()) {
	t.Helper()
	store, err := pebblekv.Open(crashDir, &pebblekv.Options{FS: disk, CacheBytes: 1 << 20, Logger: silent})
	if err != nil {
		t.Fatal(err)
	}
	s := &uncountable{store, make(chan struct{})}
	db, err = open(s, (&Options{Logger: failLog(t.Errorf)}).withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	return db, func() { close(s.released) }
}

// crashNow returns the disk after a crash that loses what was not synced.
func crashNow(disk vfs.FS) vfs.FS { return disk.(*vfs.MemFS).CrashClone(vfs.CrashCloneCfg{}) }

// TestCountsAfterACrash checks that DescribeTable answers the counts that were last saved until
// the rows are counted, also when the database is closed while it counts.
func TestCountsAfterACrash(t *testing.T) {
	disk := vfs.FS(vfs.NewCrashableMem())
	db, release := openUncounted(t, disk)
	release()
	createCounted(t, db)
	putCounted(t, db, 0, 5)
	if err := db.api.ops.catalog.NoteCounts(t.Context()); err != nil {
		t.Fatal(err)
	}
	putCounted(t, db, 5, 7)
	disk = crashNow(disk)
	closeDB(t, db)

	for range 2 {
		db, _ = openUncounted(t, disk)
		if got := describeCounts(t, db); got != "5 of 25, 5 of 25" {
			t.Errorf("while the rows are counted: %s", got)
		}
		closeDB(t, db)
	}
	db, release = openUncounted(t, disk)
	release()
	if problem := eventually(func() string { return differ(describeCounts(t, db), "7 of 35, 7 of 35") }); problem != "" {
		t.Errorf("after the rows were counted: %s", problem)
	}
	closeDB(t, db)
	db, _ = openUncounted(t, disk)
	if got := describeCounts(t, db); got != "7 of 35, 7 of 35" {
		t.Errorf("after a clean close: %s", got)
	}
	putCounted(t, db, 7, 8)
	disk = crashNow(disk)
	closeDB(t, db)
	db, _ = openUncounted(t, disk)
	if got := describeCounts(t, db); got != "7 of 35, 7 of 35" {
		t.Errorf("after a crash soon after a clean close: %s", got)
	}
	closeDB(t, db)
}

// TestCountsAreSavedWhenTheRowsWereCounted checks that a second crash finds the exact counts of the first.
func TestCountsAreSavedWhenTheRowsWereCounted(t *testing.T) {
	disk := vfs.FS(vfs.NewCrashableMem())
	db, _ := openUncounted(t, disk)
	createCounted(t, db)
	putCounted(t, db, 0, 3)
	disk = crashNow(disk)
	closeDB(t, db)

	db, release := openUncounted(t, disk)
	release()
	if problem := eventually(func() string { return differ(notedCounts(t, db), `{"1/0":[3,15],"1/1":[3,15]}`) }); problem != "" {
		t.Errorf("saved after counting: %s", problem)
	}
	disk = crashNow(disk)
	closeDB(t, db)
	db, _ = openUncounted(t, disk)
	if got := describeCounts(t, db); got != "3 of 15, 3 of 15" {
		t.Errorf("after the second crash: %s", got)
	}
	closeDB(t, db)
}

// TestCountsAreSavedEveryTenSeconds checks that a crash finds the counts of the latest interval.
func TestCountsAreSavedEveryTenSeconds(t *testing.T) {
	disk, clock := vfs.NewCrashableMem(), NewClock(time.Unix(1_700_000_000, 0))
	store, err := pebblekv.Open(crashDir, &pebblekv.Options{FS: disk, CacheBytes: 1 << 20, Logger: silent})
	if err != nil {
		t.Fatal(err)
	}
	db, err := open(store, (&Options{Clock: clock, Logger: failLog(t.Errorf)}).withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	createCounted(t, db)
	for i := range 3 {
		clock.Advance(10 * time.Second)
		want := fmt.Sprintf("%d of %d, %d of %d", 2*i, 10*i, 2*i, 10*i)
		putCounted(t, db, 2*i, 2*i+2)
		crashed, _ := openUncounted(t, crashNow(disk))
		if got := describeCounts(t, crashed); got != want {
			t.Errorf("interval %d: %s, want %s", i, got, want)
		}
		closeDB(t, crashed)
	}
	closeDB(t, db)
}

func differ(got, want string) string {
	if got == want {
		return ""
	}
	return got + ", want " + want
}

// notedCounts returns the counts that are saved to be shown after a crash. It returns when they are durable: the
// catalog writes them under the latch of its first key.
func notedCounts(t *testing.T, db *DB) (noted string) {
	t.Helper()
	err := db.store.Update(t.Context(), [][]byte{rowformat.CatalogKey("")}, func(tx kv.Txn) error {
		_, err := tx.Get(rowformat.CatalogKey("noted-counts"), func(value []byte) error {
			noted = string(value)
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return noted
}

func closeDB(t *testing.T, db *DB) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func createCounted(t *testing.T, db *DB) {
	t.Helper()
	hash := []types.KeySchemaElement{{AttributeName: new("pk"), KeyType: types.KeyTypeHash}}
	_, err := db.API().CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: new("things"), BillingMode: types.BillingModePayPerRequest, KeySchema: hash,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: new("pk"), AttributeType: types.ScalarAttributeTypeS}},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: new("all"), KeySchema: hash, Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// putCounted puts items of five bytes.
func putCounted(t *testing.T, db *DB, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		item := map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: fmt.Sprintf("%03d", i)}}
		if _, err := db.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: new("things"), Item: item}); err != nil {
			t.Fatal(err)
		}
	}
}

// describeCounts returns the counts and sizes of the table and of its index.
func describeCounts(t *testing.T, db *DB) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := db.API().DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: new("things")})
	if err != nil {
		t.Fatal(err)
	}
	d, x := out.Table, out.Table.GlobalSecondaryIndexes[0]
	return fmt.Sprintf("%d of %d, %d of %d", *d.ItemCount, *d.TableSizeBytes, *x.ItemCount, *x.IndexSizeBytes)
}
