package web

import (
	"net/url"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/webkit"
)

// A kind is a form of the editor. A scenario has two of them.
type kind struct {
	Name, Label string
	Type        question.Type
	rows        int
}

// Kinds of the editor that differ from their type.
const kindStatements = "scenario_statements"

// kinds lists the forms of the editor.
func kinds() []kind {
	return []kind{
		{Name: "single_choice", Label: "One right answer", Type: question.SingleChoice, rows: question.MaxOptions},
		{Name: "multiple_response", Label: "Several right answers", Type: question.MultipleResponse, rows: question.MaxOptions},
		{Name: "true_false", Label: "True or false", Type: question.TrueFalse},
		{Name: "fill_in_blank", Label: "Fill in the blanks", Type: question.FillInBlank, rows: 5},
		{Name: "ordering", Label: "Put in order", Type: question.Ordering, rows: question.MaxItems},
		{Name: "matching", Label: "Match pairs", Type: question.Matching, rows: question.MaxItems},
		{Name: "hotspot", Label: "Region of an image", Type: question.Hotspot, rows: 6},
		{Name: "scenario", Label: "Scenario, one right answer", Type: question.Scenario, rows: question.MaxOptions},
		{Name: kindStatements, Label: "Scenario, statements to judge", Type: question.Scenario, rows: question.MaxItems},
	}
}

func kindOptions() []webkit.Option {
	var all []webkit.Option
	for _, k := range kinds() {
		all = append(all, webkit.Option{Value: k.Name, Text: k.Label})
	}
	return all
}

// kindOf returns a kind by its name; the first one for an unknown name.
func kindOf(name string) kind {
	for _, k := range kinds() {
		if k.Name == name {
			return k
		}
	}
	return kinds()[0]
}

// A row is a line of the editor: an option, an item, a pair, a blank, a region or a statement.
type row struct {
	id, text, other, otherID string
	right                    bool
	box                      [4]int
}

// readRows returns the filled rows of a form.
func readRows(form *webkit.Form, k kind) []row {
	var all []row
	for i := range k.rows {
		n := strconv.Itoa(i)
		at := func(name string) string { return strings.TrimSpace(form.Value(name + "-" + n)) }
		line := row{id: at("id"), text: at("row"), other: at("other"), otherID: at("other-id"), right: contains(form.Values["correct"], n)}
		for j, name := range []string{"x", "y", "w", "h"} {
			percent, _ := strconv.ParseFloat(at(name), 64)
			line.box[j] = int(percent * question.Whole / 100)
		}
		if line.text != "" || line.other != "" && k.Type == question.Matching || k.Type == question.Hotspot && line.box[2] > 0 {
			all = append(all, line)
		}
	}
	return all
}

// readQuestion reads a question and its key from the form of a kind.
func readQuestion(form *webkit.Form, k kind) (question.Question, question.Key) {
	q := question.Question{
		Type: k.Type, Text: strings.TrimSpace(form.Value("text")), Difficulty: question.Difficulty(form.Value("difficulty")), Tags: split(form.Value("tags"), ","),
	}
	q.TimeLimit, _ = strconv.Atoi(form.Value("time_limit"))
	key := question.Key{Scheme: question.Scheme(form.Value("scheme")), Explanation: strings.TrimSpace(form.Value("explanation"))}
	if id := form.Value("image-id"); imageID.MatchString(id) && !form.Flag("image-drop") {
		q.Images = []question.Image{{File: id, Alt: strings.TrimSpace(form.Value("image-alt"))}}
	}
	if k.Type == question.Scenario {
		q.Passage = strings.TrimSpace(form.Value("passage"))
	}
	rows := readRows(form, k)
	switch {
	case k.Type == question.TrueFalse:
		q.Options = []question.Option{{ID: "true", Text: "True"}, {ID: "false", Text: "False"}}
		key.Correct = form.Values["correct"]
	case k.Type == question.FillInBlank:
		readBlanks(rows, &q, &key)
	case k.Type == question.Matching:
		readPairs(rows, &q, &key)
	case k.Type == question.Hotspot:
		readRegions(rows, &q, &key)
	case k.Name == kindStatements:
		readStatements(rows, &q, &key)
	default:
		readOptions(rows, &q, &key)
	}
	return q, key
}

