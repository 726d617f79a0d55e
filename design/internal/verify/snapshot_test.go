package verify_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

// snapshotDesign reads items of two tables, of one entity twice, with a selection, a condition
// beside the key and a constant.
const snapshotDesign = `
design: Bank
entities:
  Account:
    id: account_id
    attributes: { account_id: ulid, owner: string, balance: int, kind: "enum(private, shared)" }
    count: 20
  Owner:
    id: name
    attributes: { name: string, address: string, note: string? }
    count: 20
tables:
  accounts: { pk: account_id, items: [Account] }
  owners: { pk: PK, sk: SK, items: { Owner: { PK: "OWNER#{name}", SK: "OWNER" } } }
patterns:
  OpenAccount: { create: Account, rate: 1/s }
  AddOwner: { put: Owner, rate: 1/s }
  MoveOwner: { update: Owner, where: { name: $ }, set: [address], rate: 1/s }
  ReadTransfer:
    snapshot:
      - { get: Account, as: sender, where: { account_id: $from } }
      - { get: Account, as: receiver, where: { account_id: $to }, select: [owner, balance] }
      - { get: Owner, where: { name: $ } }
    rate: 10/s
  ReadShared:
    snapshot:
      - { get: Account, where: { account_id: $, kind: shared, owner: $ } }
      - { get: Owner, where: { name: $owner }, select: [note] }
    rate: 10/s
`

func TestSnapshotsHaveNoDifferences(t *testing.T) {
	for seed := range uint64(3) {
		l := layoutFrom(t, []loader.Source{{Name: "bank.design.yaml", Text: []byte(snapshotDesign)}})
		report := run(t, l, verify.Options{Seed: seed, Runs: 60})
		for _, p := range report.Patterns {
			for _, d := range p.Differences {
				t.Errorf("%d: %s: %s: %s: %s", seed, p.Name, d.Kind, d.Arguments, d.Detail)
			}
			if p.Found == 0 {
				t.Errorf("%d: %s: none of %d calls found something or succeeded", seed, p.Name, p.Calls)
			}
			if p.Name == "ReadTransfer" && (p.Refused == 0 || !p.HasTypical) {
				t.Errorf("%d: %d calls named an item twice; compared with the estimate: %v", seed, p.Refused, p.HasTypical)
			}
		}
	}
}

func TestSnapshotFaultsAreFound(t *testing.T) {
	for name, test := range map[string]struct {
		fault func(out *dynamodb.TransactGetItemsOutput)
		kind  string
	}{
		"lost": {func(out *dynamodb.TransactGetItemsOutput) { out.Responses[0].Item = nil }, "missing"},
		"swapped": {func(out *dynamodb.TransactGetItemsOutput) {
			out.Responses[0], out.Responses[1] = out.Responses[1], out.Responses[0]
		}, "content"},
		"changed": {func(out *dynamodb.TransactGetItemsOutput) {
			if item := out.Responses[0].Item; item != nil {
				item["balance"] = &types.AttributeValueMemberN{Value: "-1"}
			}
		}, "content"},
		"cheap": {func(out *dynamodb.TransactGetItemsOutput) { out.ConsumedCapacity = out.ConsumedCapacity[:1] }, "units"},
	} {
		t.Run(name, func(t *testing.T) {
			l := layoutFrom(t, []loader.Source{{Name: "bank.design.yaml", Text: []byte(snapshotDesign)}})
			db, err := engine.Open("", nil)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			report, err := verify.Run(t.Context(), l, &faulty{API: db.API(), snapshot: test.fault}, verify.Options{Runs: 30})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range report.Patterns {
				for _, d := range p.Differences {
					if p.Name == "ReadTransfer" && d.Kind == test.kind {
						return
					}
				}
			}
			t.Errorf("no difference of kind %s: %+v", test.kind, report.Patterns)
		})
	}
}
