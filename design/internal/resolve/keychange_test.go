package resolve

import (
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/design/internal/resolve/internal/plan"
)

// tasks is a design with a key attribute that not every item has.
const tasks = `
design: Tasks
entities:
  Task:
    id: id
    attributes:
      id: string
      owner: string
      nick: string?
      status: enum(OPEN, DONE)%s
      archived: bool
      version: int
    %s
tables:
  tasks:
    pk: id
    type: kind
    indexes:
      open: { pk: OPK, sk: id }
      nicks: { pk: NPK, sk: id, project: keys }
    items:
      Task:
        OPK: { value: "OPEN#{owner}", when: status = OPEN and archived = false }
        NPK: "{nick}#{owner}"
patterns:
  P: { %s, rate: 1/day }
`

// TestKeysWithConditions is about what a request does to OPK and what it says of it, and
// what the plan says of the two indexes.
func TestKeysWithConditions(t *testing.T) {
	one := "where: { id: $ }, "
	const write, both = `"OPK":{"S":"OPEN#{owner}"}`, `"OnlyIf":{"OPK":"status = OPEN and archived = false`
	for _, c := range []struct {
		name, pattern string
		plan          string
		has, lacks    []string
	}{
		{"it depends on the caller", "create: Task", "open written; nicks written", []string{write, both + `","NPK":"nick exists"}`}, nil},
		{"never for what is set", "create: Task, set: { status: DONE }", "open untouched; nicks written", []string{`"status":{"S":"DONE"}`, `"OnlyIf":{"NPK":"nick exists"}`}, []string{"OPK"}},
		{"never for what where says", "put: Task, where: { status: DONE }", "open written; nicks moved", []string{`"status":{"S":"DONE"}`}, []string{"OPK", "ConditionExpression"}},
		{"always for what is set", "create: Task, set: { status: OPEN, archived: false, nick: x }", "open written; nicks written", []string{write, `"NPK":{"S":"x#{owner}"}`}, []string{"OnlyIf"}},
		{"one condition is left", "put: Task, set: { status: OPEN }", "open moved; nicks moved", []string{write, `"OPK":"archived = false"`}, nil},
		{"if speaks of the old item", "put: Task, if: status = DONE", "open written; nicks moved", []string{`"status":{"S":"{status}"}`, write, both}, nil},
		{"the whole condition must be known", "update: Task, " + one + "set: [owner]", "open moved without status, archived; nicks moved without nick",
			[]string{"#OPK = :OPK", both + `, else REMOVE"`, `"NPK":"nick exists, else REMOVE"`}, nil},
		{"half of it is set", "update: Task, where: { id: $, owner: $ }, set: { status: OPEN }", "open written without archived; nicks untouched",
			[]string{"#OPK = :OPK", `"OnlyIf":{"OPK":"archived = false, else REMOVE"}`}, nil},
		{"half of it is set, half known", "update: Task, where: { id: $, owner: $, archived: $ }, set: { status: OPEN }", "open written; nicks untouched",
			[]string{`"OnlyIf":{"OPK":"archived = false, else REMOVE"}`}, nil},
		{"it appears", "update: Task, where: { id: $, owner: $ }, set: { status: OPEN }, if: status = DONE and archived = false", "open written; nicks untouched",
			[]string{"SET #status = :status, #OPK = :OPK"}, []string{"OnlyIf"}},
		{"it appears or not", "update: Task, where: { id: $, owner: $ }, set: [archived], if: archived = true and status = OPEN", "open written; nicks untouched",
			[]string{"#OPK = :OPK", `"OnlyIf":{"OPK":"archived = false"}`}, nil},
		{"a parameter decides", "update: Task, where: { id: $, owner: $, archived: false }, set: [status]", "open written; nicks untouched",
			[]string{"#OPK = :OPK", `"OnlyIf":{"OPK":"status = OPEN, else REMOVE"}`}, nil},
		{"it stays or goes", "update: Task, " + one + "set: [status], if: status = OPEN and archived = false", "open written; nicks untouched",
			[]string{"REMOVE #OPK", `"OnlyIf":{"OPK":"not (status = OPEN)"}`}, []string{"OPEN#{owner}"}},
		{"it goes", "update: Task, " + one + "set: { archived: true }", "open written; nicks untouched", []string{"REMOVE #OPK"}, []string{"OnlyIf", "OPEN#{owner}"}},
		{"it moves", "update: Task, " + one + "set: [owner], if: status = OPEN and archived = false and nick missing", "open moved; nicks untouched",
			[]string{"#OPK = :OPK"}, []string{"OnlyIf", "NPK"}},
		{"there is none", "update: Task, " + one + "set: [owner], if: status = DONE and nick missing", "open untouched; nicks untouched", []string{"SET #owner = :owner\""}, []string{"OPK", "NPK", "OnlyIf"}},
		{"none is deleted", "delete: Task, " + one + "if: status = DONE", "open untouched; nicks written", nil, []string{"OPK"}},
		{"an absent attribute comes", "update: Task, where: { id: $, owner: $ }, set: [nick], if: status = DONE and nick missing", "open untouched; nicks written",
			[]string{"#NPK = :NPK", `"OnlyIf":{"nick":"nick exists, else REMOVE","NPK":"nick exists"}`}, []string{"OPK"}},
		{"a constant comes", "update: Task, where: { id: $, owner: $ }, set: { nick: x }, if: status = DONE and nick missing", "open untouched; nicks written", []string{"#NPK = :NPK"}, []string{"OPK", "OnlyIf"}},
		{"an attribute goes", "update: Task, " + one + "remove: [nick], if: status = DONE", "open untouched; nicks written", []string{"REMOVE #nick, #NPK"}, []string{"OPK"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := planOf(t, load(t, fmt.Sprintf(tasks, "", "size: 100B", c.pattern)), "P")
			line, _, _ := strings.Cut(describeWrites(p), "\n")
			if _, indexes, _ := strings.Cut(line, "; "); indexes != c.plan {
				t.Errorf("%s: %s, want %s", c.pattern, indexes, c.plan)
			}
			request := requestText(t, p, 0)
			for _, has := range c.has {
				if !strings.Contains(request, has) {
					t.Errorf("%s: no %s in %s", c.pattern, has, request)
				}
			}
			for _, lacks := range c.lacks {
				if strings.Contains(request, lacks) {
					t.Errorf("%s: %s in %s", c.pattern, lacks, request)
				}
			}
		})
	}
}

