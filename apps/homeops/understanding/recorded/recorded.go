// Package recorded is a classifier that repeats answers from a file, for tests that need the
// answers of a model without a model. A Recorder makes such files.
//
// It understands nothing itself: a message that was not recorded is an error.
package recorded

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"sortkey.dev/apps/homeops/understanding"
)

// ErrNotRecorded reports a message without a recorded answer.
var ErrNotRecorded = errors.New("recorded: no answer for this message")

// A line is one recorded answer. Files hold one line of JSON for each.
type line struct {
	Locale  understanding.Locale  `json:"locale"`
	Text    string                `json:"text"`
	Meaning understanding.Meaning `json:"meaning"`
}

type key struct {
	locale understanding.Locale
	text   string
}

// A Classifier repeats recorded answers. It is safe for concurrent use.
type Classifier struct {
	answers map[key]understanding.Meaning
}

// Load reads recorded answers. A later answer to the same message replaces an earlier one.
func Load(r io.Reader) (*Classifier, error) {
	c := &Classifier{answers: map[key]understanding.Meaning{}}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	for n := 1; scanner.Scan(); n++ {
		if len(scanner.Bytes()) == 0 {
			continue
		}
		var l line
		if err := json.Unmarshal(scanner.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("recorded: line %d: %w", n, err)
		}
		l.Meaning.Classifier = "recorded"
		c.answers[key{l.Locale, l.Text}] = l.Meaning
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("recorded: %w", err)
	}
	return c, nil
}

// Classify returns the recorded answer with the times of the recording, so the message should
// have the same time.
func (c *Classifier) Classify(_ context.Context, m understanding.Message) (understanding.Meaning, error) {
	meaning, ok := c.answers[key{m.Locale, m.Text}]
	if !ok {
		return understanding.Meaning{}, ErrNotRecorded
	}
	return meaning, nil
}

// A Recorder asks another classifier and writes its answers down.
type Recorder struct {
	from  understanding.Classifier
	mutex sync.Mutex
	to    io.Writer
}

// NewRecorder returns a recorder that appends to a writer.
func NewRecorder(from understanding.Classifier, to io.Writer) *Recorder {
	return &Recorder{from: from, to: to}
}

// Classify returns the answer of the other classifier. Failures are not recorded.
func (r *Recorder) Classify(ctx context.Context, m understanding.Message) (understanding.Meaning, error) {
	meaning, err := r.from.Classify(ctx, m)
	if err != nil {
		return meaning, err
	}
	text, err := json.Marshal(line{Locale: m.Locale, Text: m.Text, Meaning: meaning})
	if err != nil {
		return meaning, fmt.Errorf("recorded: encoding an answer: %w", err)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if _, err := r.to.Write(append(text, '\n')); err != nil {
		return meaning, fmt.Errorf("recorded: writing an answer: %w", err)
	}
	return meaning, nil
}
