package verify_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

// defaultDesign has attributes with defaults in every place where a pattern may name them.
const defaultDesign = `
design: Tickets
entities:
  Ticket:
    id: ticket_id
    attributes:
      ticket_id: ulid
      title: string
      status: { type: string, default: open }
      priority: { type: int, default: 3 }
      kind: { type: "enum(BUG, QUESTION)", default: QUESTION }
  Reply:
    id: [ticket_id, reply_id]
    attributes: { ticket_id: ulid, reply_id: ulid, text: string, public: { type: bool, default: true } }
    per: { ticket_id: 5 }
tables:
  tickets:
    pk: PK
    sk: SK
    indexes: { GSI1: { pk: GSI1PK, sk: GSI1SK, project: [kind, priority] } }
    items:
      Ticket: { PK: "T#{ticket_id}", SK: TICKET, GSI1PK: "TITLE#{title}", GSI1SK: "{ticket_id}" }
      Reply: { PK: "T#{ticket_id}", SK: "R#{reply_id}" }
patterns:
  GetTicket: { get: Ticket, where: { ticket_id: $ }, rate: 10/day }
  GetKind: { get: Ticket, where: { ticket_id: $ }, select: [kind, status], rate: 10/day }
  ListByTitle: { list: Ticket, where: { title: $ }, select: [kind, priority], limit: 10, rate: 10/day }
  LoadTicket: { collect: [Ticket, Reply], where: { ticket_id: $ }, limit: 10, rate: 10/day }
  EveryReply: { scan: Reply, rate: 10/day }
  AddTicket: { create: Ticket, rate: 10/day }
  SaveReply: { put: Reply, rate: 10/day }
  SetPriority: { update: Ticket, where: { ticket_id: $ }, set: [priority, kind], rate: 10/day }
  Rename: { update: Ticket, where: { ticket_id: $ }, set: [title], rate: 10/day }
  Write: { upsert: Reply, where: { ticket_id: $, reply_id: $ }, set: [text], rate: 10/day }
  Drop: { delete: Reply, where: { ticket_id: $, reply_id: $ }, rate: 10/day }
`

// TestOlderItemsAreFound reads and changes items that lack attributes with a default.
func TestOlderItemsAreFound(t *testing.T) {
	l := layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(defaultDesign)}})
	for _, p := range l.Plans() {
		if !p.Served() {
			t.Fatalf("%s: %v", p.Pattern.Name, p.Problems)
		}
	}
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	report, err := verify.Run(t.Context(), l, db.API(), verify.Options{Seed: 1, Runs: 30, Roots: 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Patterns {
		for _, d := range p.Differences {
			t.Errorf("%s: %s: %s: %s", p.Name, d.Kind, d.Arguments, d.Detail)
		}
		if p.Found == 0 {
			t.Errorf("%s: none of %d calls found something or succeeded", p.Name, p.Calls)
		}
	}
	for _, d := range report.Leftover {
		t.Errorf("afterwards: %s: %s", d.Kind, d.Detail)
	}
	all, err := db.API().Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("tickets")})
	if err != nil {
		t.Fatal(err)
	}
	older, newer := 0, 0
	for _, item := range all.Items {
		switch {
		case marshal.TextAt(item, "SK") != "TICKET":
		case item["kind"] == nil:
			older++
		default:
			newer++
		}
	}
	if older == 0 || newer == 0 {
		t.Errorf("%d tickets lack an attribute with a default, and %d have it", older, newer)
	}
}
