package web

import (
	"html/template"
	"strconv"
	"strings"

	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/askahuman/score"
	"sortkey.dev/apps/internal/webkit"
)

// funcs returns the template functions of this system.
func funcs() template.FuncMap {
	return template.FuncMap{
		"capital":    capital,
		"typeBadge":  typeBadge,
		"status":     statusBadge,
		"state":      stateBadge,
		"doc":        badgeDoc,
		"unseen":     unseen,
		"choices":    optionRows,
		"confidence": confidenceLevels,
		"isText":     func(t questions.Type) bool { return t == questions.TypeText },
		"badgeIcon":  badgeIcon,
	}
}

func typeBadge(t questions.Type) webkit.Badge {
	if t == questions.TypeText {
		return webkit.Badge{Text: "In your words", Tone: webkit.Strong, Icon: "edit"}
	}
	return webkit.Badge{Text: "Pick one", Tone: webkit.Info, Icon: "list"}
}

// statusBadge returns the badge of a status for people who answer.
func statusBadge(status questions.Status) webkit.Badge {
	switch status {
	case questions.StatusOpen:
		return webkit.Badge{Text: "Open", Tone: webkit.Info}
	case questions.StatusPartial:
		return webkit.Badge{Text: "Partly answered", Tone: webkit.Strong}
	case questions.StatusClosed:
		return webkit.Badge{Text: "Closed", Tone: webkit.Good, Icon: "check"}
	case questions.StatusExpired:
		return webkit.Badge{Text: "Time was up", Tone: webkit.Warn, Icon: "clock"}
	}
	return webkit.Badge{Text: "No longer kept"}
}

// stateBadge returns the badge of a question's status for agents and operators: in the words of
// their tabs, with a tick only if the question got all its answers.
func stateBadge(status questions.Status, answers, wanted int64) webkit.Badge {
	switch {
	case status == questions.StatusClosed && answers < wanted:
		return webkit.Badge{Text: "Closed early"}
	case status == questions.StatusExpired:
		return webkit.Badge{Text: "Expired", Tone: webkit.Warn, Icon: "clock"}
	}
	return statusBadge(status)
}

// badgeDoc explains how a badge is earned, with formatted numbers.
func badgeDoc(badge score.Badge) string {
	return strings.Replace(badge.Doc, strconv.Itoa(badge.Goal), webkit.Number(badge.Goal), 1)
}

// fewTags is the number of tags shown on a card; the rest is counted.
const fewTags = 2

// unseen returns the audiences that a card counts instead of showing them.
func unseen(audience []string) []string {
	return audience[min(fewTags, len(audience)):]
}

// optionRows returns the options of a question to choose from, by their numbers.
func optionRows(texts []string) []webkit.Option {
	rows := make([]webkit.Option, len(texts))
	for i, text := range texts {
		rows[i] = webkit.Option{Value: webkit.Number(i), Text: text}
	}
	return rows
}

func confidenceLevels() []webkit.Option {
	levels := make([]webkit.Option, 5)
	for i := range levels {
		levels[i].Value = webkit.Number(i + 1)
		levels[i].Text = levels[i].Value
	}
	return levels
}
