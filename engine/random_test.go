package engine_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
	"sortkey.dev/internal/effort"
)

// A row is an item of the random test, as simple as possible. Group and rank are
// the keys of its indexes; a negative value means that the attribute is missing.
type row struct{ id, version, group, rank int }

// An index defines which rows an index has and in which order.
type index struct {
	name string
	has  func(row) bool
	key  func(row) [2]int // partition, sort
}

var indexes = []index{
	{"by-group", func(r row) bool { return r.group >= 0 && r.rank >= 0 }, func(r row) [2]int { return [2]int{r.group, r.rank} }},
	{"keys-only", func(r row) bool { return r.rank >= 0 }, func(r row) [2]int { return [2]int{r.rank, 0} }},
	{"local", func(r row) bool { return r.rank >= 0 }, func(r row) [2]int { return [2]int{r.id / 10, r.rank} }},
}

// TestRandomWrites executes random puts, updates, deletes and batches, with
// conditions that hold and that fail, and compares with a plain map, reopening the
// database now and then. Every index always agrees with the map.
func TestRandomWrites(t *testing.T) {
	effort.SkipUnderRace(t)
	for _, mode := range []string{"memory", "disk"} {
		t.Run(mode, func(t *testing.T) {
			dir := ""
			if mode == "disk" {
				dir = t.TempDir()
			}
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			w := &writer{t: t, dir: dir, rnd: rand.New(rand.NewPCG(seed, 0)), want: map[int]row{}}
			w.open()
			defer func() { w.db.Close() }()
			w.createTable()
			for step := range 1500 {
				w.step()
				if step%250 == 249 {
					w.compare()
					w.reopen()
				}
			}
			if w.failed == 0 || w.done == 0 {
				t.Errorf("%d conditions failed and %d held: the test proves too little", w.failed, w.done)
			}
		})
	}
}

type writer struct {
	t            *testing.T
	dir          string
	rnd          *rand.Rand
	db           *engine.DB
	want         map[int]row
	done, failed int
}

func (w *writer) open() {
	db, err := engine.Open(w.dir, &engine.Options{Sync: engine.SyncRelaxed})
	if err != nil {
		w.t.Fatal(err)
	}
	w.db = db
}

func (w *writer) reopen() {
	if w.dir == "" {
		return
	}
	if err := w.db.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.open()
	w.compare()
}

func (w *writer) createTable() {
	attribute := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeTypeN}
	}
	key := func(hash, sort string) []types.KeySchemaElement {
		k := []types.KeySchemaElement{{AttributeName: &hash, KeyType: types.KeyTypeHash}}
		if sort != "" {
			k = append(k, types.KeySchemaElement{AttributeName: &sort, KeyType: types.KeyTypeRange})
		}
		return k
	}
	_, err := w.db.API().CreateTable(w.t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("rows"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{attribute("shelf"), attribute("id"), attribute("group"), attribute("rank")},
		KeySchema:            key("shelf", "id"),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{
			{IndexName: aws.String("by-group"), KeySchema: key("group", "rank"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}},
			{IndexName: aws.String("keys-only"), KeySchema: key("rank", ""), Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}},
		},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{
			{IndexName: aws.String("local"), KeySchema: key("shelf", "rank"),
				Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"version"}}},
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func number(n int) types.AttributeValue { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }

func (r row) key() map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"shelf": number(r.id / 10), "id": number(r.id)}
}

func (r row) item() map[string]types.AttributeValue {
	item := r.key()
	item["version"] = number(r.version)
	if r.group >= 0 {
		item["group"] = number(r.group)
	}
	if r.rank >= 0 {
		item["rank"] = number(r.rank)
	}
	return item
}

func (w *writer) row() row {
	return row{id: w.rnd.IntN(60), version: w.rnd.IntN(3), group: w.rnd.IntN(4) - 1, rank: w.rnd.IntN(6) - 1}
}

// step executes one random operation on the database and on the map.
func (w *writer) step() {
	r := w.row()
	old, exists := w.want[r.id]
	switch w.rnd.IntN(5) {
	case 0:
		_, err := w.db.API().PutItem(w.t.Context(), &dynamodb.PutItemInput{TableName: aws.String("rows"), Item: r.item()})
		w.check(err, true, func() { w.want[r.id] = r })
	case 1:
		_, err := w.db.API().PutItem(w.t.Context(), &dynamodb.PutItemInput{
			TableName: aws.String("rows"), Item: r.item(), ConditionExpression: aws.String("attribute_not_exists(id)")})
		w.check(err, !exists, func() { w.want[r.id] = r })
	case 2:
		_, err := w.db.API().DeleteItem(w.t.Context(), &dynamodb.DeleteItemInput{
			TableName: aws.String("rows"), Key: r.key(), ConditionExpression: aws.String("version >= :v"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":v": number(r.version)}})
		w.check(err, exists && old.version >= r.version, func() { delete(w.want, r.id) })
	case 3:
		_, err := w.db.API().UpdateItem(w.t.Context(), update(r))
		w.check(err, true, func() { w.want[r.id] = r })
	case 4:
		w.batch()
	}
}

