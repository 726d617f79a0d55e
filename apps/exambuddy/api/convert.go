package api

import (
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/question"
)

// questionOf returns what a candidate may see of a question.
func questionOf(q question.Question) contract.Question {
	out := contract.Question{
		Type: string(q.Type), Text: q.Text, Passage: q.Passage, Options: options(q.Options), Targets: options(q.Targets), Statements: options(q.Statements),
		Images: imagesOf(q.Images), Tags: q.Tags, Difficulty: string(q.Difficulty), TimeLimit: q.TimeLimit,
	}
	for _, b := range q.Blanks {
		out.Blanks = append(out.Blanks, contract.Blank{ID: b.ID, Choices: options(b.Choices)})
	}
	for _, r := range q.Regions {
		out.Regions = append(out.Regions, contract.Region(r))
	}
	return out
}

func options(list []question.Option) []contract.Option {
	var all []contract.Option
	for _, o := range list {
		option := contract.Option{ID: o.ID, Text: o.Text, Last: o.Last}
		if o.Image != nil {
			option.Image = new(contract.Image(*o.Image))
		}
		all = append(all, option)
	}
	return all
}

func imagesOf(list []question.Image) []contract.Image {
	var all []contract.Image
	for _, i := range list {
		all = append(all, contract.Image(i))
	}
	return all
}

func keyOf(k question.Key) contract.Key {
	out := contract.Key{Correct: k.Correct, Also: k.Also, Pairs: k.Pairs, Scheme: string(k.Scheme), Explanation: k.Explanation, ExplanationImages: imagesOf(k.ExplanationImages)}
	for id, accepted := range k.Blanks {
		if out.Blanks == nil {
			out.Blanks = map[string]contract.Accepted{}
		}
		out.Blanks[id] = contract.Accepted(accepted)
	}
	return out
}

// contentOf returns the question and the key of the domain. A key that names options by their texts
// gets their ids.
func contentOf(in contract.NewQuestion) (question.Question, question.Key) {
	q := domainQuestion(in.Question)
	question.Identify(&q)
	return q, domainKey(in.Key, q)
}

func domainQuestion(in contract.Question) question.Question {
	q := question.Question{
		Type: question.Type(in.Type), Text: in.Text, Passage: in.Passage, Options: domainOptions(in.Options), Targets: domainOptions(in.Targets),
		Statements: domainOptions(in.Statements), Images: domainImages(in.Images), Tags: in.Tags, Difficulty: question.Difficulty(in.Difficulty), TimeLimit: in.TimeLimit,
	}
	for _, b := range in.Blanks {
		q.Blanks = append(q.Blanks, question.Blank{ID: b.ID, Choices: domainOptions(b.Choices)})
	}
	for _, r := range in.Regions {
		q.Regions = append(q.Regions, question.Region(r))
	}
	return q
}

func domainOptions(list []contract.Option) []question.Option {
	var all []question.Option
	for _, o := range list {
		option := question.Option{ID: o.ID, Text: o.Text, Last: o.Last}
		if o.Image != nil {
			option.Image = new(question.Image(*o.Image))
		}
		all = append(all, option)
	}
	return all
}

func domainImages(list []contract.Image) []question.Image {
	var all []question.Image
	for _, i := range list {
		all = append(all, question.Image(i))
	}
	return all
}

// domainKey returns the key of a question whose options have ids.
func domainKey(in contract.Key, q question.Question) question.Key {
	ids := map[string]string{}
	name := func(options []question.Option) {
		for _, o := range options {
			ids[o.Text] = o.ID
		}
	}
	name(q.Options)
	name(q.Targets)
	name(q.Statements)
	for _, r := range q.Regions {
		ids[r.Label] = r.ID
	}
	known := map[string]bool{}
	for _, id := range ids {
		known[id] = true
	}
	find := func(name string) string {
		if id, ok := ids[name]; ok && !known[name] {
			return id
		}
		return name
	}
	k := question.Key{Scheme: question.Scheme(in.Scheme), Explanation: in.Explanation, ExplanationImages: domainImages(in.ExplanationImages)}
	for _, one := range in.Correct {
		k.Correct = append(k.Correct, find(one))
	}
	for _, one := range in.Also {
		k.Also = append(k.Also, find(one))
	}
	for left, right := range in.Pairs {
		if k.Pairs == nil {
			k.Pairs = map[string]string{}
		}
		k.Pairs[find(left)] = find(right)
	}
	for id, accepted := range in.Blanks {
		if k.Blanks == nil {
			k.Blanks = map[string]question.Accepted{}
		}
		k.Blanks[id] = question.Accepted(accepted)
	}
	if len(q.Blanks) == 1 && len(k.Blanks) == 1 { // a single blank needs no id
		for id, accepted := range k.Blanks {
			if id == "" || id != q.Blanks[0].ID {
				k.Blanks = map[string]question.Accepted{q.Blanks[0].ID: accepted}
			}
		}
	}
	return k
}
