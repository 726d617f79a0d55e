package cost

import (
	"testing"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A job queue with an index on its status: new jobs and claimed jobs load the initial state.
func TestHeatOfStates(t *testing.T) {
	w := newWorld()
	table := w.table("jobs", "GSI1")
	e := w.entity("Job", table, 1000)
	status := enum("status", "queued", "running", "done")
	e.Attributes = append(e.Attributes, status)
	counts(e, "1000000")
	w.put(e, table, computed("PK", hole(e.Attribute("id"))), computed("GSI1PK", hole(status)))
	created, _ := w.write(model.Create, e, "1", resolve.Written)
	created.Peak = perSecond("300")
	claimed, claim := w.write(model.Update, e, "1", resolve.Moved)
	claimed.Peak = perSecond("200")
	claim.Step.Set = []*model.Assignment{{Attribute: status, Value: &model.Operand{Constant: "running"}}}
	claim.Step.If = []*model.Condition{{Attribute: status, Op: model.Eq, Values: []model.Operand{{Constant: "queued"}}}}
	heat := w.price(Options{}).Tables[0].Paths[1].Heat
	equal(t, "creates, and the half of a move that takes a job out", heat.WCU, "500")
	equal(t, "values", heat.Values, "3")
	if heat.Value != "queued" {
		t.Errorf("the hottest value is %q", heat.Value)
	}
	claim.Step.If = nil
	equal(t, "a claim that may come from either other state", w.price(Options{}).Tables[0].Paths[1].Heat.WCU, "400")
	created.Hot = ptr("0.5")
	equal(t, "a stated share is kept", w.price(Options{}).Tables[0].Paths[1].Heat.WCU, "250")
}

// Repeated items of one transaction load one partition only if they are in it.
func TestHeatOfRepeatedItems(t *testing.T) {
	for _, c := range []struct {
		name  string
		other string // argument of another step of the transaction
		hot   string
		want  string
	}{
		{"all of one group", "group", "0.1", "2000"},
		{"of groups of unknown steps", "id", "0.1", "40"},
		{"of groups of unknown steps, without hot", "id", "", "200"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			e := w.entity("Member", w.table("chat"), 1000)
			p, action := w.write(model.Transact, e, "1", resolve.Untouched)
			action.Step.Verb, action.Step.Each, action.Step.Entity = model.Update, 50, e
			p.Peak = perSecond("200")
			if c.hot != "" {
				p.Hot = ptr(c.hot)
			}
			other := &model.Step{Verb: model.Update, Each: 1, Action: model.Action{Entity: e}}
			other.Where = []*model.Condition{{Attribute: e.Attribute(c.other), Op: model.Eq, Values: []model.Operand{{Param: c.other}}}}
			p.Steps = []*model.Step{action.Step, other}
			equal(t, "WCU", w.price(Options{}).Tables[0].Paths[0].Heat.WCU, c.want)
		})
	}
}
