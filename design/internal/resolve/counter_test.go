package resolve

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/exact"
)

// exam is a design for counters: counted items find the item that counts by its project.
const exam = `
design: Exam
entities:
  Project:
    id: project
    attributes: { project: ulid, status: "enum(DRAFT, LIVE)", questions: int, open: int, points: int, version: int }
    counters: { %s }
    version: version
  Question:
    id: [project, question]
    attributes:
      project: ulid
      question: ulid
      text: string
      points: int
      hidden: bool
      state: { type: "enum(NEW, OPEN, DONE)", lifecycle: { NEW: [OPEN], OPEN: [DONE] } }
  Cover:
    id: project
    attributes: { project: ulid, text: string }
tables:
  exam:
    pk: PK
    sk: SK
    indexes:
      largest: { pk: status, sk: questions, project: keys }
    items:
      Project: { PK: "PROJECT#{project}", SK: "PROJECT" }
      Question: { PK: "PROJECT#{project}", SK: "QUESTION#{question}" }
      Cover: { PK: "PROJECT#{project}", SK: "COVER" }
patterns:
  P: { %s, rate: 1/day }
`

// counterWrites returns the additions of a plan, with their conditions and problems.
func counterWrites(p *Plan) string {
	var b strings.Builder
	for _, w := range p.Writes {
		var changes []string
		for _, add := range w.Step.Add {
			by := "{" + add.Param + "}"
			if add.Param == "" {
				by = add.By.String()
			}
			changes = append(changes, add.Attribute.Name+" "+by)
		}
		for _, set := range w.Step.Set {
			if set.Attribute.Type.IsNumber() && w.Item.Entity.Name == "Project" {
				changes = append(changes, fmt.Sprintf("%s = %s", set.Attribute.Name, set.Value))
			}
		}
		if len(changes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s %s: %s", w.Operation, w.Key[0].Low, strings.Join(changes, ", "))
		for _, c := range w.Checks {
			fmt.Fprintf(&b, ", if %s", c)
		}
		if w.Step.Each > 1 {
			fmt.Fprintf(&b, ", %d times", w.Step.Each)
		}
		if w.Implied != "" {
			fmt.Fprintf(&b, " (%s)", w.Implied)
		}
		b.WriteString("\n")
	}
	for _, c := range p.Counts {
		if !c.Kept {
			fmt.Fprintf(&b, "%s.%s is not kept\n", c.Entity.Name, c.Counter.Attribute.Name)
		}
	}
	b.WriteString(describe(p))
	return strings.TrimSpace(b.String())
}

const (
	whole    = "where: { project: $, question: $ }"
	all      = "questions: { count: Question }"
	open     = "open: { count: Question, where: { state: OPEN } }"
	shown    = "open: { count: Question, where: { state: OPEN, hidden: false } }"
	score    = "points: { sum: Question.points }"
	onItem   = "UpdateItem PROJECT#{project}: "
	byAll    = " (counter Project.questions)"
	byOpen   = " (counter Project.open)"
	byPoints = " (counter Project.points)"
)

func TestCountersAreKept(t *testing.T) {
	for _, c := range []struct{ name, counters, pattern, want string }{
		{"created", all, "create: Question", onItem + "questions 1" + byAll},
		{"put, taken for a new one", all, "put: Question", onItem + "questions 1" + byAll},
		{"deleted", all, "delete: Question, " + whole, onItem + "questions -1" + byAll},
		{"changed", all, "update: Question, " + whole + ", set: [text]", ""},
		{"only looked at", all, "transact: [{ check: Question, " + whole + ", if: hidden = true }]", ""},
		{"another entity", all, "create: Cover", ""},
		{"created inside", open, "create: Question, set: { state: OPEN }", onItem + "open 1" + byOpen},
		{"created outside, as the lifecycle begins", open, "create: Question", ""},
		{"created outside, as said", open, "create: Question, set: { state: DONE }", ""},
		{"put in any state", open, "put: Question", onItem + "open {open_change}" + byOpen},
		{"enters", open, "update: Question, " + whole + ", set: { state: OPEN }, if: state = NEW", onItem + "open 1" + byOpen},
		{"enters by the lifecycle", open, "update: Question, " + whole + ", set: { state: OPEN }", onItem + "open 1" + byOpen},
		{"leaves", open, "update: Question, " + whole + ", set: { state: DONE }, if: state = OPEN", onItem + "open -1" + byOpen},
		{"leaves the state it has not", open, "update: Question, " + whole + ", set: { state: DONE }, if: state = NEW", ""},
		{"enters if it is shown", shown, "update: Question, " + whole + ", set: { state: OPEN }, if: state = NEW", onItem + "open {open_change}" + byOpen},
		{"enters and is shown", shown, "update: Question, " + whole + ", set: { state: OPEN }, if: state = NEW and hidden = false", onItem + "open 1" + byOpen},
		{"would enter, but is hidden", shown, "update: Question, " + whole + ", set: { state: OPEN }, if: hidden = true", ""},
		{"any state", open, "update: Question, " + whole + ", set: [state]", onItem + "open {open_change}" + byOpen},
		{"deleted while open", open, "delete: Question, where: { project: $, question: $, state: OPEN }", onItem + "open -1" + byOpen},
		{"deleted when done", open, "delete: Question, where: { project: $, question: $, state: DONE }", ""},
		{"deleted in any state", open, "delete: Question, " + whole, onItem + "open {open_change}" + byOpen},
		{"created with points", score, "create: Question", onItem + "points {points}" + byPoints},
		{"created with five points", score, "create: Question, set: { points: 5 }", onItem + "points 5" + byPoints},
		{"deleted with points", score, "delete: Question, " + whole, onItem + "points {points_change}" + byPoints},
		{"deleted with five points", score, "delete: Question, where: { project: $, question: $, points: 5 }", onItem + "points -5" + byPoints},
		{"other points", score, "update: Question, " + whole + ", set: [points]", onItem + "points {points_change}" + byPoints},
		{"from five points to two", score, "update: Question, " + whole + ", set: { points: 2 }, if: points = 5", onItem + "points -3" + byPoints},
		{"three points more", score, "update: Question, " + whole + ", add: { points: 3 }", onItem + "points 3\n" + onItem + "points 3" + byPoints},
		{"points of what is not counted", "points: { sum: Question.points, where: { hidden: false } }", "update: Question, " + whole + ", set: [points], if: hidden = true", ""},
		{"two counters on one item", all + ", " + score, "create: Question", onItem + "questions 1, points {points} (counter Project.questions, counter Project.points)"},
		{"consumed", all, "create: Cover, requires: [{ entity: Question, " + whole + ", consume: true }]", onItem + "questions -1" + byAll},
		{"by hand", all, "transact: [{ create: Question }, { update: Project, where: { project: $ }, add: { questions: 1 } }]", onItem + "questions 1"},
		{"by hand elsewhere", all, "transact: [{ create: Question }, { update: Project, where: { project: $other }, add: { questions: 1 } }]", "UpdateItem PROJECT#{other}: questions 1"},
		{"two that come", all, "transact: [{ create: Question }, { create: Question }]", onItem + "questions 2" + byAll},
		{"one comes, one goes", all, "transact: [{ create: Question }, { delete: Question, " + whole + " }]", ""},
		{"many of one project", all, "transact: [{ create: Question, each: 16 }]", onItem + "questions 16" + byAll},
		{"one for each project", "questions: { count: Cover }", "transact: [{ create: Cover, each: 16 }]", onItem + "questions 1, 16 times" + byAll},
		{"a constant finds it", all, "create: Question, set: { project: 01ARZ3NDEKTSV4RRFFQ69G5FAV }", "UpdateItem PROJECT#01ARZ3NDEKTSV4RRFFQ69G5FAV: questions 1" + byAll},
		{"nothing finds it", "questions: { count: Question, match: { project: text } }", "delete: Question, " + whole, "Project.questions is not kept"},
		{"where finds it", "questions: { count: Question, match: { project: text } }", "delete: Question, where: { project: $, question: $, text: $ }", "UpdateItem PROJECT#{text}: questions -1" + byAll},
		{"it moves", "questions: { count: Question, match: { project: text } }", "update: Question, where: { project: $, question: $, text: $from }, set: { text: $to }",
			"UpdateItem PROJECT#{from}: questions -1" + byAll + "\nUpdateItem PROJECT#{to}: questions 1" + byAll},
		{"it moves from an unknown item", "questions: { count: Question, match: { project: text } }", "update: Question, " + whole + ", set: [text]", "Project.questions is not kept"},
		{"spread", "questions: { count: Question, shards: 10 }", "create: Question", onItem + "questions 1 (counter Project.questions, one of 10 shards)"},
		{"no shard knows the total", "questions: { count: Question, shards: 10, max: 5 }", "create: Question", onItem + "questions 1 (counter Project.questions, one of 10 shards)\n" +
			"W809 nothing keeps Project.questions within its bounds: it is spread over 10 shards, and none of them knows the total"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := counterWrites(planOf(t, load(t, fmt.Sprintf(exam, c.counters, c.pattern)), "P"))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.pattern, diff)
			}
		})
	}
}

