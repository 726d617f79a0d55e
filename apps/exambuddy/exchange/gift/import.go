// Package gift imports and exports questions in Moodle's GIFT format. An import reports what this
// program has no place for: essays, descriptions, partial weights. An export reports questions and
// values that GIFT cannot hold. Package exchange calls it.
package gift

import (
	"context"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/textfile"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/internal/lazyregexp"
)

// Import parses a file.
func Import(ctx context.Context, data []byte, limits draft.Limits) (*draft.Result, error) {
	if err := limits.CheckSize(len(data)); err != nil {
		return nil, err
	}
	text, encoding := textfile.Decode(data)
	out := draft.NewBuilder(limits)
	if encoding == textfile.Windows1252 {
		out.Report(draft.Place{}, "Check accented letters.", "The file is not UTF-8. It was read as Windows-1252.")
	}
	category := ""
	all, err := blocks(ctx, text)
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if b.category != "" {
			category = b.category
			continue
		}
		p := parser{out: out, place: draft.Place{Line: b.line}, notes: b.notes, category: category}
		p.question(b.text)
	}
	return out.Result()
}

// A block is the source of one question.
type block struct {
	line     int
	text     string
	notes    []string // the comments before it
	category string
}

// blocks splits a file at empty lines outside of braces.
func blocks(ctx context.Context, text string) ([]block, error) {
	var all []block
	var now block
	var lines []string // of now
	open := false
	end := func() {
		if now.text = strings.Join(lines, ""); strings.TrimSpace(now.text) != "" {
			all = append(all, now)
			now, lines = block{}, nil
		}
		open = false
	}
	for i, line := range strings.Split(text, "\n") {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "//"):
			if len(lines) == 0 {
				now.notes = append(now.notes, strings.TrimPrefix(trimmed, "//"))
			}
			continue
		case strings.HasPrefix(trimmed, "$CATEGORY:") && !open:
			end()
			all = append(all, block{line: i + 1, category: strings.TrimSpace(strings.TrimPrefix(trimmed, "$CATEGORY:"))})
			continue
		case trimmed == "" && !open:
			end()
			continue
		}
		if len(lines) == 0 {
			now.line = i + 1
		}
		lines = append(lines, line+"\n")
		for _, c := range scan(line) {
			if !c.literal && (c.r == '{' || c.r == '}') {
				open = c.r == '{'
			}
		}
	}
	end()
	return all, nil
}

// A parser makes a draft of one block.
type parser struct {
	out      *draft.Builder
	place    draft.Place
	notes    []string
	category string
	html     bool
	d        draft.Draft
}

// problem adds a problem to the draft.
func (p *parser) problem(message, advice, text string) {
	p.d.Problems = append(p.d.Problems, draft.Problem{Place: p.place, Message: message, Advice: advice, Text: text})
}

// skip reports a block that is no question of ours.
func (p *parser) skip(message, advice, text string) {
	p.out.Problem(draft.Problem{Place: p.place, Message: message, Advice: advice, Text: strings.TrimSpace(text)})
}

var format = lazyregexp.New(`^\[(html|moodle|plain|markdown)\]`)

func (p *parser) question(source string) {
	chars := scan(source)
	chars = trimLeft(chars)
	if index(chars, "::") == 0 {
		if title, rest, ok := cut(chars[2:], "::"); ok {
			p.d.Title, chars = plain(title), trimLeft(rest)
		}
	}
	if len(chars) > 0 && !chars[0].literal {
		if m := format.FindStringSubmatch(first(chars, 12)); m != nil {
			p.html = m[1] == "html"
			chars = chars[len(m[0]):]
		}
	}
	before, rest, ok := cut(chars, "{")
	if !ok {
		p.skip("This text has no answers in braces, so it is a description and no question.", "Add the answers, as in {=right ~wrong}.", source)
		return
	}
	body, after, ok := cut(rest, "}")
	if !ok {
		p.skip("The closing brace of the answers is missing.", "Add } after the last answer.", source)
		return
	}
	if _, more, again := cut(after, "{"); again {
		p.skip("The question has several groups of answers, which GIFT does not allow.", "Make a question of each group. The rest: "+plain(more), source)
		return
	}
	p.d.Place, p.d.Confidence = p.place, 100
	explanation := ""
	if answers, feedback, ok := cut(body, "####"); ok {
		body, explanation = answers, p.text(feedback)
	}
	if !p.answers(p.text(before), body, p.text(after)) {
		return
	}
	if p.d.Question.Text == "" {
		p.d.Question.Text = p.d.Title
	}
	if p.d.Key.Explanation != "" && explanation != "" {
		explanation += "\n"
	}
	p.d.Key.Explanation = explanation + p.d.Key.Explanation
	p.settings()
	p.out.Add(p.d)
}

