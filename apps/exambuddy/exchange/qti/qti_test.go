package qti_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/drafttest"
	"sortkey.dev/apps/exambuddy/exchange/qti"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

// spaced returns drafts whose texts have no tabs, which XML does not keep.
func spaced(all []draft.Draft) []draft.Draft {
	for i := range all {
		q, k := &all[i].Question, &all[i].Key
		q.Text, q.Passage, k.Explanation = noTab(q.Text), noTab(q.Passage), noTab(k.Explanation)
		for _, list := range [][]question.Option{q.Options, q.Targets, q.Statements} {
			for j := range list {
				list[j].Text = noTab(list[j].Text)
			}
		}
		for _, a := range k.Blanks {
			for j := range a.Texts {
				a.Texts[j] = noTab(a.Texts[j])
			}
		}
	}
	return all
}

func noTab(text string) string { return strings.ReplaceAll(text, "\t", " ") }

func files(id string) (string, []byte, error) { return id, []byte("png of " + id), nil }

func TestRoundTrip(t *testing.T) {
	all := spaced(drafttest.Many(1, 240, question.Types()...))
	all[0].Question.Options[0].Image = &question.Image{File: "images/002.png", Alt: "x"}
	all[0].Question.Text = "First\n\nsecond line"
	all[0].Key.Also = []string{all[0].Question.Options[1].ID}
	all[3].Key.Blanks["b1"] = question.Accepted{Low: "0", High: "2", IgnoreAccents: true}
	for i, d := range all {
		for j := range d.Question.Images {
			all[i].Question.Images[j].File = "images/001.png" // the name it has in a package
		}
	}
	data, problems, err := qti.Export(all, func(id string) (string, []byte, error) { return id, []byte(id), nil })
	if err != nil || len(problems) != 1 { // the range of numbers
		t.Fatal(problems, err)
	}
	got, err := qti.Import(t.Context(), data, draft.Limits{})
	if err != nil || len(got.Drafts) != len(all) || len(got.Problems) > 0 {
		t.Fatalf("%d drafts of %d, %v, %v", len(got.Drafts), len(all), got.Problems, err)
	}
	all[0].Question.Options[0].Image.File = "images/001.png"
	for i, d := range got.Drafts {
		for j := range d.Question.Images {
			if string(got.Files[d.Question.Images[j].File]) == "" {
				t.Errorf("the image %s is missing", d.Question.Images[j].File)
			}
			d.Question.Images[j].File = "images/001.png"
		}
		drafttest.Same(t, d, all[i])
		if d.Status() != draft.Ready || len(d.Problems) > 0 {
			t.Errorf("%s: %v", d.Status(), d.Problems)
		}
	}
	again, _, err := qti.Export(all, func(id string) (string, []byte, error) { return id, []byte(id), nil })
	if err != nil || len(again) == 0 {
		t.Fatal(err)
	}
}

func TestExportIsDeterministic(t *testing.T) {
	all := drafttest.Many(5, 16, question.Types()...)
	first, _, err := qti.Export(all, files)
	second, _, err2 := qti.Export(all, files)
	if err != nil || err2 != nil || !bytes.Equal(first, second) {
		t.Error("two exports differ", err, err2)
	}
}

