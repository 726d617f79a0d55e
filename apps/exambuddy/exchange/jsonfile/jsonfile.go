// Package jsonfile imports and exports questions as JSON. It is the format that keeps everything: an
// import of an export gives the same questions. An import also takes simple files that other programs
// write, with options as texts and the answer as a letter, a text or an index; it reports fields that
// it does not know. Package exchange calls it.
package jsonfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/textfile"
)

// FormatName is the value of the field "format" of a file.
const FormatName = "exambuddy-questions"

// Version is the version of the format.
const Version = 1

type file struct {
	Format    string `json:"format"`
	Version   int    `json:"version"`
	Questions []item `json:"questions"`
}

type item struct {
	ID         string   `json:"id,omitempty"`
	Title      string   `json:"title,omitempty"`
	Type       string   `json:"type"`
	Text       string   `json:"text"`
	Passage    string   `json:"passage,omitempty"`
	Options    []option `json:"options,omitempty"`
	Targets    []option `json:"targets,omitempty"`
	Blanks     []blank  `json:"blanks,omitempty"`
	Regions    []region `json:"regions,omitempty"`
	Statements []option `json:"statements,omitempty"`
	Images     []image  `json:"images,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Difficulty string   `json:"difficulty,omitempty"`
	TimeLimit  int      `json:"time_limit,omitempty"`
	Key        *key     `json:"key,omitempty"`
}

type option struct {
	ID    string `json:"id,omitempty"`
	Text  string `json:"text,omitempty"`
	Image *image `json:"image,omitempty"`
	Last  bool   `json:"last,omitempty"`
}

// UnmarshalJSON takes an object, or a text alone.
func (o *option) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &o.Text)
	}
	type plain option
	return strict(data, (*plain)(o))
}

type blank struct {
	ID      string   `json:"id,omitempty"`
	Choices []option `json:"choices,omitempty"`
}

type region struct {
	ID     string `json:"id,omitempty"`
	Label  string `json:"label"`
	X      int    `json:"x"`
	Y      int    `json:"y"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

type image struct {
	File string `json:"file"`
	Alt  string `json:"alt,omitempty"`
}

type key struct {
	Correct           []string            `json:"correct,omitempty"`
	Also              []string            `json:"also,omitempty"`
	Pairs             map[string]string   `json:"pairs,omitempty"`
	Blanks            map[string]accepted `json:"blanks,omitempty"`
	Scheme            string              `json:"scheme,omitempty"`
	Explanation       string              `json:"explanation,omitempty"`
	ExplanationImages []image             `json:"explanation_images,omitempty"`
}

type accepted struct {
	Texts             []string `json:"texts,omitempty"`
	Low               string   `json:"low,omitempty"`
	High              string   `json:"high,omitempty"`
	IgnoreAccents     bool     `json:"ignore_accents,omitempty"`
	IgnorePunctuation bool     `json:"ignore_punctuation,omitempty"`
}

// strict decodes an object and refuses fields that it does not know.
func strict(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// Export writes questions.
func Export(items []draft.Draft) ([]byte, error) {
	f := file{Format: FormatName, Version: Version, Questions: []item{}}
	for _, d := range items {
		f.Questions = append(f.Questions, fromDraft(d))
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(f); err != nil {
		return nil, fmt.Errorf("encode questions: %w", err)
	}
	return out.Bytes(), nil
}

// Import parses a file: an object with the field "questions", or an array of questions.
func Import(ctx context.Context, data []byte, limits draft.Limits) (*draft.Result, error) {
	if err := limits.CheckSize(len(data)); err != nil {
		return nil, err
	}
	text, encoding := textfile.Decode(data)
	out := draft.NewBuilder(limits)
	if encoding == textfile.Windows1252 {
		out.Report(draft.Place{}, "Check accented letters.", "The file is not UTF-8. It was read as Windows-1252.")
	}
	r := reader{ctx: ctx, text: text, d: json.NewDecoder(strings.NewReader(text)), out: out}
	if err := r.file(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line := r.line(r.d.InputOffset())
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			line = r.line(syntax.Offset)
		}
		return nil, draft.Unreadable("The file is not valid JSON: line %d: %v.", line, err)
	}
	return out.Result()
}

// A reader walks through a file.
type reader struct {
	ctx  context.Context
	text string
	d    *json.Decoder
	out  *draft.Builder
}

// line returns the line of an offset.
func (r *reader) line(offset int64) int {
	offset = min(max(offset, 0), int64(len(r.text)))
	return 1 + strings.Count(r.text[:offset], "\n")
}

func (r *reader) file() error {
	t, err := r.d.Token()
	if err != nil {
		return endOfFile(err)
	}
	switch t {
	case json.Delim('['):
		err = r.questions()
	case json.Delim('{'):
		err = r.object()
	default:
		return fmt.Errorf("expected an object or an array, found %v", t)
	}
	if err != nil {
		return endOfFile(err)
	}
	if _, err := r.d.Token(); err != io.EOF {
		return errors.New("there is text after the end of the document")
	}
	return nil
}

func endOfFile(err error) error {
	if err == io.EOF {
		return errors.New("the file ends too early")
	}
	return err
}

// object reads the fields of the document.
func (r *reader) object() error {
	for r.d.More() {
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		name, err := r.d.Token()
		if err != nil {
			return err
		}
		place := draft.Place{Line: r.line(r.d.InputOffset())}
		if name == "questions" {
			t, err := r.d.Token()
			if err != nil {
				return err
			}
			if t != json.Delim('[') {
				return errors.New("the field questions is not an array")
			}
			if err := r.questions(); err != nil {
				return err
			}
			continue
		}
		var value json.RawMessage
		if err := r.d.Decode(&value); err != nil {
			return err
		}
		switch name {
		case "format":
		case "version":
			if string(value) != fmt.Sprint(Version) {
				r.out.Report(place, "Check the drafts with care.", "The file has the version %s of the format; this program knows %d.", value, Version)
			}
		default:
			r.out.Problem(draft.Problem{Place: place, Message: fmt.Sprintf("The field %v is not known.", name), Advice: "It was not imported.", Text: string(value)})
		}
	}
	_, err := r.d.Token()
	return err
}

// questions reads the elements of an array.
func (r *reader) questions() error {
	for r.d.More() {
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		var raw json.RawMessage
		if err := r.d.Decode(&raw); err != nil {
			return err
		}
		// The decoder stands after the value, so its first line is counted back.
		place := draft.Place{Line: r.line(r.d.InputOffset() - int64(len(raw)))}
		d, err := decode(raw)
		if err != nil {
			r.out.Problem(draft.Problem{Place: place, Message: fmt.Sprintf("This question cannot be read: %v.", err),
				Advice: "Correct the value and import the file again.", Text: string(raw)})
			continue
		}
		d.Place = place
		for i := range d.Problems {
			d.Problems[i].Place = place
		}
		r.out.Add(d)
	}
	_, err := r.d.Token()
	return err
}

// fields lists the fields of item.
var fields = []string{"id", "title", "type", "text", "passage", "options", "targets", "blanks", "regions", "statements", "images", "tags", "difficulty", "time_limit", "key"}

// decode makes a draft of a question. Fields that item does not have are taken as those of other
// programs.
func decode(raw json.RawMessage) (draft.Draft, error) {
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &all); err != nil {
		return draft.Draft{}, err
	}
	foreign := map[string]json.RawMessage{}
	for name, value := range all {
		if !slices.Contains(fields, name) {
			foreign[name] = value
			delete(all, name)
		}
	}
	renameForeign(all, foreign)
	own, err := json.Marshal(all)
	if err != nil {
		return draft.Draft{}, err
	}
	var it item
	if err := strict(own, &it); err != nil {
		return draft.Draft{}, err
	}
	d := it.draft()
	applyForeign(&d, foreign)
	return d, nil
}
