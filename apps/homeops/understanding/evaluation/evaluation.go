// Package evaluation measures a classifier on labelled messages: precision and recall for each
// class of meaning, and hard errors, which store something that was not said.
//
// It decides nothing at run time. The tests of the classifiers call it, and the sandbox page can
// show its report. testdata/README.md explains the format of the labels.
package evaluation

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"sortkey.dev/apps/homeops/understanding"
)

// A Case is a labelled message.
type Case struct {
	File    string
	Line    int
	Message understanding.Message
	Labels  []Label
}

// A Label is one meaning that a reader gives a message.
type Label struct {
	Class    Class
	Maybe    bool // readers differ
	Activity string
	Kind     string // of questions, corrections and requests
	Who      string // member id, "we", or "" for the author
	On       string // date of a log; "" is the day of the message
	Due      string // date and time of a promise
	Effort   string
}

// A Class is a kind of meaning that is counted.
type Class string

// The classes.
const (
	Log        Class = "log"
	Promise    Class = "promise"
	Ask        Class = "ask"
	Correct    Class = "correct"
	Request    Class = "request"
	Dispute    Class = "dispute"
	dateLayout       = "2006-01-02"
	timeLayout       = "2006-01-02 15:04"
)

// Classes lists the classes in the order of reports.
var Classes = []Class{Log, Promise, Ask, Correct, Request, Dispute}

// Parse reads a file of labelled messages. Times are in zone.
func Parse(name string, r io.Reader, zone *time.Location) ([]Case, error) {
	var cases []Case
	context := understanding.Message{Zone: zone}
	scanner := bufio.NewScanner(r)
	for line := 1; scanner.Scan(); line++ {
		text := strings.TrimSpace(scanner.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		message, labels, ok := strings.Cut(text, " => ")
		if !ok {
			if err := directive(&context, text); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, line, err)
			}
			continue
		}
		c := Case{File: name, Line: line, Message: context}
		c.Message.Text = strings.ReplaceAll(message, `\n`, "\n")
		for label := range strings.SplitSeq(labels, ";") {
			l, err := parseLabel(strings.Fields(label))
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, line, err)
			}
			if l.Class != "" {
				c.Labels = append(c.Labels, l)
			}
		}
		cases = append(cases, c)
	}
	return cases, scanner.Err()
}

// directive changes the context of the cases below it.
func directive(m *understanding.Message, text string) error {
	key, value, _ := strings.Cut(text, " ")
	switch key {
	case "locale":
		m.Locale = understanding.Locale(value)
		if !m.Locale.Valid() {
			return fmt.Errorf("unknown locale %q", value)
		}
	case "author":
		m.Author = value
	case "members":
		m.Members = nil
		for member := range strings.FieldsSeq(value) {
			id, names, _ := strings.Cut(member, "=")
			m.Members = append(m.Members, understanding.Member{ID: id, Names: strings.Split(names, ",")})
		}
	case "@":
		at, err := time.ParseInLocation(timeLayout, value, m.Zone)
		if err != nil {
			return err
		}
		m.SentAt = at
	default:
		return fmt.Errorf("unknown directive %q", text)
	}
	return nil
}

// parseLabel reads one label. The label "none" has no class.
func parseLabel(words []string) (Label, error) {
	var l Label
	if len(words) > 0 && words[0] == "maybe" {
		l.Maybe, words = true, words[1:]
	}
	if len(words) == 1 && words[0] == "none" {
		return Label{}, nil
	}
	if len(words) < 2 {
		return l, fmt.Errorf("a label has a class and an argument: %q", words)
	}
	l.Class = Class(words[0])
	rest := words[2:]
	switch l.Class {
	case Log, Promise, Dispute:
		l.Activity = words[1]
	case Ask, Correct:
		l.Kind = words[1]
		if len(rest) > 0 && l.Class == Ask {
			l.Activity, rest = rest[0], rest[1:]
		} else if len(rest) > 0 {
			l.Who, rest = rest[0], rest[1:]
		}
	case Request:
		l.Kind = words[1]
	default:
		return l, fmt.Errorf("unknown class %q", words[0])
	}
	return l, l.options(rest)
}

// options reads what follows the argument of a label.
func (l *Label) options(rest []string) error {
	for len(rest) > 0 {
		if len(rest) < 2 {
			return fmt.Errorf("%q needs a value", rest[0])
		}
		used := 2
		switch rest[0] {
		case "by":
			l.Who = rest[1]
		case "on":
			l.On = rest[1]
		case "effort":
			l.Effort = rest[1]
		case "due":
			if len(rest) < 3 {
				return fmt.Errorf("due needs a date and a time")
			}
			l.Due, used = rest[1]+" "+rest[2], 3
		default:
			return fmt.Errorf("unknown word %q", rest[0])
		}
		rest = rest[used:]
	}
	return nil
}
