package verify_test

import (
	"testing"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
)

// mergeDesign moves elements from one set to another that may be full.
const mergeDesign = `
design: Merge
entities:
  Offer:
    id: title
    attributes: { title: string, skus: { type: set<string>, max: 2 }, notes: { type: list<string>?, max: 2 } }
    count: 100
tables:
  offers: { pk: title, items: [Offer] }
patterns:
  Add: { create: Offer, rate: 1/day }
  Note: { update: Offer, where: { title: $ }, append: { notes: $ }, rate: 1/day }
  Merge:
    transact:
      - { update: Offer, where: { title: $from }, remove: { skus: $moved } }
      - { update: Offer, where: { title: $to }, add: { skus: $moved } }
    rate: 1/day
`

// TestFullCollectionsGetRoom checks that arguments are found for edits of collections that are
// full in the sample items.
func TestFullCollectionsGetRoom(t *testing.T) {
	l := layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(mergeDesign)}})
	for seed := range uint64(4) {
		for _, p := range run(t, l, verify.Options{Seed: seed}).Patterns {
			for _, d := range p.Differences {
				t.Errorf("seed %d: %s: %s: %s: %s", seed, p.Name, d.Kind, d.Arguments, d.Detail)
			}
		}
	}
}
