package migrate

import (
	"slices"

	"sortkey.dev/access/migrate"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/iamgen"
	"sortkey.dev/design/internal/model"
)

// rowChanges lists the changes for which whole items or rows are written: copies, and rows of unique rules and counters.
var rowChanges = []diag.Code{"E021", "E029", "E042", "E043", "E044", "E061", "E062", "E063"}

// Access returns what the runner of the plan does with each table.
func (p *Plan) Access() []iamgen.Access {
	var all []iamgen.Access
	rows := p.tablesOfRows()
	for _, t := range p.Matching.Together().Tables {
		a := iamgen.Access{Table: t.Name, Rows: slices.Contains(rows, t.Name), Backup: slices.Contains(p.Lost(), t.Name)}
		for _, s := range p.Steps {
			if s.Table == t.Name {
				a.Made = a.Made || s.Step == "expand" && s.Index == ""
				a.Updated = a.Updated || s.Index != ""
			}
		}
		a.Items = slices.ContainsFunc(p.Tables, func(own migrate.Table) bool { return own.Name == t.Name })
		a.Stream = a.Items
		a.Updated = a.Updated || a.Stream && t.Stream == "" // the run switches it on
		all = append(all, a)
	}
	return all
}

// tablesOfRows returns the tables in which whole items or rows are written.
func (p *Plan) tablesOfRows() []string {
	var all []string
	for i := range p.Parts {
		if p.Parts[i].To != "" {
			all = append(all, p.Parts[i].Table, p.Parts[i].To)
		}
	}
	for _, c := range p.Changes {
		if c.Entity == nil || !slices.Contains(rowChanges, c.Code) {
			continue
		}
		for _, m := range []struct {
			tables []*model.Table
			entity *model.Entity
		}{{p.Matching.Old.Tables, c.Entity.Old}, {p.Matching.New.Tables, c.Entity.New}} {
			for _, t := range m.tables {
				if t.Item(m.entity) != nil || slices.ContainsFunc(t.Guards, func(g *model.Guard) bool { return g.Entity == m.entity }) {
					all = append(all, t.Name)
				}
			}
		}
	}
	return all
}

// Lost returns the tables of which the plan removes what cannot be had back: the table, or attributes of its items.
func (p *Plan) Lost() []string {
	var all []string
	for _, s := range p.Steps {
		removed := slices.IndexFunc(p.Parts, func(part migrate.Part) bool { return part.Name == s.Part })
		if s.Step == "contract" && s.Index == "" || s.Step == "clean" && loses(&p.Parts[removed]) {
			all = append(all, s.Table)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