// split returns the parts of a list, without space around them and without empty ones.
func split(text, separator string) []string {
	var all []string
	for part := range strings.SplitSeq(text, separator) {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

func readOptions(rows []row, q *question.Question, key *question.Key) {
	for _, r := range rows {
		q.Options = append(q.Options, question.Option{ID: r.id, Text: r.text, Last: r.other == "last"})
	}
	question.Identify(q)
	for i, r := range rows {
		if r.right || q.Type == question.Ordering {
			key.Correct = append(key.Correct, q.Options[i].ID)
		}
	}
}

func readStatements(rows []row, q *question.Question, key *question.Key) {
	for _, r := range rows {
		q.Statements = append(q.Statements, question.Option{ID: r.id, Text: r.text})
	}
	question.Identify(q)
	key.Pairs = map[string]string{}
	for i, r := range rows {
		if r.other != "" {
			key.Pairs[q.Statements[i].ID] = r.other
		}
	}
}

// readPairs reads the pairs of a matching. A right side alone is a target that fits nothing, and two
// equal right sides are one target.
func readPairs(rows []row, q *question.Question, key *question.Key) {
	targets := map[string]int{}
	for _, r := range rows {
		if r.text != "" {
			q.Options = append(q.Options, question.Option{ID: r.id, Text: r.text})
		}
		if _, known := targets[r.other]; r.other != "" && !known {
			targets[r.other] = len(q.Targets)
			q.Targets = append(q.Targets, question.Option{ID: r.otherID, Text: r.other})
		}
	}
	question.Identify(q)
	key.Pairs = map[string]string{}
	i := 0
	for _, r := range rows {
		if r.text == "" {
			continue
		}
		if target, ok := targets[r.other]; ok {
			key.Pairs[q.Options[i].ID] = q.Targets[target].ID
		}
		i++
	}
}

// readBlanks reads the blanks: what is accepted, with | between alternatives, and the choices of a
// drop-down.
func readBlanks(rows []row, q *question.Question, key *question.Key) {
	for _, r := range rows {
		blank := question.Blank{ID: r.id}
		for _, choice := range split(r.other, "|") {
			blank.Choices = append(blank.Choices, question.Option{Text: choice})
		}
		q.Blanks = append(q.Blanks, blank)
	}
	question.Identify(q)
	key.Blanks = map[string]question.Accepted{}
	for i, r := range rows {
		accepted := question.Accepted{Texts: split(r.text, "|")}
		if low, high, ok := strings.Cut(r.text, ".."); ok {
			accepted = question.Accepted{Low: strings.TrimSpace(low), High: strings.TrimSpace(high)}
		}
		for _, choice := range q.Blanks[i].Choices {
			if choice.Text == r.text {
				accepted = question.Accepted{Texts: []string{choice.ID}}
			}
		}
		key.Blanks[q.Blanks[i].ID] = accepted
	}
}

func readRegions(rows []row, q *question.Question, key *question.Key) {
	for _, r := range rows {
		q.Regions = append(q.Regions, question.Region{ID: r.id, Label: r.text, X: r.box[0], Y: r.box[1], Width: r.box[2], Height: r.box[3]})
	}
	question.Identify(q)
	for i, r := range rows {
		if r.right {
			key.Correct = append(key.Correct, q.Regions[i].ID)
		}
	}
}

// itemForm returns the form of a stored question.
func itemForm(item bank.Item) *webkit.Form {
	q, key := item.Question, item.Key
	values := url.Values{
		"kind": {string(q.Type)}, "text": {q.Text}, "passage": {q.Passage}, "tags": {strings.Join(q.Tags, ", ")}, "difficulty": {string(q.Difficulty)}, "scheme": {string(key.Scheme)},
		"explanation": {key.Explanation}, "version": {strconv.FormatInt(item.Version, 10)},
	}
	if q.TimeLimit > 0 {
		values.Set("time_limit", strconv.Itoa(q.TimeLimit))
	}
	if len(q.Images) > 0 {
		values.Set("image-id", q.Images[0].File)
		values.Set("image-alt", q.Images[0].Alt)
	}
	for i, r := range rowsOf(q, key) {
		n := "-" + strconv.Itoa(i)
		values.Set("row"+n, r.text)
		values.Set("id"+n, r.id)
		values.Set("other"+n, r.other)
		values.Set("other-id"+n, r.otherID)
		for j, name := range []string{"x", "y", "w", "h"} {
			if r.box[2] > 0 {
				values.Set(name+n, strconv.FormatFloat(float64(r.box[j])*100/question.Whole, 'f', -1, 64))
			}
		}
		if r.right {
			values.Add("correct", strconv.Itoa(i))
		}
	}
	switch {
	case q.Type == question.TrueFalse:
		values["correct"] = key.Correct
	case len(q.Statements) > 0:
		values.Set("kind", kindStatements)
	}
	return webkit.NewForm(values)
}

// rowsOf returns the rows of a stored question.
func rowsOf(q question.Question, key question.Key) []row {
	var all []row
	switch {
	case q.Type == question.FillInBlank:
		for _, b := range q.Blanks {
			accepted := key.Blanks[b.ID]
			r := row{id: b.ID, text: strings.Join(accepted.Texts, " | ")}
			if accepted.Low != "" {
				r.text = accepted.Low + " .. " + accepted.High
			}
			var choices []string
			for _, c := range b.Choices {
				choices = append(choices, c.Text)
				if contains(accepted.Texts, c.ID) {
					r.text = c.Text
				}
			}
			r.other = strings.Join(choices, " | ")
			all = append(all, r)
		}
	case q.Type == question.Matching:
		all = pairRows(q, key)
	case q.Type == question.Hotspot:
		for _, region := range q.Regions {
			all = append(all, row{id: region.ID, text: region.Label, right: contains(key.Correct, region.ID), box: [4]int{region.X, region.Y, region.Width, region.Height}})
		}
	case len(q.Statements) > 0:
		for _, s := range q.Statements {
			all = append(all, row{id: s.ID, text: s.Text, other: key.Pairs[s.ID]})
		}
	default:
		options := q.Options
		if q.Type == question.Ordering {
			options = ordered(options, key.Correct)
		}
		for _, o := range options {
			r := row{id: o.ID, text: o.Text, right: contains(key.Correct, o.ID)}
			if o.Last {
				r.other = "last"
			}
			all = append(all, r)
		}
	}
	return all
}

// pairRows returns the pairs of a matching, and then the targets that fit nothing.
func pairRows(q question.Question, key question.Key) []row {
	var all []row
	used := map[string]bool{}
	for _, o := range q.Options {
		r := row{id: o.ID, text: o.Text}
		for _, target := range q.Targets {
			if target.ID == key.Pairs[o.ID] {
				r.other, r.otherID, used[target.ID] = target.Text, target.ID, true
			}
		}
		all = append(all, r)
	}
	for _, target := range q.Targets {
		if !used[target.ID] {
			all = append(all, row{other: target.Text, otherID: target.ID})
		}
	}
	return all
}
