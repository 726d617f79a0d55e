// Package understanding holds the vocabulary of what a chat message means: activities, promises,
// questions, corrections and requests, each with the words it came from, a confidence and the
// rules that decided. A Classifier turns a Message into a Meaning.
//
// It is not a classifier itself: rules, model and recorded below it are. It stores nothing, sends
// nothing and decides nothing about answers. The system's ingest calls a Classifier; the web pages
// show a Meaning in the sandbox.
package understanding

import (
	"context"
	"time"
)

// A Classifier decides what a message means.
//
// An error means that the classifier could not decide, for example because an endpoint does not
// respond. A message that means nothing for the household is an empty Meaning, not an error.
type Classifier interface {
	Classify(ctx context.Context, m Message) (Meaning, error)
}

// MaxText is the length in bytes up to which classifiers parse a message. Longer messages mean
// nothing: they are copied texts, not reports of what a member did. Telegram allows 4,096 UTF-16
// units.
const MaxText = 4096

// A Locale is a language of the interface and of the chat.
type Locale string

// The locales.
const (
	Swedish Locale = "sv"
	English Locale = "en"
)

// Valid reports whether l is one of the locales.
func (l Locale) Valid() bool { return l == Swedish || l == English }

// A Message is the input of a Classifier: the text and all context that may change its meaning.
type Message struct {
	Text       string
	SentAt     time.Time      // when it was written; time words count from it
	Zone       *time.Location // of the household; nil means UTC
	Locale     Locale         // of the household; the language of messages that show none
	Author     string         // the author's id in Members
	Members    []Member       // of the household, with the author
	Vocabulary []Word         // learned words; they take precedence over the built-in ones
	Usual      map[ActivityID]Effort

	// Addressed reports that the message mentions the bot or replies to it. Classifiers report
	// questions and requests always; the caller decides which of them the bot answers.
	Addressed bool
}

// Local returns SentAt in the zone of the household.
func (m Message) Local() time.Time {
	if m.Zone == nil {
		return m.SentAt.UTC()
	}
	return m.SentAt.In(m.Zone)
}

// A Member is a person of the household and the names by which messages call them.
type Member struct {
	ID    string
	Names []string
}

// A Word is an expression that a household uses for an activity.
type Word struct {
	Surface       string // one or more words, as members write them
	Activity      ActivityID
	Confirmations int

	// Name and Kind describe an activity of the household that the catalogue does not have. The
	// zero Kind counts as work.
	Name string
	Kind Kind
}

// A Span is a part of a message's text, in bytes from Start up to End.
type Span struct {
	Start, End int
}

// In returns the part of text that the span covers, and "" if text is too short for it.
func (s Span) In(text string) string {
	if s.Start < 0 || s.End > len(text) || s.Start > s.End {
		return ""
	}
	return text[s.Start:s.End]
}

// Confidence limits of the answer policy. A confidence is calibrated per rule: at Clear, at least
// 95 of 100 messages of the development set are understood correctly.
const (
	Clear   = 0.85 // store and acknowledge
	Clarify = 0.50 // ask the author; below it nothing is stored
)
