package cost_test

import (
	"strings"
	"testing"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/resolve"
)

// Each query of a shard has the whole limit, because the newest items may be in any shard;
// without a limit each reads its share.
func TestLimitsOverShards(t *testing.T) {
	const text = `design: Feed
entities:
  Post:
    id: post_id
    attributes: { post_id: ulid, room: ulid }
    size: 400B
    count: 40000
    per: { room: 400 }
tables:
  feed:
    pk: PK
    sk: SK
    items:
      Post: { PK: "ROOM#{room}#{post_id|shard 4}", SK: "{post_id}" }
patterns:
  Latest: { list: Post, where: { room: $ }, LIMIT rate: 1/day }
`
	for limit, want := range map[string]string{
		"limit: 20,":              "80",
		"limit: 1000,":            "400",
		"":                        "400",
		"returns: 40,":            "40",
		"limit: 20, returns: 20,": "80", // the result is a part of what all shards return
		"limit: 20, returns: 12,": "12", // there are no more
	} {
		var report diag.Report
		d := loader.Load([]loader.Source{{Name: "x", Text: []byte(strings.Replace(text, "LIMIT", limit, 1))}}, &report)
		if report.Failed() {
			t.Fatal(report.Findings())
		}
		priced := cost.Price(resolve.New(d), cost.Options{}).Patterns[0]
		if got := priced.Items.String(); got != want {
			t.Errorf("%q reads %s items, want %s", limit, got, want)
		}
	}
}