// first returns the first n characters.
func first(chars []char, n int) string {
	var b strings.Builder
	for _, c := range chars[:min(n, len(chars))] {
		b.WriteRune(c.r)
	}
	return b.String()
}

// text returns the text of characters in the question's format.
func (p *parser) text(chars []char) string {
	text := plain(chars)
	if !p.html {
		return text
	}
	text, lost := fromHTML(text)
	if len(lost) > 0 {
		p.problem("Parts of the HTML were removed.", "Add images and tables in the editor.", strings.Join(lost, " "))
	}
	return text
}

// sentence joins the text around the answers.
func sentence(before, after string) string {
	if after == "" {
		return before
	}
	if len(question.Gaps(before+after)) > 1 { // the underscores are a rule, not a gap
		before, after = strings.ReplaceAll(before, "__", "_ "), strings.ReplaceAll(after, "__", "_ ")
	}
	gap := "____"
	if before != "" {
		gap = before + " ____"
	}
	if strings.ContainsAny(after[:1], ".,;:!?)") {
		return gap + after
	}
	return gap + " " + after
}

var note = lazyregexp.New(`\[(id|tag):([^\]]*)\]`)

// settings applies the comments before the question: Moodle's [tag:x] and [id:x], and the values
// that an export of ours wrote.
func (p *parser) settings() {
	q, k := &p.d.Question, &p.d.Key
	for _, line := range p.notes {
		found := note.FindAllStringSubmatch(line, -1)
		for _, m := range found {
			if m[1] == "id" {
				p.d.ID = m[2]
			} else {
				q.Tags = append(q.Tags, strings.TrimSpace(m[2]))
			}
		}
		values, ours := strings.CutPrefix(strings.TrimSpace(line), "exambuddy:")
		if !ours {
			continue
		}
		for _, field := range strings.Fields(values) {
			switch name, value, _ := strings.Cut(field, "="); name {
			case "difficulty":
				q.Difficulty = question.Difficulty(value)
			case "time_limit":
				q.TimeLimit, _ = strconv.Atoi(value)
			case "scheme":
				k.Scheme = question.Scheme(value)
			case "type":
				p.retype(question.Type(value))
			case "ignore":
				for id, accepted := range k.Blanks {
					accepted.IgnoreAccents = strings.Contains(value, "accents")
					accepted.IgnorePunctuation = strings.Contains(value, "punctuation")
					k.Blanks[id] = accepted
				}
			}
		}
	}
	if p.category != "" {
		parts := strings.Split(p.category, "/")
		if name := strings.TrimSpace(parts[len(parts)-1]); name != "" {
			q.Tags = append(q.Tags, name)
		}
	}
}

// retype turns a choice into the type that was exported.
func (p *parser) retype(t question.Type) {
	q, k := &p.d.Question, &p.d.Key
	switch {
	case t == question.MultipleResponse && q.Type == question.SingleChoice:
		q.Type = t
	case t == question.FillInBlank && len(q.Options) > 0 && len(k.Correct) == 1:
		*q, *k = dropDown(*q, *k)
	}
}

// dropDown turns a choice into a blank with choices.
func dropDown(q question.Question, k question.Key) (question.Question, question.Key) {
	q.Type, q.Blanks, q.Options = question.FillInBlank, []question.Blank{{ID: "b1", Choices: q.Options}}, nil
	k.Blanks, k.Correct = map[string]question.Accepted{"b1": {Texts: k.Correct}}, nil
	return q, k
}
