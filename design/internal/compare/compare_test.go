package compare_test

import (
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/compare"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
)

// A shop with one table, and two alternatives: one projects everything into an unused index,
// the other cannot find the orders of a customer.
const shop = `
design: Shop
region: us-east-1
free_tier: none
entities:
  Customer:
    id: customer
    attributes: { customer: ulid, name: string }
    size: 400B
    count: 1000
  Order:
    id: order
    attributes: { order: { type: ulid, time: placed }, customer: ulid, placed: timestamp }
    size: 2KB
    growth: 1000/month
    per: { customer: { avg: 10, max: 5000 } }
tables:
  shop:
    pk: PK
    sk: SK
    pitr: true
    items:
      Customer: { PK: "C#{customer}", SK: "C" }
      Order: { PK: "C#{customer}", SK: "O#{order}" }
patterns:
  GetCustomer: { get: Customer, where: { customer: $ }, rate: 1M/month }
  ListOrders: { list: Order, where: { customer: $ }, order: placed desc, rate: 100k/month }
  PlaceOrder: { create: Order, rate: 1000/month, peak: 900/s, hot: 1.0 }
alternatives:
  copied:
    tables:
      shop:
        pk: PK
        sk: SK
        indexes: { copy: { pk: SK, sk: PK } }
        items:
          Customer: { PK: "C#{customer}", SK: "C" }
          Order: { PK: "C#{customer}", SK: "O#{order}" }
  scattered:
    tables:
      customers: { pk: customer, items: [Customer] }
      orders: { pk: order, items: [Order] }
`

func load(t *testing.T, text string) *model.Design {
	t.Helper()
	report := &diag.Report{}
	d := loader.Load([]loader.Source{{Name: "shop.design.yaml", Text: []byte(text)}}, report)
	if d == nil || report.Failed() {
		t.Fatalf("the design cannot be read: %+v", report.Findings())
	}
	return d
}

func TestLayouts(t *testing.T) {
	c := compare.Layouts(load(t, shop), cost.Options{})
	var names []string
	for _, l := range c.Layouts {
		names = append(names, l.Name)
	}
	if !slices.Equal(names, []string{compare.Chosen, "copied", "scattered"}) {
		t.Fatalf("the layouts are %v", names)
	}
	chosen, copied, scattered := c.Layouts[0], c.Layouts[1], c.Layouts[2]
	for _, want := range []struct {
		l                              *compare.Layout
		served, unserved, tables, gsis int
		reads, writes, amplification   string
	}{
		{chosen, 3, 0, 1, 0, "750000", "2000", "1"}, // a million halves, 100,000 times 2.5
		{copied, 3, 0, 1, 1, "750000", "4000", "2"},
		{scattered, 2, 1, 2, 0, "500000", "2000", "1"},
	} {
		l := want.l
		if l.Served != want.served || l.Unserved != want.unserved || l.Tables != want.tables || l.GSIs != want.gsis || l.LSIs != 0 {
			t.Errorf("%s serves %d and not %d, has %d tables, %d and %d indexes", l.Name, l.Served, l.Unserved, l.Tables, l.GSIs, l.LSIs)
		}
		for what, pair := range map[string][2]exact.Number{
			"reads": {l.Reads, exact.MustParse(want.reads)}, "writes": {l.Writes, exact.MustParse(want.writes)},
			"amplification": {l.Amplification, exact.MustParse(want.amplification)},
		} {
			if !pair[0].Equal(pair[1]) {
				t.Errorf("%s: %s are %s, want %s", l.Name, what, pair[0], pair[1])
			}
		}
	}
	for i, s := range scattered.Patterns {
		if served := s.Pattern.Name != "ListOrders"; s.Served != served || (s.Why == "") != served || s.Pattern != c.Patterns[i] {
			t.Errorf("scattered: %s served %v, because %q", s.Pattern.Name, s.Served, s.Why)
		}
	}
}

func TestHotSpots(t *testing.T) {
	c := compare.Layouts(load(t, shop), cost.Options{})
	chosen := c.Layouts[0]
	if len(chosen.Hot) != 1 || !chosen.Hot[0].Throttled() || !chosen.Hot[0].Share.Equal(exact.MustParse("1.8")) {
		t.Errorf("900 writes a second of 2 KB on one key give the hot spots %+v", chosen.Hot)
	}
	if hot := c.Layouts[2].Hot; len(hot) != 0 {
		t.Errorf("orders with partitions of their own are hot: %+v", hot)
	}
	half := compare.Layouts(load(t, strings.Replace(shop, "peak: 900/s", "peak: 250/s", 1)), cost.Options{})
	if hot := half.Layouts[0].Hot; len(hot) != 1 || hot[0].Throttled() {
		t.Errorf("half a partition gives %+v", hot)
	}
	less := compare.Layouts(load(t, strings.Replace(shop, "peak: 900/s", "peak: 249/s", 1)), cost.Options{})
	if hot := less.Layouts[0].Hot; len(hot) != 0 {
		t.Errorf("less than half a partition gives %+v", hot)
	}
}

func TestConclusions(t *testing.T) {
	c := compare.Layouts(load(t, shop), cost.Options{})
	text := strings.Join(c.Conclusions, "\n")
	for _, want := range []string{
		"as designed and copied serve the most patterns, 3 of 3; scattered serves 2 and leaves out ListOrders.",
		"scattered is cheapest on demand without pitr, ",
		"But that leaves out ListOrders, which scattered cannot serve.",
		"copied writes most, 4,000 units, 2 for one.",
		"as designed: the hottest key of shop takes 180 % of one partition at the peak, most of it PlaceOrder; requests will be throttled.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the conclusions do not say %q:\n%s", want, text)
		}
	}
	alone := compare.Layouts(load(t, shop[:strings.Index(shop, "alternatives:")]), cost.Options{})
	if len(alone.Conclusions) == 0 || alone.Conclusions[0] != "The design has no alternatives; it serves all 3 patterns." {
		t.Errorf("a design alone concludes %q", alone.Conclusions)
	}
}
