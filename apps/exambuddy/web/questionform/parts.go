package questionform

import (
	"slices"

	"sortkey.dev/apps/exambuddy/question"
)

func blankRows(q question.Question, key question.Key) []row {
	var all []row
	for _, b := range q.Blanks {
		r := row{id: b.ID, choices: b.Choices, accepted: key.Blanks[b.ID]}
		if len(b.Choices) > 0 {
			// People read the text of the right choice, not its id.
			r.accepted.Texts = slices.Clone(r.accepted.Texts)
			for i, text := range r.accepted.Texts {
				for _, choice := range b.Choices {
					if choice.ID == text {
						r.accepted.Texts[i] = choice.Text
					}
				}
			}
		}
		all = append(all, r)
	}
	return all
}

func readBlanks(rows []row, q *question.Question, key *question.Key) {
	for _, r := range rows {
		q.Blanks = append(q.Blanks, question.Blank{ID: r.id, Choices: r.choices})
	}
	question.Identify(q)
	key.Blanks = map[string]question.Accepted{}
	for i, r := range rows {
		accepted := r.accepted
		accepted.Texts = slices.Clone(r.acceptedAsTyped)
		for j, text := range accepted.Texts {
			for _, choice := range q.Blanks[i].Choices {
				if choice.Text == text {
					accepted.Texts[j] = choice.ID
				}
			}
		}
		key.Blanks[q.Blanks[i].ID] = accepted
	}
}

// pairRows returns the pairs of a matching, and then the targets that fit nothing.
func pairRows(q question.Question, key question.Key) []row {
	var all []row
	used := map[string]bool{}
	add := func(r row, i int) row {
		target := q.Targets[i]
		used[target.ID] = true
		r.other, r.otherID, r.otherImage, r.otherLast, r.otherPlace = target.Text, target.ID, target.Image, target.Last, i
		return r
	}
	for _, o := range q.Options {
		r := row{id: o.ID, text: o.Text, image: o.Image}
		if i := slices.IndexFunc(q.Targets, func(t question.Option) bool { return t.ID == key.Pairs[o.ID] }); i >= 0 {
			r = add(r, i)
		}
		all = append(all, r)
	}
	for i, target := range q.Targets {
		if !used[target.ID] {
			all = append(all, add(row{}, i))
		}
	}
	return all
}

// readPairs reads the pairs of a matching. A right side alone is a target that fits nothing, and two
// equal right sides are one target.
func readPairs(rows []row, q *question.Question, key *question.Key) {
	same := func(r row) func(question.Option) bool {
		return func(t question.Option) bool {
			return t.Text == r.other && (t.Image == nil) == (r.otherImage == nil) && (t.Image == nil || t.Image.File == r.otherImage.File)
		}
	}
	hasTarget := func(r row) bool { return r.other != "" || r.otherImage != nil }
	for _, r := range byPlace(rows, func(r row) int { return r.otherPlace }) {
		if hasTarget(r) && !slices.ContainsFunc(q.Targets, same(r)) {
			q.Targets = append(q.Targets, question.Option{ID: r.otherID, Text: r.other, Image: r.otherImage, Last: r.otherLast})
		}
	}
	for i := range q.Targets { // a copied row has the id of another right side
		if slices.ContainsFunc(q.Targets[:i], func(t question.Option) bool { return t.ID == q.Targets[i].ID }) {
			q.Targets[i].ID = ""
		}
	}
	for _, r := range rows {
		if r.text != "" || r.image != nil {
			q.Options = append(q.Options, question.Option{ID: r.id, Text: r.text, Image: r.image})
		}
	}
	question.Identify(q)
	key.Pairs = map[string]string{}
	i := 0
	for _, r := range rows {
		if r.text == "" && r.image == nil {
			continue
		}
		if target := slices.IndexFunc(q.Targets, same(r)); hasTarget(r) && target >= 0 {
			key.Pairs[q.Options[i].ID] = q.Targets[target].ID
		}
		i++
	}
}
