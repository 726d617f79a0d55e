package web

import (
	"slices"
	"strings"

	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/webkit"
)

// asked is a question as a candidate sees it, for the part "question". It cannot hold a key.
type asked struct {
	question.Question
	Answer question.Answer
	// Items are those of an ordering, in the candidate's order.
	Items []question.Option
	// Gaps are the parts of a text around its blanks.
	Gaps   []gap
	Locked bool // it is over or only shown
}

// A gap is a text and the blank after it.
type gap struct {
	Text  string
	Blank *question.Blank // nil after the last one
	Given string
}

// ask returns a question with the answer that is known.
func ask(q question.Question, a question.Answer, locked bool) asked {
	out := asked{Question: q, Answer: a, Locked: locked}
	switch q.Type {
	case question.Ordering:
		out.Items = ordered(q.Options, a.Chosen)
	case question.FillInBlank:
		out.Gaps = gapsOf(q, a)
	}
	return out
}

// ordered returns options in the order of ids. Options without a place follow.
func ordered(options []question.Option, ids []string) []question.Option {
	var all []question.Option
	for _, id := range ids {
		if i := slices.IndexFunc(options, func(o question.Option) bool { return o.ID == id }); i >= 0 {
			all = append(all, options[i])
		}
	}
	for _, o := range options {
		if !slices.Contains(ids, o.ID) {
			all = append(all, o)
		}
	}
	return all
}

// gapsOf returns the text of a question with its blanks. Blanks without a place in the text follow it.
func gapsOf(q question.Question, a question.Answer) []gap {
	texts := question.Gaps(q.Text)
	var all []gap
	for i := range max(len(texts), len(q.Blanks)) {
		var g gap
		if i < len(texts) {
			g.Text = texts[i]
		}
		if i < len(q.Blanks) {
			g.Blank = &q.Blanks[i]
			g.Given = a.Parts[g.Blank.ID]
		}
		all = append(all, g)
	}
	return all
}

// Names of the fields of an answer. Those of parts end with the id of the part.
const (
	fieldChoice = "choice"
	fieldOrder  = "order"
	fieldPart   = "part-"
)

// readAnswer reads the answer to a question from a form.
func readAnswer(q question.Question, form *webkit.Form) question.Answer {
	var a question.Answer
	part := func(id string) {
		if text := strings.TrimSpace(form.Value(fieldPart + id)); text != "" {
			if a.Parts == nil {
				a.Parts = make(map[string]string)
			}
			a.Parts[id] = text
		}
	}
	switch {
	case q.Type == question.Ordering:
		a.Chosen = form.Values[fieldOrder]
	case q.Type == question.Matching:
		for _, o := range q.Options {
			part(o.ID)
		}
	case q.Type == question.FillInBlank:
		for _, b := range q.Blanks {
			part(b.ID)
		}
	case len(q.Statements) > 0:
		for _, s := range q.Statements {
			part(s.ID)
		}
	default:
		a.Chosen = form.Values[fieldChoice]
	}
	return a
}

// move returns ids with one of them a place up or down.
func move(ids []string, id string, by int) []string {
	moved := slices.Clone(ids)
	i := slices.Index(moved, id)
	if j := i + by; i >= 0 && j >= 0 && j < len(moved) {
		moved[i], moved[j] = moved[j], moved[i]
	}
	return moved
}

// Chosen reports whether an option or a region is chosen.
func (a asked) Chosen(id string) bool { return slices.Contains(a.Answer.Chosen, id) }

// Given returns the answer to a part.
func (a asked) Given(id string) string { return a.Answer.Parts[id] }

// Many reports whether several options can be chosen.
func (a asked) Many() bool { return a.Type == question.MultipleResponse }

// PicturedTargets reports whether a right side has an image, which a drop-down cannot show.
func (a asked) PicturedTargets() bool {
	return slices.ContainsFunc(a.Targets, func(o question.Option) bool { return o.Image != nil })
}

// HasOptions reports whether options are chosen from a list.
func (a asked) HasOptions() bool {
	switch a.Type {
	case question.SingleChoice, question.TrueFalse, question.MultipleResponse:
		return true
	case question.Scenario:
		return len(a.Statements) == 0
	}
	return false
}
