package qti

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/xmltree"
	"sortkey.dev/apps/exambuddy/question"
)

// A response is the declaration of a response.
type response struct {
	correct []string
	mapped  map[string]float64 // by key
	order   []string           // the keys
}

// understood lists the elements of an item that are used or have no meaning for us.
var understood = []string{"", "responseDeclaration", "outcomeDeclaration", "itemBody", "responseProcessing", "modalFeedback", "stylesheet"}

// item makes a draft of the item.
func (r *reader) item() {
	r.d.Place = r.place(r.root)
	r.d.ID, r.d.Title = r.root.Attrs["identifier"], r.root.Attrs["title"]
	for _, c := range r.root.Children {
		if !slices.Contains(understood, c.Name) {
			r.problem(c, "Check the question.", "The element %s is not understood.", c.Name)
		}
	}
	content := r.root.Child("itemBody")
	if content == nil {
		r.skip("The item has no body.")
		return
	}
	b := body{r: r}
	b.walk(content)
	text := b.text()
	q := &r.d.Question
	q.Text, q.Images = text, b.images
	if b.passage != nil {
		q.Passage = *b.passage
	}
	responses := r.responses()
	switch {
	case len(b.interactions) == 1 && len(b.inline) == 0:
		if !r.block(b.interactions[0], responses) {
			return
		}
	case len(b.interactions) == 0 && len(b.inline) > 0:
		r.blanks(b.inline, responses)
	case len(b.interactions) == 0:
		r.skip("The item asks nothing: it has no interaction.")
		return
	default:
		r.skip("The item has several interactions. Make an item of each.")
		return
	}
	r.d.Confidence = 100
	r.explanation()
	r.label()
	if r.failed == nil {
		r.out.Add(r.d)
	}
}

// skip reports an item that gives no draft.
func (r *reader) skip(message string) {
	text := ""
	if content := r.root.Child("itemBody"); content != nil {
		text = oneLine(content.Excerpt())
	}
	r.out.Problem(draft.Problem{Place: r.place(r.root), Message: message, Advice: "The item was not imported. Add it in the editor.", Text: text})
}

// responses reads the declarations.
func (r *reader) responses() map[string]response {
	all := map[string]response{}
	for _, n := range r.root.Outermost("responseDeclaration") {
		one := response{mapped: map[string]float64{}}
		if correct := n.Child("correctResponse"); correct != nil {
			for _, v := range correct.Outermost("value") {
				one.correct = append(one.correct, oneLine(v.Content()))
			}
		}
		for _, m := range n.Outermost("mapEntry") {
			value, err := strconv.ParseFloat(m.Attrs["mappedValue"], 64)
			if err != nil {
				r.problem(m, "Check the answer key.", "The mapped value %q is not a number.", m.Attrs["mappedValue"])
				continue
			}
			one.mapped[m.Attrs["mapKey"]] = value
			one.order = append(one.order, m.Attrs["mapKey"])
		}
		if n.Child("areaMapping") != nil {
			r.problem(n, "Check the answer key.", "An area mapping is not understood.")
		}
		all[n.Attrs["identifier"]] = one
	}
	return all
}

// right returns the right values: those of the correct response, or those with a positive value.
func (a response) right() []string {
	if len(a.correct) > 0 {
		return a.correct
	}
	var all []string
	for _, key := range a.order {
		if a.mapped[key] > 0 {
			all = append(all, key)
		}
	}
	return all
}

// block fills the question from an interaction that is a block. It reports whether there is one.
func (r *reader) block(n *xmltree.Node, responses map[string]response) bool {
	q, k := &r.d.Question, &r.d.Key
	answer := responses[n.Attrs["responseIdentifier"]]
	r.d.Reason = "the item has a " + n.Name
	switch n.Name {
	case "choiceInteraction":
		q.Options = r.options(n, "simpleChoice")
		k.Correct = answer.right()
		q.Type = question.SingleChoice
		if n.Attrs["maxChoices"] != "1" && (n.Attrs["maxChoices"] != "" || len(k.Correct) > 1) {
			q.Type = question.MultipleResponse
			r.d.Reason = "the candidate may choose several options"
			if len(answer.mapped) > 0 {
				k.Scheme = question.RightMinusWrong
			}
		} else if len(q.Options) == 2 && draft.IsTrue(q.Options[0].Text) && draft.IsFalse(q.Options[1].Text) && q.Options[0].ID == "true" {
			q.Type = question.TrueFalse
		}
		if q.Passage != "" && q.Type == question.SingleChoice {
			q.Type = question.Scenario
		}
	case "orderInteraction":
		q.Type, q.Options, k.Correct = question.Ordering, r.options(n, "simpleChoice"), answer.right()
	case "matchInteraction":
		return r.match(n, answer)
	case "hotspotInteraction":
		r.hotspot(n, answer)
	default:
		r.skip("Questions of the kind " + n.Name + " are not supported.")
		return false
	}
	return true
}

