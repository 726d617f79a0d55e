package sample

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

func layoutOf(t testing.TB, name string, text []byte) *resolve.Layout {
	t.Helper()
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: name, Text: text}}, &report)
	if d == nil || report.Failed() {
		t.Fatalf("%s cannot be used: %v", name, report.Findings())
	}
	return resolve.New(d)
}

// layouts returns a small design that uses everything and the examples of the repository.
func layouts(t testing.TB) map[string]*resolve.Layout {
	t.Helper()
	all := map[string]*resolve.Layout{"shop": layoutOf(t, "shop.yaml", []byte(shop))}
	for _, glob := range []string{"../../testdata/seeds/*.design.yaml", "../../testdata/strangers/*.design.yaml", "../../../apps/*/*.design.yaml"} {
		paths, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var report diag.Report
			d := loader.Load([]loader.Source{{Name: path, Text: text}}, &report)
			if d == nil || report.Failed() { // whether examples can be used is tested elsewhere
				t.Logf("%s cannot be used: %v", path, report.Findings())
				continue
			}
			all[path] = resolve.New(d)
		}
	}
	return all
}

const shop = `
design: Shop
entities:
  Customer:
    id: customer_id
    attributes:
      customer_id: { type: ulid, time: created_at }
      email: string
      name: string
      orders: int
      spent: int
      created_at: timestamp
    unique: [email]
    counters:
      orders: { count: Order, where: { status: PAID } }
      spent: { sum: Order.total }
    count: 10
  Order:
    id: order_id
    attributes:
      order_id: { type: uuidv7, time: placed_at }
      customer_id: ulid
      status: enum(OPEN, PAID, SENT)
      total: int
      coupon: string?
      cell: geohash
      placed_at: timestamp
      ttl: unixtime
    ttl: ttl
    count: 100
    per: { customer_id: { avg: 4, max: 40 } }
  Line:
    id: [order_id, position]
    attributes:
      order_id: uuidv7
      position: int
      price: decimal
      gift: bool
      tags: set<string>
      photo: bytes
      detail: json
      week: week
    count: 300
    per: { order_id: 3 }
tables:
  shop:
    pk: PK
    sk: SK
    type: kind
    indexes:
      open: { pk: open, sk: placed_at, project: [total] }
      spread: { pk: spread, sk: month, project: keys }
    items:
      Customer: { PK: "C#{customer_id}", SK: "C#{email|lower}" }
      Order:
        PK: "C#{customer_id}"
        SK: "O#{placed_at|date}#{order_id}"
        open: { value: "OPEN#{cell|prefix 4}", when: status = OPEN }
        spread: "{order_id|shard 4}"
        month: "{ttl|month}#{total|pad 8}"
      Line: { PK: "O#{order_id}", SK: "L#{position|pad 4}" }
patterns:
  GetOrders: { list: Order, where: { customer_id: $ }, rate: 1/day }
`

func TestKeysAreUniqueInEveryTable(t *testing.T) {
	for name, l := range layouts(t) {
		for seed := range uint64(8) {
			seen := map[string]*Item{}
			for _, item := range Items(l, Options{Seed: seed, Children: 2 + int(seed)}) {
				if item.Table == nil {
					continue
				}
				key, ok := primaryKey(item)
				if !ok {
					t.Errorf("%s: a sample %s has no primary key: %v", name, item.Entity.Name, item.Attributes)
				}
				if other := seen[key]; other != nil {
					t.Errorf("%s: a %s and a %s share the key %q", name, item.Entity.Name, other.Entity.Name, key)
				}
				seen[key] = item
			}
		}
	}
}

func TestEveryEntityThatLivesSomewhereHasItems(t *testing.T) {
	for name, l := range layouts(t) {
		have := map[*model.Entity]int{}
		for _, item := range Items(l, Options{}) {
			have[item.Entity]++
		}
		for _, e := range l.Design().Entities {
			if l.Home(e) != nil && have[e] == 0 {
				t.Errorf("%s: there is no sample of %s", name, e.Name)
			}
		}
	}
}

