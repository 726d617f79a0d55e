// Package aiken imports and exports questions in the Aiken format: a text, options with letters, and
// a line with the answer. Aiken has single choice only; an export reports every other question. On
// import a line with several letters makes a multiple response. Package exchange calls it.
package aiken

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/textfile"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/internal/lazyregexp"
)

var (
	optionLine = lazyregexp.New(`^\s*([A-Za-z])[.)]\s+(.*)$`)
	answerLine = lazyregexp.New(`(?i)^\s*ANSWER\s*:\s*(.*?)\s*$`)
)

// Import parses a file.
func Import(ctx context.Context, data []byte, limits draft.Limits) (*draft.Result, error) {
	if err := limits.CheckSize(len(data)); err != nil {
		return nil, err
	}
	text, encoding := textfile.Decode(data)
	p := parser{out: draft.NewBuilder(limits)}
	if encoding == textfile.Windows1252 {
		p.out.Report(draft.Place{}, "Check accented letters.", "The file is not UTF-8. It was read as Windows-1252.")
	}
	for i, line := range strings.Split(text, "\n") {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.line(i+1, line)
	}
	p.end("")
	return p.out.Result()
}

// A parser holds the question that is being read.
type parser struct {
	out     *draft.Builder
	start   int
	text    []string
	options []string
	gap     bool // the last line was empty
}

func (p *parser) line(number int, line string) {
	if strings.TrimSpace(line) == "" {
		p.gap = true
		return
	}
	gap := p.gap
	p.gap = false
	if m := answerLine.FindStringSubmatch(line); m != nil && len(p.options) > 0 {
		p.end(m[1])
		return
	}
	if m := optionLine.FindStringSubmatch(line); m != nil && len(p.text) > 0 && strings.EqualFold(m[1], draft.Letter(len(p.options))) {
		p.options = append(p.options, strings.TrimSpace(m[2]))
		return
	}
	switch {
	case gap && (len(p.options) > 0 || len(p.text) > 0):
		p.end("")
		fallthrough
	case len(p.options) == 0:
		if len(p.text) == 0 {
			p.start = number
		}
		p.text = append(p.text, strings.TrimSpace(line))
	default:
		p.options[len(p.options)-1] += " " + strings.TrimSpace(line)
	}
}

// end ends the question. answer is the text after ANSWER; "" if there is none.
func (p *parser) end(answer string) {
	defer func() { p.text, p.options = nil, nil }()
	place := draft.Place{Line: p.start}
	text := strings.Join(p.text, "\n")
	if len(p.options) == 0 {
		if text != "" {
			p.out.Problem(draft.Problem{Place: place, Message: "This text has no options.", Text: text,
				Advice: "Write each option on a line of its own: A. first, B. second."})
		}
		return
	}
	correct, ok := draft.Letters(answer, len(p.options))
	d := draft.Draft{Place: place, Confidence: 100, Reason: draft.KeyReason(correct, "the line ANSWER")}
	if !ok {
		d.Confidence = 60
		d.Problems = append(d.Problems, draft.Problem{Place: place, Text: answer, Message: "The answer is missing or is not a letter of an option.",
			Advice: "Add a line such as ANSWER: B."})
	}
	d.Question, d.Key = draft.Choice(text, p.options, correct)
	p.out.Add(d)
}

// Export writes the single-choice and the true-or-false questions. Everything that Aiken cannot hold
// is reported.
func Export(items []draft.Draft) ([]byte, []draft.Problem) {
	var out strings.Builder
	var problems []draft.Problem
	for i, item := range items {
		report := func(format string, args ...any) {
			problems = append(problems, draft.Problem{Place: draft.Place{Line: i + 1}, Message: fmt.Sprintf(format, args...),
				Advice: "Use JSON to keep everything.", Text: item.Question.Text})
		}
		q := item.Question
		correct := slices.IndexFunc(q.Options, func(o question.Option) bool { return slices.Contains(item.Key.Correct, o.ID) })
		switch {
		case q.Type != question.SingleChoice && q.Type != question.TrueFalse:
			report("Aiken has no questions of the type %s. The question was left out.", q.Type)
			continue
		case correct < 0 || len(item.Key.Correct) != 1:
			report("The question has no answer key, which Aiken needs. The question was left out.")
			continue
		}
		if lost := losses(item); lost != "" {
			report("Aiken has no place for %s.", lost)
		}
		fmt.Fprintln(&out, oneLine(q.Text))
		for n, o := range q.Options {
			fmt.Fprintf(&out, "%s. %s\n", draft.Letter(n), oneLine(o.Text))
		}
		fmt.Fprintf(&out, "ANSWER: %s\n\n", draft.Letter(correct))
	}
	return []byte(out.String()), problems
}

// losses names what Aiken cannot hold of a question.
func losses(item draft.Draft) string {
	var lost []string
	q := item.Question
	for name, has := range map[string]bool{
		"images":          len(q.Images) > 0 || slices.ContainsFunc(q.Options, func(o question.Option) bool { return o.Image != nil }),
		"the explanation": item.Key.Explanation != "", "tags": len(q.Tags) > 0, "the difficulty": q.Difficulty != "",
		"the time limit": q.TimeLimit != 0, "further accepted answers": len(item.Key.Also) > 0, "line breaks": strings.Contains(q.Text, "\n"),
	} {
		if has {
			lost = append(lost, name)
		}
	}
	slices.Sort(lost)
	return strings.Join(lost, ", ")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
