package gift

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/question"
)

// Export writes questions. Everything that GIFT cannot hold is reported.
func Export(items []draft.Draft) ([]byte, []draft.Problem) {
	w := writer{}
	for i, item := range items {
		w.number = i + 1
		w.item(item)
	}
	return []byte(w.out.String()), w.problems
}

type writer struct {
	out      strings.Builder
	number   int
	problems []draft.Problem
}

func (w *writer) problem(item draft.Draft, format string, args ...any) {
	w.problems = append(w.problems, draft.Problem{Place: draft.Place{Line: w.number}, Message: fmt.Sprintf(format, args...),
		Advice: "Use JSON to keep everything.", Text: item.Question.Text})
}

// item writes one question.
func (w *writer) item(item draft.Draft) {
	q, k := item.Question, item.Key
	if err := question.CheckKey(q, k); err != nil {
		w.problem(item, "The question has no complete answer key, which GIFT needs. The question was left out.")
		return
	}
	before, body, after := q.Text, "", ""
	switch {
	case q.Type == question.TrueFalse:
		body = strings.ToUpper(k.Correct[0])
	case q.Type == question.SingleChoice || q.Type == question.MultipleResponse || q.Type == question.Scenario && len(q.Options) > 0:
		body = choices(q.Options, k.Correct)
		if q.Passage != "" {
			before = q.Passage + "\n\n" + q.Text
			w.problem(item, "GIFT has no scenarios. The passage is part of the text.")
		}
	case q.Type == question.Matching:
		body = pairs(q, k)
	case q.Type == question.FillInBlank && len(q.Blanks) == 1:
		before, body, after = blank(q, k)
	default:
		w.problem(item, "GIFT has no questions of this kind (%s). The question was left out.", q.Type.Label())
		return
	}
	if len(q.Images) > 0 || len(k.ExplanationImages) > 0 || slices.ContainsFunc(q.Options, func(o question.Option) bool { return o.Image != nil }) {
		w.problem(item, "GIFT has no images. They were left out.")
	}
	w.comments(item)
	if k.Explanation != "" {
		body += " ####" + escape(k.Explanation)
	}
	fmt.Fprintf(&w.out, "::%s::[plain]%s {%s}%s\n\n", escape(oneLine(cmp.Or(item.Title, item.ID, fmt.Sprintf("Q%d", w.number)))), escape(before), body, escape(after))
}

// comments writes what GIFT has no syntax for.
func (w *writer) comments(item draft.Draft) {
	q, k := item.Question, item.Key
	for _, tag := range q.Tags {
		fmt.Fprintf(&w.out, "// [tag:%s]\n", oneLine(strings.ReplaceAll(tag, "]", ")")))
	}
	var values []string
	add := func(name, value string) {
		if value != "" && value != "0" {
			values = append(values, name+"="+value)
		}
	}
	add("difficulty", string(q.Difficulty))
	add("time_limit", fmt.Sprint(q.TimeLimit))
	add("scheme", string(k.Scheme))
	if q.Type == question.MultipleResponse || q.Type == question.FillInBlank {
		add("type", string(q.Type))
	}
	for _, accepted := range k.Blanks {
		ignore := ""
		if accepted.IgnoreAccents {
			ignore += "+accents"
		}
		if accepted.IgnorePunctuation {
			ignore += "+punctuation"
		}
		add("ignore", strings.TrimPrefix(ignore, "+"))
	}
	if len(values) > 0 {
		fmt.Fprintf(&w.out, "// exambuddy: %s\n", strings.Join(values, " "))
	}
}

// choices writes options. The weights of several right ones are from Moodle's list.
func choices(options []question.Option, correct []string) string {
	weight := map[int]string{2: "50", 3: "33.33333", 4: "25", 5: "20", 6: "16.66667"}[len(correct)]
	var b strings.Builder
	for _, o := range options {
		right := slices.Contains(correct, o.ID)
		switch {
		case right && weight == "" && !strings.HasPrefix(o.Text, "%"):
			b.WriteString(" =")
		case right && weight == "":
			b.WriteString(" =%100%")
		case right:
			fmt.Fprintf(&b, " ~%%%s%%", weight)
		case weight != "":
			fmt.Fprintf(&b, " ~%%-%s%%", weight)
		case strings.HasPrefix(o.Text, "%"):
			b.WriteString(" ~%0%")
		default:
			b.WriteString(" ~")
		}
		b.WriteString(escape(oneLine(o.Text)))
	}
	return b.String() + " "
}

// pairs writes a matching, with the targets that belong to no option at the end.
func pairs(q question.Question, k question.Key) string {
	text := map[string]string{}
	for _, t := range q.Targets {
		text[t.ID] = t.Text
	}
	used := map[string]bool{}
	var b strings.Builder
	for _, o := range q.Options {
		target := k.Pairs[o.ID]
		used[target] = true
		fmt.Fprintf(&b, " =%s -> %s", escape(oneLine(o.Text)), escape(oneLine(text[target])))
	}
	for _, t := range q.Targets {
		if !used[t.ID] {
			fmt.Fprintf(&b, " = -> %s", escape(oneLine(t.Text)))
		}
	}
	return b.String() + " "
}

// blank writes a text with one blank. A gap at the end stays in the text.
func blank(q question.Question, k question.Key) (before, body, after string) {
	accepted := k.Blanks[q.Blanks[0].ID]
	before = q.Text
	if parts := question.Gaps(q.Text); len(parts) == 2 && strings.TrimSpace(parts[1]) != "" {
		before, after = strings.TrimSpace(parts[0]), parts[1]
	}
	if choicesOf := q.Blanks[0].Choices; len(choicesOf) > 0 {
		return before, choices(choicesOf, accepted.Texts), after
	}
	if accepted.Low != "" {
		body = "#=" + accepted.Low + ".." + accepted.High
	}
	for _, text := range accepted.Texts {
		weight := ""
		if strings.HasPrefix(text, "%") {
			weight = "%100%"
		}
		body += " =" + weight + escape(oneLine(text))
	}
	return before, body + " ", after
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
