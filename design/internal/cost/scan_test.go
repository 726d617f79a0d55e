package cost_test

import (
	"testing"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/resolve"
)

// A scan pays for everything in its table, and for each of the partitions of a new one.
func TestScansPayForTheWholeTable(t *testing.T) {
	const text = `design: Shop
entities:
  Product: { id: sku, attributes: { sku: string, title: string, shelf: int }, size: 400B, count: 100 }
  Order: { id: order_id, attributes: { order_id: ulid }, size: 1KB, count: 10000 }
  Note: { id: note_id, attributes: { note_id: ulid }, size: 100B, count: 10 }
  Log: { id: log_id, attributes: { log_id: ulid } }
tables:
  shop:
    pk: PK
    indexes: { products: { pk: title } }
    items: { Product: { PK: "P#{sku}" }, Order: { PK: "O#{order_id}" } }
  notes: { pk: note_id, items: [Note] }
  kept: { pk: PK, billing: provisioned, items: { Log: { PK: "{log_id}" } } }
patterns:
  Orders: { scan: Order, rate: 1/day }
  Consistent: { scan: Order, consistent: true, rate: 1/day }
  Filtered: { scan: Order, filter: { order_id: gt $ }, limit: 10, rate: 1/day }
  Some: { scan: Order, limit: 100, rate: 1/day }
  Products: { scan: Product, rate: 1/day }
  Notes: { scan: Note, segments: 3, rate: 1/day }
  OnShelf: { list: Product, where: { shelf: $ }, rate: 1/day, accept: { C301: few } }
  Logs: { scan: Log, rate: 1/day }
`
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: "x", Text: []byte(text)}}, &report)
	if report.Failed() {
		t.Fatal(report.Findings())
	}
	priced := cost.Price(resolve.New(d), cost.Options{})
	for name, want := range map[string]struct {
		items, units, requests string
		known                  bool
	}{
		"Orders":     {"10100", "1256", "10", true}, // with the products
		"Consistent": {"10100", "2512", "10", true},
		"Filtered":   {"10100", "1256", "10", true},
		"Some":       {"101", "13", "1", true},
		"Products":   {"100", "6", "1", true}, // of the index: four partitions of 10 KB
		"OnShelf":    {"100", "6", "1", true},
		"Notes":      {"10", "2", "3", true}, // four partitions, each rounded up
		"Logs":       {"0", "0.5", "1", false},
	} {
		c := priced.Pattern(d.Pattern(name))
		if c.Items.String() != want.items || c.Read.String() != want.units || c.Requests.String() != want.requests || c.Known != want.known {
			t.Errorf("%s reads %s items, known %v, for %s units in %s requests; want %+v", name, c.Items, c.Known, c.Read, c.Requests, want)
		}
	}
	for _, table := range priced.Tables {
		for _, path := range table.Paths {
			if !path.Heat.RCU.IsZero() {
				t.Errorf("scans heat one key of %s with %s", path.Path, path.Heat.RCU)
			}
		}
	}
}
