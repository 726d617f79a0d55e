package migrate

import (
	"fmt"
	"testing"

	"sortkey.dev/access/marshal"
)

// TestRehearse carries a migration out on a copy, while programs change it, and measures it.
func TestRehearse(t *testing.T) {
	live, private := openTasks(t), openTasks(t)
	_ = taskEpochs(t, live) // the state row is not copied
	const items = 120
	for i := range items {
		put(t, live.API(), taskItem(fmt.Sprint(i), fmt.Sprint("Title ", i), []string{"", "Ann", "Bob"}[i%3], false))
	}
	bad := taskItem("bad", "Title", "Ann", false)
	bad["title"] = marshal.N(7)
	put(t, live.API(), bad)
	state := taskDesign.State.Key()
	n, err := Copy(t.Context(), live.API(), private.API(), "tasks", "tasks", state, Options{})
	if err != nil || n != items+1 {
		t.Fatalf("%d items were copied: %v", n, err)
	}
	e := &Epochs{API: private.API(), Design: taskDesign, Control: "control"}
	m := taskMigration()
	r, err := Rehearse(t.Context(), e, m, Options{WriteRate: 1}, 2) // at no rate: it is a store of its own
	if err != nil {
		t.Fatal(err)
	}
	if r.Traffic.Writes == 0 || r.Traffic.Failed > 0 || r.Traffic.Wrong > 0 {
		t.Errorf("traffic %+v", r.Traffic)
	}
	if len(r.Conflicts) != 1 || textOf(r.Conflicts[0].Key["PK"]) != "TASK#bad" {
		t.Errorf("conflicts %v", r.Conflicts)
	}
	steps := map[string]Measured{}
	for _, s := range r.Steps {
		steps[s.Step] = s
	}
	if fill := steps[stepFill]; fill.Items == 0 || fill.Changed == 0 || fill.Writes < float64(fill.Changed) || fill.Reads == 0 || fill.Conflicts != 1 || fill.Took <= 0 {
		t.Errorf("fill %+v", fill)
	}
	if verify := steps[stepVerify]; verify.Items == 0 || verify.Changed != 0 || verify.Writes != 0 || verify.Reads == 0 {
		t.Errorf("verify %+v", verify)
	}
	if clean := steps[stepClean]; clean.Changed == 0 {
		t.Errorf("clean %+v", clean)
	}
	if now, err := e.Read(t.Context()); err != nil || now.Version != 2 {
		t.Errorf("the copy has %+v, %v", now, err)
	}
	if found := all(t, live.API()); len(found) != items+2 || found["TASK#1"]["GSI1SK"] != nil {
		t.Errorf("%d items, %v", len(found), found["TASK#1"])
	}
}
