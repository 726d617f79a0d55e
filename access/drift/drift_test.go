package drift_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/drift"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/provision"
	"sortkey.dev/access/shape"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/engine"
)

// shop returns a table of orders and one of their lines, which the orders count and sum.
func shop() []provision.Table {
	text := func(names ...string) (all []shape.Attribute) {
		for _, name := range names {
			all = append(all, shape.Attribute{Name: name, Type: "string"})
		}
		return all
	}
	pk := provision.Key{Name: "PK", Kind: "S"}
	return []provision.Table{
		{Name: "orders", PK: pk, Shape: &shape.Table{
			PK: "PK",
			Entities: []shape.Entity{{
				Name: "Order", Keys: []shape.Key{{Name: "PK", Template: "ORDER#{id}"}},
				Attributes: append(text("id", "code"), shape.Attribute{Name: "lines", Type: "int?"}, shape.Attribute{Name: "total", Type: "decimal?"}),
				Counters: []shape.Counter{
					{Attribute: "lines", Counts: "Line match id = order where "},
					{Attribute: "total", Counts: "Line sum price match id = order where state in NEW, PAID"},
					{Attribute: "seen", Counts: "Line match id = order where ", Shards: 4},
					{Attribute: "odd", Counts: "Line match id = order where (state = NEW or state = PAID)"},
				},
			}},
			Guards: []shape.Guard{{Entity: "Order", Unique: "code", Keys: []shape.Key{{Name: "PK", Template: "CODE#{code}"}}, Attributes: text("code")}},
		}},
		{Name: "lines", PK: pk, Indexes: []provision.Index{{Name: "by_time", PK: []provision.Key{{Name: "at", Kind: "S"}}}}, Shape: &shape.Table{PK: "PK", Entities: []shape.Entity{{
			Name: "Line", Keys: []shape.Key{{Name: "PK", Template: "LINE#{line}"}},
			Attributes: append(text("line", "order"), shape.Attribute{Name: "price", Type: "decimal"}, shape.Attribute{Name: "at", Type: "timestamp?"}, shape.Attribute{Name: "state", Type: "enum(GONE, NEW, PAID)"}),
		}}}},
	}
}

func open(t *testing.T) *engine.API {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	api := db.API()
	if _, err := provision.Apply(t.Context(), api, shop(), provision.Options{}); err != nil {
		t.Fatal(err)
	}
	return api
}

// put puts an item of texts; a number is written as =7.
func put(t *testing.T, api *engine.API, table string, pairs ...string) {
	t.Helper()
	item := access.Item{}
	for i := 0; i < len(pairs); i += 2 {
		item[pairs[i]] = &types.AttributeValueMemberS{Value: pairs[i+1]}
		if n, is := strings.CutPrefix(pairs[i+1], "="); is {
			item[pairs[i]] = &types.AttributeValueMemberN{Value: n}
		}
	}
	if _, err := api.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item}); err != nil {
		t.Fatal(err)
	}
}

func order(t *testing.T, api *engine.API, id string, more ...string) {
	t.Helper()
	put(t, api, "orders", append([]string{"PK", "ORDER#" + id, "id", id, "code", "c" + id}, more...)...)
	put(t, api, "orders", "PK", "CODE#c"+id)
}

func line(t *testing.T, api *engine.API, id, order, price, state string) {
	t.Helper()
	put(t, api, "lines", "PK", "LINE#"+id, "line", id, "order", order, "price", price, "state", state)
}

