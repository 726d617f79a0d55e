package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine"
)

// A shelf is a table whose items move between index keys while the indexes are added
// and dropped. Each writer owns its items, so it knows their contents.
type shelf struct {
	*testDB
	pause   sync.RWMutex // held for reading by every write
	writers []*shelfWriter
	wrong   int // items that an index left out because a key has the wrong type
}

type shelfWriter struct {
	shelf *shelf
	first int
	items map[int]attributes
}

const itemsOfWriter = 150

// TestIndexesUnderConcurrentWrites adds and drops indexes while items are inserted, moved and
// deleted. Whenever an index becomes active it matches the table exactly.
func TestIndexesUnderConcurrentWrites(t *testing.T) {
	onEachStore(t, engine.Options{Sync: engine.SyncRelaxed}, func(s *testDB) {
		s.createTable(keyed("shelf", "id/N"))
		sh := &shelf{testDB: s}
		for i := range 3 {
			w := &shelfWriter{shelf: sh, first: i * itemsOfWriter, items: map[int]attributes{}}
			sh.writers = append(sh.writers, w)
			s.must(repeat(itemsOfWriter, w.write)(s.Context(), s.random(-i)))
		}
		c := s.newWorkers()
		c.start(1, func(int) work { return repeat(12, sh.rebuild) })
		for _, w := range sh.writers {
			c.runMeanwhile(w.write)
		}
		c.wait()
		s.must(sh.compare(s.Context()))
		if sh.wrong == 0 {
			s.Error("no item had a key of the wrong type: the test shows too little")
		}
	})
}

// randomThing returns an item that belongs to some indexes and not to others.
func randomThing(rnd *rand.Rand, id int) attributes {
	item := attributes{"id": number(id), "n": number(rnd.IntN(1000)), "filler": text(strings.Repeat("x", rnd.IntN(60)))}
	switch rnd.IntN(8) {
	case 0:
	case 1:
		item["color"] = number(rnd.IntN(5)) // the wrong type
	default:
		item["color"] = text([]string{"red", "green", "blue"}[rnd.IntN(3)])
	}
	switch rnd.IntN(8) {
	case 0:
	case 1:
		item["weight"] = text("heavy") // the wrong type
	default:
		item["weight"] = number(rnd.IntN(20))
	}
	return item
}

// write changes one item, or two of them in a transaction.
func (w *shelfWriter) write(ctx context.Context, rnd *rand.Rand) error {
	w.shelf.pause.RLock()
	defer w.shelf.pause.RUnlock()
	ids := rnd.Perm(itemsOfWriter)[:2]
	id, other := w.first+ids[0], w.first+ids[1]
	item, next := randomThing(rnd, id), randomThing(rnd, other)
	api, table := w.shelf.db.API(), new("shelf")
	switch rnd.IntN(6) {
	case 0:
		_, err := api.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: table, Key: attributes{"id": number(id)}})
		return w.note(err, id, nil)
	case 1:
		_, err := api.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: table, Item: item}},
			{Delete: &types.Delete{TableName: table, Key: attributes{"id": number(other)}}},
		}})
		if err == nil {
			delete(w.items, other)
		}
		return w.note(err, id, item)
	case 2:
		_, err := api.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"shelf": {
			{PutRequest: &types.PutRequest{Item: item}}, {PutRequest: &types.PutRequest{Item: next}},
		}}})
		if err == nil {
			w.items[other] = next
		}
		return w.note(err, id, item)
	case 3:
		return w.move(ctx, rnd, id)
	default:
		_, err := api.PutItem(ctx, &dynamodb.PutItemInput{TableName: table, Item: item})
		return w.note(err, id, item)
	}
}

// move changes the index keys of an item, and nothing else.
func (w *shelfWriter) move(ctx context.Context, rnd *rand.Rand, id int) error {
	item := attributes{"id": number(id)}
	for name, value := range w.items[id] {
		item[name] = value
	}
	item["weight"], item["color"] = number(rnd.IntN(20)), text("black")
	_, err := w.shelf.db.API().UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: new("shelf"), Key: attributes{"id": number(id)}, UpdateExpression: new("SET weight = :w, color = :c"),
		ExpressionAttributeValues: attributes{":w": item["weight"], ":c": item["color"]},
	})
	return w.note(err, id, item)
}

// note records an item that was written, unless an index rejected it.
func (w *shelfWriter) note(err error, id int, item attributes) error {
	if refused, ok := errors.AsType[smithy.APIError](err); ok {
		mismatch := refused.ErrorCode() == "ValidationException" && strings.Contains(err.Error(), "Type mismatch for Index Key")
		if mismatch || len(reasons(err)) > 0 && reasons(err)[0] == "ValidationError" {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("write item %d: %w", id, err)
	}
	if item == nil {
		delete(w.items, id)
	} else {
		w.items[id] = item
	}
	return nil
}

// rebuild adds an index and compares it when it is active. Sometimes it drops the index
// before that, or reopens the database.
func (sh *shelf) rebuild(ctx context.Context, rnd *rand.Rand) error {
	key := [][]string{{"color/S"}, {"weight/N"}, {"color/S", "weight/N"}, {"weight/N", "color/S"}, {"n/N"}}[rnd.IntN(5)]
	projection := []types.ProjectionType{types.ProjectionTypeAll, types.ProjectionTypeKeysOnly, types.ProjectionTypeInclude}[rnd.IntN(3)]
	if len(key) == 1 && key[0] == "n/N" {
		projection = types.ProjectionTypeAll // a key cannot be included once more
	}
	if err := sh.beginIndex(ctx, "shelf", "moving", projection, key...); err != nil {
		return err
	}
	switch rnd.IntN(5) {
	case 0:
		return sh.dropIndex(ctx, "shelf", "moving")
	case 1:
		sh.pause.Lock()
		err := sh.reopen()
		sh.pause.Unlock()
		if err != nil {
			return err
		}
	}
	if err := sh.awaitIndex(ctx, "shelf", "moving"); err != nil {
		return err
	}
	if err := sh.compare(ctx); err != nil {
		return fmt.Errorf("index of %v, projection %s, when it became active: %w", key, projection, err)
	}
	if err := sh.idle(ctx, rnd); err != nil {
		return err
	}
	if err := sh.compare(ctx); err != nil {
		return fmt.Errorf("index of %v, projection %s, later: %w", key, projection, err)
	}
	return sh.dropIndex(ctx, "shelf", "moving")
}

// idle gives the writers some time, by reading the index now and then.
func (sh *shelf) idle(ctx context.Context, rnd *rand.Rand) error {
	for range rnd.IntN(20) {
		if _, err := sh.scan(ctx, "shelf", "moving", 50); err != nil {
			return err
		}
	}
	return nil
}

// compare stops the writers and compares the table with their items, and the index with the table.
func (sh *shelf) compare(ctx context.Context) error {
	sh.pause.Lock()
	defer sh.pause.Unlock()
	var known []attributes
	for _, w := range sh.writers {
		for _, item := range w.items {
			known = append(known, item)
			if _, wrong := item["color"].(*types.AttributeValueMemberN); wrong {
				sh.wrong++
			}
		}
	}
	items, err := sh.scan(ctx, "shelf", "", 100)
	if err != nil {
		return err
	}
	if want, got := shown(known), shown(items); !slices.Equal(want, got) {
		return fmt.Errorf("the table is not what was written (-want +got):\n%s", cmp.Diff(want, got))
	}
	return sh.agree(ctx, "shelf")
}
