// Package drafttest makes drafts for tests of imports and exports: one of each type, with texts that
// break careless parsers, and random ones. Only tests import it.
package drafttest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/question"
)

// Awkward lists texts that have a meaning in some format.
var Awkward = []string{
	"Plain words", "Å, ä, ö & Łódź ✓ Проект", `He said "no"; she said 'yes'`, "a = b ~ c # d { e } : f", `back\slash \n`,
	"=1+2", "-5", "@home", "%50% off", "<b>bold</b> & <img src=x>", "A. First", "// comment", "::title::", "$CATEGORY: x", "[html] text",
	"a -> b", "1; 2; 3", "tab\there", "quote \" inside", "]]> end", "&amp;", "100%", "{T}", "é", "x|y", "ANSWER: B", "a..b",
}

// One returns a valid draft of a type. Its texts depend on r.
func One(r *rand.Rand, t question.Type) draft.Draft {
	used := map[string]bool{}
	text := func() string {
		for n := 0; ; n++ {
			s := Awkward[r.IntN(len(Awkward))]
			if n > 3 || r.IntN(3) == 0 {
				s += fmt.Sprintf(" %d", r.IntN(1000))
			}
			if c := question.Canonical(s); !used[c] {
				used[c] = true
				return s
			}
		}
	}
	list := func(n int) []string {
		var all []string
		for range n {
			all = append(all, text())
		}
		return all
	}
	n := 2 + r.IntN(4)
	asked := strings.ReplaceAll(text(), "__", "_") + fmt.Sprintf(" (%d)?", r.IntN(1_000_000))
	var d draft.Draft
	switch t {
	case question.SingleChoice:
		d.Question, d.Key = draft.Choice(asked, list(n), []int{r.IntN(n)})
	case question.TrueFalse:
		d.Question, d.Key = draft.TrueOrFalse(asked, r.IntN(2) == 0)
	case question.MultipleResponse:
		d.Question, d.Key = draft.Choice(asked, list(n), r.Perm(n)[:2+r.IntN(n-1)])
		d.Key.Scheme = question.RightMinusWrong
	case question.FillInBlank:
		d.Question, d.Key = draft.Blanks(asked+" is __ here", question.Accepted{Texts: list(1 + r.IntN(2))})
	case question.Ordering:
		d.Question, d.Key = draft.Order(asked, list(n), r.Perm(n))
	case question.Matching:
		d.Question, d.Key = draft.Match(asked, list(n), list(n+1), r.Perm(n))
	case question.Hotspot:
		d.Question = question.Question{Type: t, Text: asked, Images: []question.Image{{File: "map.png", Alt: "A map"}}, Regions: []question.Region{
			{Label: "left", Width: 500, Height: 1000}, {Label: "right", X: 500, Width: 500, Height: 1000}}}
		question.Identify(&d.Question)
		d.Key.Correct = []string{d.Question.Regions[r.IntN(2)].ID}
	case question.Scenario:
		d.Question, d.Key = scenario(r, asked, text(), list(3))
	}
	slices.Sort(d.Key.Correct[:sortable(d)])
	return d
}

// sortable returns the number of right answers that have no order.
func sortable(d draft.Draft) int {
	if d.Question.Type == question.Ordering {
		return 0
	}
	return len(d.Key.Correct)
}

func scenario(r *rand.Rand, asked, passage string, list []string) (question.Question, question.Key) {
	if r.IntN(2) == 0 {
		q, k := draft.Choice(asked, list, []int{r.IntN(3)})
		q.Type, q.Passage = question.Scenario, passage
		return q, k
	}
	q := question.Question{Type: question.Scenario, Text: asked, Passage: passage}
	k := question.Key{Pairs: map[string]string{}}
	for _, s := range list {
		q.Statements = append(q.Statements, question.Option{Text: s})
	}
	question.Identify(&q)
	for _, s := range q.Statements {
		k.Pairs[s.ID] = []string{question.Yes, question.No}[r.IntN(2)]
	}
	return q, k
}

// Many returns n random drafts of the types, each with tags, difficulty and explanation.
func Many(seed uint64, n int, types ...question.Type) []draft.Draft {
	r := rand.New(rand.NewPCG(seed, 1))
	var all []draft.Draft
	for i := range n {
		d := One(r, types[i%len(types)])
		d.Question.Tags = []string{"networks", "Blåbär"}[:r.IntN(3)]
		if len(d.Question.Tags) == 0 {
			d.Question.Tags = nil
		}
		if r.IntN(2) == 0 {
			d.Question.Difficulty, d.Question.TimeLimit = question.Hard, 45
			d.Key.Explanation = Awkward[r.IntN(len(Awkward))] + " because"
		}
		all = append(all, d)
	}
	return all
}