func check(t *testing.T, api drift.API, o drift.Options) *drift.Report {
	t.Helper()
	report, err := drift.Check(t.Context(), api, shop(), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// lines returns findings as texts.
func lines(report *drift.Report) []string {
	var all []string
	for _, f := range report.Findings {
		text := fmt.Sprintf("%s %s: %s %d", f.Kind, f.Table, f.Text, f.Items)
		for _, key := range f.Keys {
			text += " " + key["PK"].(*types.AttributeValueMemberS).Value
		}
		all = append(all, text)
	}
	return all
}

func expect(t *testing.T, report *drift.Report, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, lines(report)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestCountersAreComparedAcrossTables(t *testing.T) {
	api := open(t)
	order(t, api, "1", "lines", "=2", "total", "=2.50")
	order(t, api, "2")                                // without lines
	order(t, api, "3", "lines", "=2", "total", "=1")  // has one
	order(t, api, "4", "lines", "=1", "total", "=99") // the line is gone, so the sum is 0
	line(t, api, "a", "1", "=1", "NEW")
	line(t, api, "b", "1", "=1.5", "PAID")
	line(t, api, "c", "3", "=1", "NEW")
	line(t, api, "d", "4", "=99", "GONE")
	report := check(t, api, drift.Options{Full: true})
	expect(t, report, "counter-off orders: Order: lines is not what it counts 1 ORDER#3", "counter-off orders: Order: total is not what it counts 1 ORDER#4")
	want := []string{"counter Order.seen: it is spread over rows", "counter Order.odd: its conditions are not evaluated here"}
	if diff := cmp.Diff(want, report.LeftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	expect(t, check(t, api, drift.Options{}))

	// A line that cannot be read might count.
	put(t, api, "lines", "PK", "LINE#e", "line", "e", "order", "3", "price", "much", "state", "NEW")
	report = check(t, api, drift.Options{Full: true})
	expect(t, report, "item-unreadable lines: Line: price holds S, not N 1 LINE#e")
	if !slices.Contains(report.LeftOut, "counter Order.lines: an item of Line cannot be read") {
		t.Errorf("left out: %q", report.LeftOut)
	}
}

func TestFindingsListTheFirstFiveKeys(t *testing.T) {
	api := open(t)
	for i := range 20 {
		put(t, api, "lines", "PK", fmt.Sprintf("OTHER#%02d", i))
	}
	expect(t, check(t, api, drift.Options{Full: true}),
		"item-of-nobody lines: its key is of no entity of the design 20 OTHER#00 OTHER#01 OTHER#02 OTHER#03 OTHER#04")
}

// A time of another form is read, but no query of the index by that instant finds it. The line counts all the same.
func TestKeyOfAnIndexInAnotherForm(t *testing.T) {
	api := open(t)
	order(t, api, "1", "lines", "=1", "total", "=1")
	put(t, api, "lines", "PK", "LINE#a", "line", "a", "order", "1", "price", "=1", "state", "NEW", "at", "2026-01-01T00:00:00Z")
	expect(t, check(t, api, drift.Options{Full: true}),
		"key-stale lines: Line: at is written otherwise than keys are, so that a read by its value misses it 1 LINE#a")
}

func TestStateRowIsNoItem(t *testing.T) {
	api := open(t)
	put(t, api, "lines", "PK", "D#Shop#state", "version", "=1")
	row := &access.StateRow{Table: "lines", Partition: access.KeyValue{Name: "PK", Text: "D#Shop#state"}}
	expect(t, check(t, api, drift.Options{State: row}))
	row.Table = "orders"
	expect(t, check(t, api, drift.Options{State: row}), "item-of-nobody lines: its key is of no entity of the design 1 D#Shop#state")
}

func TestSampleReadsSoManyItems(t *testing.T) {
	api := open(t)
	for i := range 200 {
		line(t, api, fmt.Sprint(i), "1", "=1", "NEW")
	}
	report := check(t, api, drift.Options{Sample: 50})
	if want := (drift.Read{Table: "lines", Items: 50}); report.Tables[1] != want {
		t.Errorf("read %+v, want %+v", report.Tables[1], want)
	}
	report = check(t, api, drift.Options{Full: true})
	if want := (drift.Read{Table: "lines", Items: 200, All: true}); report.Tables[1] != want {
		t.Errorf("read %+v, want %+v", report.Tables[1], want)
	}
}

// A stale table says that it has no items, as AWS may until six hours later, and counts what reads consume.
type stale struct {
	*engine.API
	deny bool
	row  func()
}

func (s *stale) DescribeTable(ctx context.Context, in *dynamodb.DescribeTableInput, o ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	out, err := s.API.DescribeTable(ctx, in, o...)
	if err == nil && s.deny {
		out.Table.ItemCount, out.Table.TableSizeBytes = new(int64(0)), new(int64(0))
	}
	return out, err
}

func (s *stale) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	out, err := s.API.GetItem(ctx, in, o...)
	if s.row != nil {
		s.row()
		s.row = nil
	}
	return out, err
}

func TestMostIsNeverExceeded(t *testing.T) {
	api := open(t)
	for i := range 40 {
		put(t, api, "lines", "PK", fmt.Sprintf("LINE#%d", i), "line", fmt.Sprint(i), "order", "1", "price", "=1", "state", "NEW", "more", strings.Repeat("x", 100_000))
	}
	o := drift.Options{Full: true, Most: 300}
	_, err := drift.Check(t.Context(), api, shop(), o)
	if most, ok := errors.AsType[*drift.MostError](err); !ok || most.Expected < 480 || most.Expected > 520 {
		t.Errorf("got %v, want a MostError of about 500 units", err)
	}
	report := check(t, &stale{API: api, deny: true}, o)
	read := report.Tables[1]
	if report.Units > 300 || report.Units < 150 || !read.Stopped || read.All {
		t.Errorf("consumed %.1f units, read %+v", report.Units, read)
	}
	if _, err := drift.Check(t.Context(), api, shop(), drift.Options{Most: 5}); err == nil {
		t.Error("5 units are accepted, which no item may fit")
	}
}

// A row of a unique value names the item that it belongs to; one that was written before rows did so fits any item.
func TestRowOfAnotherItem(t *testing.T) {
	api := open(t)
	put(t, api, "orders", "PK", "ORDER#1", "id", "1", "code", "c1")
	put(t, api, "orders", "PK", "CODE#c1")
	expect(t, check(t, api, drift.Options{}))
	put(t, api, "orders", "PK", "CODE#c1", marshal.OwnerName("PK"), "ORDER#1")
	expect(t, check(t, api, drift.Options{}))
	put(t, api, "orders", "PK", "CODE#c1", marshal.OwnerName("PK"), "ORDER#2")
	expect(t, check(t, api, drift.Options{}), "guard-missing orders: the row that keeps Order.code unique belongs to another item 1 ORDER#1")
}

// An item that is deleted between the page and the look for its row needs no row.
func TestRowOfAChangedItemIsNotMissing(t *testing.T) {
	api := open(t)
	put(t, api, "orders", "PK", "ORDER#1", "id", "1", "code", "c1")
	expect(t, check(t, api, drift.Options{}), "guard-missing orders: there is no row that keeps Order.code unique 1 ORDER#1")
	table, key := "orders", access.Item{"PK": &types.AttributeValueMemberS{Value: "ORDER#1"}}
	expect(t, check(t, &stale{API: api, row: func() {
		if _, err := api.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: &table, Key: key}); err != nil {
			t.Error(err)
		}
	}}, drift.Options{}))
}

// The texts of counters that design compilers write can be read: no counter of these systems is left out but
// for what it is.
func TestCountersOfTheSystemsAreRead(t *testing.T) {
	for _, tables := range [][]provision.Table{askahumandb.Tables(), ecobiddb.Tables(), exambuddydb.Tables()} {
		n := 0
		for _, table := range tables {
			for _, e := range table.Shape.Entities {
				for _, c := range e.Counters {
					if _, ok := c.Tally(); !ok {
						t.Errorf("%s.%s: %s", e.Name, c.Attribute, c.Counts)
					}
					n++
				}
			}
		}
		if n == 0 {
			t.Error("there are no counters")
		}
	}
}