// update sets all attributes of a row, and removes the missing ones.
func update(r row) *dynamodb.UpdateItemInput {
	in := &dynamodb.UpdateItemInput{
		TableName: aws.String("rows"), Key: r.key(), UpdateExpression: aws.String("SET version = :v, #g = :g, #r = :r"),
		ExpressionAttributeNames:  map[string]string{"#g": "group", "#r": "rank"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":v": number(r.version), ":g": number(r.group), ":r": number(r.rank)},
	}
	switch {
	case r.group < 0 && r.rank < 0:
		in.UpdateExpression = aws.String("SET version = :v REMOVE #g, #r")
	case r.group < 0:
		in.UpdateExpression = aws.String("REMOVE #g SET version = :v, #r = :r")
	case r.rank < 0:
		in.UpdateExpression = aws.String("SET version = :v, #g = :g REMOVE #r")
	}
	if r.group < 0 {
		delete(in.ExpressionAttributeValues, ":g")
	}
	if r.rank < 0 {
		delete(in.ExpressionAttributeValues, ":r")
	}
	return in
}

func (w *writer) batch() {
	changes := map[int]*row{}
	var requests []types.WriteRequest
	for range 1 + w.rnd.IntN(10) {
		r := w.row()
		if _, twice := changes[r.id]; twice {
			continue
		}
		if w.rnd.IntN(3) == 0 {
			changes[r.id] = nil
			requests = append(requests, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: r.key()}})
		} else {
			changes[r.id] = &r
			requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: r.item()}})
		}
	}
	_, err := w.db.API().BatchWriteItem(w.t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"rows": requests}})
	w.check(err, true, func() {
		for id, r := range changes {
			if r == nil {
				delete(w.want, id)
			} else {
				w.want[id] = *r
			}
		}
	})
}

// check compares the outcome with the map's and then changes the map.
func (w *writer) check(err error, holds bool, change func()) {
	w.t.Helper()
	var refused *types.ConditionalCheckFailedException
	switch {
	case holds && err == nil:
		w.done++
		change()
	case !holds && errors.As(err, &refused):
		w.failed++
	default:
		w.t.Fatalf("condition holds: %v, got %v", holds, err)
	}
}

// compare compares the table and its indexes with the map.
func (w *writer) compare() {
	w.t.Helper()
	got := map[int]row{}
	for _, item := range w.scan("") {
		r := rowOf(item)
		got[r.id] = r
	}
	if !maps.Equal(got, w.want) {
		w.t.Fatalf("the table has\n%v,\nwant\n%v", got, w.want)
	}
	for _, x := range indexes {
		w.compareIndex(x)
	}
}

func (w *writer) compareIndex(x index) {
	w.t.Helper()
	var want []row
	for _, r := range w.want {
		if x.has(r) {
			want = append(want, r)
		}
	}
	var got []row
	for _, item := range w.scan(x.name) {
		r := rowOf(item)
		full, ok := w.want[r.id]
		if !ok || x.key(full) != x.key(keep(r, full, x.name)) {
			w.t.Fatalf("index %s has %v, the table %v", x.name, r, full)
		}
		got = append(got, full)
	}
	byID := func(a, b row) int { return cmp.Compare(a.id, b.id) }
	slices.SortFunc(want, byID)
	slices.SortFunc(got, byID)
	if !reflect.DeepEqual(got, want) {
		w.t.Fatalf("index %s has\n%v,\nwant\n%v", x.name, got, want)
	}
}

// keep fills in the attributes that an index does not project.
func keep(r, full row, name string) row {
	if name != "by-group" {
		r.group = full.group
	}
	return r
}

func (w *writer) scan(index string) (items []map[string]types.AttributeValue) {
	w.t.Helper()
	in := &dynamodb.ScanInput{TableName: aws.String("rows"), Limit: aws.Int32(int32(1 + w.rnd.IntN(40)))}
	if index != "" {
		in.IndexName = &index
	}
	for {
		page, err := w.db.API().Scan(w.t.Context(), in)
		if err != nil {
			w.t.Fatal(err)
		}
		items = append(items, page.Items...)
		if page.LastEvaluatedKey == nil {
			return items
		}
		in.ExclusiveStartKey = page.LastEvaluatedKey
	}
}

func rowOf(item map[string]types.AttributeValue) row {
	get := func(name string) int {
		n, ok := item[name].(*types.AttributeValueMemberN)
		if !ok {
			return -1
		}
		v, err := strconv.Atoi(n.Value)
		if err != nil {
			panic(fmt.Sprintf("attribute %s is %q", name, n.Value))
		}
		return v
	}
	return row{id: get("id"), version: get("version"), group: get("group"), rank: get("rank")}
}
