package stream

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// TestRecordsShowWhatTheViewSays uses items whose sizes on DynamoDB are known.
func TestRecordsShowWhatTheViewSays(t *testing.T) {
	small, large := item("id=Fred"), item("id=Fred", "name=Fred")
	for _, test := range []struct {
		view      string
		old, next dynamo.Item
		want      string // name, size, keys, new and old image
	}{
		{dynamo.ViewKeysOnly, nil, small, "INSERT 6 [id=Fred] [-] [-]"},
		{dynamo.ViewKeysOnly, small, large, "MODIFY 6 [id=Fred] [-] [-]"},
		{dynamo.ViewKeysOnly, large, nil, "REMOVE 6 [id=Fred] [-] [-]"},
		{dynamo.ViewNewImage, nil, small, "INSERT 12 [id=Fred] [id=Fred] [-]"},
		{dynamo.ViewNewImage, small, large, "MODIFY 20 [id=Fred] [id=Fred name=Fred] [-]"},
		{dynamo.ViewNewImage, large, nil, "REMOVE 6 [id=Fred] [-] [-]"},
		{dynamo.ViewOldImage, nil, small, "INSERT 6 [id=Fred] [-] [-]"},
		{dynamo.ViewOldImage, small, large, "MODIFY 12 [id=Fred] [-] [id=Fred]"},
		{dynamo.ViewOldImage, large, nil, "REMOVE 20 [id=Fred] [-] [id=Fred name=Fred]"},
		{dynamo.ViewNewAndOldImages, nil, small, "INSERT 12 [id=Fred] [id=Fred] [-]"},
		{dynamo.ViewNewAndOldImages, small, large, "MODIFY 26 [id=Fred] [id=Fred name=Fred] [id=Fred]"},
		{dynamo.ViewNewAndOldImages, large, nil, "REMOVE 20 [id=Fred] [-] [id=Fred name=Fred]"},
	} {
		db := newDatabase(t)
		db.clock.advance(1999 * time.Millisecond)
		arn := db.createTable("people", test.view)
		if err := db.write(t.Context(), "people", "Fred", test.old, test.next, 1); err != nil {
			t.Fatal(err)
		}
		records, _ := db.records(db.iterator(arn, db.shardOf("people", "Fred"), request.TrimHorizon, ""), 10)
		if len(records) != 1 {
			t.Fatalf("%s %s: %d records", test.view, test.want, len(records))
		}
		r := records[0]
		if got := fmt.Sprintf("%s %d [%s] [%s] [%s]", r.EventName, r.SizeBytes, show(r.Keys), show(r.NewImage), show(r.OldImage)); got != test.want {
			t.Errorf("%s: %s, want %s", test.view, got, test.want)
		}
		if r.StreamViewType != test.view || r.AwsRegion != "eu-west-1" || !r.Created.Equal(noon.Add(time.Second)) || r.ByService {
			t.Errorf("%s: view %s, region %s, created %s, by the service: %t", test.view, r.StreamViewType, r.AwsRegion, r.Created, r.ByService)
		}
	}
}

func TestRecordsOfExpiredItemsNameTheService(t *testing.T) {
	db := newDatabase(t)
	arn := db.createTable("people", dynamo.ViewKeysOnly)
	c := rowformat.Change{Kind: rowformat.Remove, ByService: true, Time: noon, Keys: item("id=Fred")}
	err := db.store.Update(t.Context(), nil, func(tx kv.Txn) error {
		tx.Log(db.catalog.Lookup("people").Stream.LogOf(hashOf("Fred")), rowformat.AppendChange(nil, &c))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	records, _ := db.records(db.iterator(arn, db.shardOf("people", "Fred"), request.TrimHorizon, ""), 10)
	if len(records) != 1 || !records[0].ByService || records[0].EventName != "REMOVE" {
		t.Errorf("%+v", records)
	}
}

func TestEventIDs(t *testing.T) {
	db := newDatabase(t)
	arns := []string{db.createTable("first", dynamo.ViewNewImage), db.createTable("second", dynamo.ViewNewImage)}
	seen := map[string]string{}
	for i, table := range []string{"first", "second"} {
		db.put(table, "a", 1, 50)
		db.put(table, "b", 1, 50)
		for _, shard := range db.describe(arns[i]).Shards {
			it := db.iterator(arns[i], *shard.ShardId, request.TrimHorizon, "")
			records, _ := db.records(it, 100)
			again, _ := db.records(it, 100)
			for j, r := range records {
				if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(r.EventID) {
					t.Errorf("event id %q", r.EventID)
				}
				if again[j].EventID != r.EventID {
					t.Errorf("%s was %s when it was read before", again[j].EventID, r.EventID)
				}
				if other, twice := seen[r.EventID]; twice {
					t.Errorf("%s and %s have one id", other, table+version(&r))
				}
				seen[r.EventID] = table + version(&r)
			}
		}
	}
	if len(seen) != 200 {
		t.Errorf("%d event ids, want 200", len(seen))
	}
}
