package exambuddy

import (
	"encoding/json"
	"fmt"

	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
)

// Content holds what is stored of a question besides its ids: in the bank, and in the papers of
// sessions.
type Content struct {
	Text     string
	Type     string
	Options  []exambuddydb.Option
	Metadata json.RawMessage // nil if the type needs none
	Tags     []string
	Limit    int64
}

type metadata struct {
	Passage    string            `json:"passage,omitempty"`
	Targets    []question.Option `json:"targets,omitempty"`
	Blanks     []question.Blank  `json:"blanks,omitempty"`
	Regions    []question.Region `json:"regions,omitempty"`
	Statements []question.Option `json:"statements,omitempty"`
	Images     []question.Image  `json:"images,omitempty"`
}

// EncodeQuestion returns a question as it is stored.
func EncodeQuestion(q question.Question) (Content, error) {
	c := Content{Text: q.Text, Type: string(q.Type), Tags: q.Tags, Limit: int64(q.TimeLimit), Options: []exambuddydb.Option{}}
	for _, o := range q.Options {
		stored := exambuddydb.Option{ID: o.ID, Text: o.Text}
		if o.Image != nil {
			stored.Image, stored.Alt = &o.Image.File, &o.Image.Alt
		}
		if o.Last {
			stored.Last = &o.Last
		}
		c.Options = append(c.Options, stored)
	}
	encoded, err := json.Marshal(metadata{
		Passage: q.Passage, Targets: q.Targets, Blanks: q.Blanks, Regions: q.Regions, Statements: q.Statements, Images: q.Images,
	})
	if err != nil {
		return Content{}, fmt.Errorf("encode a question: %w", err)
	}
	if string(encoded) != "{}" {
		c.Metadata = encoded
	}
	return c, nil
}

// Question returns the question that was stored.
func (c Content) Question() (question.Question, error) {
	q := question.Question{Type: question.Type(c.Type), Text: c.Text, Tags: c.Tags, TimeLimit: int(c.Limit)}
	for _, stored := range c.Options {
		o := question.Option{ID: stored.ID, Text: stored.Text, Last: stored.Last != nil && *stored.Last}
		if stored.Image != nil {
			o.Image = &question.Image{File: *stored.Image}
			if stored.Alt != nil {
				o.Image.Alt = *stored.Alt
			}
		}
		q.Options = append(q.Options, o)
	}
	if len(c.Metadata) > 0 {
		var m metadata
		if err := json.Unmarshal(c.Metadata, &m); err != nil {
			return question.Question{}, fmt.Errorf("decode a question: %w", err)
		}
		q.Passage, q.Targets, q.Blanks, q.Regions, q.Statements, q.Images = m.Passage, m.Targets, m.Blanks, m.Regions, m.Statements, m.Images
	}
	return q, nil
}

// QuestionOf returns the question of an item of the bank.
func QuestionOf(stored exambuddydb.Question) (question.Question, error) {
	q, err := Content{
		Text: stored.QuestionText, Type: string(stored.QuestionType), Options: stored.Options, Metadata: stored.Metadata, Tags: stored.Tags, Limit: stored.TimeLimitSeconds,
	}.Question()
	q.Difficulty = question.Difficulty(stored.Difficulty)
	return q, err
}

type solution struct {
	Correct []string                     `json:"correct,omitempty"`
	Also    []string                     `json:"also,omitempty"`
	Pairs   map[string]string            `json:"pairs,omitempty"`
	Blanks  map[string]question.Accepted `json:"blanks,omitempty"`
	Scheme  question.Scheme              `json:"scheme,omitempty"`
	Images  []question.Image             `json:"images,omitempty"`
}

// EncodeKey returns a key as it is stored, without the explanation, which has an attribute of its
// own.
func EncodeKey(k question.Key) (json.RawMessage, error) {
	encoded, err := json.Marshal(solution{Correct: k.Correct, Also: k.Also, Pairs: k.Pairs, Blanks: k.Blanks, Scheme: k.Scheme, Images: k.ExplanationImages})
	if err != nil {
		return nil, fmt.Errorf("encode a key: %w", err)
	}
	return encoded, nil
}

// DecodeKey returns the key that was stored.
func DecodeKey(stored json.RawMessage, explanation string) (question.Key, error) {
	var s solution
	if len(stored) > 0 {
		if err := json.Unmarshal(stored, &s); err != nil {
			return question.Key{}, fmt.Errorf("decode a key: %w", err)
		}
	}
	return question.Key{Correct: s.Correct, Also: s.Also, Pairs: s.Pairs, Blanks: s.Blanks, Scheme: s.Scheme, Explanation: explanation, ExplanationImages: s.Images}, nil
}

type reply struct {
	Chosen []string          `json:"chosen,omitempty"`
	Parts  map[string]string `json:"parts,omitempty"`
}

// EncodeAnswer returns an answer as it is stored.
func EncodeAnswer(a question.Answer) (json.RawMessage, error) {
	encoded, err := json.Marshal(reply(a))
	if err != nil {
		return nil, fmt.Errorf("encode an answer: %w", err)
	}
	return encoded, nil
}

// DecodeAnswer returns the answer that was stored.
func DecodeAnswer(stored json.RawMessage) (question.Answer, error) {
	var r reply
	if err := json.Unmarshal(stored, &r); err != nil {
		return question.Answer{}, fmt.Errorf("decode an answer: %w", err)
	}
	return question.Answer(r), nil
}
