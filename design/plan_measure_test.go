package design_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
	"sortkey.dev/design"
	"sortkey.dev/engine"
)

const measured = `design: Shop
entities:
  User: { id: user_id, count: 7, size: 1KB, attributes: { user_id: string, name: string, note: "string?" } }
tables:
  users: { pk: PK, items: { User: { PK: "USER#{user_id}" } } }
patterns:
  GetUser: { get: User, where: { user_id: $ }, rate: 1/day }
  AddUser: { create: User, rate: 1/day }
`

// TestMeasuredPlanIsWhatTheRunTakes plans on a table with items of many sizes, of which a third is read, and then fills it.
func TestMeasuredPlanIsWhatTheRunTakes(t *testing.T) {
	ctx := t.Context()
	w := newWorkshop(t)
	first := w.save(measured)
	w.add(first.Baseline("baseline", nil))
	db := memory(t)
	tables, err := first.Tables("")
	if err != nil {
		t.Fatal(err)
	}
	apply(t, db, tables)
	const items = 3000
	random := rand.New(rand.NewPCG(1, 2))
	for i := range items {
		item := access.Item{"PK": marshal.S(fmt.Sprintf("USER#%d", i)), "user_id": marshal.S(fmt.Sprint(i)), "name": marshal.S(strings.Repeat("n", 1+random.IntN(200)))}
		if random.IntN(2) == 0 {
			item["note"] = marshal.S(strings.Repeat("x", random.IntN(2500)))
		}
		if _, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: new("users"), Item: item}); err != nil {
			t.Fatal(err)
		}
	}

	next := w.save(strings.NewReplacer("pk: PK, items", "pk: PK, indexes: { by_name: { pk: NAME } }, items", `"USER#{user_id}" }`, `"USER#{user_id}", NAME: "NAME#{name}" }`).Replace(measured) +
		"  ListByName: { list: User, where: { name: $ }, limit: 10, rate: 1/day }\n")
	plan, err := next.PlanFor(ctx, design.PlanOptions{Name: "by-name"}, &design.PlanEndpoint{API: db, Memory: memory(t)})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Refused()) > 0 {
		t.Errorf("refused: %v", plan.Refused())
	}
	reads, writes := fillUnits(t, plan)
	w.add(plan.Files(), nil)

	h, err := w.open().History()
	if err != nil {
		t.Fatal(err)
	}
	m, err := h.Migration(2)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, db, append(m.Tables(), provision.Table{Name: "control", PK: provision.Key{Name: "pk", Kind: "S"}, SK: provision.Key{Name: "sk", Kind: "S"}}))
	trial, err := migrate.Try(ctx, db, "control", m.Migration, "fill", "User", migrate.Options{})
	if err != nil || trial.Changed != items {
		t.Fatalf("%+v, %v", trial, err)
	}
	if off := math.Abs(writes-trial.Writes) / trial.Writes; off > 0.01 {
		t.Errorf("the plan says %.0f write units, and the fill took %.0f", writes, trial.Writes)
	}
	if off := math.Abs(reads-trial.Reads) / trial.Reads; off > 0.01 {
		t.Errorf("the plan says %.0f read units, and the fill took %.0f", reads, trial.Reads)
	}
}

// fillUnits returns the units of the step fill.
func fillUnits(t *testing.T, plan *design.Plan) (reads, writes float64) {
	t.Helper()
	var text bytes.Buffer
	var steps struct {
		Steps []struct {
			Step                  string
			ReadUnits, WriteUnits float64 `json:",string"`
		}
	}
	if err := plan.JSON(&text); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text.Bytes(), &steps); err != nil {
		t.Fatal(err)
	}
	for _, s := range steps.Steps {
		if s.Step == "fill" {
			reads, writes = s.ReadUnits, s.WriteUnits
		}
	}
	return reads, writes
}

func memory(t *testing.T) *engine.API {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db.API()
}

func apply(t *testing.T, db *engine.API, tables []provision.Table) {
	t.Helper()
	if _, err := provision.Apply(t.Context(), db, tables, provision.Options{}); err != nil {
		t.Fatal(err)
	}
}
