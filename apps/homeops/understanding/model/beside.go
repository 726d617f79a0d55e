package model

import (
	"context"

	"sortkey.dev/apps/homeops/understanding"
)

// A Pair classifies by rules first and asks a model about messages that the rules left open.
type Pair struct {
	rules, model understanding.Classifier
	onError      func(error)
}

// Beside returns a classifier that asks model only when rules found nothing clear. A failure of the
// model is handed to onError, which may be nil, and leaves the meaning that the rules found.
func Beside(rules, model understanding.Classifier, onError func(error)) *Pair {
	return &Pair{rules: rules, model: model, onError: onError}
}

// Classify returns the meaning of the rules, with the activities and promises that the model found
// in words about which the rules said nothing. A negation, question or person that the rules found
// stands.
func (p *Pair) Classify(ctx context.Context, m understanding.Message) (understanding.Meaning, error) {
	meaning, err := p.rules.Classify(ctx, m)
	if err != nil || !open(meaning) {
		return meaning, err
	}
	found, err := p.model.Classify(ctx, m)
	meaning.Usage = found.Usage
	if err != nil {
		if p.onError != nil {
			p.onError(err)
		}
		return meaning, nil
	}
	taken := spans(meaning)
	for _, a := range found.Activities {
		if !overlaps(taken, a.Span) {
			meaning.Activities = append(meaning.Activities, a)
			meaning.Classifier = "model"
		}
	}
	for _, promise := range found.Promises {
		if !overlaps(taken, promise.Span) {
			meaning.Promises = append(meaning.Promises, promise)
			meaning.Classifier = "model"
		}
	}
	return meaning, nil
}

// open reports whether the rules found nothing that decides the message.
func open(m understanding.Meaning) bool {
	return len(m.Questions)+len(m.Corrections)+len(m.Requests)+len(m.Disputes)+len(m.Activities)+len(m.Promises) == 0
}

// spans lists the words that the rules decided about.
func spans(m understanding.Meaning) []understanding.Span {
	var all []understanding.Span
	for _, x := range m.Mentions {
		all = append(all, x.Span)
	}
	return all
}

func overlaps(taken []understanding.Span, s understanding.Span) bool {
	for _, t := range taken {
		if s.Start < t.End && t.Start < s.End {
			return true
		}
	}
	return false
}
