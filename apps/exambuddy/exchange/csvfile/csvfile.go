// Package csvfile imports and exports questions as CSV, for people who work in a spreadsheet. It takes
// commas, semicolons and tabs as separators and many names of columns. An export can be imported
// again; what a table cannot hold is reported. Package exchange calls it.
//
// The columns are type, text, passage, option_1 to option_10, match_1 to match_10, correct,
// explanation, difficulty, time_limit, tags, scheme, ignore, images and id. Right options are letters:
// "B" or "A, C"; for an ordering they are in order. The correct column of a matching holds pairs such
// as "A2, B1", that of statements "yes, no, yes", and that of a text answer the accepted answers, one
// blank in each line, with | between alternatives and low..high for numbers.
package csvfile

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/textfile"
	"sortkey.dev/internal/lazyregexp"
)

// maxColumns bounds the work on one row.
const maxColumns = 100

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
	separator := ','
	skipped := 0
	if rest, ok := strings.CutPrefix(text, "sep="); ok && len(rest) > 1 && rest[1] == '\n' { // Excel
		separator, text, skipped = rune(rest[0]), rest[2:], 1
	} else {
		separator = findSeparator(text)
	}
	if !strings.ContainsRune(",;\t|", separator) {
		return nil, draft.Unreadable("The separator %q is not supported. Use a comma, a semicolon or a tab.", separator)
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = separator, -1, true
	header, err := r.Read()
	if err != nil {
		return nil, draft.Unreadable("The file has no row with the names of columns.")
	}
	t, err := newTable(header, out)
	if err != nil {
		return nil, err
	}
	for {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		cells, err := r.Read()
		if err == io.EOF {
			return out.Result()
		}
		line, _ := r.FieldPos(0)
		if bad, ok := errors.AsType[*csv.ParseError](err); ok {
			return nil, draft.Unreadable("The table cannot be read: line %d: %v.", bad.Line+skipped, bad.Err)
		} else if err != nil {
			return nil, draft.Unreadable("The table cannot be read: %v.", err)
		}
		t.row(draft.Place{Line: line + skipped}, cells)
	}
}

// findSeparator returns the separator that the first line holds most, outside of quotes.
func findSeparator(text string) rune {
	counts := map[rune]int{}
	quoted := false
	for _, r := range text {
		if r == '"' {
			quoted = !quoted
		}
		if r == '\n' && !quoted {
			break
		}
		if !quoted {
			counts[r]++
		}
	}
	best := ','
	for _, r := range ";\t|" {
		if counts[r] > counts[best] {
			best = r
		}
	}
	return best
}

// A table knows the columns of a file.
type table struct {
	out     *draft.Builder
	columns []string // our name of each column; "" if it is not known
	header  []string
}

// names maps names of columns to ours.
var names = map[string]string{
	"question": "text", "question text": "text", "prompt": "text", "stem": "text", "fråga": "text", "frage": "text",
	"question type": "type", "typ": "type", "scenario": "passage", "answer": "correct", "correct answer": "correct",
	"correct answers": "correct", "answers": "correct", "key": "correct", "right answer": "correct", "svar": "correct", "antwort": "correct", "rätt svar": "correct",
	"feedback": "explanation", "rationale": "explanation", "förklaring": "explanation", "erklärung": "explanation",
	"level": "difficulty", "time": "time_limit", "time limit": "time_limit", "time limit seconds": "time_limit", "seconds": "time_limit",
	"tag": "tags", "topic": "tags", "topics": "tags", "category": "tags", "grading": "scheme", "image": "images",
	"question id": "id", "title": "title", "#": "number", "no": "number", "nr": "number", "number": "number", "q#": "number",
}

var (
	optionName = lazyregexp.New(`^(?:option|answer|choice|alternativ|alternative|item|statement|left)?\s*([a-j]|10|[1-9])$`)
	matchName  = lazyregexp.New(`^(?:match|target|right)\s*([a-j]|10|[1-9])$`)
)

// newTable reads the names of columns.
func newTable(header []string, out *draft.Builder) (*table, error) {
	t := &table{out: out, header: header}
	if len(header) > maxColumns {
		return nil, draft.Unreadable("The table has %d columns. At most %d are accepted.", len(header), maxColumns)
	}
	seen := map[string]bool{}
	for _, cell := range header {
		name := columnName(cell)
		if seen[name] && name != "" {
			return nil, draft.Unreadable("Two columns mean %s. Name each column once.", name)
		}
		seen[name] = true
		if name == "" && strings.TrimSpace(cell) != "" {
			out.Report(draft.Place{Line: 1}, "Use the names of an exported file.", "The column %q is not known and was not imported.", cell)
		}
		t.columns = append(t.columns, name)
	}
	if !seen["text"] {
		return nil, draft.Unreadable("The first row must name the columns, and one of them must be text or question.")
	}
	return t, nil
}

// columnName returns our name of a column; "" if it is not known.
func columnName(cell string) string {
	key := strings.Join(strings.Fields(strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(cell))), " ")
	switch ours := strings.ReplaceAll(key, " ", "_"); ours {
	case "type", "text", "passage", "correct", "explanation", "difficulty", "time_limit", "tags", "scheme", "ignore", "images", "id", "title":
		return ours
	}
	if name, ok := names[key]; ok {
		return name
	}
	if m := matchName.FindStringSubmatch(key); m != nil {
		i, _ := draft.LetterIndex(m[1])
		return fmt.Sprintf("match_%d", i+1)
	}
	if m := optionName.FindStringSubmatch(key); m != nil {
		i, _ := draft.LetterIndex(m[1])
		return fmt.Sprintf("option_%d", i+1)
	}
	return ""
}
