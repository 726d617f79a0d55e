package cost_test

import (
	"strings"
	"testing"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/resolve"
)

// A range over periods is priced as one query for each of the stated number: each reads its share
// of the items, with the whole limit, and the hottest partition gets one of the queries.
func TestRangesOverPeriods(t *testing.T) {
	const text = `design: Feed
entities:
  Post:
    id: post_id
    attributes: { post_id: ulid, room: ulid, at: timestamp }
    size: 400B
    count: 40000
    per: { room: 400 }
tables:
  feed:
    pk: PK
    sk: SK
    items:
      Post: { PK: "ROOM#{room}#{at|month}", SK: "{at}#{post_id}" }
patterns:
  Latest: { list: Post, where: { room: $, at: between $from and $to }, fanout: { at: MOST }, LIMIT rate: 1/day, peak: 100/s, hot: 1 }
`
	for _, test := range []struct{ most, limit, items, requests, units, heat string }{
		{"4", "limit: 20,", "80", "4", "4", "100"},
		{"4", "", "400", "4", "20", "500"},
		{"4", "returns: 40,", "40", "4", "2", "50"},
		{"400", "", "400", "400", "200", "50"},
		{"1", "", "400", "1", "20", "2000"},
	} {
		var report diag.Report
		with := strings.NewReplacer("MOST", test.most, "LIMIT", test.limit).Replace(text)
		d := loader.Load([]loader.Source{{Name: "x", Text: []byte(with)}}, &report)
		if report.Failed() {
			t.Fatal(report.Findings())
		}
		estimate := cost.Price(resolve.New(d), cost.Options{})
		priced, heat := estimate.Patterns[0], estimate.Tables[0].Paths[0].Heat
		got := []string{priced.Items.String(), priced.Requests.String(), priced.Uses[0].Read.String(), heat.RCU.String()}
		if want := []string{test.items, test.requests, test.units, test.heat}; strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("at most %s, %q: items, requests, units and heat are %v, want %v", test.most, test.limit, got, want)
		}
	}
}
