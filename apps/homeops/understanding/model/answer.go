package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/timewords"
)

// An event is one element of the model's answer. All fields are required.
type event struct {
	Kind       *string  `json:"kind"`
	Activity   *string  `json:"activity"`
	Words      *string  `json:"words"`
	Person     *string  `json:"person"`
	TimeWords  *string  `json:"time_words"`
	Effort     *string  `json:"effort"`
	Confidence *float64 `json:"confidence"`
}

// maxEvents is the number of events that one message can report.
const maxEvents = 10

// decode reads the answer and rejects unknown and missing fields.
func decode(content string) ([]event, error) {
	d := json.NewDecoder(bytes.NewReader([]byte(content)))
	d.DisallowUnknownFields()
	var answer struct {
		Events *[]event `json:"events"`
	}
	if err := d.Decode(&answer); err != nil || answer.Events == nil {
		return nil, fmt.Errorf("%w: it has another form than the schema", ErrInvalid)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("%w: something follows the JSON", ErrInvalid)
	}
	if len(*answer.Events) > maxEvents {
		return nil, fmt.Errorf("%w: %d events", ErrInvalid, len(*answer.Events))
	}
	for _, e := range *answer.Events {
		if e.Kind == nil || e.Activity == nil || e.Words == nil || e.Person == nil || e.TimeWords == nil || e.Effort == nil || e.Confidence == nil {
			return nil, fmt.Errorf("%w: a field is missing", ErrInvalid)
		}
	}
	return *answer.Events, nil
}

// add checks one event against the message and adds it to the meaning.
func (c *Classifier) add(meaning *understanding.Meaning, m understanding.Message, e event) error {
	span, ok := find(m.Text, *e.Words)
	if !ok {
		return fmt.Errorf("%w: it quotes words that are not in the message", ErrInvalid)
	}
	who, ok := person(m, *e.Person)
	if !ok {
		return fmt.Errorf("%w: it names a person who is not in the message", ErrInvalid)
	}
	id, name, kind, usual, ok := activity(m, *e.Activity, span.In(m.Text))
	if !ok {
		return fmt.Errorf("%w: it names an unknown activity", ErrInvalid)
	}
	effort := understanding.Effort(*e.Effort)
	if effort == "usual" {
		effort = usual
	}
	if effort.Value() == 0 || *e.Confidence < 0 || *e.Confidence > 1 {
		return fmt.Errorf("%w: the effort or the confidence is none", ErrInvalid)
	}
	time, said, err := timeOf(m, *e.TimeWords)
	if err != nil {
		return err
	}
	confidence := c.o.Calibrate(*e.Confidence)
	reasons := []understanding.Reason{{Rule: "model." + c.o.Model, Span: span}}
	switch *e.Kind {
	case "log":
		when := understanding.When{At: m.Local()}
		if said && time.IsPast() {
			at, exact := time.Past(m.Local())
			when = understanding.When{At: at, Exact: exact, Said: true}
		}
		meaning.Activities = append(meaning.Activities, understanding.Activity{
			Activity: id, Name: name, Kind: kind, Who: who, When: when, Effort: effort, EffortSaid: *e.Effort != "usual",
			Confidence: confidence, Surface: span.In(m.Text), Span: span, Reasons: reasons,
		})
	case "promise":
		if who.Role != understanding.RoleAuthor || id == understanding.Free || kind != understanding.Chore {
			return fmt.Errorf("%w: a promise that commits the author to nothing", ErrInvalid)
		}
		p := understanding.Promise{
			Activity: id, Name: name, Kind: kind, Deadline: m.Local().Add(timewords.DefaultDeadline),
			Confidence: confidence, Surface: span.In(m.Text), Span: span, Reasons: reasons,
		}
		if said && time.IsFuture() {
			p.Deadline, p.Said, p.TimeWords = time.Deadline(m.Local()), true, *e.TimeWords
		}
		meaning.Promises = append(meaning.Promises, p)
	default:
		return fmt.Errorf("%w: unknown kind", ErrInvalid)
	}
	return nil
}

// find returns where the message has the words. Upper and lower case count as the same if their
// length in bytes is.
func find(text, words string) (understanding.Span, bool) {
	words = strings.TrimSpace(words)
	if words == "" {
		return understanding.Span{}, false
	}
	start := strings.Index(text, words)
	if start < 0 {
		lower := strings.ToLower(text)
		if len(lower) != len(text) {
			return understanding.Span{}, false
		}
		if start = strings.Index(lower, strings.ToLower(words)); start < 0 {
			return understanding.Span{}, false
		}
	}
	return understanding.Span{Start: start, End: start + len(words)}, true
}

// person returns the person of an event. A member must be named in the message.
func person(m understanding.Message, text string) (understanding.Person, bool) {
	switch role := understanding.Role(text); role {
	case understanding.RoleAuthor, understanding.RoleWe:
		return understanding.Person{Role: role}, true
	}
	words := understanding.Words(m.Text)
	for _, member := range m.Members {
		for _, name := range member.Names {
			if !strings.EqualFold(name, text) {
				continue
			}
			if member.ID == m.Author {
				return understanding.Person{Role: understanding.RoleAuthor}, true
			}
			return understanding.Person{Role: understanding.RoleMember, Member: member.ID}, slices.Contains(words, strings.ToLower(name))
		}
	}
	return understanding.Person{}, false
}

// activity returns the activity of an event: one of the catalogue, one of the household's, or
// Free with the words of the message.
func activity(m understanding.Message, text, words string) (id understanding.ActivityID, name string, kind understanding.Kind, usual understanding.Effort, ok bool) {
	if text == "other" {
		return understanding.Free, words, understanding.Chore, understanding.Medium, true
	}
	id = understanding.ActivityID(text)
	if effort, has := m.Usual[id]; has {
		usual = effort
	}
	if d, has := understanding.Lookup(id); has {
		if usual == "" {
			usual = d.Effort
		}
		return id, d.Noun(m.Locale), d.Kind, usual, true
	}
	for _, w := range m.Vocabulary {
		if w.Activity != id {
			continue
		}
		name, kind = w.Name, w.Kind
		if kind == "" {
			kind = understanding.Chore
		}
		if usual == "" {
			usual = understanding.Medium
		}
		return id, name, kind, usual, true
	}
	return "", "", "", "", false
}

// timeOf reads the time words of an event with our own tables. The model computes no dates.
func timeOf(m understanding.Message, words string) (timewords.Expression, bool, error) {
	if strings.TrimSpace(words) == "" {
		return timewords.Expression{}, false, nil
	}
	if _, ok := find(m.Text, words); !ok {
		return timewords.Expression{}, false, fmt.Errorf("%w: it quotes time words that are not in the message", ErrInvalid)
	}
	fields := strings.Fields(strings.ToLower(words))
	for _, l := range []understanding.Locale{m.Locale, understanding.Swedish, understanding.English} {
		if found := timewords.Find(fields, l); len(found) > 0 {
			return found[0].Time, true, nil
		}
	}
	return timewords.Expression{}, false, nil
}
