package shapes

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webkit"
)

// A colour is a type with constants.
type colour string

const (
	red   colour = "red"
	green colour = "green"
)

// The package finds the constants by their declarations; this use is for linters.
var _ = []colour{red, green}

// A part is within a view.
type part struct {
	Title string
	Note  *string
	At    time.Time
}

type view struct {
	Flag   bool
	Colour colour
	Count  int
	Parts  []part
	Form   *webkit.Form
	After  string
}

// problems returns what is found on a page with this main part.
func problems(t *testing.T, main string, rules ...Rule) []string {
	t.Helper()
	box, err := secret.NewBox([]byte("thirty-two bytes of a test secret"))
	if err != nil {
		t.Fatal(err)
	}
	site, err := webkit.New(webkit.Options{
		Name: "Test", Box: box, Views: webkit.Views{"page.html": view{}},
		Files: fstest.MapFS{"pages/page.html": {Data: []byte(`{{define "title"}}Page{{end}}{{define "main"}}{{$d := .Data}}<h1>Page</h1>` + main + `{{end}}`)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	views, err := site.Views()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, one := range views {
		if one.Page == "page.html" {
			p := newPage(t, site, one, rulesOf(rules))
			p.fail = func(problem string) { found = append(found, problem) }
			p.check()
		}
	}
	return found
}

func TestCheckFindsWhatAShapeBreaks(t *testing.T) {
	for name, test := range map[string]struct{ main, want string }{
		"a nil pointer":           {`{{range $d.Parts}}<p>{{.Note.Text}}</p>{{end}}`, "can't evaluate field Text"},
		"a field that is missing": {`{{if not $d.Flag}}{{$d.Flat}}{{end}}`, "can't evaluate field Flat"},
		"an index":                {`{{index $d.Parts 0}}`, "out of range"},
		"one constant":            {`{{if eq $d.Colour "green"}}<p><p></p></p>{{end}}`, "within a paragraph"},
		"a printed pointer":       {`{{range $d.Parts}}<p>{{printf "%v" .Note}}</p>{{end}}`, `shows "<nil>"`},
		"a wrong verb":            {`<p>{{printf "%d" $d.Flag}}</p>`, `shows "%!"`},
		"ids of a list":           {`{{range $d.Parts}}<p id="part">{{.Title}}</p>{{end}}`, `two elements have the id "part"`},
		"an end without a begin":  {`<div>{{if $d.Flag}}</div>{{end}}`, "</main> where <div> is open"},
		"a separator":             {`{{range $d.Parts}}<p>{{.Title}} · {{with .Note}}{{.}}{{end}}</p>{{end}}`, "·"},
		"a heading":               {`<h2>{{if $d.Flag}}Yes{{end}}</h2>`, "<h2> has no name"},
		"an optional text":        {`<p>{{if $d.After}}After{{end}}</p><h2>{{$d.After}}</h2>`, "<h2> has no name"},
		"a link":                  {`{{range $d.Parts}}<a href="/">{{with .Note}}{{.}}{{end}}</a>{{end}}`, "has no name"},
		"a form":                  {`<form method="post">{{if $d.Flag}}{{.CSRF}}{{end}}</form>`, "posts without its CSRF field"},
		"a field without a label": {`<input name="x">`, "has no label"},
		"a reference":             {`<p aria-describedby="hint">x</p>{{if $d.Flag}}<p id="hint">y</p>{{end}}`, `names "hint"`},
		"a zero time":             {`{{range $d.Parts}}{{if not .At.IsZero}}{{end}}<p>{{day .At}}</p>{{end}}`, "1 Jan 0001"},
		"no form":                 {`{{$d.Form.Values.Get "x"}}`, "nil pointer"},
	} {
		t.Run(name, func(t *testing.T) {
			found := problems(t, test.main)
			if !strings.Contains(strings.Join(found, "\n"), test.want) {
				t.Errorf("found %q, want %q", found, test.want)
			}
		})
	}
}

func TestCheckAcceptsAGoodPage(t *testing.T) {
	found := problems(t, `{{if $d.Flag}}<h2>{{or $d.After "None"}}</h2>{{end}}
<ul>{{range $i, $p := $d.Parts}}<li id="part-{{$i}}">{{$p.Title}}{{with $p.Note}} · {{.}}{{end}}</li>{{end}}</ul>
<form method="post">{{.CSRF}}{{ui "errors" "Form" $d.Form}}{{ui "field" "Form" $d.Form "Name" "answer" "Label" "Answer" "Hint" "A hint"}}{{ui "button" "Text" "Send"}}</form>
<p>{{plural $d.Count "part" "parts"}}, {{$d.Colour}}</p>`)
	if len(found) > 0 {
		t.Errorf("found %q", found)
	}
}

func TestRepairRestoresAnInvariant(t *testing.T) {
	main := `{{if $d.Flag}}<p>{{(index $d.Parts 0).Title}}</p>{{end}}`
	if len(problems(t, main)) == 0 {
		t.Error("the shape without its invariant renders")
	}
	found := problems(t, main, Repair(func(v *view) { v.Flag = v.Flag && len(v.Parts) > 0 }), Field("part.Note", nil))
	if len(found) > 0 {
		t.Errorf("found %q", found)
	}
}