// TestCountersFollowFromNamedValues shows changes that are computed from constants and from
// parameters that the write compares, so that the caller does not give them.
func TestCountersFollowFromNamedValues(t *testing.T) {
	openPoints := "points: { sum: Question.points, where: { state: [NEW, OPEN] } }"
	for _, c := range []struct{ name, counters, pattern, want string }{
		{"from any state to any", open, "update: Question, where: { project: $, question: $, state: $was }, set: { state: $ }", "1 if state=$state, -1 if state=$was"},
		{"the old one in if", open, "update: Question, " + whole + ", set: [state], if: state = $was", "1 if state=$state, -1 if state=$was"},
		{"from any to a constant", "open: { count: Question, where: { hidden: true } }", "update: Question, where: { project: $, question: $, hidden: $was }, set: { hidden: false }", "-1 if hidden=$was"},
		{"from the only one the lifecycle has", open, "update: Question, where: { project: $, question: $, state: $was }, set: { state: DONE }", "-1"},
		{"from a constant to any", open, "update: Question, where: { project: $, question: $, state: OPEN }, set: { state: $ }", "1 if state=$state, -1"},
		{"deleted in a state the caller names", open, "delete: Question, where: { project: $, question: $, state: $ }", "-1 if state=$state"},
		{"two conditions", shown, "delete: Question, where: { project: $, question: $, state: $, hidden: $ }", "-1 if state=$state hidden=$hidden"},
		{"one of two is a constant", shown, "delete: Question, where: { project: $, question: $, state: $, hidden: false }", "-1 if state=$state"},
		{"one of two is not named", shown, "delete: Question, where: { project: $, question: $, state: $ }", "told open_change, without hidden"},
		{"a flag", "open: { count: Question, where: { hidden: true } }", "update: Question, " + whole + ", set: [hidden], if: hidden = $was", "1 if hidden=$hidden, -1 if hidden=$was"},
		{"deleted with points", openPoints, "delete: Question, where: { project: $, question: $, state: $, points: $ }", "-points if state=$state"},
		{"other points in a state the caller names", openPoints, "update: Question, where: { project: $, question: $, state: $, points: $old }, set: [points]", "points if state=$state, -old if state=$state"},
		{"more points in a state the caller names", openPoints, "update: Question, where: { project: $, question: $, state: $ }, add: { points: $by }", "by if state=$state"},
		{"another state and more points", openPoints, "update: Question, where: { project: $, question: $, state: $was, points: $ }, set: { state: $ }, add: { points: 2 }",
			"points if state=$state, 2 if state=$state, -points if state=$was"},
		{"another state with points that are not named", openPoints, "update: Question, where: { project: $, question: $, state: $was }, set: { state: $ }", "told points_change, without points"},
		{"points that are not there", score, "update: Question, " + whole + ", set: [points]", "told points_change, without points"},
		{"compared with another attribute", score, "delete: Question, " + whole + ", if: points = number", "told points_change, without points"},
		{"several at once", score, "transact: [{ delete: Question, where: { project: $, question: $, points: $ }, each: 4 }]", "each -points"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(fmt.Sprintf(exam, c.counters, c.pattern), "      points: int\n", "      points: int\n      number: int\n", 1)
			p := planOf(t, load(t, text), "P")
			if diff := cmp.Diff(c.want, counterTerms(p)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.pattern, diff)
			}
		})
	}
}

