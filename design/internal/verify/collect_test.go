package verify_test

import (
	"testing"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
)

// enumDesign collects entities by an enum, which each of them has a type of its own for.
const enumDesign = `
design: Racks
entities:
  Rack: { id: zone, attributes: { zone: "enum(cold, warm, dry)", state: "enum(open, full)" } }
  Box:
    id: [zone, number]
    attributes: { zone: "enum(cold, warm, dry)", number: int, state: "enum(open, full)" }
    per: { zone: 20 }
tables:
  racks:
    pk: PK
    sk: SK
    items:
      Rack: { PK: "RACK#{zone}", SK: "RACK" }
      Box: { PK: "RACK#{zone}", SK: "BOX#{number|pad 4}" }
patterns:
  AddRack: { create: Rack, rate: 10/day }
  AddBox: { create: Box, rate: 10/day }
  Load: { collect: [Rack, Box], where: { zone: $ }, rate: 10/day }
  LoadState: { collect: [Rack, Box], where: { zone: $ }, filter: { state: $ }, rate: 10/day }
`

func TestCollectsByAnEnum(t *testing.T) {
	l := layoutFrom(t, []loader.Source{{Name: "racks.design.yaml", Text: []byte(enumDesign)}})
	for _, p := range run(t, l, verify.Options{Seed: 1}).Patterns {
		for _, d := range p.Differences {
			t.Errorf("%s: %s: %s: %s", p.Name, d.Kind, d.Arguments, d.Detail)
		}
		if p.Found == 0 {
			t.Errorf("%s: none of %d calls found something or succeeded", p.Name, p.Calls)
		}
	}
}
