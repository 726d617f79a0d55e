package question

import (
	"slices"
	"strings"
)

// Describe returns an answer for people: the texts of the chosen options or parts. An empty answer is
// "".
func Describe(q Question, a Answer) string {
	switch {
	case a.Empty():
		return ""
	case q.Type == Ordering:
		return joined(optionTexts(q.Options, a.Chosen), " > ")
	case q.Type == Hotspot:
		return joined(regionTexts(q.Regions, a.Chosen), "; ")
	case q.Type == Matching:
		return joined(pairTexts(q.Options, func(id string) string { return first(optionTexts(q.Targets, nonEmpty(a.Parts[id]))) }), "; ")
	case len(q.Statements) > 0:
		return joined(pairTexts(q.Statements, func(id string) string { return a.Parts[id] }), "; ")
	case q.Type == FillInBlank:
		var all []string
		for _, b := range q.Blanks {
			text := a.Parts[b.ID]
			if len(b.Choices) > 0 {
				text = first(optionTexts(b.Choices, nonEmpty(text)))
			}
			all = append(all, text)
		}
		return joined(all, "; ")
	}
	return joined(optionTexts(q.Options, a.Chosen), "; ")
}

// DescribeKey returns the right answer for people. Alternatives of a blank have a slash between them.
func DescribeKey(q Question, k Key) string {
	a := Answer{Chosen: k.Correct, Parts: k.Pairs}
	if q.Type == MultipleResponse { // in the order of the options
		a.Chosen = nil
		for _, o := range q.Options {
			if slices.Contains(k.Correct, o.ID) {
				a.Chosen = append(a.Chosen, o.ID)
			}
		}
	}
	if q.Type == FillInBlank {
		a = Answer{Parts: map[string]string{}}
		for _, b := range q.Blanks {
			accepted := k.Blanks[b.ID]
			texts := slices.Clone(accepted.Texts)
			if accepted.Low != "" && accepted.Low == accepted.High {
				texts = append(texts, accepted.Low)
			} else if accepted.Low != "" {
				texts = append(texts, accepted.Low+" to "+accepted.High)
			}
			a.Parts[b.ID] = strings.Join(texts, " / ")
		}
	}
	return Describe(q, a)
}

// optionTexts returns the texts of options by their ids. An option without text is named by its image.
func optionTexts(options []Option, ids []string) []string {
	var all []string
	for _, id := range ids {
		for _, o := range options {
			switch {
			case o.ID != id:
			case o.Text == "" && o.Image != nil:
				all = append(all, "["+o.Image.Alt+"]")
			default:
				all = append(all, o.Text)
			}
		}
	}
	return all
}

func regionTexts(regions []Region, ids []string) []string {
	var all []string
	for _, r := range regions {
		if slices.Contains(ids, r.ID) {
			all = append(all, r.Label)
		}
	}
	return all
}

// pairTexts writes each part that has a value.
func pairTexts(parts []Option, value func(id string) string) []string {
	var all []string
	for _, o := range parts {
		if v := value(o.ID); v != "" {
			all = append(all, o.Text+": "+v)
		}
	}
	return all
}

func nonEmpty(id string) []string {
	if id == "" {
		return nil
	}
	return []string{id}
}

func first(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[0]
}

func joined(texts []string, separator string) string { return strings.Join(texts, separator) }