// counterTerms returns the parts of what the last write of a plan adds, or what the caller
// gives.
func counterTerms(p *Plan) string {
	var all []string
	last := p.Writes[len(p.Writes)-1]
	for _, clause := range last.Statement.Update {
		v := clause.Values[0]
		switch {
		case clause.Word != "ADD" || v.Attribute == last.Item.Entity.Version:
		case len(v.Sum) == 0:
			all = append(all, v.Operand.String())
		}
		for _, term := range v.Sum {
			all = append(all, termText(term))
		}
	}
	text := strings.Join(all, ", ")
	for _, c := range p.Counts {
		if !c.Told {
			continue
		}
		text = "told " + text + ", without"
		for _, a := range c.Lacks {
			text += " " + a.Name
		}
	}
	return text
}

func termText(term Term) string {
	text := term.Param
	if text == "" {
		text = term.By.String()
	}
	if term.Minus {
		text = "-" + text
	}
	if term.Repeated {
		text = "each " + text
	}
	for i, a := range term.Compared() {
		if i == 0 {
			text += " if"
		}
		text += fmt.Sprintf(" %s=$%s", a.Name, term.Values[a].Param)
	}
	return text
}

func TestCountersStayBetweenTheirBounds(t *testing.T) {
	bounded := "questions: { count: Question, min: 0, max: 100 }"
	for _, c := range []struct{ name, counters, pattern, want string }{
		{"one more", bounded, "create: Question", onItem + "questions 1, if questions <= 99" + byAll},
		{"one less", bounded, "delete: Question, " + whole, onItem + "questions -1, if questions >= 1" + byAll},
		{"sixteen more", bounded, "transact: [{ create: Question, each: 16 }]", onItem + "questions 16, if questions <= 84" + byAll},
		{"no bound on that side", "questions: { count: Question, min: 0 }", "create: Question", onItem + "questions 1" + byAll},
		{"perhaps one more", "open: { count: Question, where: { state: OPEN }, min: 0, max: 9 }", "put: Question", onItem + "open {open_change}, if open <= $open_most" + byOpen},
		{"perhaps one less", "open: { count: Question, where: { state: OPEN }, min: 0, max: 9 }", "delete: Question, " + whole, onItem + "open {open_change}, if open >= $open_least" + byOpen},
		{"one more or one less", "open: { count: Question, where: { state: OPEN }, min: 0, max: 9 }", "update: Question, " + whole + ", set: [state], if: state = $was", onItem + "open {open_change}, if open <= $open_most, if open >= $open_least" + byOpen},
		{"perhaps one less, by the state it had", "open: { count: Question, where: { state: OPEN }, min: 0, max: 9 }", "delete: Question, where: { project: $, question: $, state: $ }", onItem + "open {open_change}, if open >= $open_least" + byOpen},
		{"by hand", bounded, "transact: [{ create: Question }, { update: Project, where: { project: $ }, add: { questions: 1 } }]", onItem + "questions 1, if questions <= 99"},
		{"by hand, more than one", bounded, "transact: [{ create: Question, each: 4 }, { update: Project, where: { project: $ }, add: { questions: 4 } }]", onItem + "questions 4, if questions <= 96"},
		{"by hand, one less", bounded, "transact: [{ delete: Question, " + whole + " }, { update: Project, where: { project: $ }, add: { questions: -1 } }]", onItem + "questions -1, if questions >= 1"},
		{"by hand, and said already", bounded, "transact: [{ create: Question }, { update: Project, where: { project: $ }, add: { questions: 1 }, if: questions < 100 }]", onItem + "questions 1, if questions < 100"},
		{"by hand, with another bound", bounded, "transact: [{ create: Question }, { update: Project, where: { project: $ }, add: { questions: 1 }, if: questions < 101 }]", onItem + "questions 1, if questions < 101, if questions <= 99"},
		{"by hand, apart from what is counted", bounded, "update: Project, where: { project: $ }, add: { questions: 1 }", onItem + "questions 1, if questions <= 99"},
		{"by hand, spread", "questions: { count: Question, shards: 10, max: 5 }", "update: Project, where: { project: $ }, add: { questions: 1 }", onItem + "questions 1"},
		{"a sum can do both", "points: { sum: Question.points, min: 0, max: 50 }", "create: Question", onItem + "points {points}, if points <= $points_most, if points >= $points_least" + byPoints},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := counterWrites(planOf(t, load(t, fmt.Sprintf(exam, c.counters, c.pattern)), "P"))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.pattern, diff)
			}
		})
	}
}

