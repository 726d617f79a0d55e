package conformance

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// api is the interface that the random tests call: a client of the SDK or the direct
// door.
type api interface {
	CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
}

// TestRandomItemsThroughEveryIndex writes random items and reads all of them
// back every way there is: each item exactly once, in order, with what the index
// carries, in both directions and in pages of any size.
func TestRandomItemsThroughEveryIndex(t *testing.T) {
	for _, name := range []string{"Direct", "SDK"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			x := &explorer{t: t, random: rand.New(rand.NewPCG(seed, 0)), table: map[string]item{}}
			db := openEngine(t)
			x.api = db.API()
			if name == "SDK" {
				x.api = sdkClient(serve(t, db))
			}
			if _, err := x.api.CreateTable(t.Context(), createRandomTable()); err != nil {
				t.Fatal(err)
			}
			for range 4 {
				for range 100 {
					x.write()
				}
				for _, w := range ways {
					x.queryAll(w)
					x.scanAll(w)
				}
			}
		})
	}
}

// An explorer changes a table and the model of it in step, and compares them.
type explorer struct {
	t      *testing.T
	random *rand.Rand
	api    api
	table  map[string]item // by identity of the key
}

// write makes one random change.
func (x *explorer) write() {
	x.t.Helper()
	sent, kept := randomItem(x.random)
	id := identity(kept, tableKey)
	key := item{"pk": sent["pk"], "sk": sent["sk"]}
	var err error
	switch x.random.IntN(4) {
	case 0, 1:
		_, err = x.api.PutItem(x.t.Context(), &dynamodb.PutItemInput{TableName: aws.String("random"), Item: sent})
		x.table[id] = kept
	case 2:
		err = x.update(id, key, sent, kept)
	default:
		_, err = x.api.DeleteItem(x.t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("random"), Key: key})
		delete(x.table, id)
	}
	if err != nil {
		x.t.Fatal(err)
	}
}

// update sets some attributes of an item and removes others.
func (x *explorer) update(id string, key, sent, kept item) error {
	var sets, removes []string
	names, values := map[string]string{}, item{}
	after := maps.Clone(x.table[id])
	if after == nil {
		after = item{"pk": kept["pk"], "sk": kept["sk"]}
	}
	for _, name := range []string{"g", "n", "b", "h1", "h2", "r1", "r2", "r3", "x", "y"} {
		switch {
		case x.random.IntN(2) == 0:
			continue
		case sent[name] != nil && x.random.IntN(4) > 0:
			sets = append(sets, fmt.Sprintf("#%s = :%s", name, name))
			values[":"+name], after[name] = sent[name], kept[name]
		default:
			removes = append(removes, "#"+name)
			delete(after, name)
		}
		names["#"+name] = name
	}
	in := &dynamodb.UpdateItemInput{TableName: aws.String("random"), Key: key}
	var expression string
	if len(sets) > 0 {
		expression = "SET " + strings.Join(sets, ", ")
		in.ExpressionAttributeValues = values
	}
	if len(removes) > 0 {
		expression += " REMOVE " + strings.Join(removes, ", ")
	}
	if expression != "" {
		in.UpdateExpression, in.ExpressionAttributeNames = &expression, names
	}
	if x.table[id] != nil || len(sets) > 0 || len(removes) == 0 { // else there is nothing to remove
		x.table[id] = after
	}
	_, err := x.api.UpdateItem(x.t.Context(), in)
	return err
}

// queryAll queries each partition, whole and by a random condition on the sort key.
func (x *explorer) queryAll(w way) {
	x.t.Helper()
	for _, entries := range w.partitions(x.table) {
		q := newCondition(w, entries[0])
		x.query(w, q, entries, true)
		x.query(w, q, entries, false)
		for range 3 {
			q := newCondition(w, entries[0])
			matches := q.onSortKey(x.random, w, entries)
			x.query(w, q, slices.DeleteFunc(slices.Clone(entries), func(e item) bool { return !matches(e) }), x.random.IntN(2) == 0)
		}
	}
}

