package verify_test

import (
	"testing"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
)

// choiceDesign needs values that are rarely right by chance: ids that are enums and all taken,
// an item of version 0, filters by a set and by JSON that no item has both of, and an item that
// a call consumes.
const choiceDesign = `
design: Choice
entities:
  Rack:
    id: zone
    attributes: { zone: "enum(cold, warm)", boxes: int }
    counters: { boxes: { count: Box } }
    size: 100B
    count: 2
  Box:
    id: [zone, number]
    attributes: { zone: "enum(cold, warm)", number: int, labels: set<string>?, content: json? }
    size: 200B
    count: 100
    per: { zone: 50 }
  Setting:
    id: name
    attributes: { name: string, value: string, version: int }
    version: version
    size: 100B
    count: 10
  Coupon: { id: code, attributes: { code: string, percent: int }, size: 100B, count: 10 }
  Order: { id: order_id, attributes: { order_id: ulid, code: string }, size: 100B, count: 10 }
tables:
  choice:
    pk: PK
    sk: SK
    items:
      Rack: { PK: "RACK#{zone}", SK: "RACK" }
      Box: { PK: "RACK#{zone}", SK: "BOX#{number|pad 6}" }
      Setting: { PK: "SETTING#{name}", SK: "SETTING" }
      Coupon: { PK: "COUPON#{code|upper}", SK: "COUPON" }
      Order: { PK: "ORDER#{order_id}", SK: "ORDER" }
patterns:
  AddRack: { create: Rack, rate: 1/day }
  AddRacks: { transact: [{ create: Rack, each: 2 }], rate: 1/day }
  AddBox: { create: Box, rate: 1/day }
  ListBoxesLike: { list: Box, where: { zone: $ }, filter: { labels: $, content: $ }, rate: 1/day }
  ResetSetting: { put: Setting, if: version = 0, rate: 1/day }
  UseCoupon: { create: Order, requires: [{ entity: Coupon, where: { code: $ }, consume: true }], rate: 1/day }
`

// TestEveryPatternSucceedsSometimes runs a design whose patterns need particular values.
func TestEveryPatternSucceedsSometimes(t *testing.T) {
	for seed := range uint64(3) {
		report := run(t, layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(choiceDesign)}}), verify.Options{Seed: seed})
		for _, p := range report.Patterns {
			for _, d := range p.Differences {
				t.Errorf("seed %d: %s: %s: %s: %s", seed, p.Name, d.Kind, d.Arguments, d.Detail)
			}
			if p.Found < 5 {
				t.Errorf("seed %d: %s: only %d of %d calls found something or succeeded", seed, p.Name, p.Found, p.Calls)
			}
		}
	}
}
