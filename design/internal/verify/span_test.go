package verify_test

import (
	"context"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

// spanDesign divides items by years, months, days and hours, in tables and indexes, with shards
// and values beside them, and asks for ranges over several of them.
const spanDesign = `
design: Spans
entities:
  Store: { id: store, attributes: { store: ulid, name: string }, count: 3 }
  Order:
    id: order_id
    attributes: { order_id: { type: ulid, time: at }, store: ulid, at: timestamp, paid: unixtime, state: "enum(open, done)", total: int }
    count: 60
    per: { store: 20 }
  Reading:
    id: [sensor, at]
    attributes: { sensor: ulid, at: timestamp, level: int }
    count: 40
    per: { sensor: 20 }
tables:
  span-app:
    pk: PK
    sk: SK
    indexes:
      byMonth: { pk: P1, sk: S1 }
      byYear: { pk: P2, sk: paid }
      byShard: { pk: P3, sk: S3 }
    items:
      Store: { PK: "STORE#{store}", SK: "STORE" }
      Order:
        PK: "ORDER#{order_id}"
        SK: "ORDER"
        P1: "STORE#{store}#{at|year}#{at|month}"
        S1: "{state}#{at}#{order_id}"
        P2: "PAID#{paid|year}"
        P3: "ALL#{at|date}#{order_id|shard 3}"
        S3: "{at}#{order_id}"
  span-readings:
    pk: PK
    sk: at
    items:
      Reading: { PK: "{sensor}#{at|hour}" }
patterns:
  OpenOrders: { list: Order, where: { store: $, state: $, at: between $from and $to }, order: at desc, fanout: { at: 3 }, rate: 10/day }
  SomeOrders: { list: Order, where: { store: $, state: open, at: between $from and $to }, order: at asc, limit: 2, fanout: { at: 6 }, rate: 10/day }
  StoresOrders: { list: Order, where: { store: in $stores, state: done, at: between $from and $to }, fanout: { store: 3, at: 2 }, filter: { total: gt 3 }, rate: 10/day }
  PaidOrders: { list: Order, where: { paid: between $from and $to }, order: paid desc, fanout: { paid: 4 }, rate: 10/day }
  SinceMarch: { list: Order, where: { at: between 2026-02-03T00:00:00.000Z and $to }, order: at asc, fanout: { at: 7 }, rate: 10/day }
  Readings: { list: Reading, where: { sensor: $, at: between $from and $to }, order: at asc, fanout: { at: 4 }, select: [level], rate: 10/day }
  AddOrder: { create: Order, rate: 10/day }
  AddReading: { create: Reading, rate: 10/day }
  AddStore: { create: Store, rate: 1/day }
  GetStore: { get: Store, where: { store: $ }, rate: 1/day }
`

func TestRangesOverPeriodsHaveNoDifferences(t *testing.T) {
	l := layoutFrom(t, []loader.Source{{Name: "spans.design.yaml", Text: []byte(spanDesign)}})
	for seed := range uint64(2) {
		report := run(t, l, verify.Options{Seed: seed, Runs: 60})
		for _, p := range report.Patterns {
			for _, d := range p.Differences {
				t.Errorf("%s: %s: %s: %s", p.Name, d.Kind, d.Arguments, d.Detail)
			}
			if p.Found == 0 {
				t.Errorf("%s: none of %d calls found something or succeeded", p.Name, p.Calls)
			}
			if reads := p.Name != "GetStore" && !strings.HasPrefix(p.Name, "Add"); reads && p.Refused == 0 {
				t.Errorf("%s: none of %d ranges was too long", p.Name, p.Calls)
			}
		}
	}
}

// A gap is an API in which nothing is found in the partitions of a month.
type gap struct {
	*engine.API
	month string
}

func (g gap) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	for _, v := range in.ExpressionAttributeValues {
		if s, ok := v.(*types.AttributeValueMemberS); ok && strings.HasPrefix(s.Value, "STORE#") && strings.HasSuffix(s.Value, g.month) {
			return &dynamodb.QueryOutput{ConsumedCapacity: &types.ConsumedCapacity{CapacityUnits: new(0.5)}}, nil
		}
	}
	return g.API.Query(ctx, in, o...)
}

func TestMissingPeriodsAreFound(t *testing.T) {
	l := layoutFrom(t, []loader.Source{{Name: "spans.design.yaml", Text: []byte(spanDesign)}})
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	report, err := verify.Run(t.Context(), l, gap{db.API(), "2026-01"}, verify.Options{Seed: 1, Only: []string{"OpenOrders", "StoresOrders"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Patterns {
		missing := false
		for _, d := range p.Differences {
			missing = missing || d.Kind == "missing"
		}
		if !missing {
			t.Errorf("%s: the month without items is not found: %v", p.Name, p.Differences)
		}
	}
}