// query pages through a query with random limits and compares what it finds.
func (x *explorer) query(w way, q *condition, want []item, forward bool) {
	x.t.Helper()
	in := &dynamodb.QueryInput{
		TableName: aws.String("random"), IndexName: w.indexName(), ScanIndexForward: &forward,
		KeyConditionExpression: aws.String(q.expression()), ExpressionAttributeNames: q.names, ExpressionAttributeValues: q.values,
	}
	var got []item
	for {
		in.Limit = x.limit()
		out, err := x.api.Query(x.t.Context(), in)
		if err != nil {
			x.t.Fatalf("query %q where %s: %v", w.name, q.expression(), err)
		}
		got = append(got, out.Items...)
		if x.checkPage(w, in.Limit, out.Items, out.LastEvaluatedKey); out.LastEvaluatedKey == nil {
			break
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
	if !forward {
		slices.Reverse(got)
	}
	if !slices.IsSortedFunc(got, w.compare) {
		x.t.Errorf("query %q where %s, forward %v: not in order", w.name, q.expression(), forward)
	}
	x.checkSame(fmt.Sprintf("query %q where %s, forward %v", w.name, q.expression(), forward), got, want)
}

// scanAll scans everything, in one go and in segments.
func (x *explorer) scanAll(w way) {
	x.t.Helper()
	var want []item
	for _, entries := range w.partitions(x.table) {
		want = append(want, entries...)
	}
	x.checkSame(fmt.Sprintf("scan %q", w.name), x.scan(w, nil, nil), want)
	total := int32(1 + x.random.IntN(6))
	var got []item
	for segment := range total {
		got = append(got, x.scan(w, &segment, &total)...)
	}
	x.checkSame(fmt.Sprintf("scan %q in %d segments", w.name, total), got, want)
}

// scan pages through a scan, or one segment of it, with random limits.
func (x *explorer) scan(w way, segment, total *int32) (got []item) {
	x.t.Helper()
	in := &dynamodb.ScanInput{TableName: aws.String("random"), IndexName: w.indexName(), Segment: segment, TotalSegments: total}
	for {
		in.Limit = x.limit()
		out, err := x.api.Scan(x.t.Context(), in)
		if err != nil {
			x.t.Fatalf("scan %q: %v", w.name, err)
		}
		got = append(got, out.Items...)
		if x.checkPage(w, in.Limit, out.Items, out.LastEvaluatedKey); out.LastEvaluatedKey == nil {
			return got
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

func (w way) indexName() *string {
	if w.name == "" {
		return nil
	}
	return &w.name
}

// limit returns a random page size; nil is none.
func (x *explorer) limit() *int32 {
	if n := x.random.Int32N(12); n > 0 {
		return &n
	}
	return nil
}

// checkPage checks that a page ends where it should: it goes on exactly if its
// limit was reached, from the key of its last item.
func (x *explorer) checkPage(w way, limit *int32, items []item, last item) {
	x.t.Helper()
	if full := limit != nil && len(items) == int(*limit); full != (last != nil) {
		x.t.Errorf("%q: a page of %d items with limit %v has the last key %v", w.name, len(items), aws.ToInt32(limit), last)
	}
	if last == nil {
		return
	}
	want := item{}
	for _, name := range w.key() {
		want[name] = items[len(items)-1][name]
	}
	if !reflect.DeepEqual(last, want) {
		x.t.Errorf("%q: the last key is %v, want that of the last item", w.name, identity(last, slices.Sorted(maps.Keys(last))))
	}
}

// checkSame compares items without order: each wanted one exactly once.
func (x *explorer) checkSame(what string, got, want []item) {
	x.t.Helper()
	left := map[string]item{}
	for _, it := range want {
		left[identity(it, tableKey)] = it
	}
	for _, it := range got {
		id := identity(it, tableKey)
		wanted, ok := left[id]
		switch {
		case !ok:
			x.t.Errorf("%s: %s should not be there, or is there twice", what, id)
		case !reflect.DeepEqual(it, wanted):
			x.t.Errorf("%s: %s has other attributes than it should", what, id)
		}
		delete(left, id)
	}
	for id := range left {
		x.t.Errorf("%s: %s is missing", what, id)
	}
}

// A condition is a key condition expression in the making.
type condition struct {
	clauses []string
	names   map[string]string
	values  item
}

// newCondition asks for the partition an entry is in.
func newCondition(w way, entry item) *condition {
	q := &condition{names: map[string]string{}, values: item{}}
	for _, name := range w.partition {
		q.equal(name, entry[name])
	}
	return q
}

func (q *condition) expression() string { return strings.Join(q.clauses, " AND ") }

func (q *condition) value(name string, value types.AttributeValue) string {
	placeholder := fmt.Sprintf(":v%d", len(q.values))
	q.names["#"+name], q.values[placeholder] = name, value
	return placeholder
}

func (q *condition) equal(name string, value types.AttributeValue) {
	q.clauses = append(q.clauses, fmt.Sprintf("#%s = %s", name, q.value(name, value)))
}

// onSortKey adds a random condition on the sort attributes: equality on some of
// them, in the order of the key, and an operator on the next. It returns what
// the condition means.
func (q *condition) onSortKey(r *rand.Rand, w way, entries []item) (matches func(item) bool) {
	if len(w.sort) == 0 {
		return func(item) bool { return true }
	}
	model := entries[r.IntN(len(entries))]
	prefix := r.IntN(len(w.sort))
	for _, name := range w.sort[:prefix] {
		q.equal(name, model[name])
	}
	last := w.sort[prefix]
	holds := q.operator(r, last, model[last])
	r.Shuffle(len(q.clauses), func(i, j int) { q.clauses[i], q.clauses[j] = q.clauses[j], q.clauses[i] })
	return func(it item) bool {
		for _, name := range w.sort[:prefix] {
			if compareValues(it[name], model[name]) != 0 {
				return false
			}
		}
		return holds(it[last])
	}
}

// operator adds a random operator on an attribute and returns what it means.
func (q *condition) operator(r *rand.Rand, name string, bound types.AttributeValue) (holds func(types.AttributeValue) bool) {
	clause := func(format string, args ...any) {
		q.clauses = append(q.clauses, fmt.Sprintf(format, args...))
	}
	switch choice := r.IntN(7); {
	case choice == 6 && attributeTypes[name] != "N":
		clause("begins_with(#%s, %s)", name, q.value(name, bound))
		return func(v types.AttributeValue) bool { return strings.HasPrefix(text(v), text(bound)) }
	case choice >= 5:
		_, other := randomValue(r, name)
		low, high := bound, other
		if compareValues(low, high) > 0 {
			low, high = high, low
		}
		clause("#%s BETWEEN %s AND %s", name, q.value(name, low), q.value(name, high))
		return func(v types.AttributeValue) bool {
			return compareValues(low, v) <= 0 && compareValues(v, high) <= 0
		}
	default:
		operators := []string{"=", "<", "<=", ">", ">="}
		clause("#%s %s %s", name, operators[choice], q.value(name, bound))
		return func(v types.AttributeValue) bool {
			c := compareValues(v, bound)
			return []bool{c == 0, c < 0, c <= 0, c > 0, c >= 0}[choice]
		}
	}
}