func TestChildrenReferToParentsThatExist(t *testing.T) {
	for name, l := range layouts(t) {
		ids := map[*model.Entity]map[string]bool{}
		items := Items(l, Options{})
		for _, item := range items {
			if len(item.Entity.ID) == 1 {
				v, _ := item.Get(item.Entity.ID[0].Stored)
				if ids[item.Entity] == nil {
					ids[item.Entity] = map[string]bool{}
				}
				ids[item.Entity][v.String()] = true
			}
		}
		for _, ref := range References(l) {
			for _, item := range items {
				v, ok := item.Get(ref.By.Stored)
				if item.Entity == ref.Child && ok && len(ids[ref.Parent]) > 0 && !ids[ref.Parent][v.String()] {
					t.Errorf("%s: %s.%s is %s, which no %s has", name, ref.Child.Name, ref.By.Name, v, ref.Parent.Name)
				}
			}
		}
	}
}

func TestValuesInKeysNeverHoldTheDelimiter(t *testing.T) {
	for name, l := range layouts(t) {
		for _, item := range Items(l, Options{Children: 6}) {
			if item.Table == nil {
				continue
			}
			for _, c := range l.Home(item.Entity).Computed {
				v, ok := item.Get(c.Name)
				if want := strings.Count(literals(c.Template), "#"); ok && strings.Count(v.Text, "#") != want {
					t.Errorf("%s: %s of %s is %q, made from %s", name, c.Name, item.Entity.Name, v, c.Template)
				}
			}
		}
	}
}

func literals(t *model.Template) string {
	var b strings.Builder
	for _, p := range t.Parts {
		b.WriteString(p.Literal)
	}
	return b.String()
}

func TestIDsBeginWithTheirTime(t *testing.T) {
	for name, l := range layouts(t) {
		for _, item := range Items(l, Options{Seed: 3}) {
			for _, a := range item.Attributes {
				if a.Origin == nil || a.Origin.Time == nil {
					continue
				}
				at, ok := item.Get(a.Origin.Time.Stored)
				if !ok {
					continue
				}
				if got := timeOf(t, a); got != at.Text {
					t.Errorf("%s: %s.%s was made at %s, its item at %s", name, item.Entity.Name, a.Name, got, at)
				}
			}
		}
	}
}

// timeOf reads the time an id begins with.
func timeOf(t *testing.T, a Attribute) string {
	t.Helper()
	ms := int64(0)
	digits, base, length := a.Value.Text, crockford, 10
	if a.Origin.Type.Base == model.UUIDv7 {
		digits, base, length = strings.ReplaceAll(a.Value.Text, "-", ""), "0123456789abcdef", 12
	}
	for _, c := range digits[:length] {
		ms = ms*int64(len(base)) + int64(strings.IndexRune(base, c))
	}
	return time.UnixMilli(ms).UTC().Format(stamp)
}

func TestSparseKeysAreThereExactlyWhenTheirConditionHolds(t *testing.T) {
	there, absent := 0, 0
	for _, item := range Items(layoutOf(t, "shop.yaml", []byte(shop)), Options{Children: 6}) {
		if item.Entity.Name != "Order" {
			continue
		}
		status, _ := item.Get("status")
		open, ok := item.Get("open")
		if ok != (status.Text == "OPEN") {
			t.Errorf("an order that is %s has the key open: %v", status, ok)
		}
		if ok {
			there++
			if cell, _ := item.Get("cell"); open.Text != "OPEN#"+cell.Text[:4] {
				t.Errorf("open is %q for the cell %q", open, cell)
			}
		} else {
			absent++
		}
	}
	if there == 0 || absent == 0 {
		t.Errorf("%d orders are open and %d are not; the samples should show both", there, absent)
	}
}