// TestCountersJoinOtherActions is about items a transaction names already: DynamoDB
// refuses a second action on them.
func TestCountersJoinOtherActions(t *testing.T) {
	bounded := "questions: { count: Question, max: 100 }"
	for _, c := range []struct{ name, pattern, want string }{
		{"an update", "transact: [{ update: Project, where: { project: $ }, set: [status] }, { create: Question }]", onItem + "questions 1, if questions <= 99"},
		{"an update of another one", "transact: [{ update: Project, where: { project: $other }, set: [status] }, { create: Question }]", onItem + "questions 1, if questions <= 99" + byAll},
		{"a check", "transact: [{ check: Project, where: { project: $ }, if: status = DRAFT }, { create: Question }]", onItem + "questions 1, if status = DRAFT, if questions <= 99"},
		{"a requirement", "create: Question, requires: [{ entity: Project, where: { project: $ }, if: status = DRAFT }]", onItem + "questions 1, if status = DRAFT, if questions <= 99 (requires Project, counter Project.questions)"},
		{"a new item begins with it", "transact: [{ create: Project }, { create: Question, each: 3 }]", "PutItem PROJECT#{project}: questions = 3"},
		{"both go", "transact: [{ delete: Project, where: { project: $ } }, { delete: Question, " + whole + " }]", ""},
		{"one goes, one comes", "transact: [{ delete: Project, where: { project: $ } }, { create: Question }]", `
L706 it touches the same Project twice: delete, and an update of its counter questions
  fix: keep one of the two: the delete of Project, or what questions counts`},
		{"put", "transact: [{ put: Project }, { create: Question }]", `
W809 put of Project replaces its counter questions by whatever the caller gives
L706 it touches the same Project twice: put, and an update of its counter questions
  fix: set questions in the put of Project, which writes it anyway`},
		{"put with the number", "transact: [{ put: Project, set: { questions: 1 } }, { create: Question }]", "PutItem PROJECT#{project}: questions = 1"},
		{"must not be there", "create: Question, requires: [{ entity: Project, exists: false, where: { project: $ } }]", `
L706 it touches the same Project twice: check, and an update of its counter questions
  fix: keep one of the two: the check of Project, or what questions counts`},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := load(t, fmt.Sprintf(exam, bounded, c.pattern))
			got := counterWrites(planOf(t, l, "P"))
			if diff := cmp.Diff(strings.TrimSpace(c.want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.pattern, diff)
			}
			for _, step := range l.Design().Pattern("P").Steps {
				if len(step.Add) > 0 {
					t.Errorf("the plan wrote into the design: %s %s adds", step.Verb, step.Entity.Name)
				}
			}
		})
	}
}

