package live_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/tabledef"
	"sortkey.dev/design/internal/verify/live"
	"sortkey.dev/engine"
)

const notes = `design: Notes
entities:
  Note: { id: note_id, count: 5, attributes: { note_id: string, owner: string, at: int?, until: unixtime?, ends: unixtime? } }
tables:
  notes: { pk: PK, ttl: until, items: { Note: { PK: "NOTE#{note_id}" } } }
patterns:
  GetNote: { get: Note, where: { note_id: $ }, rate: 1/day }
`

func load(t *testing.T, text string) *model.Design {
	t.Helper()
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: "notes.design.yaml", Text: []byte(text)}}, &report)
	if d == nil || report.Failed() {
		t.Fatal(report.Findings())
	}
	return d
}

// TestCountsWhatADangerIsAbout counts 1,600 items for three changes.
func TestCountsWhatADangerIsAbout(t *testing.T) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	api := db.API()
	before := load(t, notes)
	if _, err := provision.Apply(t.Context(), api, tabledef.Of(before), provision.Options{}); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	number := func(n int64) types.AttributeValue { return &types.AttributeValueMemberN{Value: fmt.Sprint(n)} }
	put := func(kind string, i int, more access.Item) {
		id := fmt.Sprint(kind, i)
		item := access.Item{"PK": &types.AttributeValueMemberS{Value: "NOTE#" + id}, "note_id": &types.AttributeValueMemberS{Value: id}, "owner": &types.AttributeValueMemberS{Value: strings.Repeat("x", 1100)}}
		for name, v := range more {
			item[name] = v
		}
		table := "notes"
		if _, err := api.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 500 {
		put("past", i, access.Item{"ends": number(now.Unix() - int64(i))})
		put("none", i, nil)
		put("future", i, access.Item{"ends": number(now.Unix() + 1 + int64(i)), "at": number(int64(i))})
	}
	for i := range 20 {
		put("ancient", i, access.Item{"ends": number(now.AddDate(-6, 0, 0).Unix())}) // which DynamoDB leaves
		put("milliseconds", i, access.Item{"ends": number(now.UnixMilli())})
		put("text", i, access.Item{"ends": &types.AttributeValueMemberS{Value: "2026"}, "at": &types.AttributeValueMemberS{Value: "7"}})
		put("empty", i, access.Item{"owner": &types.AttributeValueMemberS{}})
		put("long", i, access.Item{"owner": &types.AttributeValueMemberS{Value: strings.Repeat("x", 2049)}})
	}
	for name, c := range map[string]struct {
		replace []string
		code    diag.Code
		want    string
		items   int64
	}{
		"expiry":            {[]string{"ttl: until", "ttl: ends"}, "E052", "; 500 items would be deleted now; 40 items never would, because the time is not in seconds", 500},
		"index of texts":    {[]string{"pk: PK, ttl", "pk: PK, indexes: { ByOwner: { pk: owner } }, ttl"}, "E025", "; 40 items of the table have such a value now", 40},
		"index of two keys": {[]string{"pk: PK, ttl", "pk: PK, indexes: { ByTime: { pk: owner, sk: at } }, ttl"}, "E025", "; 60 items of the table have such a value now", 60},
		"removed table":     {[]string{"  notes:", "  other:"}, "E045", "; it has 1600 items now", 1600},
	} {
		t.Run(name, func(t *testing.T) {
			changes := change.Between(before, load(t, strings.NewReplacer(c.replace...).Replace(notes)), change.Options{})
			counter := live.Counter{API: api, TableName: func(name string) string { return name }, Now: now}
			if err := counter.Count(t.Context(), changes.All); err != nil {
				t.Fatal(err)
			}
			found := false
			for _, one := range changes.All {
				if one.Code != c.code {
					if one.Items != nil {
						t.Errorf("%s counts %d items", one.Code, *one.Items)
					}
					continue
				}
				found = true
				if !strings.HasSuffix(one.Message, c.want) || one.Items == nil || *one.Items != c.items {
					t.Errorf("got %q, want it to end with %q", one.Message, c.want)
				}
			}
			if !found {
				t.Errorf("no change has the code %s", c.code)
			}
		})
	}
}