func TestCountersHoldWhatTheyCount(t *testing.T) {
	items := Items(layoutOf(t, "shop.yaml", []byte(shop)), Options{})
	for _, customer := range items {
		if customer.Entity.Name != "Customer" {
			continue
		}
		id, _ := customer.Get("customer_id")
		orders, spent := exact.Zero, exact.Zero
		for _, o := range items {
			owner, _ := o.Get("customer_id")
			status, _ := o.Get("status")
			total, _ := o.Get("total")
			if o.Entity.Name != "Order" || owner.Text != id.Text {
				continue
			}
			spent = spent.Add(exact.MustParse(total.Text))
			if status.Text == "PAID" {
				orders = orders.Add(exact.One)
			}
		}
		gotOrders, _ := customer.Get("orders")
		gotSpent, _ := customer.Get("spent")
		if gotOrders.Text != orders.String() || gotSpent.Text != spent.String() {
			t.Errorf("a customer has %s orders and spent %s; the items say %s and %s", gotOrders, gotSpent, orders, spent)
		}
	}
}

// Items fit between the bounds of a counter that sums them.
func TestSumsStayBetweenTheirBounds(t *testing.T) {
	text := strings.Replace(shop, "sum: Order.total", "sum: Order.total, min: 0, max: 60", 1)
	if text == shop {
		t.Fatal("the design has no such counter")
	}
	for seed := range uint64(5) {
		for _, item := range Items(layoutOf(t, "shop.yaml", []byte(text)), Options{Seed: seed}) {
			if spent, ok := item.Get("spent"); ok && exact.Int(60).Less(exact.MustParse(spent.Text)) {
				t.Errorf("seed %d: a customer spent %s", seed, spent.Text)
			}
		}
	}
}

func TestTheSameSeedGivesTheSameItems(t *testing.T) {
	l := layoutOf(t, "shop.yaml", []byte(shop))
	first := shown(Items(l, Options{Seed: 7}))
	if diff := cmp.Diff(first, shown(Items(l, Options{Seed: 7}))); diff != "" {
		t.Errorf("the second time other items came (-first +second):\n%s", diff)
	}
	if cmp.Equal(first, shown(Items(l, Options{Seed: 8}))) {
		t.Error("another seed gave the same items")
	}
}

func shown(items []*Item) []string {
	var all []string
	for _, item := range items {
		s := item.Entity.Name
		for _, a := range item.Attributes {
			s += " " + a.Name + "=" + string(a.Value.Kind) + ":" + a.Value.String()
		}
		all = append(all, s)
	}
	return all
}

// TestCountersSayWhoTheParentIs is about a reference that only the match of a counter tells,
// and about items that several values identify together.
func TestCountersSayWhoTheParentIs(t *testing.T) {
	const fair = `
design: Fair
entities:
  Stall: { id: stall_id, attributes: { stall_id: ulid, bids: int }, counters: { bids: { count: Bid, match: { stall_id: stall } } } }
  Bid: { id: [stall, lot, bidder], attributes: { stall: ulid, lot: int, bidder: string, shop: string } }
tables:
  stalls: { pk: stall_id, items: [Stall] }
  bids: { pk: stall, sk: SK, indexes: { by_bidder: { pk: bidder, sk: lot }, by_shop: { pk: shop, sk: lot } }, items: { Bid: { SK: "{lot|pad 4}#{bidder}" } } }
patterns:
  ListBids: { list: Bid, where: { stall: $ }, rate: 1/day }
`
	items := Items(layoutOf(t, "fair.yaml", []byte(fair)), Options{Roots: 6, Children: 8})
	stalls, pairs, bids := map[string]bool{}, map[string]bool{}, 0
	for _, item := range items {
		if id, ok := item.Get("stall_id"); ok {
			stalls[id.String()] = true
		}
	}
	for _, item := range items {
		stall, ok := item.Get("stall")
		if !ok {
			continue
		}
		bids++
		if !stalls[stall.String()] {
			t.Errorf("a bid belongs to %s, which is no stall", stall)
		}
		bidder, _ := item.Get("bidder")
		shop, _ := item.Get("shop")
		pairs[bidder.String()+" "+shop.String()] = true
	}
	if bids < 30 {
		t.Errorf("only %d bids: their ids ran out", bids)
	}
	if len(pairs) != 4 {
		t.Errorf("of two bidders and two shops there are only %v", pairs)
	}
}
