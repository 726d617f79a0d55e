package qti

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/question"
)

const toolName = "ExamBuddy"

// A Files function returns the name and the content of a stored image.
type Files func(id string) (name string, data []byte, err error)

// Export writes a package. files may be nil; images are then left out and reported. Two exports of
// the same questions are the same bytes.
func Export(items []draft.Draft, files Files) ([]byte, []draft.Problem, error) {
	e := exporter{files: files, images: map[string]string{}, content: map[string][]byte{}}
	var manifest strings.Builder
	for i, item := range items {
		e.number = i + 1
		name := fmt.Sprintf("items/q%04d.xml", i+1)
		text, err := e.item(item)
		if err != nil {
			return nil, nil, err
		}
		e.content[name] = []byte(text)
		fmt.Fprintf(&manifest, "    <resource identifier=\"q%04d\" type=\"imsqti_item_xmlv2p1\" href=\"%s\"><file href=\"%s\"/></resource>\n", i+1, name, name)
	}
	e.content["imsmanifest.xml"] = []byte(xml.Header + `<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" identifier="exambuddy">
  <metadata><schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion></metadata>
  <organizations/>
  <resources>
` + manifest.String() + "  </resources>\n</manifest>\n")
	data, err := pack(e.content)
	return data, e.problems, err
}

