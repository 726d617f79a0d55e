package verify_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

const manyDesign = `
design: Many
entities:
  User: { id: user_id, attributes: { user_id: ulid, email: string, role: "enum(a, b)" }, count: 10 }
  Item: { id: [user_id, number], attributes: { user_id: ulid, number: int, text: string, kind: "enum(x, y)" }, per: { user_id: 4 }, count: 30 }
tables:
  many:
    pk: PK
    sk: SK
    items:
      User: { PK: "USER#{user_id}", SK: "USER" }
      Item: { PK: "ITEMS#{user_id}", SK: "{number|pad 20}" }
patterns:
  GetUsers: { get: User, where: { user_id: in $user_ids }, fanout: { user_id: 5 }, rate: 1/day }
  GetAdmins: { get: User, where: { user_id: in $user_ids, role: a }, fanout: { user_id: 5 }, consistent: true, rate: 1/day }
  GetItems: { get: Item, where: { user_id: $, number: in $ }, select: [text], fanout: { number: 3 }, rate: 1/day }
  GetItemOfMany: { get: Item, where: { user_id: in $ids, number: $, kind: $ }, fanout: { user_id: 3 }, rate: 1/day }
`

func TestGetsOfManyHaveNoDifferences(t *testing.T) {
	l := layoutFrom(t, []loader.Source{{Name: "many.design.yaml", Text: []byte(manyDesign)}})
	report := run(t, l, verify.Options{Seed: 5, Runs: 60})
	for _, p := range report.Patterns {
		for _, d := range p.Differences {
			t.Errorf("%s: %s: %s: %s", p.Name, d.Kind, d.Arguments, d.Detail)
		}
		if p.Found == 0 {
			t.Errorf("%s: none of %d calls found something", p.Name, p.Calls)
		}
	}
}

// A lossy API leaves the last item out of every batch.
type lossy struct{ *engine.API }

func (l lossy) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	out, err := l.API.BatchGetItem(ctx, in, o...)
	if err == nil {
		for table, items := range out.Responses {
			out.Responses[table] = items[:max(len(items)-1, 0)]
		}
	}
	return out, err
}

func TestWrongBatchesAreFound(t *testing.T) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	l := layoutFrom(t, []loader.Source{{Name: "many.design.yaml", Text: []byte(manyDesign)}})
	report, err := verify.Run(t.Context(), l, lossy{db.API()}, verify.Options{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Patterns {
		if len(p.Differences) == 0 || p.Differences[0].Kind != "missing" {
			t.Errorf("%s: the missing items are not found: %v", p.Name, p.Differences)
		}
	}
}
