package verify_test

import (
	"strings"
	"testing"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
)

// filterDesign lacks the keys of its cards; the test inserts them. A board has more cards than the
// first request with a filter asks for.
const filterDesign = `
design: Filter
entities:
  Board:
    id: board_id
    attributes: { board_id: ulid, name: string }
    count: 2
  Card:
    id: card_id
    attributes: { card_id: ulid, board_id: ulid, colour: "enum(red, green, blue)", size: int, text: string }
    per: { board_id: 600 }
    count: 1200
tables:
  boards:
    pk: PK
    sk: SK
    type: kind
    indexes:
      GSI1: { pk: GSI1PK, sk: GSI1SK }
    items:
      Board: { PK: "BOARD#{board_id}", SK: "BOARD" }
      Card: { CARD }
patterns:
  CreateBoard: { create: Board, rate: 1/day }
  CreateCard: { create: Card, rate: 1/day }
  ListCards: { list: Card, where: { board_id: $ }, filter: { colour: $ }, order: card_id asc, limit: 3, rate: 1/day }
  ListLarge: { list: Card, where: { board_id: $ }, filter: { size: gte $ }, order: card_id desc, limit: 40, rate: 1/day }
  ListSize: { list: Card, where: { board_id: $ }, filter: { size: $ }, order: card_id asc, limit: 2, rate: 1/day }
  ListAll: { list: Card, where: { board_id: $ }, filter: { colour: $ }, order: card_id asc, rate: 1/day }
`

// TestFilteredListUnits compares the units of lists with a filter that need several requests.
func TestFilteredListUnits(t *testing.T) {
	for name, card := range map[string]string{
		"one partition": `PK: "BOARD#{board_id}", SK: "CARD#{card_id}"`,
		"two shards":    `PK: "CARD#{card_id}", SK: "CARD", GSI1PK: "CARDS#{board_id}#{card_id|shard 2}", GSI1SK: "{card_id}"`,
	} {
		t.Run(name, func(t *testing.T) { checkFilters(t, strings.Replace(filterDesign, "CARD", card, 1)) })
	}
}

func checkFilters(t *testing.T, design string) {
	t.Helper()
	l := layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(design)}})
	report := run(t, l, verify.Options{Seed: 1, Roots: 2, Children: 600, Runs: 12, Only: []string{"ListCards", "ListLarge", "ListSize", "ListAll"}})
	for _, p := range report.Patterns {
		for _, d := range p.Differences {
			t.Errorf("%s: %s: %s: %s", p.Name, d.Kind, d.Arguments, d.Detail)
		}
		if p.Found == 0 {
			t.Errorf("%s: none of %d calls found anything", p.Name, p.Calls)
		}
	}
}