// pack writes a zip file with sorted names and a fixed time.
func pack(content map[string][]byte) ([]byte, error) {
	var names []string
	for name := range content {
		names = append(names, name)
	}
	slices.Sort(names)
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range names {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", name, err)
		}
		if _, err := w.Write(content[name]); err != nil {
			return nil, fmt.Errorf("write %s: %w", name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("finish the package: %w", err)
	}
	return out.Bytes(), nil
}

type exporter struct {
	files    Files
	images   map[string]string // the name in the package by file id
	content  map[string][]byte
	problems []draft.Problem
	number   int
	failed   error
}

func (e *exporter) problem(item draft.Draft, format string, args ...any) {
	e.problems = append(e.problems, draft.Problem{Place: draft.Place{Line: e.number}, Message: fmt.Sprintf(format, args...), Advice: "Use JSON to keep everything.", Text: item.Question.Text})
}

// image returns the path of an image as an item names it; "" if it is left out.
func (e *exporter) image(item draft.Draft, image question.Image) string {
	name, ok := e.images[image.File]
	if !ok && e.files != nil {
		original, data, err := e.files(image.File)
		if err != nil {
			e.failed = fmt.Errorf("read image %s: %w", image.File, err)
			return ""
		}
		name = fmt.Sprintf("images/%03d%s", len(e.images)+1, strings.ToLower(path.Ext(original)))
		e.images[image.File], e.content[name] = name, data
	}
	if name == "" {
		e.problem(item, "The image %s was left out.", image.File)
		return ""
	}
	return "../" + name
}

// esc escapes a text for XML.
func esc(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder never fails
	return b.String()
}

// paragraphs writes each line of a text as a paragraph.
func paragraphs(text string) string {
	var b strings.Builder
	for _, line := range strings.Split(text, "\n") {
		fmt.Fprintf(&b, "<p>%s</p>", esc(line))
	}
	return b.String()
}

// item writes an assessmentItem.
func (e *exporter) item(item draft.Draft) (string, error) {
	q, k := item.Question, item.Key
	var declarations, body strings.Builder
	if q.Passage != "" {
		fmt.Fprintf(&body, "<div class=\"passage\">%s</div>", paragraphs(q.Passage))
	}
	for i, image := range q.Images {
		if source := e.image(item, image); source != "" && (q.Type != question.Hotspot || i > 0) {
			fmt.Fprintf(&body, "<p><img src=\"%s\" alt=\"%s\"/></p>", esc(source), esc(image.Alt))
		}
	}
	if q.Type == question.FillInBlank {
		e.blanks(item, &declarations, &body)
	} else {
		body.WriteString(paragraphs(q.Text))
		e.interaction(item, &declarations, &body)
	}
	feedback := ""
	if k.Explanation != "" || len(k.ExplanationImages) > 0 {
		images := ""
		for _, image := range k.ExplanationImages {
			if source := e.image(item, image); source != "" {
				images += fmt.Sprintf("<p><img src=\"%s\" alt=\"%s\"/></p>", esc(source), esc(image.Alt))
			}
		}
		feedback = "\n  <modalFeedback outcomeIdentifier=\"FEEDBACK\" identifier=\"explanation\" showHide=\"show\">" + paragraphs(k.Explanation) + images + "</modalFeedback>"
	}
	if e.failed != nil {
		return "", e.failed
	}
	template := "match_correct"
	if strings.Contains(declarations.String(), "<mapping") {
		template = "map_response"
	}
	return xml.Header + fmt.Sprintf(`<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="q%04d" title="%s" label="%s" adaptive="false" timeDependent="false" toolName="%s" toolVersion="1">
%s  <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
  <outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>
  <itemBody>%s</itemBody>
  <responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/%s"/>%s
</assessmentItem>
`, e.number, esc(cmp.Or(item.Title, item.ID, fmt.Sprintf("Question %d", e.number))), esc(label(item)), toolName, declarations.String(), body.String(), template, feedback), nil
}

// label returns the values that QTI has no place for.
func label(item draft.Draft) string {
	q, k := item.Question, item.Key
	values := url.Values{"type": {string(q.Type)}}
	set := func(name, value string) {
		if value != "" && value != "0" && value != "false" {
			values.Set(name, value)
		}
	}
	set("difficulty", string(q.Difficulty))
	set("time_limit", fmt.Sprint(q.TimeLimit))
	set("scheme", string(k.Scheme))
	for _, tag := range q.Tags {
		values.Add("tag", tag)
	}
	for _, id := range k.Also {
		values.Add("also", id)
	}
	for id, a := range k.Blanks {
		set(id+".low", a.Low)
		set(id+".high", a.High)
		if a.Low != "" { // zeros are values too
			values.Set(id+".low", a.Low)
			values.Set(id+".high", a.High)
		}
		if len(a.Texts) == 0 {
			values.Set(id+".texts", "0")
		}
		set(id+".accents", fmt.Sprint(a.IgnoreAccents))
		set(id+".punctuation", fmt.Sprint(a.IgnorePunctuation))
	}
	return values.Encode()
}

// declare writes a response declaration.
func declare(out *strings.Builder, id, cardinality, baseType string, correct []string, mapping string) {
	fmt.Fprintf(out, "  <responseDeclaration identifier=\"%s\" cardinality=\"%s\" baseType=\"%s\">", esc(id), cardinality, baseType)
	if len(correct) > 0 {
		out.WriteString("<correctResponse>")
		for _, value := range correct {
			fmt.Fprintf(out, "<value>%s</value>", esc(value))
		}
		out.WriteString("</correctResponse>")
	}
	out.WriteString(mapping + "</responseDeclaration>\n")
}

// choices writes options as elements of a name.
func (e *exporter) choices(item draft.Draft, name, prefix, extra string, options []question.Option) string {
	var b strings.Builder
	for _, o := range options {
		fixed, image := "", ""
		if o.Last {
			fixed = ` fixed="true"`
		}
		if o.Image != nil {
			if source := e.image(item, *o.Image); source != "" {
				image = fmt.Sprintf("<img src=\"%s\" alt=\"%s\"/>", esc(source), esc(o.Image.Alt))
			}
		}
		fmt.Fprintf(&b, "<%s identifier=\"%s\"%s%s>%s%s</%s>", name, esc(prefix+o.ID), extra, fixed, esc(o.Text), image, name)
	}
	return b.String()
}

// interaction writes the interaction of all types but texts with gaps.
func (e *exporter) interaction(item draft.Draft, declarations, body *strings.Builder) {
	q, k := item.Question, item.Key
	switch {
	case q.Type == question.Ordering:
		declare(declarations, "RESPONSE", "ordered", "identifier", k.Correct, "")
		fmt.Fprintf(body, "<orderInteraction responseIdentifier=\"RESPONSE\" shuffle=\"true\">%s</orderInteraction>", e.choices(item, "simpleChoice", "", "", q.Options))
	case q.Type == question.Matching:
		e.match(item, q.Options, q.Targets, declarations, body)
	case len(q.Statements) > 0:
		e.match(item, q.Statements, []question.Option{{ID: question.Yes, Text: "Yes"}, {ID: question.No, Text: "No"}}, declarations, body)
	case q.Type == question.Hotspot:
		declare(declarations, "RESPONSE", "single", "identifier", k.Correct, "")
		source := ""
		if len(q.Images) > 0 {
			source = e.image(item, q.Images[0])
		}
		alt := ""
		if len(q.Images) > 0 {
			alt = q.Images[0].Alt
		}
		fmt.Fprintf(body, "<hotspotInteraction responseIdentifier=\"RESPONSE\" maxChoices=\"1\"><object data=\"%s\" type=\"image/*\" width=\"%d\" height=\"%d\">%s</object>", esc(source), question.Whole, question.Whole, esc(alt))
		for _, r := range q.Regions {
			fmt.Fprintf(body, "<hotspotChoice identifier=\"%s\" hotspotLabel=\"%s\" shape=\"rect\" coords=\"%d,%d,%d,%d\"/>", esc(r.ID), esc(r.Label), r.X, r.Y, r.X+r.Width, r.Y+r.Height)
		}
		body.WriteString("</hotspotInteraction>")
	default:
		cardinality, most := "single", 1
		if q.Type == question.MultipleResponse {
			cardinality, most = "multiple", 0
		}
		declare(declarations, "RESPONSE", cardinality, "identifier", k.Correct, "")
		fmt.Fprintf(body, "<choiceInteraction responseIdentifier=\"RESPONSE\" shuffle=\"true\" maxChoices=\"%d\">%s</choiceInteraction>", most, e.choices(item, "simpleChoice", "", "", q.Options))
	}
}

func (e *exporter) match(item draft.Draft, left, right []question.Option, declarations, body *strings.Builder) {
	var correct []string
	for _, o := range left {
		if target := item.Key.Pairs[o.ID]; target != "" {
			correct = append(correct, "L_"+o.ID+" R_"+target)
		}
	}
	declare(declarations, "RESPONSE", "multiple", "directedPair", correct, "")
	fmt.Fprintf(body, "<matchInteraction responseIdentifier=\"RESPONSE\" shuffle=\"true\" maxAssociations=\"%d\"><simpleMatchSet>%s</simpleMatchSet><simpleMatchSet>%s</simpleMatchSet></matchInteraction>",
		len(left), e.choices(item, "simpleAssociableChoice", "L_", ` matchMax="1"`, left), e.choices(item, "simpleAssociableChoice", "R_", fmt.Sprintf(` matchMax="%d"`, len(left)), right))
}

// blanks writes a text with its gaps.
func (e *exporter) blanks(item draft.Draft, declarations, body *strings.Builder) {
	q, k := item.Question, item.Key
	parts := question.Gaps(q.Text)
	if len(parts) == 1 {
		parts = append(parts, "")
	}
	var text strings.Builder
	for i, part := range parts {
		text.WriteString(strings.ReplaceAll(esc(part), "&#xA;", "</p><p>"))
		if i >= len(q.Blanks) || i == len(parts)-1 {
			continue
		}
		b := q.Blanks[i]
		a := k.Blanks[b.ID]
		if len(b.Choices) > 0 {
			declare(declarations, b.ID, "single", "identifier", a.Texts, "")
			fmt.Fprintf(&text, "<inlineChoiceInteraction responseIdentifier=\"%s\" shuffle=\"true\">%s</inlineChoiceInteraction>", esc(b.ID), e.choices(item, "inlineChoice", "", "", b.Choices))
			continue
		}
		correct, mapping := a.Texts, ""
		if len(correct) == 0 && a.Low != "" {
			correct = []string{a.Low}
			if a.Low != a.High {
				e.problem(item, "QTI has no range of numbers. Other programs accept %s only.", a.Low)
			}
		}
		if len(correct) > 0 {
			var m strings.Builder
			m.WriteString("<mapping defaultValue=\"0\">")
			for _, value := range correct {
				fmt.Fprintf(&m, "<mapEntry mapKey=\"%s\" mappedValue=\"1\" caseSensitive=\"false\"/>", esc(value))
			}
			mapping, correct = m.String()+"</mapping>", correct[:1]
		}
		declare(declarations, b.ID, "single", "string", correct, mapping)
		fmt.Fprintf(&text, "<textEntryInteraction responseIdentifier=\"%s\"/>", esc(b.ID))
	}
	body.WriteString("<p>" + text.String() + "</p>")
}
