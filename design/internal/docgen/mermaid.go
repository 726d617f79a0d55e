package docgen

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// quoted returns a text in double quotes, escaped for Mermaid.
func quoted(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return `"` + strings.NewReplacer(`"`, "#quot;", "<", "#lt;", ">", "#gt;", "`", "'", `\`, "/", "%", "#37;").Replace(s) + `"`
}

// mostNodes is the maximum number of patterns in a flowchart; with more, it shows entities.
const mostNodes = 40

// flowchart draws which path serves which pattern.
func flowchart(in Input) string {
	plans := in.Layout.Plans()
	if len(plans) == 0 {
		return ""
	}
	f := flow{paths: map[string]string{}}
	if len(plans) <= mostNodes {
		for i, plan := range plans {
			f.pattern(i, plan)
		}
	} else {
		f.entities(in.Layout)
	}
	return "flowchart LR\n" + f.String()
}

// flow builds a flowchart, with the node of every path so far.
type flow struct {
	strings.Builder
	paths map[string]string
}

func (f *flow) path(name string) string {
	node, ok := f.paths[name]
	if !ok {
		node = fmt.Sprintf("t%d", len(f.paths))
		f.paths[name] = node
		fmt.Fprintf(f, "  %s[(%s)]\n", node, quoted(name))
	}
	return node
}

func (f *flow) pattern(i int, plan *resolve.Plan) {
	node := fmt.Sprintf("p%d", i)
	if !plan.Served() {
		fmt.Fprintf(f, "  %s[%s]\n", node, quoted("✕ "+plan.Pattern.Name))
		return
	}
	fmt.Fprintf(f, "  %s(%s)\n", node, quoted(plan.Pattern.Name))
	var met []string
	for _, r := range plan.Reads() {
		if name := r.Entry.Path.String(); !slices.Contains(met, name) {
			met = append(met, name)
			fmt.Fprintf(f, "  %s --> %s\n", node, f.path(name))
		}
	}
	for _, w := range plan.Writes {
		if name := w.Item.Table.Name; !slices.Contains(met, name) {
			met = append(met, name)
			fmt.Fprintf(f, "  %s ==> %s\n", node, f.path(name))
		}
	}
}

// entities draws the number of patterns that read each entity through each path.
func (f *flow) entities(l *resolve.Layout) {
	for i, e := range l.Design().Entities {
		fmt.Fprintf(f, "  e%d(%s)\n", i, quoted(e.Name))
		for _, entry := range l.Entries(e) {
			readers := len(l.Readers(entry))
			if readers > 0 {
				fmt.Fprintf(f, "  e%d -->|%s| %s\n", i, quoted(fmt.Sprintf("%d %s", readers, plural(readers, "read"))), f.path(entry.Path.String()))
			}
		}
	}
}

// relations draws entities and their references by shared attributes.
func relations(l *resolve.Layout) string {
	entities := l.Design().Entities
	if len(entities) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("erDiagram\n")
	refs := sample.References(l)
	for _, e := range entities {
		fmt.Fprintf(&b, "  %s {\n", quoted(e.Name))
		for _, a := range e.Attributes {
			own := slices.Contains(e.ID, a)
			other := slices.ContainsFunc(refs, func(r sample.Reference) bool { return r.Child == e && r.By == a })
			switch {
			case own && other:
				fmt.Fprintf(&b, "    %s %s PK, FK\n", a.Type.Base, a.Name)
			case own:
				fmt.Fprintf(&b, "    %s %s PK\n", a.Type.Base, a.Name)
			case other:
				fmt.Fprintf(&b, "    %s %s FK\n", a.Type.Base, a.Name)
			}
		}
		b.WriteString("  }\n")
	}
	for _, r := range refs {
		fmt.Fprintf(&b, "  %s ||--%s %s : %s\n", quoted(r.Parent.Name), many(r), quoted(r.Child.Name), quoted(r.By.Name))
	}
	return b.String()
}

// many returns the cardinality of a relation: one if the reference is the child's whole id.
func many(r sample.Reference) string {
	if len(r.Child.ID) == 1 && r.Child.ID[0] == r.By {
		return "o|"
	}
	return "o{"
}

// lifecycleDiagram draws the states of an enum.
func lifecycleDiagram(l lifecycle) string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	nodes := map[string]string{}
	for i, s := range l.States {
		nodes[s.Name] = fmt.Sprintf("s%d", i)
		fmt.Fprintf(&b, "  state %s as s%d\n", quoted(s.Name), i)
	}
	for _, s := range l.States {
		if s.Start {
			fmt.Fprintf(&b, "  [*] --> %s\n", nodes[s.Name])
		}
		for _, next := range s.Next {
			fmt.Fprintf(&b, "  %s --> %s\n", nodes[s.Name], nodes[next])
		}
		if s.End {
			fmt.Fprintf(&b, "  %s --> [*]\n", nodes[s.Name])
		}
	}
	return b.String()
}

const mostSlices = 8

// moneyPie draws the most expensive patterns, or nothing if none has a cost.
func moneyPie(e *cost.Estimate) string {
	ranked := slices.Clone(e.Patterns)
	slices.SortStableFunc(ranked, func(a, b *cost.PatternCost) int { return b.OnDemand.Cmp(a.OnDemand) })
	var b strings.Builder
	rest := exact.Zero
	for i, p := range ranked {
		switch {
		case i >= mostSlices:
			rest = rest.Add(p.OnDemand)
		case worthDrawing(p.OnDemand):
			fmt.Fprintf(&b, "  %s : %s\n", quoted(p.Pattern.Name), p.OnDemand.Fixed(4))
		}
	}
	if worthDrawing(rest) {
		fmt.Fprintf(&b, "  \"the others\" : %s\n", rest.Fixed(4))
	}
	if b.Len() == 0 {
		return ""
	}
	return "pie showData\n  title Dollars a month by pattern, on demand\n" + b.String()
}

func waysChart(e *cost.Estimate) string {
	var names, amounts []string
	drawn := false
	for _, w := range ways(e) {
		names = append(names, quoted(w.Name))
		amounts = append(amounts, w.Bill.Total.Fixed(2))
		drawn = drawn || !w.Bill.Total.Round(2).IsZero()
	}
	if !drawn {
		return ""
	}
	return "xychart-beta horizontal\n  title \"Ways to pay, dollars a month\"\n  x-axis [" + strings.Join(names, ", ") + "]\n  bar [" + strings.Join(amounts, ", ") + "]\n"
}