// options reads choices.
func (r *reader) options(n *xmltree.Node, name string) []question.Option {
	var all []question.Option
	for _, c := range n.Outermost(name) {
		o := question.Option{ID: c.Attrs["identifier"], Last: c.Attrs["fixed"] == "true"}
		o.Text, o.Image = r.plain(c)
		all = append(all, o)
	}
	if len(all) > 0 && !all[len(all)-1].Last {
		for _, o := range all {
			if o.Last {
				r.problem(n, "Only options at the end can keep their place.", "A fixed option is not the last one.")
			}
		}
	}
	return all
}

// match fills a matching, or the statements of a scenario if the targets are yes and no.
func (r *reader) match(n *xmltree.Node, answer response) bool {
	q, k := &r.d.Question, &r.d.Key
	var sets []*xmltree.Node
	for _, c := range n.Children {
		if c.Name == "simpleMatchSet" {
			sets = append(sets, c)
		}
	}
	if len(sets) != 2 {
		r.skip("A matchInteraction needs two sets.")
		return false
	}
	q.Type, q.Options, q.Targets = question.Matching, r.options(sets[0], "simpleAssociableChoice"), r.options(sets[1], "simpleAssociableChoice")
	left, right := strip(q.Options, "L_"), strip(q.Targets, "R_")
	k.Pairs = map[string]string{}
	for _, value := range answer.right() {
		a, b, ok := strings.Cut(value, " ")
		if _, twice := k.Pairs[left(a)]; !ok || twice {
			r.problem(n, "Each left side has one right side. Check the answer key.", "The pair %q cannot be used.", value)
			continue
		}
		k.Pairs[left(a)] = right(b)
	}
	targets := map[string]bool{}
	for _, t := range q.Targets {
		targets[t.ID] = true
	}
	if q.Passage != "" && len(targets) == 2 && targets[question.Yes] && targets[question.No] {
		q.Type, q.Statements, q.Options, q.Targets = question.Scenario, q.Options, nil, nil
		r.d.Reason = "the statements are matched with yes and no"
	}
	return true
}

// strip removes a prefix from the ids of options if all have it, and returns a function that does
// the same to an id.
func strip(options []question.Option, prefix string) func(string) string {
	for _, o := range options {
		if !strings.HasPrefix(o.ID, prefix) {
			return func(id string) string { return id }
		}
	}
	for i := range options {
		options[i].ID = strings.TrimPrefix(options[i].ID, prefix)
	}
	return func(id string) string { return strings.TrimPrefix(id, prefix) }
}

// hotspot fills a hotspot. Coordinates become thousandths of the image.
func (r *reader) hotspot(n *xmltree.Node, answer response) {
	q, k := &r.d.Question, &r.d.Key
	q.Type, k.Correct = question.Hotspot, answer.right()
	object := n.Child("object")
	if object == nil {
		object = n.Child("img")
	}
	width, height := 0, 0
	if object != nil {
		source := object.Attrs["data"]
		if source == "" {
			source = object.Attrs["src"]
		}
		if file := r.image(object, source); file != "" {
			q.Images = append([]question.Image{{File: file, Alt: oneLine(object.Content() + " " + object.Attrs["alt"])}}, q.Images...)
		}
		width, _ = strconv.Atoi(object.Attrs["width"])
		height, _ = strconv.Atoi(object.Attrs["height"])
	}
	for i, c := range n.Outermost("hotspotChoice") {
		region := question.Region{ID: c.Attrs["identifier"], Label: c.Attrs["hotspotLabel"]}
		if region.Label == "" {
			region.Label = "Region " + strconv.Itoa(i+1)
		}
		if c.Attrs["shape"] != "rect" {
			r.problem(c, "Check the regions.", "The shape %s became a rectangle around it.", c.Attrs["shape"])
		}
		left, top, right, bottom, ok := bounds(c.Attrs["shape"], c.Attrs["coords"])
		if !ok || width <= 0 || height <= 0 {
			r.problem(c, "Set the region in the editor.", "The region has no usable coordinates.")
		} else {
			region.X, region.Y = left*question.Whole/width, top*question.Whole/height
			region.Width, region.Height = (right-left)*question.Whole/width, (bottom-top)*question.Whole/height
		}
		q.Regions = append(q.Regions, region)
	}
}