func TestExportWithoutImages(t *testing.T) {
	all := drafttest.Many(5, 1, question.Hotspot)
	if _, problems, err := qti.Export(all, nil); err != nil || len(problems) == 0 {
		t.Errorf("%v, %v", problems, err)
	}
	broken := errors.New("no such file")
	if _, _, err := qti.Export(all, func(string) (string, []byte, error) { return "", nil, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// item returns an item with a body and a response.
func item(declaration, body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="T">` + declaration + `<itemBody>` + body + `</itemBody></assessmentItem>`
}

const choices = `<choiceInteraction responseIdentifier="R" maxChoices="1"><prompt>Which <b>one</b>?</prompt><simpleChoice identifier="A">a &amp; b</simpleChoice><simpleChoice identifier="B"><p>c</p></simpleChoice></choiceInteraction>`

func correct(values ...string) string {
	text := ""
	for _, v := range values {
		text += "<value>" + v + "</value>"
	}
	return `<responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse>` + text + `</correctResponse></responseDeclaration>`
}

func TestItems(t *testing.T) {
	for name, v := range map[string]struct{ source, want string }{
		"single":   {item(correct("B"), "<p>Read&nbsp;this.</p>"+choices), "single_choice ready: Read this.\nWhich one? [\"a & b\" \"*c\"]"},
		"no key":   {item("", choices), `single_choice no_key: Which one? ["a & b" "c"]`},
		"several":  {item(correct("A", "B"), strings.Replace(choices, `maxChoices="1"`, `maxChoices="0"`, 1)), `multiple_response ready: Which one? ["*a & b" "*c"]`},
		"mapped":   {item(`<responseDeclaration identifier="R"><mapping><mapEntry mapKey="A" mappedValue="1"/><mapEntry mapKey="B" mappedValue="-1"/></mapping></responseDeclaration>`, choices), `single_choice ready: Which one? ["*a & b" "c"]`},
		"order":    {item(correct("y", "x"), `<orderInteraction responseIdentifier="R"><prompt>Order</prompt><simpleChoice identifier="x">X</simpleChoice><simpleChoice identifier="y">Y</simpleChoice></orderInteraction>`), `ordering ready: Order ["*X" "*Y"]`},
		"entry":    {item(correct("York"), `<p>New <textEntryInteraction responseIdentifier="R"/> city</p>`), `fill_in_blank ready: New __ city []`},
		"version3": {`<qti-assessment-item identifier="i" title="T"><qti-response-declaration identifier="R"><qti-correct-response><qti-value>B</qti-value></qti-correct-response></qti-response-declaration><qti-item-body><qti-choice-interaction response-identifier="R" max-choices="1"><qti-prompt>Which?</qti-prompt><qti-simple-choice identifier="A">a</qti-simple-choice><qti-simple-choice identifier="B">b</qti-simple-choice></qti-choice-interaction></qti-item-body></qti-assessment-item>`, `single_choice ready: Which? ["a" "*b"]`},
	} {
		got, err := qti.Import(t.Context(), []byte(v.source), draft.Limits{})
		drafttest.Sound(t, got, err)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if lines := strings.Join(drafttest.Summary(got), "\n"); lines != v.want {
			t.Errorf("%s:\n%s, want\n%s", name, lines, v.want)
		}
	}
}

func TestEveryElementNotUnderstoodIsReported(t *testing.T) {
	source := item(correct("B")+"<templateDeclaration/>", "<p>Read <math>x</math>.</p><table><tr><td>1</td><td>2</td></tr></table><rubricBlock>Mind the gap</rubricBlock><p><img src=\"a.png\"/></p>"+choices)
	got, err := qti.Import(t.Context(), []byte(source), draft.Limits{})
	drafttest.Sound(t, got, err)
	all := ""
	for _, p := range got.Drafts[0].Problems {
		all += p.Message + p.Text + "\n"
	}
	for _, want := range []string{"templateDeclaration", "math", "table", "rubricBlock", "Mind the gap", "a.png"} {
		if !strings.Contains(all, want) {
			t.Errorf("no problem names %s:\n%s", want, all)
		}
	}
	if strings.Contains(got.Drafts[0].Question.Text, "Mind") || !strings.Contains(got.Drafts[0].Question.Text, "1 2") {
		t.Errorf("the text is %q", got.Drafts[0].Question.Text)
	}
	got, err = qti.Import(t.Context(), []byte(item("", "<p>Write.</p><extendedTextInteraction responseIdentifier=\"R\"/>")), draft.Limits{})
	if refused, ok := refusal.As(err); !ok || refused.CodeText() != "NO_QUESTIONS" || !strings.Contains(fmt.Sprint(got.Problems), "extendedTextInteraction") {
		t.Errorf("%+v, %v", got, err)
	}
}

// pack returns a zip file.
func pack(content map[string]string) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range content {
		w, _ := z.Create(name)
		_, _ = w.Write([]byte(text))
	}
	z.Close()
	return out.Bytes()
}

func TestPackages(t *testing.T) {
	manifest := `<manifest><resources><resource type="imsqti_item_xmlv2p1" href="a.xml"/><resource type="imsqti_test_xmlv2p1" href="t.xml"/><resource type="imsqti_item_xmlv2p1" href="missing.xml"/><resource type="imsqti_item_xmlv2p1" href="broken.xml"/></resources></manifest>`
	got, err := qti.Import(t.Context(), pack(map[string]string{"imsmanifest.xml": manifest, "a.xml": item(correct("B"), `<p><img src="i/x.png" alt="X"/></p>`+choices), "broken.xml": "<a>", "i/x.png": "png"}), draft.Limits{})
	drafttest.Sound(t, got, err)
	if err != nil || len(got.Drafts) != 1 || len(got.Problems) != 3 || string(got.Files["i/x.png"]) != "png" || got.Drafts[0].Question.Images[0].File != "i/x.png" {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = qti.Import(t.Context(), pack(map[string]string{"x/a.xml": item(correct("B"), choices), "other.xml": "<html/>"}), draft.Limits{})
	if err != nil || len(got.Drafts) != 1 || got.Drafts[0].Place.Part != "x/a.xml" || len(got.Problems) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestRefusals(t *testing.T) {
	bomb := pack(map[string]string{"a.xml": strings.Repeat(" ", 5000)})
	many := map[string]string{}
	for i := range 12 {
		many[fmt.Sprint(i)] = ""
	}
	for name, v := range map[string]struct{ data, code string }{
		"empty":     {"", "EMPTY_FILE"},
		"text":      {"hello", "UNREADABLE_FILE"},
		"version 1": {"<questestinterop/>", "UNREADABLE_FILE"},
		"test":      {"<assessmentTest/>", "UNREADABLE_FILE"},
		"entities":  {`<!DOCTYPE a [<!ENTITY x "y">]><assessmentItem/>`, "UNREADABLE_FILE"},
		"depth":     {strings.Repeat("<a>", 300), "UNREADABLE_FILE"},
		"bomb":      {string(bomb), "FILE_TOO_LARGE"},
		"entries":   {string(pack(many)), "FILE_TOO_LARGE"},
		"cut":       {string(bomb[:20]), "UNREADABLE_FILE"},
		"no XML":    {string(pack(map[string]string{"a.txt": "a"})), "UNREADABLE_FILE"},
		"size":      {strings.Repeat(" ", 3001), "FILE_TOO_LARGE"},
	} {
		_, err := qti.Import(t.Context(), []byte(v.data), draft.Limits{Unpacked: 4000, Entries: 10, Bytes: 3000})
		if refused, ok := refusal.As(err); !ok || refused.CodeText() != v.code {
			t.Errorf("%s: %v, want %s", name, err, v.code)
		}
	}
}

func FuzzItem(f *testing.F) {
	f.Add(item(correct("B"), "<p>Read.</p>"+choices))
	f.Add(item(correct("x"), `<p>New <textEntryInteraction responseIdentifier="R"/> city</p>`))
	f.Add(item(correct("a b"), `<matchInteraction responseIdentifier="R"><simpleMatchSet><simpleAssociableChoice identifier="a">A</simpleAssociableChoice></simpleMatchSet><simpleMatchSet><simpleAssociableChoice identifier="b">B</simpleAssociableChoice></simpleMatchSet></matchInteraction>`))
	f.Add(item(correct("h"), `<hotspotInteraction responseIdentifier="R"><object data="a.png" width="10" height="10"/><hotspotChoice identifier="h" shape="circle" coords="1,2,3"/></hotspotInteraction>`))
	f.Fuzz(func(t *testing.T, source string) {
		got, err := qti.Import(t.Context(), []byte(source), draft.Limits{Unpacked: 1 << 20})
		drafttest.Sound(t, got, err)
		if err == nil {
			if _, _, err := qti.Export(got.Drafts, files); err != nil {
				t.Error(err)
			}
		}
	})
}

// Elements that contain each other do not hold their text once for each.
func TestNestedElementsAreReadOnce(t *testing.T) {
	text := strings.Repeat("needle ", 1000)
	open, closed := "", ""
	for i := range 50 {
		open, closed = open+fmt.Sprintf("<x%d>", i), fmt.Sprintf("</x%d>", i)+closed
	}
	nested := func(name string) string {
		return strings.Repeat("<"+name+">", 50) + text + strings.Repeat("</"+name+">", 50)
	}
	declared := `<responseDeclaration identifier="R"><correctResponse>` + nested("value") + `</correctResponse></responseDeclaration>`
	got, err := qti.Import(t.Context(), []byte(item(declared, open+text+closed+choices+nested("modalFeedback"))), draft.Limits{})
	if got == nil {
		t.Fatal(err)
	}
	if count := strings.Count(fmt.Sprint(got), "needle"); count > 1000*4+50*300 {
		t.Errorf("the words are kept %d times", count)
	}
}
