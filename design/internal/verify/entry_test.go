package verify_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

// entryDesign changes and compares entries of maps of every kind.
const entryDesign = `
design: Labels
entities:
  Doc:
    id: doc_id
    attributes:
      doc_id: ulid
      title: string
      labels: { type: map<string>, max: 4 }
      votes: { type: map<int>, max: 5 }
      seen: { type: map<timestamp>, max: 50 }
      flags: { type: map<bool>, max: 50 }
      version: int
    version: version
    count: 20
  Tally:
    id: name
    attributes: { name: string, counts: { type: map<number>, max: 30 } }
    count: 20
tables:
  docs: { pk: doc_id, items: [Doc] }
  tallies: { pk: name, items: [Tally] }
patterns:
  AddDoc: { create: Doc, rate: 1/s }
  GetDoc: { get: Doc, where: { doc_id: $ }, rate: 1/s }
  AddTally: { create: Tally, rate: 1/s }
  SetLabel: { update: Doc, where: { doc_id: $ }, set: { "labels[$label]": $text, title: $ }, rate: 1/s }
  SetColor: { update: Doc, where: { doc_id: $ }, set: { "labels[color]": blue, "flags[$flag]": true }, rate: 1/s }
  DropLabel: { update: Doc, where: { doc_id: $ }, remove: ["labels[$label]"], if: "labels[$label] exists", rate: 1/s }
  DropSome: { update: Doc, where: { doc_id: $ }, remove: { "labels[$label]": all, "votes[old]": all }, rate: 1/s }
  Vote: { update: Doc, where: { doc_id: $ }, add: { "votes[$who]": 1 }, if: "votes[$who] missing or votes[$who] < $most", rate: 1/s }
  See: { update: Doc, where: { doc_id: $ }, set: { "seen[$who]": $now }, if: "seen[$who] missing or seen[$who] <= $now", rate: 1/s }
  Count: { update: Tally, where: { name: $ }, add: { "counts[$key]": $by }, rate: 1/s }
  Rename:
    transact:
      - { update: Tally, where: { name: $ }, set: { "counts[$key]": $value }, if: "counts[$key] missing" }
      - { update: Doc, where: { doc_id: $ }, remove: ["flags[$key]"] }
      - { check: Tally, where: { name: $other }, if: "counts[$key] exists" }
    rate: 1/s
`

func TestEntriesOfMapsHaveNoDifferences(t *testing.T) {
	for seed := range uint64(3) {
		l := layoutFrom(t, []loader.Source{{Name: "labels.design.yaml", Text: []byte(entryDesign)}})
		report := run(t, l, verify.Options{Seed: seed, Runs: 60})
		for _, p := range report.Patterns {
			for _, d := range p.Differences {
				t.Errorf("%d: %s: %s: %s: %s", seed, p.Name, d.Kind, d.Arguments, d.Detail)
			}
			if p.Found == 0 || p.Refused == 0 && p.Name != "GetDoc" {
				t.Errorf("%d: %s: of %d calls %d found something or succeeded, %d were refused", seed, p.Name, p.Calls, p.Found, p.Refused)
			}
		}
		for _, d := range report.Leftover {
			t.Errorf("%d: afterwards: %s: %s", seed, d.Kind, d.Detail)
		}
	}
}

// A database that loses an entry of a map after an update differs.
func TestLostEntriesAreFound(t *testing.T) {
	lose := func(db *engine.API, in *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error) {
		if err == nil && out.Attributes["counts"] != nil {
			item := out.Attributes
			for key := range item["counts"].(*types.AttributeValueMemberM).Value {
				delete(item["counts"].(*types.AttributeValueMemberM).Value, key)
				break
			}
			_, err = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: in.TableName, Item: item})
		}
		return out, err
	}
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	l := layoutFrom(t, []loader.Source{{Name: "labels.design.yaml", Text: []byte(entryDesign)}})
	report, err := verify.Run(t.Context(), l, &faulty{API: db.API(), updated: lose}, verify.Options{Runs: 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Patterns {
		if p.Name == "Count" && len(p.Differences) == 0 {
			t.Error("a lost entry is no difference")
		}
	}
}
