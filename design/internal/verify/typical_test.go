package verify_test

import (
	"testing"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
)

// typicalDesign has a sparse index, a repeated step, an item at the edge of a unit, and a put that
// succeeds only once.
const typicalDesign = `
design: Typical
entities:
  Project:
    id: project_id
    attributes: { project_id: ulid, title: string, status: "enum(DRAFT, LIVE)", rank: int?, edits: int }
    size: 1KB
    count: 100
  Task:
    id: [project_id, task_id]
    attributes: { project_id: ulid, task_id: ulid, text: string, done: bool }
    size: 600B
    count: 1000
    per: { project_id: 10 }
  Claim:
    id: key
    attributes: { key: ulid, owner: string, at: timestamp }
    size: 300B
    growth: 10/day
tables:
  work:
    pk: PK
    sk: SK
    indexes:
      GSI1: { pk: GSI1PK, sk: GSI1SK }
    items:
      Project:
        PK: "PROJECT#{project_id}"
        SK: "PROJECT"
        GSI1PK: { value: "LIVE", when: status = LIVE }
        GSI1SK: { value: "{title}#{project_id}", when: status = LIVE }
      Task: { PK: "PROJECT#{project_id}", SK: "TASK#{task_id}" }
      Claim: { PK: "CLAIM#{key}", SK: "CLAIM", GSI1PK: "OWNER#{owner}", GSI1SK: "{at}" }
patterns:
  AddProject: { create: Project, rate: 1/day }
  EditProject: { update: Project, where: { project_id: $ }, set: { title: $ }, add: { edits: 1 }, rate: 1/day }
  RemoveProject: { delete: Project, where: { project_id: $ }, rate: 1/day }
  AddTasks: { transact: [{ create: Task, each: 7 }, { update: Project, where: { project_id: $ }, add: { edits: 1 } }], rate: 1/day }
  FinishTask: { update: Task, where: { project_id: $, task_id: $ }, set: { done: true }, rate: 1/day }
  Take: { put: Claim, if: key missing, rate: 10/day }
  ListLive: { list: Project, where: { status: LIVE }, order: title asc, limit: 20, rate: 1/day }
  ListOwned: { list: Claim, where: { owner: $ }, limit: 10, rate: 1/day }
`

// TestTypicalWritesTakeTheEstimate compares the units of typical writes with the estimates.
func TestTypicalWritesTakeTheEstimate(t *testing.T) {
	l := layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(typicalDesign)}})
	want := map[string]float64{
		"AddProject": 2, "EditProject": 3, "RemoveProject": 2, "AddTasks": 17, "FinishTask": 1, "Take": 2,
	}
	for _, p := range run(t, l, verify.Options{Seed: 1}).Patterns {
		for _, d := range p.Differences {
			t.Errorf("%s: %s: %s: %s", p.Name, d.Kind, d.Arguments, d.Detail)
		}
		if units, ok := want[p.Name]; ok && (!p.HasTypical || p.Typical != units || p.Design != units) {
			t.Errorf("%s takes %v units (%v), estimated as %v; want %v", p.Name, p.Typical, p.HasTypical, p.Design, units)
		}
	}
}

// softDeleteDesign has indexes that an item leaves when it is marked as deleted, or closed.
const softDeleteDesign = `
design: Desk
entities:
  Ticket:
    id: ticket_id
    attributes: { ticket_id: ulid, subject: string, status: "enum(closed, open, solved)", views: int, owner: string, deleted_at: timestamp? }
    count: 100
tables:
  desk:
    pk: PK
    indexes:
      Live: { pk: P1, sk: S1 }
      Open: { pk: P2 }
    items:
      Ticket:
        PK: "T#{ticket_id}"
        P1: { value: "LIVE#{owner}", when: deleted_at missing }
        S1: "{ticket_id}"
        P2: { value: "OPEN#{owner}", when: status != closed }
patterns:
  View: { update: Ticket, where: { ticket_id: $ }, add: { views: 1 }, rate: 1/day }
  Open: { create: Ticket, rate: 1/day }
  ListLive: { list: Ticket, where: { owner: $ }, filter: deleted_at missing, limit: 5, rate: 1/day }
`

// TestTypicalItemsAreNotMarkedAsDeleted checks that typical items are in the indexes whose condition
// is that an attribute is missing or has another value.
func TestTypicalItemsAreNotMarkedAsDeleted(t *testing.T) {
	l := layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(softDeleteDesign)}})
	for seed := range uint64(5) {
		for _, p := range run(t, l, verify.Options{Seed: seed}).Patterns {
			for _, d := range p.Differences {
				t.Errorf("seed %d: %s: %s: %s: %s", seed, p.Name, d.Kind, d.Arguments, d.Detail)
			}
			if !p.HasTypical {
				t.Errorf("seed %d: %s has no typical call", seed, p.Name)
			}
		}
	}
}
