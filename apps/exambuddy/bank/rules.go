package bank

import (
	"slices"
	"time"
	"unicode/utf8"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

// The values of the rules of an exam.
const (
	Forward = "forward" // questions one after the other, each with its own clock
	Free    = "free"    // one clock for all questions, in any order

	Strict   = "strict"   // the arrival of an answer decides whether it is in time
	Tolerant = "tolerant" // answers that were queued offline count by the client's clock

	RevealAtSubmit = "submit" // candidates see answers after they submit
	RevealAtClose  = "close"  // after the window of the exam and the last session
	RevealNever    = "never"

	OverdueSubmit  = "submit"  // an exam that was left is graded as it is
	OverdueDiscard = "discard" // it is deleted
)

// DefaultRules returns the rules of a new exam.
func DefaultRules() exambuddydb.Rules {
	return exambuddydb.Rules{Practice: true, Navigation: Forward, Offline: Strict, Reveal: RevealAtSubmit, Overdue: OverdueSubmit}
}

// RevealAt returns the earliest time at which a candidate who handed in an exam sees the right answers;
// nil if that is never. An exam that closes can be started until then, and the start is written a
// little later; package results waits for the sessions that run.
func RevealAt(rules exambuddydb.Rules, completed time.Time) *time.Time {
	switch {
	case rules.Reveal == RevealAtSubmit:
		return &completed
	case rules.Reveal == RevealAtClose && rules.ClosesAt != nil:
		return new(rules.ClosesAt.Add(exambuddy.RevealAfter))
	}
	return nil
}

// Settings holds what an admin edits of a project.
type Settings struct {
	Title       string
	Description string
	PassMark    int // per cent
	Rules       exambuddydb.Rules
	Repeat      exambuddy.Repeat // of Create
}

func (in Settings) check() error {
	var fields []refusal.Field
	length := func(name, text string, least, most int) {
		if n := utf8.RuneCountInString(text); n < least || n > most {
			fields = append(fields, refusal.Field{Name: name, Constraint: "length", Min: &least, Max: &most})
		}
	}
	length("title", in.Title, exambuddy.MinTitle, exambuddy.MaxTitle)
	length("description", in.Description, 0, exambuddy.MaxDescription)
	if in.PassMark < 0 || in.PassMark > 100 {
		fields = append(fields, refusal.Field{Name: "pass_mark", Constraint: "range", Min: new(int), Max: new(100)})
	}
	fields = append(fields, checkRules(in.Rules)...)
	if len(fields) == 0 {
		return nil
	}
	return &refusal.Error{Kind: refusal.Invalid, Message: "Some settings of the exam are not valid.", Fields: fields}
}

func checkRules(r exambuddydb.Rules) []refusal.Field {
	var fields []refusal.Field
	oneOf := func(name, value string, allowed ...string) {
		if !slices.Contains(allowed, value) {
			fields = append(fields, refusal.Field{Name: name, Constraint: "allowed", Allowed: allowed})
		}
	}
	oneOf("navigation", r.Navigation, Forward, Free)
	oneOf("offline", r.Offline, Strict, Tolerant)
	oneOf("reveal", r.Reveal, RevealAtSubmit, RevealAtClose, RevealNever)
	oneOf("overdue", r.Overdue, OverdueSubmit, OverdueDiscard)
	if r.ExamDifficulty != nil {
		oneOf("exam_difficulty", *r.ExamDifficulty, string(question.Easy), string(question.Medium), string(question.Hard), string(question.Expert))
	}
	between := func(name string, value *int64, least, most int) {
		if value != nil && (*value < int64(least) || *value > int64(most)) {
			fields = append(fields, refusal.Field{Name: name, Constraint: "range", Min: &least, Max: &most})
		}
	}
	between("exam_count", r.ExamCount, 1, exambuddy.MaxSessionQuestions)
	between("max_attempts", r.MaxAttempts, 1, 1000)
	if len(r.Groups) > exambuddy.MaxGroups {
		fields = append(fields, refusal.Field{Name: "groups", Constraint: "count", Max: new(exambuddy.MaxGroups)})
	}
	if r.Reveal == RevealAtClose && r.ClosesAt == nil {
		fields = append(fields, refusal.Field{Name: "closes_at", Constraint: "required", Message: "Answers that are shown after the exam closes need a closing time."})
	}
	return append(fields, checkWindow(r)...)
}

func checkWindow(r exambuddydb.Rules) []refusal.Field {
	after := func(name string, later, earlier *time.Time) []refusal.Field {
		if later == nil || earlier == nil || later.After(*earlier) {
			return nil
		}
		return []refusal.Field{{Name: name, Constraint: "range", Message: "This time must be after the one before it."}}
	}
	return slices.Concat(after("last_start_at", r.LastStartAt, r.OpensAt), after("closes_at", r.ClosesAt, r.OpensAt), after("closes_at", r.ClosesAt, r.LastStartAt))
}