// A new item begins in the first state of its lifecycle.
func TestNewItemsBeginTheirLifecycle(t *testing.T) {
	text := strings.Replace(tasks, "status: enum(OPEN, DONE)%s", `status: { type: "enum(OPEN, DONE)", lifecycle: { DONE: [OPEN] }, start: DONE }%s`, 1)
	p := planOf(t, load(t, fmt.Sprintf(text, "", "size: 100B", "create: Task")), "P")
	if request := requestText(t, p, 0); strings.Contains(request, "OPK") || !strings.Contains(request, `"status":{"S":"DONE"}`) {
		t.Errorf("it is done and in no index: %s", request)
	}
	if change := p.Writes[0].Indexes[0].Change; change != Untouched {
		t.Errorf("the index is %s", change)
	}
}

func TestVersionLocks(t *testing.T) {
	for pattern, want := range map[string][]string{
		"update: Task, where: { id: $ }, set: [archived], add: { version: 1 }, if: status = DONE": {`"SET #archived = :archived ADD #version :version"`, "#version = :version2 AND"},
		"update: Task, where: { id: $, version: $seen }, set: [archived], if: status = DONE":      {`"attribute_exists(#id) AND #version = :seen AND #status = :status"`, "ADD #version :one"},
		"create: Task":                   {`"attribute_not_exists(#id)"`, `"version":{"N":"1"}`},
		"put: Task":                      {`"#version = :version"`, `"version":{"N":"{version_next}"}`, `":version":{"N":"{version}"}`, `"version":"version > 0, else attribute_not_exists(#id)"`},
		"delete: Task, where: { id: $ }": {`"#version = :version"`},
	} {
		request := requestText(t, planOf(t, load(t, fmt.Sprintf(tasks, "", "version: version", pattern)), "P"), 0)
		for _, w := range want {
			if !strings.Contains(request, w) {
				t.Errorf("%s: no %s in %s", pattern, w, request)
			}
		}
	}
}

// A key made of a number that is added to needs the sum, which no expression writes.
func TestSumsInKeys(t *testing.T) {
	for _, c := range []struct{ pattern, want, stale string }{
		{"update: Task, where: { id: $, owner: $, rank: 7 }, add: { rank: 1 }", `":RPK":{"S":"{owner}#{rank_next|pad 4}"}`, "rank"},
		{"update: Task, where: { id: $, owner: $ }, set: { rank: 7 }", `":RPK":{"S":"{owner}#0007"}`, ""},
		{"update: Task, where: { id: $, rank: 7 }, set: [owner]", `":RPK":{"S":"{owner}#0007"}`, ""},
	} {
		text := strings.NewReplacer("nick: string?", "rank: int", "NPK: \"{nick}#{owner}\"", "RPK: \"{owner}#{rank|pad 4}\"", "pk: NPK", "pk: RPK").Replace(tasks)
		p := planOf(t, load(t, fmt.Sprintf(text, "", "size: 100B", c.pattern)), "P")
		if request := requestText(t, p, 0); !strings.Contains(request, c.want) {
			t.Errorf("%s: no %s in %s", c.pattern, c.want, request)
		}
		if stale := plan.Names(p.Writes[0].Indexes[1].Stale); stale != c.stale {
			t.Errorf("%s must know %q, want %q", c.pattern, stale, c.stale)
		}
	}
}
