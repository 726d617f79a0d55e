package jsonfile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/question"
)

func fromDraft(d draft.Draft) item {
	q := d.Question
	it := item{
		ID: d.ID, Title: d.Title, Type: string(q.Type), Text: q.Text, Passage: q.Passage, Options: fromOptions(q.Options),
		Targets: fromOptions(q.Targets), Statements: fromOptions(q.Statements), Images: fromImages(q.Images), Tags: q.Tags,
		Difficulty: string(q.Difficulty), TimeLimit: q.TimeLimit,
	}
	for _, b := range q.Blanks {
		it.Blanks = append(it.Blanks, blank{ID: b.ID, Choices: fromOptions(b.Choices)})
	}
	for _, r := range q.Regions {
		it.Regions = append(it.Regions, region(r))
	}
	k := d.Key
	out := key{Correct: k.Correct, Also: k.Also, Pairs: k.Pairs, Scheme: string(k.Scheme), Explanation: k.Explanation, ExplanationImages: fromImages(k.ExplanationImages)}
	for id, a := range k.Blanks {
		if out.Blanks == nil {
			out.Blanks = map[string]accepted{}
		}
		out.Blanks[id] = accepted(a)
	}
	it.Key = &out
	return it
}

func fromOptions(options []question.Option) []option {
	var all []option
	for _, o := range options {
		out := option{ID: o.ID, Text: o.Text, Last: o.Last}
		if o.Image != nil {
			i := image(*o.Image)
			out.Image = &i
		}
		all = append(all, out)
	}
	return all
}

func fromImages(images []question.Image) []image {
	var all []image
	for _, i := range images {
		all = append(all, image(i))
	}
	return all
}

// draft returns the item as a draft.
func (it item) draft() draft.Draft {
	q := question.Question{
		Type: question.Type(it.Type), Text: it.Text, Passage: it.Passage, Options: toOptions(it.Options), Targets: toOptions(it.Targets),
		Statements: toOptions(it.Statements), Images: toImages(it.Images), Tags: it.Tags, Difficulty: question.Difficulty(it.Difficulty), TimeLimit: it.TimeLimit,
	}
	for _, b := range it.Blanks {
		q.Blanks = append(q.Blanks, question.Blank{ID: b.ID, Choices: toOptions(b.Choices)})
	}
	for _, r := range it.Regions {
		q.Regions = append(q.Regions, question.Region(r))
	}
	question.Identify(&q)
	d := draft.Draft{ID: it.ID, Title: it.Title, Question: q, Confidence: 100, Reason: "the file names the type"}
	if it.Key == nil {
		return d
	}
	k := it.Key
	d.Key = question.Key{Correct: k.Correct, Also: k.Also, Pairs: k.Pairs, Scheme: question.Scheme(k.Scheme), Explanation: k.Explanation, ExplanationImages: toImages(k.ExplanationImages)}
	for id, a := range k.Blanks {
		if d.Key.Blanks == nil {
			d.Key.Blanks = map[string]question.Accepted{}
		}
		d.Key.Blanks[id] = question.Accepted(a)
	}
	return d
}

func toOptions(options []option) []question.Option {
	var all []question.Option
	for _, o := range options {
		out := question.Option{ID: o.ID, Text: o.Text, Last: o.Last}
		if o.Image != nil {
			i := question.Image(*o.Image)
			out.Image = &i
		}
		all = append(all, out)
	}
	return all
}

func toImages(images []image) []question.Image {
	var all []question.Image
	for _, i := range images {
		all = append(all, question.Image(i))
	}
	return all
}

// renames maps names of other programs to ours.
var renames = map[string]string{
	"question": "text", "question_text": "text", "questionText": "text", "prompt": "text", "question_type": "type",
	"choices": "options", "answers": "options", "time_limit_seconds": "time_limit", "timeLimit": "time_limit",
}

// renameForeign moves fields with other names to ours.
func renameForeign(all, foreign map[string]json.RawMessage) {
	for _, name := range slices.Sorted(maps.Keys(foreign)) {
		ours, ok := renames[name]
		if _, taken := all[ours]; ok && !taken {
			all[ours] = foreign[name]
			delete(foreign, name)
		}
	}
	if raw, ok := all["type"]; ok {
		all["type"] = json.RawMessage(strings.ReplaceAll(strings.ReplaceAll(string(raw), "multiple_choice", "single_choice"), "drop_down_selection", "fill_in_blank"))
	}
}

// applyForeign takes the answer and the explanation from fields of other programs, and reports the
// fields that are left.
func applyForeign(d *draft.Draft, foreign map[string]json.RawMessage) {
	for _, name := range slices.Sorted(maps.Keys(foreign)) {
		raw := foreign[name]
		switch name {
		case "explanation", "rationale", "feedback":
			if d.Key.Explanation == "" && json.Unmarshal(raw, &d.Key.Explanation) == nil {
				continue
			}
		case "answer", "correct", "correct_answer", "correctAnswer", "correct_index", "correct_indices", "correctIndex", "answer_index":
			if foreignKey(d, name, raw) {
				continue
			}
		}
		d.Problems = append(d.Problems, draft.Problem{Message: fmt.Sprintf("The field %s was not imported.", name), Advice: "Add its value in the editor if you need it.", Text: string(raw)})
	}
	if d.Question.Type == "" {
		guess(d)
	}
}

// foreignKey takes the answer: an index from 0, a letter, the text of an option, or a list of them.
func foreignKey(d *draft.Draft, name string, raw json.RawMessage) bool {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	q := d.Question
	var found []int
	var texts []string
	for _, one := range list {
		var number int
		var text string
		var truth bool
		switch {
		case json.Unmarshal(one, &number) == nil:
			found = append(found, number)
		case json.Unmarshal(one, &truth) == nil:
			d.Question, d.Key = draft.TrueOrFalse(q.Text, truth)
			d.Reason = "the answer is true or false"
			return len(list) == 1 && len(q.Options) == 0
		case json.Unmarshal(one, &text) == nil:
			i := slices.IndexFunc(q.Options, func(o question.Option) bool { return question.Canonical(o.Text) == question.Canonical(text) })
			if letters, ok := draft.Letters(text, len(q.Options)); i < 0 && ok {
				found = append(found, letters...)
			} else if i >= 0 {
				found = append(found, i)
			}
			texts = append(texts, text)
		}
	}
	if len(q.Options) == 0 && len(texts) > 0 {
		d.Question, d.Key = draft.Blanks(q.Text, question.Accepted{Texts: texts})
		d.Reason = "there are no options, and the answer is a text"
		return true
	}
	if len(found) == 0 || slices.Max(found) >= len(q.Options) || slices.Min(found) < 0 {
		return false
	}
	d.Key.Correct = nil
	for _, i := range found {
		d.Key.Correct = append(d.Key.Correct, q.Options[i].ID)
	}
	d.Reason = draft.KeyReason(found, "the field "+name)
	return true
}

// guess sets the type of a question of another program.
func guess(d *draft.Draft) {
	d.Question.Type = question.SingleChoice
	d.Confidence = 90
	if len(d.Key.Correct) > 1 {
		d.Question.Type = question.MultipleResponse
	}
	if d.Reason == "the file names the type" {
		d.Reason = "the file names no type"
	}
}
