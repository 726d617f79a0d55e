package csvfile

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/question"
)

const most = 10 // options and matches of a row

// Export writes questions. Cells that a spreadsheet would run as a formula begin with an apostrophe.
// Everything that a table cannot hold is reported.
func Export(items []draft.Draft) ([]byte, []draft.Problem, error) {
	var out bytes.Buffer
	out.WriteString("\ufeff") // spreadsheets take the file as UTF-8
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	var problems []draft.Problem
	header := []string{"id", "type", "text", "passage"}
	for i := range most {
		header = append(header, fmt.Sprintf("option_%d", i+1))
	}
	for i := range most {
		header = append(header, fmt.Sprintf("match_%d", i+1))
	}
	header = append(header, "correct", "explanation", "difficulty", "time_limit", "tags", "scheme", "ignore", "images", "title")
	if err := w.Write(header); err != nil {
		return nil, nil, fmt.Errorf("write the header: %w", err)
	}
	for i, item := range items {
		cells, lost := export(item)
		for _, message := range lost {
			problems = append(problems, draft.Problem{Place: draft.Place{Line: i + 1}, Message: message, Advice: "Use JSON to keep everything.", Text: item.Question.Text})
		}
		record := make([]string, len(header))
		for j, name := range header {
			record[j] = Guard(cells[name])
		}
		if err := w.Write(record); err != nil {
			return nil, nil, fmt.Errorf("write a row: %w", err)
		}
	}
	w.Flush()
	return out.Bytes(), problems, w.Error()
}

// Guard returns a cell that no spreadsheet takes as a formula.
func Guard(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r'", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

// export returns the cells of a question by their columns, and sentences about what is lost.
func export(item draft.Draft) (cells map[string]string, lost []string) {
	q, k := item.Question, item.Key
	cells = map[string]string{
		"id": item.ID, "title": item.Title, "type": string(q.Type), "text": q.Text, "passage": q.Passage, "explanation": k.Explanation,
		"difficulty": string(q.Difficulty), "tags": strings.Join(q.Tags, ", "), "scheme": string(k.Scheme),
	}
	if q.TimeLimit > 0 {
		cells["time_limit"] = fmt.Sprint(q.TimeLimit)
	}
	put := func(prefix string, options []question.Option) {
		for i, o := range options {
			cells[fmt.Sprintf("%s%d", prefix, i+1)] = o.Text
			if o.Image != nil {
				lost = append(lost, "The image of an option was left out.")
			}
		}
	}
	put("option_", q.Options)
	put("option_", q.Statements)
	put("match_", q.Targets)
	cells["correct"] = correctCell(q, k)
	for i, r := range q.Regions {
		cells[fmt.Sprintf("option_%d", i+1)] = fmt.Sprintf("%s @ %d,%d,%d,%d", r.Label, r.X, r.Y, r.Width, r.Height)
		if i == most {
			lost = append(lost, "Only the first 10 regions were kept.")
		}
	}
	for i, b := range q.Blanks {
		var texts []string
		for _, c := range b.Choices {
			texts = append(texts, escapeBar(c.Text))
		}
		cells[fmt.Sprintf("option_%d", i+1)] = strings.Join(texts, " | ")
		a := k.Blanks[b.ID]
		if a.IgnoreAccents {
			cells["ignore"] = "accents"
		}
		if a.IgnorePunctuation {
			cells["ignore"] = strings.TrimSpace(cells["ignore"] + " punctuation")
		}
		if i > 0 && (a.IgnoreAccents != k.Blanks[q.Blanks[0].ID].IgnoreAccents || a.IgnorePunctuation != k.Blanks[q.Blanks[0].ID].IgnorePunctuation) {
			lost = append(lost, "Blanks with different settings have the same in a table.")
		}
	}
	var images []string
	for _, i := range q.Images {
		images = append(images, i.File+"|"+i.Alt)
	}
	cells["images"] = strings.Join(images, "\n")
	if len(k.ExplanationImages) > 0 {
		lost = append(lost, "The images of the explanation were left out.")
	}
	if len(k.Also) > 0 {
		lost = append(lost, "Answers that are accepted also were left out.")
	}
	return cells, lost
}

// correctCell writes the answer as the package comment describes.
func correctCell(q question.Question, k question.Key) string {
	var parts []string
	switch {
	case q.Type == question.Matching:
		for i, o := range q.Options {
			if t := slices.IndexFunc(q.Targets, func(t question.Option) bool { return t.ID == k.Pairs[o.ID] }); t >= 0 {
				parts = append(parts, fmt.Sprintf("%s%d", draft.Letter(i), t+1))
			}
		}
	case len(q.Statements) > 0:
		for _, s := range q.Statements {
			parts = append(parts, k.Pairs[s.ID])
		}
	case q.Type == question.FillInBlank:
		return blanksCell(q, k)
	case q.Type == question.Hotspot:
		for _, id := range k.Correct {
			parts = append(parts, draft.Letter(slices.IndexFunc(q.Regions, func(r question.Region) bool { return r.ID == id })))
		}
	default:
		for _, id := range k.Correct {
			parts = append(parts, draft.Letter(slices.IndexFunc(q.Options, func(o question.Option) bool { return o.ID == id })))
		}
	}
	return strings.Join(parts, ", ")
}

func blanksCell(q question.Question, k question.Key) string {
	var lines []string
	for _, b := range q.Blanks {
		var texts []string
		a := k.Blanks[b.ID]
		for _, text := range a.Texts {
			if i := slices.IndexFunc(b.Choices, func(o question.Option) bool { return o.ID == text }); i >= 0 {
				text = b.Choices[i].Text
			}
			texts = append(texts, escapeBar(text))
		}
		if a.Low != "" {
			texts = append(texts, a.Low+".."+a.High)
		}
		lines = append(lines, strings.Join(texts, " | "))
	}
	return strings.Join(lines, "\n")
}

// escapeBar protects | and line ends. A text that looks like a range of numbers is protected too.
func escapeBar(text string) string {
	text = strings.NewReplacer(`\`, `\\`, `|`, `\|`, "\n", `\n`).Replace(text)
	if low, high, ok := strings.Cut(text, ".."); ok && number.MatchString(low) && number.MatchString(high) {
		text = low + `\..` + high
	}
	return text
}
