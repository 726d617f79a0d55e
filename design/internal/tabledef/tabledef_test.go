package tabledef_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/tabledef"
)

// noShape leaves out what package shape tests.
var noShape = cmpopts.IgnoreFields(provision.Table{}, "Shape")

const shop = `design: Shop
region: us-east-1
entities:
  Order:
    id: order_id
    attributes: { order_id: ulid, customer_id: ulid, year: int, blob: bytes, note: string, gone_at: { type: unixtime, name: gone } }
    size: 1KB
    growth: 1000/day
    per: { customer_id: { avg: 10, max: 50 } }
  Coupon: { id: code, attributes: { code: string }, count: 10 }
tables:
  orders:
    pk: customer_id
    sk: order_id
    class: standard-ia
    stream: new_image
    pitr: true
    ttl: gone_at
    encryption: customer
    protect: true
    tags: { team: shop, stage: prod }
    billing: { mode: provisioned, rcu: 4.5, wcu: 3 }
    indexes:
      by_year: { pk: year, sk: [customer_id, order_id], project: [note, year], rcu: 9 }
      by_blob: { pk: blob, project: keys }
      by_note: { local: true, sk: note, project: [order_id] }
    items: [Order]
  coupons: { pk: code, items: [Coupon] }
patterns:
  PlaceOrder: { create: Order, rate: 1000/day, peak: 7/s }
  GetOrder: { get: Order, where: { customer_id: $, order_id: $ }, rate: 5000/day, peak: 14/s }
alternatives:
  templates:
    tables:
      one:
        pk: PK
        billing: provisioned
        indexes: { GSI1: { pk: GSI1PK } }
        items: { Order: { PK: "ORDER#{order_id}", GSI1PK: "CUSTOMER#{customer_id}" } }
      scaled:
        pk: PK
        billing: { mode: provisioned, autoscale: { min: 5, max: 50 } }
        indexes: { GSI1: { pk: GSI1PK } }
        items: { Coupon: { PK: "{code}" } }
  stated:
    tables:
      begun:
        pk: PK
        billing: { mode: provisioned, rcu: 5, wcu: 90, autoscale: { min: 2, max: 50 } }
        indexes: { own: { pk: GSI1PK, rcu: 3, wcu: 1 }, same: { pk: GSI1PK } }
        items: { Order: { PK: "ORDER#{order_id}", GSI1PK: "CUSTOMER#{customer_id}" }, Coupon: { PK: "{code}" } }
`

func key(name, kind string) provision.Key { return provision.Key{Name: name, Kind: kind} }

func TestOf(t *testing.T) {
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: "shop.design.yaml", Text: []byte(shop)}}, &report)
	if report.Failed() {
		t.Fatal(report.Findings())
	}
	want := []provision.Table{{
		Name: "orders", PK: key("customer_id", "S"), SK: key("order_id", "S"),
		Indexes: []provision.Index{
			{
				Name: "by_year", PK: []provision.Key{key("year", "N")}, SK: []provision.Key{key("customer_id", "S"), key("order_id", "S")},
				Attributes: []string{"note"}, RCU: 9, WCU: 3,
			},
			{Name: "by_blob", PK: []provision.Key{key("blob", "B")}, Project: "keys"},
			{Name: "by_note", Local: true, SK: []provision.Key{key("note", "S")}, Project: "keys"},
		},
		RCU: 5, WCU: 3, Stream: "new_image", TTL: "gone", PITR: true, Class: "standard-ia", Encryption: "customer", Protect: true,
		Tags: map[string]string{"team": "shop", "stage": "prod"},
	}, {Name: "coupons", PK: key("code", "S")}}
	if diff := cmp.Diff(want, tabledef.Of(d), noShape); diff != "" {
		t.Error(diff)
	}

	gsi1 := provision.Index{Name: "GSI1", PK: []provision.Key{key("GSI1PK", "S")}}
	// At the peak 7 orders are placed in a second, and none is read by this key: 7 units
	// used to 70 % are 10. Reads are eventually consistent.
	peak := provision.Table{Name: "one", PK: key("PK", "S"), RCU: 10, WCU: 10, Indexes: []provision.Index{gsi1}}
	peak.Indexes[0].RCU, peak.Indexes[0].WCU = 1, 10
	scaled := provision.Table{Name: "scaled", PK: key("PK", "S"), RCU: 5, WCU: 5, Autoscaled: true, Indexes: []provision.Index{gsi1}}
	if diff := cmp.Diff([]provision.Table{peak, scaled}, tabledef.Of(d.WithTables(d.Alternatives[0])), noShape); diff != "" {
		t.Error(diff)
	}

	// Autoscaling begins with what is stated, within its bounds.
	own, same := gsi1, gsi1
	own.Name, own.RCU, own.WCU, same.Name = "own", 3, 2, "same"
	begun := provision.Table{Name: "begun", PK: key("PK", "S"), RCU: 5, WCU: 50, Autoscaled: true, Indexes: []provision.Index{own, same}}
	if diff := cmp.Diff([]provision.Table{begun}, tabledef.Of(d.WithTables(d.Alternatives[1])), noShape); diff != "" {
		t.Error(diff)
	}
}
