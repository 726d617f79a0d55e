package questionform_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/web/questionform"
	"sortkey.dev/internal/effort"
)

// A maker makes random questions that use every field of their type.
type maker struct {
	*rand.Rand
	count int
}

// word returns a text that differs from all others, with characters that separate parts elsewhere.
func (m *maker) word() string {
	m.count++
	return fmt.Sprintf("%s %d%s", []string{"Åse", "a | b", "x, y", "=1", "3 .. 4", "<b>", `"q"`, "two\tparts"}[m.IntN(8)], m.count, []string{"", ".", " |", ","}[m.IntN(4)])
}

func (m *maker) line() string { return strings.ReplaceAll(m.word(), "\t", " ") }

func (m *maker) image() *question.Image {
	if m.IntN(3) > 0 {
		return nil
	}
	m.count++
	return &question.Image{File: fmt.Sprintf("f%d", m.count), Alt: m.line()}
}

func (m *maker) images(least int) []question.Image {
	var all []question.Image
	for range least + m.IntN(question.MaxImages-least+1) {
		m.count++
		all = append(all, question.Image{File: fmt.Sprintf("f%d", m.count), Alt: []string{"", m.line()}[m.IntN(2)]})
	}
	return all
}

func (m *maker) options(n int, text func() string, image, last bool) []question.Option {
	var all []question.Option
	for i := range n {
		o := question.Option{ID: fmt.Sprintf("o%d", i), Text: text(), Last: last && m.IntN(4) == 0}
		if image {
			o.Image = m.image()
			if o.Image != nil && m.IntN(2) == 0 {
				o.Text = ""
			}
		}
		all = append(all, o)
	}
	m.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func (m *maker) ids(options []question.Option) []string {
	var all []string
	for _, o := range options {
		all = append(all, o.ID)
	}
	m.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func (m *maker) between(least, most int) int { return least + m.IntN(most-least+1) }

// question returns a random valid question with a complete key.
func (m *maker) question(typ question.Type) (question.Question, question.Key) {
	q := question.Question{Type: typ, Text: m.word() + "\n\n" + m.word(), Images: m.images(0), Difficulty: question.Difficulties()[m.IntN(4)]}
	for range m.IntN(question.MaxTags) {
		q.Tags = append(q.Tags, m.line())
	}
	if m.IntN(2) == 0 {
		q.TimeLimit = m.between(question.MinTimeLimit, question.MaxTimeLimit)
	}
	k := question.Key{Scheme: typ.Schemes()[m.IntN(len(typ.Schemes()))], Explanation: m.word(), ExplanationImages: m.images(0)}
	one := func(ids []string) {
		k.Correct, k.Also = ids[:1], ids[1:1+m.IntN(len(ids))]
	}
	switch typ {
	case question.SingleChoice:
		q.Options = m.options(m.between(2, question.MaxOptions), m.word, true, true)
		one(m.ids(q.Options))
	case question.TrueFalse:
		q.Options = m.options(2, m.word, true, false)
		q.Options[0].ID, q.Options[1].ID = "true", "false"
		one(m.ids(q.Options))
	case question.MultipleResponse:
		q.Options = m.options(m.between(2, question.MaxOptions), m.word, true, true)
		k.Correct = m.ids(q.Options)[:m.between(1, len(q.Options))]
	case question.Ordering:
		q.Options = m.options(m.between(2, question.MaxItems), m.word, true, false)
		k.Correct = m.ids(q.Options)
	case question.Matching:
		q.Options, q.Targets, k.Pairs = m.options(m.between(2, question.MaxItems), m.word, true, false), m.options(m.between(2, question.MaxItems), m.line, true, true), map[string]string{}
		for _, o := range q.Options {
			k.Pairs[o.ID] = q.Targets[m.IntN(len(q.Targets))].ID
		}
	case question.FillInBlank:
		m.blanks(&q, &k)
	case question.Hotspot:
		q.Images = m.images(1)
		for i := range m.between(2, question.MaxRegions) {
			w, h := m.between(1, question.Whole), m.between(1, question.Whole)
			q.Regions = append(q.Regions, question.Region{ID: fmt.Sprintf("r%d", i), Label: m.line(), X: m.IntN(question.Whole - w + 1), Y: m.IntN(question.Whole - h + 1), Width: w, Height: h})
		}
		k.Correct, k.Also = []string{"r1"}, [][]string{nil, {"r0"}}[m.IntN(2)]
	case question.Scenario:
		q.Passage = m.word()
		if m.IntN(2) == 0 {
			q.Options = m.options(m.between(2, question.MaxOptions), m.word, true, true)
			one(m.ids(q.Options))
			return q, k
		}
		q.Statements, k.Pairs = m.options(m.between(1, question.MaxItems), m.word, true, false), map[string]string{}
		for _, s := range q.Statements {
			k.Pairs[s.ID] = []string{question.Yes, question.No}[m.IntN(2)]
		}
	}
	return q, k
}

func (m *maker) blanks(q *question.Question, k *question.Key) {
	k.Blanks = map[string]question.Accepted{}
	n := m.between(1, question.MaxItems)
	q.Text = "Fill in: " + strings.Repeat("a ___ ", n)
	for i := range n {
		b := question.Blank{ID: fmt.Sprintf("b%d", n-i)}
		accepted := question.Accepted{IgnoreAccents: m.IntN(2) == 0, IgnorePunctuation: m.IntN(2) == 0}
		switch m.IntN(3) {
		case 0:
			b.Choices = m.options(m.between(2, question.MaxOptions), m.line, false, true)
			accepted.Texts = []string{b.Choices[m.IntN(len(b.Choices))].ID}
		case 1:
			accepted.Low, accepted.High = "3.10", "3.2"
		}
		for range m.between(0, 4) {
			if len(b.Choices) == 0 {
				accepted.Texts = append(accepted.Texts, m.line())
			}
		}
		if len(accepted.Texts) == 0 && accepted.Low == "" {
			accepted.Texts = []string{"pen"}
		}
		q.Blanks = append(q.Blanks, b)
		k.Blanks[b.ID] = accepted
	}
}

// browserValues returns the fields as a browser sends them back: with the line ends of the web.
func browserValues(values url.Values) url.Values {
	sent := url.Values{}
	for name, all := range values {
		for _, value := range all {
			sent.Add(name, strings.ReplaceAll(value, "\n", "\r\n"))
		}
	}
	return sent
}

func TestAFormSentBackUnchangedGivesTheSameQuestion(t *testing.T) {
	m := &maker{Rand: rand.New(rand.NewPCG(17, 1))}
	for range effort.Rounds(500) {
		for _, typ := range question.Types() {
			q, k := question.Tidy(m.question(typ))
			if err := question.Check(q); err != nil {
				t.Fatalf("%s: %v\n%+v", typ, err, q)
			}
			if err := question.CheckKey(q, k); err != nil {
				t.Fatalf("%s: %v\n%+v", typ, err, k)
			}
			gotQ, gotK := questionform.Read(browserValues(questionform.Values(q, k)))
			if !reflect.DeepEqual(gotQ, q) {
				t.Fatalf("%s: got\n%+v\nwant\n%+v", typ, gotQ, q)
			}
			if !reflect.DeepEqual(gotK, k) {
				t.Fatalf("%s: got\n%+v\nwant\n%+v", typ, gotK, k)
			}
		}
	}
}

// TestAQuestionWithoutAKeyKeepsItsParts, as after an import.
func TestAQuestionWithoutAKeyKeepsItsParts(t *testing.T) {
	m := &maker{Rand: rand.New(rand.NewPCG(17, 2))}
	for range effort.Rounds(200) {
		for _, typ := range question.Types() {
			q, _ := question.Tidy(m.question(typ))
			got, key := questionform.Read(browserValues(questionform.Values(q, question.Key{})))
			if !reflect.DeepEqual(got, q) {
				t.Fatalf("%s: got\n%+v\nwant\n%+v", typ, got, q)
			}
			if typ != question.Ordering && question.CheckKey(got, key) == nil {
				t.Fatalf("%s: a key came from nowhere: %+v", typ, key)
			}
		}
	}
}

func TestTidyIsStable(t *testing.T) {
	m := &maker{Rand: rand.New(rand.NewPCG(17, 3))}
	for range effort.Rounds(200) {
		for _, typ := range question.Types() {
			q, k := m.question(typ)
			q.Text, k.Explanation = " "+q.Text+"\r\n", "\t"+k.Explanation
			tidyQ, tidyK := question.Tidy(q, k)
			againQ, againK := question.Tidy(tidyQ, tidyK)
			if !reflect.DeepEqual(againQ, tidyQ) || !reflect.DeepEqual(againK, tidyK) || tidyQ.Text != strings.TrimSpace(tidyQ.Text) {
				t.Fatalf("%s: %+v, then %+v", typ, tidyQ, againQ)
			}
			if question.Hash(q) != question.Hash(tidyQ) {
				t.Fatalf("%s: another hash", typ)
			}
		}
	}
}

func TestRowsAreShownForWhatIsFilled(t *testing.T) {
	for _, c := range []struct {
		values url.Values
		want   int
	}{
		{url.Values{"kind": {"single_choice"}}, 4},
		{url.Values{"kind": {"single_choice"}, "row-3": {"D"}}, 5},
		{url.Values{"kind": {"single_choice"}, "row-5": {"F"}}, 6},
		{url.Values{"kind": {"fill_in_blank"}, "text": {"A ___ and a ___."}}, 2},
		{url.Values{"kind": {"fill_in_blank"}, "text": {"No gap"}}, 1},
		{url.Values{"kind": {"true_false"}}, 2},
	} {
		if got := questionform.Rows(c.values); got != c.want {
			t.Errorf("%v: %d rows, want %d", c.values, got, c.want)
		}
	}
}

func TestAnUploadReplacesTheImageOfItsSlot(t *testing.T) {
	values := url.Values{"kind": {"single_choice"}, "text": {"Which?"}, "image-1-id": {"old"}, "image-1-drop": {"on"}}
	questionform.Uploaded(values, "image-1", "new")
	q, _ := questionform.Read(values)
	if !slices.Equal(q.Images, []question.Image{{File: "new"}}) {
		t.Errorf("the images are %+v", q.Images)
	}
}
