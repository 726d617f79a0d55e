// Package draft holds what an import found in a file: drafts of questions with their keys, the
// reason for each, and problems with their place. Nothing in it is stored; an admin reviews drafts
// before a project gets them.
//
// The parsers of package exchange fill it. It parses nothing itself.
package draft

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

// A Draft is a question that an import found.
type Draft struct {
	Question question.Question
	Key      question.Key // may be incomplete
	ID       string       // the id of the question in the file; "" if it has none
	Title    string       // the title of the question in the file; "" if it has none

	Place      Place
	Reason     string // why the question has its type and key, for people
	Confidence int    // in per cent
	Problems   []Problem

	// DuplicateOf is the index of an earlier draft with the same text; -1 if there is none.
	DuplicateOf int
}

// A Place says where something is in a file. Unknown parts are zero.
type Place struct {
	Part   string // a file of a package, or a sheet
	Page   int    // from 1
	Line   int    // from 1
	Column int    // from 1
}

// String returns the place for people.
func (p Place) String() string {
	text := p.Part
	for _, part := range []struct {
		name   string
		number int
	}{{"page", p.Page}, {"line", p.Line}, {"column", p.Column}} {
		if part.number > 0 {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%s %d", part.name, part.number)
		}
	}
	return cmp.Or(text, "the file")
}

// A Problem is something that an import or an export could not use as it is.
type Problem struct {
	Place   Place
	Message string // what is wrong
	Advice  string // what to do
	Text    string // the text that was not used; "" if there is none
}

// String returns the problem in one line.
func (p Problem) String() string {
	text := p.Place.String() + ": " + p.Message
	if p.Advice != "" {
		text += " " + p.Advice
	}
	return text
}

// A Status says what a draft needs before it can be stored.
type Status string

// The statuses, in the order in which they are looked for.
const (
	Invalid   Status = "invalid"   // a value of the question is wrong
	Duplicate Status = "duplicate" // the file has the same question before
	NoKey     Status = "no_key"    // the answer is missing
	Unsure    Status = "unsure"    // the parser guessed
	Ready     Status = "ready"
)

// Sure is the least confidence of a draft that needs no review.
const Sure = 70

// Status returns what the draft needs.
func (d Draft) Status() Status {
	switch {
	case question.Check(d.Question) != nil:
		return Invalid
	case d.DuplicateOf >= 0:
		return Duplicate
	case question.CheckKey(d.Question, d.Key) != nil:
		return NoKey
	case d.Confidence < Sure:
		return Unsure
	}
	return Ready
}

// A Result holds everything that an import found.
type Result struct {
	Drafts   []Draft
	Problems []Problem // those that belong to no draft
	// Files holds the images of a package. Images of drafts name them until they are stored.
	Files map[string][]byte
}

// Count returns the number of drafts with a status.
func (r *Result) Count(s Status) int {
	n := 0
	for _, d := range r.Drafts {
		if d.Status() == s {
			n++
		}
	}
	return n
}

// Limits bound what an import accepts. Zero values mean the default.
type Limits struct {
	Bytes     int           // of the file; 10 MiB
	Questions int           // 1000
	Unpacked  int64         // bytes of all files of a package; 64 MiB
	Entries   int           // files of a package; 2000
	Timeout   time.Duration // of the whole import; 20 s
}

// WithDefaults returns the limits with defaults in place of zero values.
func (l Limits) WithDefaults() Limits {
	l.Bytes = cmp.Or(l.Bytes, 10<<20)
	l.Questions = cmp.Or(l.Questions, 1000)
	l.Unpacked = cmp.Or(l.Unpacked, 64<<20)
	l.Entries = cmp.Or(l.Entries, 2000)
	l.Timeout = cmp.Or(l.Timeout, 20*time.Second)
	return l
}

// CheckSize returns the refusal of a file that is empty or too large.
func (l Limits) CheckSize(size int) error {
	switch most := l.WithDefaults().Bytes; {
	case size == 0:
		return refusal.New(refusal.Invalid, "EMPTY_FILE", "The file is empty.")
	case size > most:
		return refusal.New(refusal.TooLarge, "FILE_TOO_LARGE", "The file has %d bytes. At most %d are accepted. Split it into several files.", size, most)
	}
	return nil
}

