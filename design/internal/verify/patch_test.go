package verify_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

// patchDesign patches required and optional attributes of every kind, parts of index keys among
// them.
const patchDesign = `
design: Patches
entities:
  Task:
    id: task_id
    attributes: { task_id: ulid, project: string, due: timestamp?, points: int, title: string, done: bool, tags: set<string>, lines: { type: list<string>, max: 5 }, secret: string, version: int }
    version: version
    encrypt: [secret]
    per: { project: 6 }
    count: 30
  Label:
    id: [project, name]
    attributes: { project: string, name: string, color: string, weight: number, note: string? }
    per: { project: 3 }
    count: 15
tables:
  tasks:
    pk: PK
    sk: SK
    indexes: { byProject: { pk: P1, sk: S1 } }
    items:
      Task: { PK: "TASK#{task_id}", SK: "TASK", P1: "PROJECT#{project}", S1: "TASK#{due}#{task_id}" }
      Label: { PK: "LABEL#{project}", SK: "LABEL#{name}", P1: "COLOR#{color}", S1: "LABEL#{project}#{name}" }
patterns:
  AddTask: { create: Task, rate: 1/day }
  AddLabel: { create: Label, rate: 1/day }
  EditTask: { update: Task, where: { task_id: $ }, patch: [due, points, title, done, tags, lines, secret], rate: 1/day }
  EditOpen: { update: Task, where: { task_id: $ }, patch: [title, lines], set: { done: true }, if: "done = false", rate: 1/day }
  EditLabel: { update: Label, where: { project: $, name: $ }, patch: [color, weight, note], rate: 1/day }
  EditLabels:
    transact:
      - { update: Label, where: { project: $, name: $ }, patch: [weight, color], each: 3 }
      - { update: Task, where: { task_id: $ }, add: { points: 1 } }
    rate: 1/day
  ListTasks: { list: Task, where: { project: $, due: lte $now }, order: due asc, rate: 1/day }
  ListColor: { list: Label, where: { color: $ }, rate: 1/day }
`

func TestPatchesHaveNoDifferences(t *testing.T) {
	for seed := range uint64(3) {
		l := layoutFrom(t, []loader.Source{{Name: "patches.design.yaml", Text: []byte(patchDesign)}})
		report := run(t, l, verify.Options{Seed: seed, Runs: 60})
		for _, p := range report.Patterns {
			for _, d := range p.Differences {
				t.Errorf("%d: %s: %s: %s: %s", seed, p.Name, d.Kind, d.Arguments, d.Detail)
			}
			if p.Found == 0 {
				t.Errorf("%d: %s: none of %d calls found something or succeeded", seed, p.Name, p.Calls)
			}
		}
		for _, d := range report.Leftover {
			t.Errorf("%d: afterwards: %s: %s", seed, d.Kind, d.Detail)
		}
	}
}

// Some calls of a patch give nothing. They must end with access.ErrNothingGiven before anything
// is sent.
func TestPatchesThatGiveNothingAreNotSent(t *testing.T) {
	const design = `
design: Patch
entities:
  Task:
    id: task_id
    attributes: { task_id: ulid, title: string, note: string? }
    count: 10
tables:
  tasks: { pk: task_id, items: [Task] }
patterns:
  AddTask: { create: Task, rate: 1/day }
  EditTask: { update: Task, where: { task_id: $ }, patch: [title, note], rate: 1/day }
`
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	sent := 0
	count := func(_ *engine.API, _ *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error) {
		sent++
		return out, err
	}
	l := layoutFrom(t, []loader.Source{{Name: "patch.design.yaml", Text: []byte(design)}})
	report, err := verify.Run(t.Context(), l, &faulty{API: db.API(), updated: count}, verify.Options{Runs: 60})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Patterns {
		for _, d := range p.Differences {
			t.Errorf("%s: %s: %s: %s", p.Name, d.Kind, d.Arguments, d.Detail)
		}
		if p.Name == "EditTask" && (sent == 0 || sent >= p.Calls) {
			t.Errorf("%d of %d calls were sent", sent, p.Calls)
		}
	}
}
