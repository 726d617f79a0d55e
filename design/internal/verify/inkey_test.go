package verify_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

// inKeyDesign keeps its ids only in keys, of every type that a key can hold: last and open,
// escaped, padded, and in the keys of indexes.
const inKeyDesign = `
design: Orders
entities:
  Customer:
    id: email
    attributes: { email: { type: string, in: key }, name: string, code: string, orders: int }
    unique: [code]
    counters: { orders: { count: Order } }
  Order:
    id: [email, placed_at]
    attributes:
      email: { type: string, in: key }
      placed_at: { type: timestamp, in: key }
      state: { type: "enum(OPEN, PAID)" }
      total: int
      note: string?
    per: { email: 12 }
  Line:
    id: [email, placed_at, number, sku]
    attributes:
      email: { type: string, in: key }
      placed_at: { type: timestamp, in: key }
      number: { type: int, in: key }
      sku: { type: string, in: key }
      amount: int
    per: { email: 20 }
tables:
  shop:
    pk: PK
    sk: SK
    delimiter: "#"
    indexes:
      ByState: { pk: state_pk, sk: state_sk, project: [total, email] }
    items:
      Customer: { PK: "C#{email}", SK: "PROFILE" }
      Order: { PK: "C#{email}", SK: "O#{placed_at}", state_pk: { value: "S#{state}", when: state = OPEN }, state_sk: "{placed_at}#{email}" }
      Line: { PK: "C#{email}", SK: "L#{placed_at}#{number|pad 4}#{sku|escape}#END" }
    guards:
      Customer.code: { PK: "CODE#{code}", SK: "CODE" }
patterns:
  Register: { create: Customer, rate: 10/day }
  Rename: { update: Customer, where: { email: $ }, set: [name, code], rate: 10/day }
  Touch: { upsert: Line, where: { email: $, placed_at: $, number: $, sku: $ }, set: [amount], rate: 10/day }
  Get: { get: Customer, where: { email: $ }, rate: 10/day }
  Place: { create: Order, rate: 10/day }
  Save: { put: Line, rate: 10/day }
  Pay: { update: Order, where: { email: $, placed_at: $ }, set: { state: PAID }, if: state = OPEN, rate: 10/day }
  Cancel: { delete: Order, where: { email: $, placed_at: $ }, if: state = OPEN, rate: 10/day }
  Orders: { list: Order, where: { email: $, placed_at: between $from and $to }, order: placed_at desc, rate: 10/day }
  Dear: { list: Order, where: { email: $ }, filter: total > 10, select: [placed_at, total], rate: 10/day }
  Open: { list: Order, where: { state: OPEN }, order: placed_at asc, select: [email, placed_at, total], limit: 20, rate: 10/day }
  Lines: { list: Line, where: { email: $, placed_at: $ }, order: number asc, rate: 10/day }
  All: { collect: [Customer, Order, Line], where: { email: $ }, rate: 10/day }
  Some: { get: Customer, where: { email: in $emails }, fanout: { email: 5 }, rate: 10/day }
  Every: { scan: Line, rate: 10/day }
`

// TestAttributesInKeys reads attributes back from keys that nothing else holds.
func TestAttributesInKeys(t *testing.T) {
	for _, delimiter := range []string{"#", "|", ":"} {
		text := strings.ReplaceAll(inKeyDesign, "#", delimiter)
		l := layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(text)}})
		for _, p := range l.Plans() {
			if !p.Served() {
				t.Fatalf("%s: %v", p.Pattern.Name, p.Problems)
			}
		}
		db, err := engine.Open("", nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		report, err := verify.Run(t.Context(), l, db.API(), verify.Options{Seed: 1, Runs: 30, Roots: 20})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range report.Patterns {
			for _, d := range p.Differences {
				t.Errorf("%s: %s: %s: %s: %s", delimiter, p.Name, d.Kind, d.Arguments, d.Detail)
			}
			if p.Found == 0 {
				t.Errorf("%s: %s: none of %d calls found something or succeeded", delimiter, p.Name, p.Calls)
			}
		}
		for _, d := range report.Leftover {
			t.Errorf("%s: afterwards: %s: %s", delimiter, d.Kind, d.Detail)
		}
		all, err := db.API().Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("shop")})
		if err != nil || len(all.Items) == 0 {
			t.Fatal(len(all.Items), err)
		}
		for _, item := range all.Items {
			for _, e := range l.Design().Entities {
				for _, a := range e.Attributes {
					if a.InKey && item[a.Name] != nil {
						t.Fatalf("%s is stored beside the key: %v", a.Name, item)
					}
				}
			}
		}
	}
}
