package verify_test

import (
	"testing"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
)

// clausesDesign has conditions and filters with alternatives, parentheses and comparisons of
// two attributes.
const clausesDesign = `
design: Clauses
entities:
  Task:
    id: task_id
    attributes:
      task_id: ulid
      project: string
      state: { type: "enum(new, open, done, lost)", lifecycle: { new: [open, lost], open: [done, lost], done: [], lost: [] } }
      points: int
      needed: int?
      due: timestamp
      ended: timestamp?
      note: string?
      version: int
    version: version
    per: { project: 6 }
    count: 30
  Label:
    id: [project, name]
    attributes: { project: string, name: string, points: int, limit: int, note: string? }
    per: { project: 3 }
    count: 15
tables:
  clauses:
    pk: PK
    sk: SK
    indexes: { byProject: { pk: P1, sk: S1 } }
    items:
      Task: { PK: "TASK#{task_id}", SK: "TASK", P1: "PROJECT#{project}", S1: "TASK#{due}#{task_id}" }
      Label: { PK: "LABEL#{project}", SK: "LABEL#{name}", P1: "PROJECT#{project}", S1: "LABEL#{name}" }
patterns:
  AddTask: { create: Task, rate: 1/day }
  AddLabel: { create: Label, if: "note missing or points != 3", rate: 1/day }
  SaveLabel: { put: Label, if: "name missing or points < $most and (limit > points or note exists)", rate: 1/day }
  Finish: { update: Task, where: { task_id: $ }, set: { state: done }, if: "state = open and (points >= needed or note = $reason)", rate: 1/day }
  Lose: { update: Task, where: { task_id: $ }, set: { state: lost }, if: "state = new or state = open and ended missing", rate: 1/day }
  Note: { update: Task, where: { task_id: $ }, set: [note], if: "ended < due or points in (1, 2, $also) or state != new", rate: 1/day }
  Drop: { delete: Task, where: { task_id: $ }, if: "(state = done or state = lost) and (ended exists or note missing)", rate: 1/day }
  DropLabel: { delete: Label, where: { project: $, name: $ }, if: "note missing or points > $limit", rate: 1/day }
  Check:
    transact:
      - { check: Task, where: { task_id: $ }, if: "points > 1 or needed missing" }
      - { update: Label, where: { project: $, name: $ }, set: [note], if: "points <= limit or note = $old" }
    rate: 1/day
  Require:
    update: Label
    where: { project: $, name: $ }
    set: { points: $ }
    requires: [{ entity: Task, where: { task_id: $ }, if: "state = open or state = new and points > $least" }]
    rate: 1/day
  ListLate: { list: Task, where: { project: $ }, filter: "ended > due or ended missing and state != done", order: due asc, rate: 1/day }
  ListReady: { list: Task, where: { project: $ }, filter: "points >= needed or (note = $note and (state = open or points < $most))", limit: 2, rate: 1/day }
  ScanLabels: { scan: Label, filter: "points < limit or note exists and points > $more", rate: 1/day }
  CollectBoth: { collect: [Task, Label], where: { project: $ }, filter: "points > 2 or note = $", rate: 1/day }
`

func TestClausesHaveNoDifferences(t *testing.T) {
	for seed := range uint64(3) {
		l := layoutFrom(t, []loader.Source{{Name: "clauses.design.yaml", Text: []byte(clausesDesign)}})
		report := run(t, l, verify.Options{Seed: seed, Runs: 60})
		for _, p := range report.Patterns {
			for _, d := range p.Differences {
				t.Errorf("%d: %s: %s: %s: %s", seed, p.Name, d.Kind, d.Arguments, d.Detail)
			}
			if p.Found == 0 {
				t.Errorf("%d: %s: none of %d calls found something or succeeded", seed, p.Name, p.Calls)
			}
			if refusable := p.Verb != "list" && p.Verb != "scan" && p.Verb != "collect"; refusable && p.Refused == 0 {
				t.Errorf("%d: %s: none of %d calls was refused", seed, p.Name, p.Calls)
			}
		}
		for _, d := range report.Leftover {
			t.Errorf("%d: afterwards: %s: %s", seed, d.Kind, d.Detail)
		}
	}
}