// bounds returns the rectangle around a shape.
func bounds(shape, coords string) (left, top, right, bottom int, ok bool) {
	var n []int
	for _, f := range strings.Split(coords, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
		if err != nil || v < 0 || v > 100_000 {
			return 0, 0, 0, 0, false
		}
		n = append(n, int(v))
	}
	switch {
	case shape == "rect" && len(n) == 4:
		return n[0], n[1], n[2], n[3], n[2] > n[0] && n[3] > n[1]
	case shape == "circle" && len(n) == 3:
		return max(n[0]-n[2], 0), max(n[1]-n[2], 0), n[0] + n[2], n[1] + n[2], n[2] > 0
	case shape == "poly" && len(n) >= 6 && len(n)%2 == 0:
		left, top, right, bottom = n[0], n[1], n[0], n[1]
		for i := 0; i < len(n); i += 2 {
			left, right = min(left, n[i]), max(right, n[i])
			top, bottom = min(top, n[i+1]), max(bottom, n[i+1])
		}
		return left, top, right, bottom, right > left && bottom > top
	}
	return 0, 0, 0, 0, false
}

// blanks fills a question with gaps.
func (r *reader) blanks(gaps []*xmltree.Node, responses map[string]response) {
	q, k := &r.d.Question, &r.d.Key
	q.Type, k.Blanks = question.FillInBlank, map[string]question.Accepted{}
	r.d.Reason = "the text has gaps"
	for i, n := range gaps {
		id := n.Attrs["responseIdentifier"]
		b := question.Blank{ID: id, Choices: r.options(n, "inlineChoice")}
		if id == "RESPONSE" || id == "" {
			b.ID = "b" + strconv.Itoa(i+1)
		}
		answer := responses[id]
		texts := slices.Clone(answer.right())
		for _, key := range answer.order {
			if value := answer.mapped[key]; value <= 0 || slices.Contains(texts, key) {
				continue
			} else if value < 1 && len(answer.correct) > 0 {
				r.problem(n, "Add it to the accepted answers if it is right.", "The answer %q earns a part of the mark, which is not supported.", key)
				continue
			}
			texts = append(texts, key)
		}
		if len(texts) > 0 {
			k.Blanks[b.ID] = question.Accepted{Texts: texts}
		}
		q.Blanks = append(q.Blanks, b)
	}
}

// explanation joins the feedback.
func (r *reader) explanation() {
	var lines []string
	for _, n := range r.root.Outermost("modalFeedback") {
		b := body{r: r}
		b.children(n)
		if text := b.text(); text != "" && !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
		r.d.Key.ExplanationImages = append(r.d.Key.ExplanationImages, b.images...)
	}
	r.d.Key.Explanation = strings.Join(lines, "\n")
}

// label applies the values that an export of ours keeps in the attribute label.
func (r *reader) label() {
	text := r.root.Attrs["label"]
	if r.root.Attrs["toolName"] != toolName || text == "" {
		return
	}
	values, err := url.ParseQuery(text)
	if err != nil {
		r.problem(r.root, "Check difficulty, tags and grading.", "The attribute label cannot be read.")
		return
	}
	q, k := &r.d.Question, &r.d.Key
	q.Difficulty, q.Tags = question.Difficulty(values.Get("difficulty")), values["tag"]
	q.TimeLimit, _ = strconv.Atoi(values.Get("time_limit"))
	k.Scheme, k.Also = question.Scheme(values.Get("scheme")), values["also"]
	if t := question.Type(values.Get("type")); t == question.TrueFalse || t == question.SingleChoice {
		q.Type = t
	}
	for _, b := range q.Blanks {
		if len(b.Choices) > 0 {
			continue
		}
		a := k.Blanks[b.ID]
		a.Low, a.High = values.Get(b.ID+".low"), values.Get(b.ID+".high")
		a.IgnoreAccents, a.IgnorePunctuation = values.Get(b.ID+".accents") != "", values.Get(b.ID+".punctuation") != ""
		if n := values.Get(b.ID + ".texts"); n == "0" {
			a.Texts = nil // the value stands for the range
		}
		k.Blanks[b.ID] = a
	}
}
