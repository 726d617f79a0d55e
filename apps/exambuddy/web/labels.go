package web

import (
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/report"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/webkit"
)

// funcs returns the functions of the templates.
func funcs() template.FuncMap {
	return template.FuncMap{
		"exact":       webkit.Exact,
		"fixed":       fixed,
		"perQuestion": func(d any) string { return strconv.Itoa(question.Difficulty(toText(d)).Seconds()) + " s each" },
		"score":       func(tenths int64) string { return report.Score(int(tenths)) },
		"typeName":    func(t question.Type) string { return t.Label() },
		"modeName":    func(mode any) string { return modeName(toText(mode)) },
		"difficulty":  func(d any) string { return difficultyName(question.Difficulty(toText(d))) },
		"status":      projectBadge,
		"docBadge":    documentBadge,
		"description": question.Describe,
		"describeKey": question.DescribeKey,
		"num":         func(n int) int64 { return int64(n) },
		"seconds":     func(s int64) string { return spent(time.Duration(s) * time.Second) },
		"spent":       spent,
		"rule":        chooseRule,
		"marks":       func(mark int) string { return webkit.Percent(float64(mark) / question.Full) },
		"letter":      func(i int) string { return string(rune(65 + i)) },
	}
}

// toText returns the text of a string type of another package.
func toText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case question.Difficulty:
		return string(v)
	case results.Mode:
		return string(v)
	case results.Difficulty:
		return string(v)
	case sitting.ActiveMode:
		return string(v)
	}
	return ""
}

// fixed returns a number with all its places, so that the numbers of a column stand below each other.
func fixed(n float64, places int) string {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return "–"
	}
	return strconv.FormatFloat(n, 'f', places, 64)
}

func contains(all []string, one string) bool {
	for _, text := range all {
		if text == one {
			return true
		}
	}
	return false
}

// value returns what a pointer points to; the zero value if it is nil.
func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func modeName(mode string) string {
	if mode == string(results.ModeTest) {
		return "Practice"
	}
	return "Exam"
}

func difficultyName(d question.Difficulty) string {
	switch d {
	case question.Easy:
		return "Easy"
	case question.Medium:
		return "Medium"
	case question.Hard:
		return "Hard"
	case question.Expert:
		return "Expert"
	}
	return "Any"
}

// difficultyOptions returns the difficulties of a form with their times.
func difficultyOptions() []webkit.Option {
	var all []webkit.Option
	for _, d := range question.Difficulties() {
		all = append(all, webkit.Option{Value: string(d), Text: difficultyName(d), Hint: webkit.Duration(time.Duration(d.Seconds())*time.Second) + " for each question"})
	}
	return all
}

// clockOptions returns the difficulties as the times that they give for a question.
func clockOptions() []webkit.Option {
	all := difficultyOptions()
	for i, d := range question.Difficulties() {
		all[i].Text = clockName(d)
	}
	return all
}

func clockName(d question.Difficulty) string {
	return strconv.Itoa(d.Seconds()) + " s, " + strings.ToLower(difficultyName(d))
}

// chooseRule says how many options can be chosen.
func chooseRule(q question.Question) string {
	switch q.Type {
	case question.MultipleResponse:
		return "Choose all that apply."
	case question.FillInBlank:
		return "Fill in every blank."
	case question.Ordering:
		return "Put the items in order, the first one at the top. The order you see is your answer."
	case question.Matching:
		return "Choose the right partner for each item."
	case question.Hotspot:
		return "Choose one region of the image."
	case question.Scenario:
		if len(q.Statements) > 0 {
			return "Say yes or no for each statement."
		}
	}
	return "Choose one."
}

func projectBadge(s bank.Status) webkit.Badge {
	switch s {
	case bank.StatusPublished:
		return webkit.Badge{Text: "Published", Tone: webkit.Good}
	case bank.StatusArchived:
		return webkit.Badge{Text: "Archived"}
	}
	return webkit.Badge{Text: "Draft", Tone: webkit.Info}
}

func documentBadge(s bank.DocumentStatus) webkit.Badge {
	switch s {
	case bank.DocumentReady:
		return webkit.Badge{Text: "Review it", Tone: webkit.Warn}
	case bank.DocumentFailed:
		return webkit.Badge{Text: "Could not be read", Tone: webkit.Bad}
	case bank.DocumentCompleted:
		return webkit.Badge{Text: "Imported", Tone: webkit.Good}
	case bank.DocumentPublishing:
		return webkit.Badge{Text: "Being imported", Tone: webkit.Info}
	}
	return webkit.Badge{Text: "Being read", Tone: webkit.Info}
}

// spent returns the time that an answer took.
func spent(d time.Duration) string {
	if d < time.Second {
		return "under 1 s"
	}
	return webkit.Duration(d.Truncate(time.Second))
}
