package question

import (
	"maps"
	"slices"
	"strings"
)

// Tidy returns a question and its key as they are stored: texts without space around them and with
// the line ends of Unix, texts that are shown or typed on one line without line breaks, and the parts
// of a key in the order of the options. Tidy changes no meaning, and does nothing to its own result.
func Tidy(q Question, k Key) (Question, Key) {
	q.Text, q.Passage = tidyText(q.Text), tidyText(q.Passage)
	shuffled := q.Type != Ordering && q.Type != Matching
	q.Options = tidyOptions(q.Options, tidyText, shuffled)
	q.Targets = tidyOptions(q.Targets, tidyLine, true)
	q.Statements = tidyOptions(q.Statements, tidyText, false)
	q.Blanks = slices.Clone(q.Blanks)
	for i := range q.Blanks {
		q.Blanks[i].Choices = tidyOptions(q.Blanks[i].Choices, tidyLine, true)
	}
	q.Regions = slices.Clone(q.Regions)
	for i := range q.Regions {
		q.Regions[i].Label = tidyLine(q.Regions[i].Label)
	}
	q.Images = tidyImages(q.Images)
	q.Tags = tidyLines(q.Tags)
	return q, tidyKey(q, k)
}

func tidyKey(q Question, k Key) Key {
	if k.Scheme == Exact {
		k.Scheme = ""
	}
	k.Explanation, k.ExplanationImages = tidyText(k.Explanation), tidyImages(k.ExplanationImages)
	if q.Type == MultipleResponse {
		k.Correct = inOrder(k.Correct, ids(q.Options))
	}
	k.Also = inOrder(k.Also, append(ids(q.Options), regionIDs(q.Regions)...))
	if len(k.Pairs) == 0 {
		k.Pairs = nil
	}
	blanks := maps.Clone(k.Blanks)
	for id, accepted := range blanks {
		accepted.Texts = tidyLines(accepted.Texts)
		accepted.Low, accepted.High = tidyLine(accepted.Low), tidyLine(accepted.High)
		if slices.ContainsFunc(q.Blanks, func(b Blank) bool { return b.ID == id && len(b.Choices) > 0 }) {
			accepted.Low, accepted.High = "", ""
		}
		if len(accepted.Texts) == 0 && accepted.Low == "" && accepted.High == "" {
			delete(blanks, id)
			continue
		}
		blanks[id] = accepted
	}
	if k.Blanks = blanks; len(blanks) == 0 {
		k.Blanks = nil
	}
	return k
}

// inOrder returns ids in the order of all. Ids that all does not have follow.
func inOrder(chosen, all []string) []string {
	if len(chosen) == 0 {
		return nil
	}
	place := func(id string) int {
		if i := slices.Index(all, id); i >= 0 {
			return i
		}
		return len(all)
	}
	sorted := slices.Clone(chosen)
	slices.SortStableFunc(sorted, func(a, b string) int { return place(a) - place(b) })
	return sorted
}

// tidyOptions tidies options. Only shuffled options can keep the last place: a place that stays would
// give the answer of an ordering away.
func tidyOptions(options []Option, tidy func(string) string, shuffled bool) []Option {
	options = slices.Clone(options)
	for i := range options {
		options[i].Text = tidy(options[i].Text)
		options[i].Last = options[i].Last && shuffled
		if options[i].Image != nil {
			options[i].Image = &Image{File: options[i].Image.File, Alt: tidyLine(options[i].Image.Alt)}
		}
	}
	return options
}

func tidyImages(images []Image) []Image {
	images = slices.Clone(images)
	for i := range images {
		images[i].Alt = tidyLine(images[i].Alt)
	}
	return images
}

func tidyLines(texts []string) []string {
	var all []string
	for _, text := range texts {
		if text = tidyLine(text); text != "" {
			all = append(all, text)
		}
	}
	return all
}

func tidyText(text string) string {
	return strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text))
}

func tidyLine(text string) string {
	return strings.TrimSpace(strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ", "\t", " ").Replace(text))
}
