package docgen

import (
	"fmt"
	"strings"

	"sortkey.dev/internal/lazyregexp"
)

// Markdown returns the report for a pull request: the same content, compact, with diagrams
// that code hosts render.
func Markdown(in Input) ([]byte, error) {
	p := view(in)
	n := &notes{}
	n.header(p)
	n.overview(p)
	n.cost(in, p)
	n.heat(p)
	n.findings(p)
	n.patterns(p)
	n.mermaid("How the patterns are served", flowchart(in))
	n.collections(p)
	n.entities(in, p)
	n.others(p)
	n.details(in, p)
	return []byte(blankLines.ReplaceAllString(n.String(), "\n\n")), nil
}

var blankLines = lazyregexp.New(`\n{3,}`)

// notes builds a Markdown text.
type notes struct{ strings.Builder }

func (n *notes) line(format string, args ...any) {
	fmt.Fprintf(n, format, args...)
	n.WriteByte('\n')
}

func (n *notes) heading(level int, title string) {
	n.line("\n%s %s\n", strings.Repeat("#", level), plain(title))
}

// table writes a table whose cells are Markdown.
func (n *notes) table(heads []head, rows [][]string) {
	names, rules := make([]string, len(heads)), make([]string, len(heads))
	for i, h := range heads {
		names[i], rules[i] = plain(h.Name), "---"
		if h.Num {
			rules[i] = "---:"
		}
	}
	n.line("| %s |", strings.Join(names, " | "))
	n.line("| %s |", strings.Join(rules, " | "))
	for _, row := range rows {
		n.line("| %s |", strings.Join(row, " | "))
	}
	n.line("")
}

// grid writes a table of plain texts.
func (n *notes) grid(g grid) {
	rows := make([][]string, len(g.Rows))
	for i, row := range g.Rows {
		for _, cell := range row {
			rows[i] = append(rows[i], plain(cell))
		}
	}
	n.table(g.Heads, rows)
}

func (n *notes) fold(title string, write func()) {
	n.line("<details>\n<summary>%s</summary>\n", plain(title))
	write()
	n.line("</details>\n")
}

func (n *notes) mermaid(title, diagram string) {
	if diagram == "" {
		return
	}
	n.fold(title, func() { n.line("```mermaid\n%s```\n", diagram) })
}

// plain escapes a text for Markdown: no markup, no mentions, no table borders.
func plain(s string) string { return escapes.Replace(strings.Join(strings.Fields(s), " ")) }

var escapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "#", `\#`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;", "$", "&#36;",
)

// code formats a text as code, also inside a table.
func code(s string) string {
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
	switch {
	case s == "":
		return ""
	case strings.Contains(s, "`"):
		return "``` " + strings.ReplaceAll(s, "```", "` ` `") + " ```"
	}
	return "`" + s + "`"
}

func (n *notes) header(p *page) {
	n.line("# %s: design report\n", plain(p.Name))
	if p.Doc != "" {
		n.line("%s\n", plain(p.Doc))
	}
	n.line("**%s**\n", plain(p.Verdict.Words))
	var heads []head
	var row []string
	for _, t := range p.Verdict.Tiles {
		heads, row = append(heads, num(t.Name)), append(row, plain(t.Value))
	}
	n.table(heads, [][]string{row})
	for _, f := range p.Facts {
		n.line("- %s: %s", plain(f.Name), plain(f.Value))
	}
}

func (n *notes) patterns(p *page) {
	n.heading(2, "Access patterns")
	heads := []head{text("Pattern"), text("Asks for"), text("Served by"), text("Key condition"), text("Order"), num("Reads"), num("Units"), num("Calls a month"), num("Money a month")}
	for _, group := range []struct {
		title string
		rows  []patternRow
	}{{"Reads", p.Patterns.Reads}, {"Writes", p.Patterns.Writes}} {
		if len(group.rows) == 0 {
			continue
		}
		n.heading(3, group.title)
		var rows [][]string
		for _, r := range group.rows {
			rows = append(rows, patternCells(r))
		}
		n.table(heads, rows)
	}
}

// mostRoutesInNotes is the maximum number of actions of a transaction in a row of Markdown.
const mostRoutesInNotes = 3

