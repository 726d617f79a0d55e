package docgen

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func library(t testing.TB) Input {
	t.Helper()
	text, err := os.ReadFile("testdata/library.design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return load(t, "library.design.yaml", text)
}

func pageOf(t testing.TB, in Input) string {
	t.Helper()
	page, err := HTML(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func notesOf(t testing.TB, in Input) string {
	t.Helper()
	text, err := Markdown(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// UPDATE=1 rewrites the golden files.
func TestReportOfASmallDesign(t *testing.T) {
	in := library(t)
	for name, got := range map[string]string{"library.html": pageOf(t, in), "library.md": notesOf(t, in)} {
		path := filepath.Join("testdata", name)
		if os.Getenv("UPDATE") == "1" {
			show(t, path, []byte(got))
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s has changed; if it should, run with UPDATE=1 (-want +got):\n%s", name, diff)
		}
	}
}

func TestReportsAreDeterministic(t *testing.T) {
	for name, in := range examples(t) {
		if first, second := pageOf(t, in), pageOf(t, in); first != second {
			t.Errorf("%s: two pages of one design differ", name)
		}
		if first, second := notesOf(t, in), notesOf(t, in); first != second {
			t.Errorf("%s: two notes of one design differ", name)
		}
	}
}

func TestReportNamesAllElements(t *testing.T) {
	for name, in := range examples(t) {
		page, notes := pageOf(t, in), notesOf(t, in)
		names := []string{in.Layout.Design().Name}
		for _, p := range in.Layout.Design().Patterns {
			names = append(names, p.Name)
			if !strings.Contains(page, `id="p-`+p.Name+`"`) {
				t.Errorf("%s: no row is the pattern %s", name, p.Name)
			}
		}
		for _, e := range in.Layout.Design().Entities {
			names = append(names, e.Name)
			if !strings.Contains(page, `id="e-`+e.Name+`"`) {
				t.Errorf("%s: no card is the entity %s", name, e.Name)
			}
		}
		for _, table := range in.Layout.Design().Tables {
			names = append(names, table.Name)
			for _, x := range table.Indexes {
				names = append(names, x.Name)
				if !strings.Contains(page, `id="x-`+table.Name+"."+x.Name+`"`) {
					t.Errorf("%s: nothing is seen through the index %s", name, x.Name)
				}
			}
		}
		for _, n := range names {
			if !strings.Contains(strings.ReplaceAll(page, "<wbr>", ""), n) || !strings.Contains(strings.ReplaceAll(notes, `\_`, "_"), n) {
				t.Errorf("%s: %s does not occur in both reports", name, n)
			}
		}
	}
}

var attribute = regexp.MustCompile(`\s(?:src|href|action|data|srcset|poster|xlink:href|cite|formaction)="([^"]*)"`)

func TestPageIsSelfContained(t *testing.T) {
	for name, in := range examples(t) {
		page := pageOf(t, in)
		ids := map[string]bool{}
		for _, m := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] {
				t.Errorf("%s: two elements are called %s", name, m[1])
			}
			ids[m[1]] = true
		}
		for _, m := range attribute.FindAllStringSubmatch(page, -1) {
			if !strings.HasPrefix(m[1], "#") || !ids[m[1][1:]] {
				t.Errorf("%s: a link leads to %q, which is not on the page", name, m[1])
			}
		}
		for _, word := range []string{"@import", "url(", "<link", "<img", "<iframe", "fetch(", "XMLHttpRequest", " style=\"", " onclick="} {
			if strings.Contains(page, word) {
				t.Errorf("%s: the page holds %s", name, word)
			}
		}
		if !strings.Contains(page, "default-src &#39;none&#39;") {
			t.Errorf("%s: the policy does not forbid the network", name)
		}
	}
}

// void lists the HTML elements without an end tag.
var void = []string{"meta", "input", "br", "wbr", "hr", "img", "link"}

func TestPageIsWellFormed(t *testing.T) {
	for name, in := range examples(t) {
		wellFormed(t, name, pageOf(t, in))
	}
}

// wellFormed parses the page strictly as XML, apart from void elements.
func wellFormed(t *testing.T, name, page string) {
	t.Helper()
	page = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`).ReplaceAllString(page, "")
	page = regexp.MustCompile(`<(`+strings.Join(void, "|")+`)((?:\s[^<>]*)?)>`).ReplaceAllString(page, "<$1$2/>")
	page = regexp.MustCompile(`\s(open|checked)([\s/>])`).ReplaceAllString(page, ` $1=""$2`)
	page = strings.TrimPrefix(page, "<!doctype html>")
	reader := xml.NewDecoder(strings.NewReader(page))
	reader.Entity = xml.HTMLEntity
	level := 0
	for {
		token, err := reader.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if tag := start.Name.Local; len(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6' {
			next := int(tag[1] - '0')
			if next > level+1 {
				t.Errorf("%s: a heading of level %d follows one of level %d", name, next, level)
			}
			level = next
		}
	}
}

func TestChartsHaveTitlesAndDescriptions(t *testing.T) {
	pictures := regexp.MustCompile(`(?s)<svg.*?</svg>`)
	for name, in := range examples(t) {
		all := pictures.FindAllString(pageOf(t, in), -1)
		if len(all) < 6 {
			t.Errorf("%s: the page has %d pictures", name, len(all))
		}
		for _, svg := range all {
			if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
				t.Errorf("%s: a picture is broken: %v", name, err)
			}
			decoration := strings.HasPrefix(svg, `<svg width="100%" height="6" aria-hidden="true">`) // the words are beside it
			if !decoration && (!strings.Contains(svg, "<title ") || !strings.Contains(svg, "<desc ")) {
				t.Errorf("%s: a picture has no title or no description: %.200s", name, svg)
			}
			for _, m := range regexp.MustCompile(`(?:x|width|x1|x2|cx)="(-?[0-9.]+)%"`).FindAllStringSubmatch(svg, -1) {
				if strings.HasPrefix(m[1], "-") || len(m[1]) > len("100.00") {
					t.Errorf("%s: a picture draws at %s %%", name, m[1])
				}
			}
		}
	}
}

func TestTablesHaveCaptionsAndHeads(t *testing.T) {
	tables := regexp.MustCompile(`(?s)<table.*?</table>`)
	for name, in := range examples(t) {
		for _, table := range tables.FindAllString(pageOf(t, in), -1) {
			if !strings.Contains(table, `scope="col"`) || !strings.Contains(table, `<caption>`) && !strings.Contains(table, `class="plain"`) {
				t.Errorf("%s: a table has no heads or no caption: %.200s", name, table)
			}
		}
	}
}

func TestPolicyAllowsStyleAndScript(t *testing.T) {
	page := pageOf(t, library(t))
	for _, tag := range []string{"style", "script"} {
		_, rest, _ := strings.Cut(page, "<"+tag+">")
		inner, _, _ := strings.Cut(rest, "</"+tag+">")
		hash := strings.NewReplacer("'", "&#39;", "+", "&#43;").Replace(fingerprint([]byte(inner)))
		if !strings.Contains(page, hash) {
			t.Errorf("the policy does not name the %s that is on the page", tag)
		}
	}
}

func TestEmptySectionsHaveText(t *testing.T) {
	in := load(t, "tiny.yaml", []byte(`
design: Tiny
entities:
  A: { id: a_id, attributes: { a_id: string }, size: 100B, count: 1 }
tables:
  one: { pk: a_id, items: [A] }
patterns:
  GetA: { get: A, where: { a_id: $ }, rate: 0/day }
`))
	in.Findings = nil
	page := pageOf(t, in)
	for _, want := range []string{"Nothing found.", "names no alternatives", "The design has no writes."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	wellFormed(t, "tiny", page)
	if notes := notesOf(t, in); !strings.Contains(notes, "Nothing found.") {
		t.Error("the Markdown does not say that nothing was found")
	}
}

func TestTextsAreEscaped(t *testing.T) {
	long := strings.Repeat("VeryLongName", 20)
	attack := `</td></script><script>alert(1)</script><img src=x onerror=alert(2)> | @everyone $x$ [a](javascript:alert(3))`
	in := load(t, "hostile.yaml", []byte(strings.NewReplacer("ATTACK", attack, "LONG", long).Replace(`
design: Hostile
doc: 'ATTACK'
entities:
  LONG:
    id: an_id
    doc: 'ATTACK'
    attributes:
      an_id: { type: string, doc: 'ATTACK' }
      LONG: string
    size: 100B
    count: 10
tables:
  one:
    pk: PK
    doc: 'ATTACK'
    tags: { "</table>": 'ATTACK' }
    indexes:
      LONG: { pk: LONG, doc: 'ATTACK' }
    items:
      LONG: { PK: "<b>|{an_id}" }
patterns:
  LONG: { doc: 'ATTACK', get: LONG, where: { an_id: $ }, rate: 1/day }
  Bad: { list: LONG, where: { LONG: $ }, filter: { an_id: 'a|b' }, rate: 1/day }
alternatives:
  other: { doc: 'ATTACK', tables: { two: { pk: an_id, items: [LONG] } } }
roles:
  r: { doc: 'ATTACK', patterns: [Bad] }
`)))
	page, notes := pageOf(t, in), notesOf(t, in)
	if dir := os.Getenv("SHOW"); dir != "" {
		show(t, filepath.Join(dir, "hostile.html"), []byte(page))
		show(t, filepath.Join(dir, "hostile.md"), []byte(notes))
	}
	if strings.Count(page, "<script>") != 1 || strings.Contains(page, "<img") || strings.Contains(page, "<b>|") {
		t.Error("a text of the design became markup")
	}
	wellFormed(t, "hostile", page)
	for _, word := range []string{"<script", "<img", "@everyone", "[a]("} {
		if strings.Contains(outsideCode(notes), word) {
			t.Errorf("%s of the design became Markdown", word)
		}
	}
	tablesAreWhole(t, "hostile", notes)
}

// outsideCode returns Markdown without its code.
func outsideCode(s string) string {
	s = regexp.MustCompile("(?s)```mermaid.*?```\n").ReplaceAllString(s, "")
	return regexp.MustCompile("```.*?```|`[^`\n]*`").ReplaceAllString(s, "")
}

func TestMarkdownTablesAreRectangular(t *testing.T) {
	for name, in := range examples(t) {
		notes := notesOf(t, in)
		tablesAreWhole(t, name, notes)
		if n := strings.Count(notes, "```"); n%2 != 0 {
			t.Errorf("%s: a code block does not end", name)
		}
		if strings.Count(notes, "<details>") != strings.Count(notes, "</details>") {
			t.Errorf("%s: a folded part does not end", name)
		}
		for _, kind := range []string{"erDiagram", "flowchart LR", "pie showData", "xychart-beta"} {
			if !strings.Contains(notes, "```mermaid\n"+kind) {
				t.Errorf("%s: there is no %s", name, kind)
			}
		}
	}
}

// tablesAreWhole checks that all rows of a table have as many cells as its header.
func tablesAreWhole(t *testing.T, name, notes string) {
	t.Helper()
	border := regexp.MustCompile(`(^|[^\\])\|`)
	width := 0
	for _, line := range strings.Split(notes, "\n") {
		if !strings.HasPrefix(line, "|") {
			width = 0
			continue
		}
		n := len(border.FindAllString(line, -1))
		if width == 0 {
			width = n
		}
		if n != width {
			t.Errorf("%s: a row has %d borders where its head has %d: %.160s", name, n, width, line)
		}
	}
}

func TestDiagramsNameEveryState(t *testing.T) {
	_, rest, ok := bytes.Cut([]byte(notesOf(t, library(t))), []byte("stateDiagram-v2\n"))
	if !ok {
		t.Fatal("there is no diagram of states")
	}
	got := strings.Split(strings.TrimSpace(string(rest[:bytes.Index(rest, []byte("```"))])), "\n")
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	want := []string{
		`state "OUT" as s0`, `state "LATE" as s1`, `state "BACK" as s2`,
		"[*] --> s0", "s0 --> s1", "s0 --> s2", "s1 --> s2", "s2 --> [*]",
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the diagram (-want +got):\n%s", diff)
	}
}

func FuzzTextsStayInTheirCells(f *testing.F) {
	for _, s := range []string{"", "a|b", `a\\|b`, "`", "a`|`b", "two\nlines", "```", `\`} {
		f.Add(s)
	}
	border := regexp.MustCompile(`(^|[^\\])(\\\\)*\|`)
	f.Fuzz(func(t *testing.T, s string) {
		if got := plain(s); border.MatchString(got) || strings.ContainsAny(got, "\n\r") {
			t.Errorf("%q becomes %q, which leaves its cell", s, got)
		}
		if got := code(s); strings.ContainsAny(got, "\n\r") || regexp.MustCompile(`(^|[^\\])\|`).MatchString(got) {
			t.Errorf("%q becomes the code %q, which leaves its cell", s, got)
		}
	})
}

func TestAcceptedFindingsKeepTheirReason(t *testing.T) {
	in := library(t)
	for i := range in.Findings {
		in.Findings[i].Accepted = "we looked at it"
	}
	if len(in.Findings) == 0 {
		t.Fatal("the design has no findings to accept")
	}
	page := pageOf(t, in)
	wellFormed(t, "accepted", page)
	if n := strings.Count(page, "we looked at it"); n != len(in.Findings) {
		t.Errorf("%d of %d findings show why they were accepted", n, len(in.Findings))
	}
	if !strings.Contains(page, "Nothing found.") {
		t.Error("accepted findings count as open ones")
	}
}