// Unreadable returns the refusal of a file that is not of its format.
func Unreadable(format string, args ...any) error {
	return refusal.New(refusal.Invalid, "UNREADABLE_FILE", format, args...)
}

// A Builder collects the result of an import.
type Builder struct {
	limits Limits
	result Result
	excess int
}

// NewBuilder returns a builder for an import.
func NewBuilder(limits Limits) *Builder { return &Builder{limits: limits.WithDefaults()} }

// Add adds a draft.
func (b *Builder) Add(d Draft) {
	if len(b.result.Drafts) >= b.limits.Questions {
		b.excess++
		return
	}
	d.DuplicateOf = -1
	b.result.Drafts = append(b.result.Drafts, d)
}

// File adds a file of a package.
func (b *Builder) File(name string, data []byte) {
	if b.result.Files == nil {
		b.result.Files = map[string][]byte{}
	}
	b.result.Files[name] = data
}

// Problem adds a problem that belongs to no draft.
func (b *Builder) Problem(p Problem) { b.result.Problems = append(b.result.Problems, p) }

// Report adds a problem that belongs to no draft.
func (b *Builder) Report(place Place, advice, format string, args ...any) {
	b.Problem(Problem{Place: place, Message: fmt.Sprintf(format, args...), Advice: advice})
}

// Result validates the drafts, marks duplicates and returns the result. If the file holds no
// question or too many, it also returns the refusal.
func (b *Builder) Result() (*Result, error) {
	seen := map[string]int{}
	for i := range b.result.Drafts {
		d := &b.result.Drafts[i]
		d.validate()
		hash := question.Hash(d.Question)
		if first, ok := seen[hash]; ok {
			d.duplicate(first, b.result.Drafts[first])
			continue
		}
		seen[hash] = i
	}
	switch n := len(b.result.Drafts); {
	case b.excess > 0:
		return &Result{Problems: b.result.Problems}, refusal.New(refusal.TooLarge, "TOO_MANY_QUESTIONS",
			"The file has %d questions. At most %d are accepted. Split it into several files.", n+b.excess, b.limits.Questions)
	case n == 0:
		return &b.result, refusal.New(refusal.Invalid, "NO_QUESTIONS", "No question was found in the file.")
	}
	return &b.result, nil
}

// validate adds the problems of a question and of its key.
func (d *Draft) validate() {
	add := func(err error, advice string) {
		refused, ok := refusal.As(err)
		if !ok {
			return
		}
		for _, f := range refused.Fields {
			d.Problems = append(d.Problems, Problem{Place: d.Place, Message: f.Message, Advice: advice})
		}
	}
	if err := question.Check(d.Question); err != nil {
		add(err, "Correct the question before you accept it.")
		return
	}
	add(question.CheckKey(d.Question, d.Key), "Set the answer before you publish.")
}

// duplicate marks a draft as a duplicate.
func (d *Draft) duplicate(first int, of Draft) {
	d.DuplicateOf = first
	p := Problem{Place: d.Place, Message: fmt.Sprintf("The same question is at %s.", of.Place), Advice: "Keep one of them."}
	if !SameKey(of, *d) {
		p.Message = fmt.Sprintf("The same question with another answer is at %s.", of.Place)
		p.Advice = "Check which answer is right, and keep one of them."
	}
	d.Problems = append(d.Problems, p)
}

// SameKey reports whether two drafts have the same right answers, by their texts.
func SameKey(a, b Draft) bool {
	return maps.EqualFunc(answers(a), answers(b), func(x, y []string) bool { return slices.Equal(x, y) })
}

// answers returns the right answers as texts, by part.
func answers(d Draft) map[string][]string {
	text := map[string]string{}
	for _, list := range [][]question.Option{d.Question.Options, d.Question.Targets, d.Question.Statements} {
		for _, o := range list {
			text[o.ID] = question.Canonical(o.Text)
		}
	}
	all := map[string][]string{}
	for _, id := range d.Key.Correct {
		all[""] = append(all[""], cmp.Or(text[id], id))
	}
	if d.Question.Type != question.Ordering {
		slices.Sort(all[""])
	}
	for id, value := range d.Key.Pairs {
		all["pair "+cmp.Or(text[id], id)] = []string{cmp.Or(text[value], value)}
	}
	for id, accepted := range d.Key.Blanks {
		all["blank "+id] = append(slices.Clone(accepted.Texts), accepted.Low, accepted.High)
	}
	return all
}
