package questionform

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy/question"
)

// A row is a line of the editor: an option, an item, a pair, a blank, a region or a statement.
type row struct {
	id, text        string
	image           *question.Image
	last            bool
	place           int // in the question; those of an ordering are shown in the right order
	right, also     bool
	other, otherID  string // of a pair; yes or no of a statement
	otherImage      *question.Image
	otherLast       bool
	otherPlace      int
	box             [4]int
	accepted        question.Accepted
	choices         []question.Option // of a drop-down
	choiceLines     []string          // as they were typed
	acceptedAsTyped []string
}

// boxNames are the fields of a region, in per cent of the image.
var boxNames = [4]string{"x", "y", "w", "h"}

// noPlace is the place of a new row: after all others.
const noPlace = math.MaxInt

// filled reports whether a row holds something.
func (r row) filled(k Kind) bool {
	switch {
	case k.Type == question.TrueFalse:
		return true
	case r.text != "" || r.image != nil:
		return true
	case k.Type == question.Matching:
		return r.other != "" || r.otherImage != nil
	case k.Type == question.Hotspot:
		return r.box != [4]int{}
	case k.Type == question.FillInBlank:
		return len(r.acceptedAsTyped) > 0 || r.accepted.Low != "" || r.accepted.High != "" || len(r.choiceLines) > 0
	}
	return false
}

// readRow reads the fields of a row.
func readRow(values url.Values, k Kind, i int) row {
	n := strconv.Itoa(i)
	at := func(name string) string { return strings.TrimSpace(values.Get(name + "-" + n)) }
	place := func(name string) int {
		if place, err := strconv.Atoi(at(name)); err == nil {
			return place
		}
		return noPlace
	}
	r := row{
		id: at("id"), text: at("row"), image: readImage(values, SlotRow+n), last: at("last") != "", place: place("at"),
		right: slices.Contains(values["correct"], n), also: slices.Contains(values["also"], n),
		other: at("other"), otherID: at("other-id"), otherImage: readImage(values, SlotOther+n), otherLast: at("other-last") != "", otherPlace: place("other-at"),
	}
	switch k.Type {
	case question.Hotspot:
		for j, name := range boxNames {
			percent, _ := strconv.ParseFloat(strings.Replace(at(name), ",", ".", 1), 64)
			r.box[j] = int(math.Round(max(-100, min(percent, 200)) * question.Whole / 100))
		}
	case question.FillInBlank:
		r.text = ""
		r.acceptedAsTyped, r.choiceLines = lines(at("row")), lines(at("choices"))
		r.accepted = question.Accepted{Low: at("low"), High: at("high"), IgnoreAccents: at("accents") != "", IgnorePunctuation: at("punctuation") != ""}
		r.choices = readChoices(r.choiceLines, values["choice-"+n], values["last-choice-"+n])
	case question.TrueFalse:
		if r.id == "" {
			r.id = []string{"true", "false"}[i]
		}
		if r.text == "" && r.image == nil {
			r.text = []string{"True", "False"}[i]
		}
	}
	return r
}

func lines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// readChoices returns the choices of a drop-down. A line that was there before keeps its id: before
// holds an id, = and a text for each.
func readChoices(texts, before, last []string) []question.Option {
	var all []question.Option
	for _, text := range texts {
		o := question.Option{Text: text}
		for _, known := range before {
			if id, was, _ := strings.Cut(known, "="); was == text {
				o.ID, o.Last = id, slices.Contains(last, id)
			}
		}
		all = append(all, o)
	}
	return all
}

// set writes the fields of a row.
func (r row) set(values url.Values, i int) {
	n := strconv.Itoa(i)
	put := func(name, value string) {
		if value != "" {
			values.Set(name+"-"+n, value)
		}
	}
	flag := func(name string, on bool) {
		if on {
			values.Set(name+"-"+n, "on")
		}
	}
	put("id", r.id)
	put("row", r.text)
	put("other", r.other)
	put("other-id", r.otherID)
	put("at", strconv.Itoa(r.place))
	put("other-at", strconv.Itoa(r.otherPlace))
	flag("last", r.last)
	flag("other-last", r.otherLast)
	setImage(values, SlotRow+n, r.image)
	setImage(values, SlotOther+n, r.otherImage)
	if r.right {
		values.Add("correct", n)
	}
	if r.also {
		values.Add("also", n)
	}
	if r.box[2] > 0 {
		for j, name := range boxNames {
			put(name, strconv.FormatFloat(float64(r.box[j])*100/question.Whole, 'f', -1, 64))
		}
	}
	put("low", r.accepted.Low)
	put("high", r.accepted.High)
	flag("accents", r.accepted.IgnoreAccents)
	flag("punctuation", r.accepted.IgnorePunctuation)
	r.setChoices(values, n)
}