func TestCounterInAnIndex(t *testing.T) {
	for counters, want := range map[string]string{
		all:                           "UpdateItem Project, PK = PROJECT#{project}, SK = PROJECT (counter Project.questions); largest moved",
		"points: { count: Question }": "UpdateItem Project, PK = PROJECT#{project}, SK = PROJECT (counter Project.points); largest untouched",
		"questions: { count: Question, shards: 4 }": "UpdateItem shard of Project, PK = PROJECT#{project}, SK = PROJECT#questions#{questions_shard} (counter Project.questions, one of 4 shards)",
	} {
		got := describeWrites(planOf(t, load(t, fmt.Sprintf(exam, counters, "create: Question")), "P"))
		_, got, _ = strings.Cut(got, "\n")
		if diff := cmp.Diff(want, strings.TrimSpace(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", counters, diff)
		}
	}
}

func TestRequestsOfCounters(t *testing.T) {
	key := `{"TableName":"exam","Key":{"PK":{"S":"PROJECT#{project}"},"SK":{"S":"PROJECT"}},`
	for _, c := range []struct{ name, counters, pattern, want string }{
		{"one more, and no version", "questions: { count: Question, max: 9 }", "create: Question", key +
			`"UpdateExpression":"ADD #questions :questions","ConditionExpression":"attribute_exists(#PK) AND #questions <= :questions2",` +
			`"ExpressionAttributeNames":{"#questions":"questions","#PK":"PK"},` +
			`"ExpressionAttributeValues":{":questions":{"N":"1"},":questions2":{"N":"8"}}}`},
		{"a parameter", score, "create: Question", key +
			`"UpdateExpression":"ADD #points :points","ConditionExpression":"attribute_exists(#PK)",` +
			`"ExpressionAttributeNames":{"#points":"points","#PK":"PK"},` +
			`"ExpressionAttributeValues":{":points":{"N":"{points}"}}}`},
		{"an update that only adds leaves the version alone", all, "transact: [{ create: Question }, { update: Project, where: { project: $ }, add: { points: 2 } }]", key +
			`"UpdateExpression":"ADD #points :points, #questions :questions","ConditionExpression":"attribute_exists(#PK)",` +
			`"ExpressionAttributeNames":{"#points":"points","#questions":"questions","#PK":"PK"},` +
			`"ExpressionAttributeValues":{":points":{"N":"2"},":questions":{"N":"1"}}}`},
		{"an update without changes compares the version", all, "transact: [{ create: Question }, { update: Project, where: { project: $ } }]", key +
			`"UpdateExpression":"ADD #version :version, #questions :questions","ConditionExpression":"attribute_exists(#PK) AND #version = :version2",` +
			`"ExpressionAttributeNames":{"#version":"version","#questions":"questions","#PK":"PK"},` +
			`"ExpressionAttributeValues":{":version":{"N":"1"},":questions":{"N":"1"},":version2":{"N":"{version}"}}}`},
		{"an update of the caller's keeps the lock", all, "transact: [{ create: Question }, { update: Project, where: { project: $ }, set: { status: LIVE } }]", key +
			`"UpdateExpression":"SET #status = :status ADD #questions :questions, #version :one","ConditionExpression":"attribute_exists(#PK) AND #version = :version",` +
			`"ExpressionAttributeNames":{"#status":"status","#questions":"questions","#version":"version","#PK":"PK"},` +
			`"ExpressionAttributeValues":{":status":{"S":"LIVE"},":questions":{"N":"1"},":one":{"N":"1"},":version":{"N":"{version}"}}}`},
		{"the first write makes a shard", "questions: { count: Question, shards: 4 }", "create: Question",
			strings.Replace(key, `"PROJECT"`, `"PROJECT#questions#{questions_shard}"`, 1) + `"UpdateExpression":"ADD #questions :questions","ExpressionAttributeNames":{"#questions":"questions"},"ExpressionAttributeValues":{":questions":{"N":"1"}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := planOf(t, load(t, fmt.Sprintf(exam, c.counters, c.pattern)), "P")
			if diff := cmp.Diff(c.want, requestText(t, p, 1)); diff != "" {
				t.Errorf("request of %s (-want +got):\n%s", c.pattern, diff)
			}
		})
	}
}

// A delete that found nothing would lower a counter all the same.
func TestCountedDeletesFindTheItem(t *testing.T) {
	for counters, want := range map[string]bool{all: true, "questions: { count: Cover }": false} {
		p := planOf(t, load(t, fmt.Sprintf(exam, counters, "delete: Question, "+whole)), "P")
		if got := strings.Contains(requestText(t, p, 0), "attribute_exists(#PK)"); got != want {
			t.Errorf("with %s the delete must find the item: %v, want %v", counters, got, want)
		}
	}
}

// An optional counter may not be there yet, and then it is zero.
func TestOptionalCounterBeginsAtZero(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(exam, "questions: { count: Question, min: 0, max: 9 }", "%s"), "questions: int", "questions: int?", 1)
	for pattern, want := range map[string]string{
		"create: Question":           "attribute_exists(#PK) AND (attribute_not_exists(#questions) OR #questions <= :questions2)",
		"delete: Question, " + whole: "attribute_exists(#PK) AND #questions >= :questions2",
	} {
		p := planOf(t, load(t, fmt.Sprintf(text, pattern)), "P")
		if got := requestText(t, p, 1); !strings.Contains(got, `"ConditionExpression":"`+want+`"`) {
			t.Errorf("%s: %s, want the condition %s", pattern, got, want)
		}
	}
}

func TestAdditionOfAParameter(t *testing.T) {
	p := adding(t, fmt.Sprintf(ledger, "update: Job, where: { team: $, id: $ }, add: { tries: $amount }"), "amount")
	want := `{"TableName":"Ledger","Key":{"PK":{"S":"TEAM#{team}"},"SK":{"S":"JOB#{id}"}},"UpdateExpression":"ADD #tries :amount",` +
		`"ConditionExpression":"attribute_exists(#PK)","ExpressionAttributeNames":{"#tries":"tries","#PK":"PK"},"ExpressionAttributeValues":{":amount":{"N":"{amount}"}}}`
	if diff := cmp.Diff(want, requestText(t, p, 0)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSumOfAParameter(t *testing.T) {
	p := adding(t, fmt.Sprintf(exam, score, "update: Question, "+whole+", add: { points: $more }"), "more")
	want := onItem + "points {more}\n" + onItem + "points {more}" + byPoints
	if diff := cmp.Diff(want, counterWrites(p)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Items counted in the same pattern show in which direction a parameter goes; alone it may
// go both ways.
func TestBoundsOfAParameter(t *testing.T) {
	text := fmt.Sprintf(exam, "questions: { count: Question, min: 0, max: 9 }", "%s")
	p := adding(t, fmt.Sprintf(text, "update: Project, where: { project: $ }, add: { questions: 1 }"), "more")
	if diff := cmp.Diff(onItem+"questions {more}, if questions <= $questions_most, if questions >= $questions_least", counterWrites(p)); diff != "" {
		t.Errorf("alone (-want +got):\n%s", diff)
	}
	d := load(t, fmt.Sprintf(text, "transact: [{ create: Question }, { update: Project, where: { project: $ }, add: { questions: 1 } }]")).Design()
	d.Pattern("P").Steps[1].Add[0].Param = "more"
	if diff := cmp.Diff(onItem+"questions {more}, if questions <= $questions_most", counterWrites(planOf(t, New(d), "P"))); diff != "" {
		t.Errorf("with what is counted (-want +got):\n%s", diff)
	}
}

// adding returns the plan of P, which adds a parameter.
func adding(t *testing.T, text, param string) *Plan {
	t.Helper()
	d := load(t, text).Design()
	add := d.Pattern("P").Add[0]
	add.By, add.Param = exact.Zero, param
	return planOf(t, New(d), "P")
}

// requestText returns the request of one write of a plan.
func requestText(t *testing.T, p *Plan, write int) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(p.Writes[write].Request()); err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(strings.TrimSpace(b.String()))
}

// TestOneUpdateCountsWhatBelongsTogether shows the values that must be the same for one
// update to count several items, and the parameters of changes that only the caller knows.
func TestOneUpdateCountsWhatBelongsTogether(t *testing.T) {
	agreed := func(p *Plan) string {
		var all []string
		for _, w := range p.Writes {
			for _, a := range w.Agree {
				all = append(all, fmt.Sprintf("%s of %s is %s of %s", a.Theirs.Name, a.Of.Item.Entity.Name, a.Mine.Name, w.Item.Entity.Name))
			}
		}
		return strings.Join(all, ", ")
	}
	for _, c := range []struct{ name, counters, pattern, writes, agreed string }{
		{"two that are given whole", all, "transact: [{ create: Question }, { create: Question }]",
			onItem + "questions 2" + byAll, "project of Question is project of Project"},
		{"one comes and one goes", all, "transact: [{ create: Question }, { delete: Question, where: { project: $, question: $other } }]",
			"", "project of Question is project of Question"},
		{"one that is given whole", all, "create: Question", onItem + "questions 1" + byAll, ""},
		{"two projects", score, "transact: [{ delete: Question, " + whole + " }, { delete: Question, where: { project: $two, question: $other } }]",
			onItem + "points {points_change}" + byPoints + "\nUpdateItem PROJECT#{two}: points {points_change_2}" + byPoints, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := planOf(t, load(t, fmt.Sprintf(exam, c.counters, c.pattern)), "P")
			if diff := cmp.Diff(c.writes, counterWrites(p)); diff != "" {
				t.Errorf("writes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.agreed, agreed(p)); diff != "" {
				t.Errorf("agreements (-want +got):\n%s", diff)
			}
		})
	}
}
