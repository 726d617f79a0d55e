// Package questionform translates between questions with their keys and the fields of the editor's
// form. Every part of a question has a field, so that a form that is sent back unchanged gives the
// same question.
//
// It renders nothing and stores nothing; package web has the template and stores the images. The
// template admin-question.html uses its names of fields.
package questionform

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy/question"
)

// A Kind is a form of the editor. A scenario has two of them.
type Kind struct {
	Name, Label string
	Type        question.Type
	Rows        int // the most rows
	Shown       int // the rows of an empty form
}

// Statements is the kind of a scenario with statements. The other kinds have the names of their types.
const Statements = "scenario_statements"

// Kinds lists the forms of the editor.
func Kinds() []Kind {
	return []Kind{
		{"single_choice", "One right answer", question.SingleChoice, question.MaxOptions, 4},
		{"multiple_response", "Several right answers", question.MultipleResponse, question.MaxOptions, 4},
		{"true_false", "True or false", question.TrueFalse, 2, 2},
		{"fill_in_blank", "Fill in the blanks", question.FillInBlank, question.MaxItems, 1},
		{"ordering", "Put in order", question.Ordering, question.MaxItems, 4},
		{"matching", "Match pairs", question.Matching, 2 * question.MaxItems, 4},
		{"hotspot", "Region of an image", question.Hotspot, question.MaxRegions, 4},
		{"scenario", "Scenario, one right answer", question.Scenario, question.MaxOptions, 4},
		{Statements, "Scenario, statements to judge", question.Scenario, question.MaxItems, 3},
	}
}

// KindOf returns a kind by its name; the first one for an unknown name.
func KindOf(name string) Kind {
	for _, k := range Kinds() {
		if k.Name == name {
			return k
		}
	}
	return Kinds()[0]
}

// OneAnswer reports whether exactly one row is right, so that others can be accepted, too.
func (k Kind) OneAnswer() bool {
	return k.Type == question.SingleChoice || k.Type == question.TrueFalse || k.Type == question.Hotspot || k.Name == string(question.Scenario)
}

// Rows returns the number of rows to show: those of the kind, and one more than are filled.
func Rows(values url.Values) int {
	k := KindOf(values.Get("kind"))
	filled := 0
	for i := range k.Rows {
		if r := readRow(values, k, i); r.filled(k) {
			filled = i + 1
		}
	}
	if k.Type == question.FillInBlank {
		return max(filled, gaps(values), k.Shown)
	}
	return min(max(filled+1, k.Shown), k.Rows)
}

// gaps returns the number of blanks that the text has places for, at least one.
func gaps(values url.Values) int {
	return min(max(len(question.Gaps(values.Get("text")))-1, 1), question.MaxItems)
}

// Slots of images. A slot has the fields slot-id, slot-alt, slot-drop and slot-file. Those of a row
// end with its number before that.
const (
	SlotImage     = "image-"
	SlotExplained = "explained-"
	SlotRow       = "row-image-"
	SlotOther     = "other-image-"
)

// FileSuffix ends the name of the field that uploads the image of a slot.
const FileSuffix = "-file"

// Uploaded makes an image that was stored the image of a slot.
func Uploaded(values url.Values, slot, file string) {
	values.Set(slot+"-id", file)
	values.Del(slot + "-drop")
}

func readImage(values url.Values, slot string) *question.Image {
	file := values.Get(slot + "-id")
	if file == "" || values.Get(slot+"-drop") != "" {
		return nil
	}
	return &question.Image{File: file, Alt: values.Get(slot + "-alt")}
}

func readImages(values url.Values, slot string) []question.Image {
	var all []question.Image
	for i := range question.MaxImages {
		if image := readImage(values, slot+strconv.Itoa(i)); image != nil {
			all = append(all, *image)
		}
	}
	return all
}

func setImage(values url.Values, slot string, image *question.Image) {
	if image != nil {
		values.Set(slot+"-id", image.File)
		values.Set(slot+"-alt", image.Alt)
	}
}

// Values returns the form of a question.
func Values(q question.Question, key question.Key) url.Values {
	kind := string(q.Type)
	if len(q.Statements) > 0 {
		kind = Statements
	}
	values := url.Values{
		"kind": {kind}, "text": {q.Text}, "passage": {q.Passage}, "tag": q.Tags, "difficulty": {string(q.Difficulty)}, "scheme": {string(key.Scheme)}, "explanation": {key.Explanation},
	}
	if q.Difficulty == "" {
		values.Set("difficulty", string(question.Medium))
	}
	if q.TimeLimit > 0 {
		values.Set("time_limit", strconv.Itoa(q.TimeLimit))
	}
	for i, image := range q.Images {
		setImage(values, SlotImage+strconv.Itoa(i), &image)
	}
	for i, image := range key.ExplanationImages {
		setImage(values, SlotExplained+strconv.Itoa(i), &image)
	}
	for i, r := range rowsOf(q, key) {
		r.set(values, i)
	}
	return values
}

// Read reads a question and its key from a form.
func Read(values url.Values) (question.Question, question.Key) {
	k := KindOf(values.Get("kind"))
	q := question.Question{Type: k.Type, Text: values.Get("text"), Difficulty: question.Difficulty(values.Get("difficulty")), Tags: readTags(values), Images: readImages(values, SlotImage)}
	if limit := strings.TrimSpace(values.Get("time_limit")); limit != "" {
		var err error
		if q.TimeLimit, err = strconv.Atoi(limit); err != nil {
			q.TimeLimit = -1 // refused with the range
		}
	}
	key := question.Key{Scheme: question.Scheme(values.Get("scheme")), Explanation: values.Get("explanation"), ExplanationImages: readImages(values, SlotExplained)}
	if k.Type == question.Scenario {
		q.Passage = values.Get("passage")
	}
	var rows []row
	for i := range k.Rows {
		if r := readRow(values, k, i); r.filled(k) || k.Type == question.FillInBlank && i < gaps(values) {
			rows = append(rows, r)
		}
	}
	switch {
	case k.Type == question.FillInBlank:
		readBlanks(rows, &q, &key)
	case k.Type == question.Matching:
		readPairs(rows, &q, &key)
	case k.Type == question.Hotspot:
		readRegions(rows, &q, &key)
	case k.Name == Statements:
		readStatements(rows, &q, &key)
	default:
		readOptions(rows, &q, &key)
	}
	return question.Tidy(q, key)
}

// readTags returns the tags that were kept, and the new ones, which are in a field with commas
// between them.
func readTags(values url.Values) []string {
	all := slices.Clone(values["tag"])
	for tag := range strings.SplitSeq(values.Get("tags"), ",") {
		if tag = strings.TrimSpace(tag); tag != "" && !slices.Contains(all, tag) {
			all = append(all, tag)
		}
	}
	return all
}