func (r row) setChoices(values url.Values, n string) {
	if len(r.accepted.Texts) > 0 {
		values.Set("row-"+n, strings.Join(r.accepted.Texts, "\n"))
	}
	var texts []string
	for _, choice := range r.choices {
		texts = append(texts, choice.Text)
		values.Add("choice-"+n, choice.ID+"="+choice.Text)
		if choice.Last {
			values.Add("last-choice-"+n, choice.ID)
		}
	}
	if len(texts) > 0 {
		values.Set("choices-"+n, strings.Join(texts, "\n"))
	}
}

// rowsOf returns the rows of a stored question.
func rowsOf(q question.Question, key question.Key) []row {
	var all []row
	switch {
	case q.Type == question.FillInBlank:
		return blankRows(q, key)
	case q.Type == question.Matching:
		return pairRows(q, key)
	case q.Type == question.Hotspot:
		for _, region := range q.Regions {
			all = append(all, row{
				id: region.ID, text: region.Label, right: slices.Contains(key.Correct, region.ID), also: slices.Contains(key.Also, region.ID),
				box: [4]int{region.X, region.Y, region.Width, region.Height},
			})
		}
	case len(q.Statements) > 0:
		for _, s := range q.Statements {
			all = append(all, row{id: s.ID, text: s.Text, image: s.Image, other: key.Pairs[s.ID]})
		}
	default:
		for i, o := range q.Options {
			all = append(all, row{id: o.ID, text: o.Text, image: o.Image, last: o.Last, place: i, right: slices.Contains(key.Correct, o.ID), also: slices.Contains(key.Also, o.ID)})
		}
		if q.Type == question.Ordering && len(key.Correct) > 0 {
			slices.SortStableFunc(all, func(a, b row) int { return slices.Index(key.Correct, a.id) - slices.Index(key.Correct, b.id) })
		}
	}
	return all
}

// byPlace returns rows in the order that the question had.
func byPlace(rows []row, place func(row) int) []row {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b row) int { return cmp.Compare(place(a), place(b)) })
	return sorted
}

func readOptions(rows []row, q *question.Question, key *question.Key) {
	sorted := rows
	if q.Type == question.Ordering {
		sorted = byPlace(rows, func(r row) int { return r.place })
	}
	index := map[string]int{}
	for i, r := range sorted {
		q.Options = append(q.Options, question.Option{ID: r.id, Text: r.text, Image: r.image, Last: r.last})
		index[rowKey(r)] = i
	}
	question.Identify(q)
	for _, r := range rows {
		id := q.Options[index[rowKey(r)]].ID
		if r.right || q.Type == question.Ordering {
			key.Correct = append(key.Correct, id)
		}
		if r.also && !r.right {
			key.Also = append(key.Also, id)
		}
	}
}

// rowKey tells rows apart before they have ids.
func rowKey(r row) string {
	if r.id != "" {
		return "id " + r.id
	}
	file := ""
	if r.image != nil {
		file = r.image.File
	}
	return "text " + r.text + "\n" + file
}

func readStatements(rows []row, q *question.Question, key *question.Key) {
	for _, r := range rows {
		q.Statements = append(q.Statements, question.Option{ID: r.id, Text: r.text, Image: r.image})
	}
	question.Identify(q)
	key.Pairs = map[string]string{}
	for i, r := range rows {
		if r.other != "" {
			key.Pairs[q.Statements[i].ID] = r.other
		}
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
		} else if r.also {
			key.Also = append(key.Also, q.Regions[i].ID)
		}
	}
}
