package docx_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/exchange/docx"
	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/drafttest"
	"sortkey.dev/apps/internal/refusal"
)

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

const numbering = `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="upperLetter"/><w:lvlText w:val="%2)"/></w:lvl></w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num></w:numbering>`

// document returns a Word document with a body.
func document(body string) []byte {
	return pack(map[string]string{"[Content_Types].xml": "<Types/>", "word/numbering.xml": numbering,
		"word/styles.xml":   `<w:styles xmlns:w="w"><w:style w:styleId="Asked"><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr></w:pPr></w:style></w:styles>`,
		"word/document.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="w"><w:body>` + body + `</w:body></w:document>`})
}

func p(text string) string {
	return `<w:p><w:r><w:t xml:space="preserve">` + text + `</w:t></w:r></w:p>`
}

func listed(level, text string) string {
	return `<w:p><w:pPr><w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="3"/></w:numPr></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

func styled(look, text string) string {
	return `<w:p><w:r><w:rPr>` + look + `</w:rPr><w:t>` + text + `</w:t></w:r></w:p>`
}

func cells(texts ...string) string {
	row := "<w:tr>"
	for _, text := range texts {
		row += "<w:tc>" + p(text) + "</w:tc>"
	}
	return row + "</w:tr>"
}

func TestDocuments(t *testing.T) {
	for name, v := range map[string]struct{ body, want string }{
		"typed numbers": {p("1. What is DNS?") + p("A) A name") + p("B) A disk") + p("Answer: A"), `single_choice ready: What is DNS? ["*A name" "A disk"]`},
		"lists": {listed("0", "What is DNS?") + listed("1", "A name") + listed("1", "A disk") + p("Answer: B") + `<w:p><w:pPr><w:pStyle w:val="Asked"/></w:pPr><w:r><w:t>What is </w:t></w:r><w:r><w:t>IP?</w:t></w:r></w:p>` + listed("1", "x") + listed("1", "y") + p("Answer: A"),
			"single_choice ready: What is DNS? [\"A name\" \"*A disk\"]\nsingle_choice ready: What is IP? [\"*x\" \"y\"]"},
		"highlighted":    {p("1. What is DNS?") + p("A) A name") + styled(`<w:highlight w:val="yellow"/>`, "B) A disk"), `single_choice ready: What is DNS? ["A name" "*A disk"]`},
		"bold":           {p("1. What is DNS?") + p("A) A name") + styled(`<w:b/>`, "B) A disk"), `single_choice unsure: What is DNS? ["A name" "*A disk"]`},
		"not bold":       {p("1. What is DNS?") + p("A) A name") + styled(`<w:b w:val="0"/>`, "B) A disk"), `single_choice no_key: What is DNS? ["A name" "A disk"]`},
		"line breaks":    {`<w:p><w:r><w:t>1. What is DNS?</w:t><w:br/><w:t>A) A name</w:t><w:br/><w:t>B) A disk</w:t></w:r></w:p>` + p("Answer: B"), `single_choice ready: What is DNS? ["A name" "*A disk"]`},
		"table":          {"<w:tbl>" + cells("No.", "Question", "Options", "Answer") + cells("1", "What is DNS?", "A) A name B) A disk C) x", "C") + "</w:tbl>", `single_choice ready: What is DNS? ["A name" "A disk" "*x"]`},
		"changes":        {p("1. What is DNS?") + `<w:p><w:r><w:t>A) A </w:t></w:r><w:del><w:r><w:delText>bad</w:delText></w:r></w:del><w:ins><w:r><w:t>name</w:t></w:r></w:ins></w:p>` + p("B) A disk") + p("Answer: A"), `single_choice ready: What is DNS? ["*A name" "A disk"]`},
		"no numbers":     {p("What is DNS?") + p("A) A name") + p("B) A disk") + p("What is IP?") + p("A) x") + p("B) y"), "single_choice no_key: What is DNS? [\"A name\" \"A disk\"]\nsingle_choice no_key: What is IP? [\"x\" \"y\"]"},
		"Nordic letters": {p("1. Vad är rätt på svenska?") + p("A) Åäö") + p("B) Ægø &amp; co") + p("Rätt svar: B"), `single_choice ready: Vad är rätt på svenska? ["Åäö" "*Ægø & co"]`},
	} {
		got, err := docx.Import(t.Context(), document(v.body), draft.Limits{})
		drafttest.Sound(t, got, err)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if lines := strings.Join(drafttest.Summary(got), "\n"); lines != v.want {
			t.Errorf("%s:\n%s, want\n%s", name, lines, v.want)
		}
	}
}

func table(rows ...string) string { return "<w:tbl>" + strings.Join(rows, "") + "</w:tbl>" }

func row(cells ...string) string {
	return "<w:tr><w:tc>" + strings.Join(cells, "</w:tc><w:tc>") + "</w:tc></w:tr>"
}

func TestTablesInTables(t *testing.T) {
	questions := table(cells("No.", "Question", "Options", "Answer"), cells("1", "What is DNS?", "A) A name B) A disk C) x", "C"))
	want := `single_choice ready: What is DNS? ["A name" "A disk" "*x"]`
	for name, body := range map[string]string{
		"a frame":            table(row(questions)),
		"a frame in a frame": table(row(p("Exam") + table(row(questions)+row(p("The end"))))),
		"options in a table": table(cells("No.", "Question", "Options", "Answer"), row(p("1"), p("What is DNS?"), table(cells("A) A name"), cells("B) A disk"), cells("C) x")), p("C"))),
	} {
		got, err := docx.Import(t.Context(), document(body), draft.Limits{})
		drafttest.Sound(t, got, err)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if lines := strings.Join(drafttest.Summary(got), "\n"); lines != want {
			t.Errorf("%s:\n%s, want\n%s", name, lines, want)
		}
	}
}

// The text of a paragraph is reported once, in however many tables it is.
func TestParagraphsInNestedTablesAreReadOnce(t *testing.T) {
	for _, cell := range []string{"", p("x")} {
		body := p("needle")
		for range 40 {
			if cell == "" {
				body = table(row(body))
			} else {
				body = table(row(cell, body))
			}
		}
		got, err := docx.Import(t.Context(), document(body), draft.Limits{})
		if got == nil {
			t.Fatal(err)
		}
		count := 0
		for _, problem := range got.Problems {
			count += strings.Count(problem.Text, "needle")
		}
		if count != 1 {
			t.Errorf("the paragraph is reported %d times", count)
		}
	}
}

func TestLabelsOfListsAreBounded(t *testing.T) {
	long := strings.Replace(numbering, "%1.", "%1."+strings.Repeat("x", 10_000), 1)
	data := pack(map[string]string{"word/numbering.xml": long, "word/document.xml": `<w:document xmlns:w="w"><w:body>` + listed("0", "What is DNS?") + `</w:body></w:document>`})
	got, err := docx.Import(t.Context(), data, draft.Limits{})
	if got == nil || len(fmt.Sprint(got)) > 1000 {
		t.Errorf("the result has %d bytes: %v", len(fmt.Sprint(got)), err)
	}
}

func TestImagesAreReported(t *testing.T) {
	got, err := docx.Import(t.Context(), document(p("1. What is DNS?")+`<w:p><w:r><w:drawing/></w:r><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></w:p>`+p("A) A name")+p("B) A disk")), draft.Limits{})
	if err != nil || len(got.Problems) != 2 || got.Problems[0].Place.Line != 2 || !strings.Contains(got.Problems[1].Message, "formula") {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestRefusals(t *testing.T) {
	for name, v := range map[string]struct {
		data []byte
		code string
	}{
		"empty": {nil, "EMPTY_FILE"}, "old": {[]byte("\xd0\xcf\x11\xe0rest"), "UNREADABLE_FILE"}, "no zip": {[]byte("text"), "UNREADABLE_FILE"},
		"another package": {pack(map[string]string{"a": "b"}), "UNREADABLE_FILE"}, "bad XML": {pack(map[string]string{"word/document.xml": "<a>"}), "UNREADABLE_FILE"},
		"entities": {pack(map[string]string{"word/document.xml": `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`}), "UNREADABLE_FILE"},
		"bomb":     {document(strings.Repeat(p("x"), 1000)), "FILE_TOO_LARGE"}, "no question": {document(p("Hello")), "NO_QUESTIONS"},
	} {
		_, err := docx.Import(t.Context(), v.data, draft.Limits{Unpacked: 20_000})
		if refused, ok := refusal.As(err); !ok || refused.CodeText() != v.code {
			t.Errorf("%s: %v, want %s", name, err, v.code)
		}
	}
}

func FuzzBody(f *testing.F) {
	f.Add(p("1. What is DNS?") + p("A) A name") + p("B) A disk"))
	f.Add(listed("0", "What?") + listed("1", "x") + "<w:tbl>" + cells("Question", "Answer") + cells("a", "b") + "</w:tbl>")
	f.Fuzz(func(t *testing.T, body string) {
		got, err := docx.Import(t.Context(), document(body), draft.Limits{})
		drafttest.Sound(t, got, err)
	})
}
