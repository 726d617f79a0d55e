package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
)

func load(t testing.TB, name, text string) *model.Design {
	t.Helper()
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: name, Text: []byte(text)}}, &report)
	if d == nil || report.Failed() {
		t.Fatalf("%s: %v", name, report.Findings())
	}
	return d
}

const tasks = `design: Tasks
entities:
  Task:
    id: task_id
    attributes: { task_id: ulid, title: string, state: "enum(OPEN, DONE)" }
  Note:
    id: note_id
    attributes: { note_id: ulid, text: string }
tables:
  tasks:
    pk: PK
    indexes: { GSI1: { pk: GSI1PK } }
    items:
      Task: { PK: "TASK#{task_id}", GSI1PK: "{state}" }
      Note: { PK: "NOTE#{note_id}" }
patterns:
  GetTask: { get: Task, where: { task_id: $ }, rate: 1/s }
`

// described lists the pairs of a matching as old > new.
func described(m *Matching) string {
	var all []string
	pair := func(kind, was, is string) {
		if was != is {
			all = append(all, fmt.Sprintf("%s %s>%s", kind, was, is))
		}
	}
	name := func(a *model.Attribute) string {
		if a == nil {
			return ""
		}
		return a.Name
	}
	for _, e := range m.Entities {
		was, is := "", ""
		if e.Old != nil {
			was = e.Old.Name
		}
		if e.New != nil {
			is = e.New.Name
		}
		pair("entity", was, is)
		for _, a := range e.Attributes {
			if e.Old != nil && e.New != nil {
				pair(is, name(a.Old), name(a.New))
			}
			for _, v := range a.Values {
				pair(is+"."+a.New.Name, v.Old, v.New)
			}
		}
	}
	for _, t := range m.Tables {
		if t.Old != nil && t.New != nil {
			pair("table", t.Old.Name, t.New.Name)
			for _, x := range t.Indexes {
				if x.Old != nil && x.New != nil {
					pair("index", x.Old.Name, x.New.Name)
				} else {
					all = append(all, "index alone")
				}
			}
		} else {
			all = append(all, "table alone")
		}
	}
	for _, l := range m.Lost {
		all = append(all, "lost "+l.Kind+" "+l.Name+" was "+l.Was)
	}
	return strings.Join(all, ", ")
}

// TestThingsAreTheSameByNameOrByWas: nothing is guessed.
func TestThingsAreTheSameByNameOrByWas(t *testing.T) {
	for name, c := range map[string]struct {
		replace []string
		want    string
	}{
		"nothing":                  {nil, ""},
		"entity without was":       {[]string{"Task", "Job"}, "entity >Job, entity Task>"},
		"entity":                   {[]string{"Task", "Job", "    id: task_id", "    id: task_id\n    was: Task"}, "entity Task>Job"},
		"attribute without was":    {[]string{"title: string", "name: string"}, "Task >name, Task title>"},
		"attribute":                {[]string{"title: string", "name: { type: string, was: title }"}, "Task title>name"},
		"swap":                     {[]string{"title: string", "title: { type: string, was: label }, label: { type: string, was: title }"}, "Task >title, Task title>label"},
		"value":                    {[]string{`state: "enum(OPEN, DONE)"`, `state: { type: "enum(NEW, DONE)", was: { NEW: OPEN } }`}, "Task.state OPEN>NEW"},
		"table":                    {[]string{"  tasks:\n", "  jobs:\n    was: tasks\n"}, "table tasks>jobs"},
		"table without was":        {[]string{"  tasks:\n", "  jobs:\n"}, "table alone, table alone"},
		"index":                    {[]string{"{ GSI1: { pk: GSI1PK } }", "{ by_state: { pk: GSI1PK, was: GSI1 } }"}, "index GSI1>by_state"},
		"misspelled was":           {[]string{"title: string", "name: { type: string, was: titel }"}, "Task >name, Task title>, lost attribute of Task Task.name was titel"},
		"was of another attribute": {[]string{"text: string", "text: { type: string, was: title }"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := tasks
			if c.replace != nil {
				text = strings.NewReplacer(c.replace...).Replace(tasks)
			}
			got := described(Match(load(t, "old.design.yaml", tasks), load(t, "new.design.yaml", text)))
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestWasStaysInTheFile compares the version that renamed something with the one after it.
func TestWasStaysInTheFile(t *testing.T) {
	renamed := strings.ReplaceAll(tasks, "title: string", "name: { type: string, was: title }")
	if got := described(Match(load(t, "old.design.yaml", renamed), load(t, "new.design.yaml", renamed))); got != "" {
		t.Errorf("the same version twice: %s", got)
	}
	again := strings.ReplaceAll(renamed, "name: {", "title: string, name: {")
	if got := described(Match(load(t, "old.design.yaml", renamed), load(t, "new.design.yaml", again))); got != "Task >title" {
		t.Errorf("the old name is used again: %s", got)
	}
	if got := described(Match(load(t, "old.design.yaml", again), load(t, "new.design.yaml", again))); got != "" {
		t.Errorf("both names in both versions: %s", got)
	}
}

// TestUsedDesignsMatch compares a system with one that calls the design it uses otherwise.
func TestUsedDesignsMatch(t *testing.T) {
	own := func(use, rename string) *model.Design {
		d := load(t, "own.design.yaml", tasks)
		used := load(t, "used.design.yaml", strings.NewReplacer("design: Tasks", "design: Platform", "Task", rename, "tasks:", "platform:").Replace(tasks))
		u := &model.Use{Name: use, Design: used, Prefix: "app-"}
		if rename != "Task" {
			used.Entity(rename).Was = "Task"
		}
		u.Qualify()
		d.Uses = []*model.Use{u}
		return d
	}
	if got := described(Match(own("platform", "Task"), own("base", "Job"))); !slices.Contains(strings.Split(got, ", "), "entity platform.Task>base.Job") || strings.Contains(got, "alone") {
		t.Errorf("got %s", got)
	}
}