func patternCells(r patternRow) []string {
	state := "✓ "
	var routes, keys []string
	if !r.Served {
		state = "✕ **not served** "
	}
	for i, route := range r.Routes {
		if i == mostRoutesInNotes && len(r.Routes) > mostRoutesInNotes {
			r.More += len(r.Routes) - i
			break
		}
		routes = append(routes, plain(route.Path+", "+route.Operation))
		keys = append(keys, code(strings.Join(route.Conditions, ", ")))
	}
	if r.More > 0 {
		routes = append(routes, fmt.Sprintf("and %d more", r.More))
	}
	for _, problem := range r.Problems {
		keys = append(keys, plain(problem.Mark+" "+problem.Code+" "+problem.Message))
	}
	asks := plain(r.Verb + " " + r.Entities)
	if r.Where != "" {
		asks += "<br>" + code(r.Where)
	}
	reads := r.Reads
	if r.Rounds != "" {
		reads += ", " + r.Rounds
	}
	return []string{state + plain(r.Name), asks, strings.Join(routes, "<br>"), strings.Join(keys, "<br>"), plain(r.Order),
		plain(reads), plain(r.Units), plain(r.Calls), plain(r.Money)}
}

func (n *notes) entities(in Input, p *page) {
	n.heading(2, "Entity chart")
	n.mermaid("Entities and what they refer to", relations(in.Layout))
	for _, c := range p.Chart {
		n.heading(3, c.Name)
		heads := []head{text("Entity")}
		i := 0
		for _, g := range c.Groups {
			for range g.Width {
				name := c.Columns[i]
				if g.Name != "Table" {
					name = g.Name + ": " + name
				}
				heads = append(heads, text(name))
				i++
			}
		}
		var rows [][]string
		for _, r := range c.Rows {
			row := []string{plain(r.Entity.Name)}
			for _, cell := range r.Cells {
				row = append(row, keyText(cell))
			}
			rows = append(rows, row)
		}
		n.table(heads, rows)
	}
}

func keyText(cell keyCell) string {
	var b strings.Builder
	for _, p := range cell.Pieces {
		b.WriteString(p.Text)
	}
	s := code(b.String())
	if s == "" {
		return "–"
	}
	if cell.When != "" {
		s += "<br>when " + code(cell.When)
	}
	return s
}

func (n *notes) collections(p *page) {
	n.heading(2, "Item collections")
	for _, t := range p.Collections {
		for _, path := range t.Paths {
			n.fold(t.Name+": "+strings.ToLower(path.Title[:1])+path.Title[1:], func() { n.path(path) })
		}
	}
}

func (n *notes) path(path pathView) {
	if len(path.Collections) == 0 {
		n.line("No sample item has a key here.\n")
		return
	}
	heads := []head{text(path.Partition)}
	if path.Sort != "" {
		heads = append(heads, text(path.Sort))
	}
	var rows [][]string
	for _, c := range path.Collections {
		for i, r := range c.Rows {
			row := []string{""}
			if i == 0 {
				row[0] = code(c.Partition)
			}
			if path.Sort != "" {
				row = append(row, code(r.Sort))
			}
			rows = append(rows, append(row, plain(r.Entity.Name)))
		}
	}
	n.table(append(heads, text("Entity")), rows)
}

func (n *notes) findings(p *page) {
	n.heading(2, "Findings")
	if len(p.Findings.Groups) == 0 {
		n.line("✓ Nothing found.\n")
	}
	for _, g := range p.Findings.Groups {
		n.heading(3, fmt.Sprintf("%s %s (%d)", g.Mark, g.Title, len(g.Findings)))
		for _, f := range g.Findings {
			n.finding(f)
		}
	}
	if len(p.Findings.Taken) > 0 {
		n.fold(fmt.Sprintf("Accepted, with reasons (%d)", len(p.Findings.Taken)), func() {
			for _, f := range p.Findings.Taken {
				n.finding(&f)
			}
		})
	}
}

func (n *notes) finding(f *finding) {
	place := ""
	if f.Place != "" {
		place = " " + code(f.Place)
	}
	n.line("- **%s** %s%s  ", f.Code, plain(f.Message), place)
	if f.Accepted != "" {
		n.line("  Accepted because %s", plain(f.Accepted))
		return
	}
	n.line("  %s *%s*", plain(f.Why), plain(f.Fix))
}
