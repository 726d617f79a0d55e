package verify_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

// delimiterDesign has free text in every place of a key: last and open, escaped before other
// values, in sort keys that are ranged and sorted, and read back from the key of an index.
const delimiterDesign = `
design: Links
entities:
  Link:
    id: url
    attributes: { url: string, tag: string, owner: ulid, note: string }
    unique: [note]
  Tagged:
    id: [tag, word, owner]
    attributes: { tag: string, word: string, owner: ulid }
    per: { tag: 12, owner: 12 }
  Visit:
    id: [owner, at, url]
    attributes: { owner: ulid, at: timestamp, url: string, state: "enum(OPEN, OPENED, SHUT)" }
    per: { owner: 12 }
tables:
  links:
    pk: PK
    sk: SK
    delimiter: "#"
    indexes:
      ByOwner: { pk: owner, sk: tag_key, project: keys }
    items:
      Link: { PK: "URL#{url}", SK: "LINK", tag_key: "LINK#{tag}" }
      Tagged: { PK: "TAG#{tag}", SK: "WORD#{word|escape}#{owner}", tag_key: "TAGGED#{tag|escape}#{word}" }
      Visit: { PK: "VISIT#{owner}", SK: "AT#{at}#{url}", tag_key: "V#{state}#{at}#{url}" }
    guards:
      Link.note: { PK: "NOTE#{note|lower}", SK: "NOTE" }
patterns:
  Save: { create: Link, rate: 10/day }
  Tag: { put: Tagged, rate: 10/day }
  Rename: { update: Link, where: { url: $ }, set: [note, tag], rate: 10/day }
  Get: { get: Link, where: { url: $ }, rate: 10/day }
  Some: { list: Link, where: { url: in $urls }, fanout: { url: 5 }, rate: 10/day }
  Of: { list: Tagged, where: { tag: $ }, order: word asc, rate: 10/day }
  Words: { list: Tagged, where: { tag: $, word: between $from and $to }, rate: 10/day }
  After: { list: Tagged, where: { tag: $, word: gt $ }, rate: 10/day }
  Below: { list: Tagged, where: { tag: $, word: lt $ }, order: word desc, rate: 10/day }
  Beginning: { list: Tagged, where: { tag: $, word: begins_with $ }, rate: 10/day }
  Mine: { list: Link, where: { owner: $, tag: begins_with $ }, select: [url, tag], order: tag asc, rate: 10/day }
  MineFrom: { list: Link, where: { owner: $, tag: gte $ }, select: [tag], rate: 10/day }
  MineUpTo: { list: Link, where: { owner: $, tag: lt $ }, select: [tag], rate: 10/day }
  Visit: { put: Visit, rate: 10/day }
  Visits: { list: Visit, where: { owner: $, at: between $from and $to }, order: at desc, rate: 10/day }
  VisitsAfter: { list: Visit, where: { owner: $, at: gt $ }, order: at asc, rate: 10/day }
  VisitsIn: { list: Visit, where: { owner: $, state: $, at: lt $ }, select: [at, url, state], rate: 10/day }
  Under: { list: Tagged, where: { owner: $, tag: $ }, select: [tag, word], rate: 10/day }
  UnderFrom: { list: Tagged, where: { owner: $, tag: $, word: gt $ }, select: [word], order: word asc, rate: 10/day }
`

// TestTextsWithDelimiters stores and finds texts that contain the delimiter of keys.
func TestTextsWithDelimiters(t *testing.T) {
	for _, d := range model.Delimiters {
		t.Run(d, func(t *testing.T) { testDelimiter(t, d) })
	}
}

func testDelimiter(t *testing.T, delimiter string) {
	text := strings.ReplaceAll(delimiterDesign, "#", delimiter)
	if delimiter != "#" { // words before another delimiter do not come in order
		text = regexp.MustCompile(`(?m)^  (Of|Words|After|Below): .*\n`).ReplaceAllString(text, "")
	}
	l := layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(text)}})
	for _, p := range l.Plans() {
		if !p.Served() {
			t.Fatalf("%s: %v", p.Pattern.Name, p.Problems)
		}
	}
	seeds := uint64(1)
	if delimiter == "#" {
		seeds = 3
	}
	for seed := range seeds {
		db, err := engine.Open("", nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		report, err := verify.Run(t.Context(), l, db.API(), verify.Options{Seed: seed, Runs: 30, Roots: 20})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range report.Patterns {
			for _, d := range p.Differences {
				t.Errorf("seed %d: %s: %s: %s: %s", seed, p.Name, d.Kind, d.Arguments, d.Detail)
			}
			if p.Found == 0 {
				t.Errorf("seed %d: %s: none of %d calls found something or succeeded", seed, p.Name, p.Calls)
			}
		}
		for _, d := range report.Leftover {
			t.Errorf("seed %d: afterwards: %s: %s", seed, d.Kind, d.Detail)
		}
		wantDelimiters(t, db.API(), model.Delimiter(delimiter[0]))
	}
}

// wantDelimiters checks that the run stored keys whose values contain the delimiter: open and
// escaped.
func wantDelimiters(t *testing.T, api *engine.API, d model.Delimiter) {
	t.Helper()
	all, err := api.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("links")})
	if err != nil {
		t.Fatal(err)
	}
	open, escaped := 0, 0
	for _, item := range all.Items {
		pk, sk := item["PK"].(*types.AttributeValueMemberS).Value, item["SK"].(*types.AttributeValueMemberS).Value
		if strings.Count(pk, d.String()) > 1 {
			open++
		}
		if strings.Contains(sk, d.Escape(d.String())) {
			escaped++
		}
	}
	if open == 0 || escaped == 0 {
		t.Errorf("of %d items %d have an open key with %s, %d an escaped one", len(all.Items), open, d, escaped)
	}
}
