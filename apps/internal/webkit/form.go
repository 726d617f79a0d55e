package webkit

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sortkey.dev/apps/internal/refusal"
)

// A Form is a submitted form with its errors. Its methods read one field each and record an error
// for the field instead of returning it, so that all are shown at once. The nil Form is an empty
// form.
type Form struct {
	Values url.Values
	path   string   // of the request
	names  []string // of fields with errors, in the order they were read
	errors map[string]string
	labels map[string]string
	words  func(english string) string // translates the sentences of this file; nil for English
}

// NewForm returns a form filled in with values, to be shown.
func NewForm(values url.Values) *Form { return &Form{Values: values} }

// ReadForm reads the form of a request. A malformed or too large body is an error of the whole
// form.
func ReadForm(r *http.Request) *Form {
	f := &Form{path: r.URL.Path, words: func(english string) string { return stateOf(r).site.translate(r, english) }}
	if err := parseForm(r); err != nil {
		f.Fail("", f.say("What you sent could not be read. It may be too large."))
	}
	f.Values = r.PostForm
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		f.Values = r.Form
	}
	return f
}

// Key returns an idempotency key of the form: it is the same if a form is sent twice, by a double click or after a lost
// connection, and another one if the page was made again or other values were sent. It is "" for a form without
// the field of Page.CSRF.
func (f *Form) Key() string {
	nonce, _, _ := strings.Cut(f.Value(csrfField), ".")
	if nonce == "" {
		return ""
	}
	sent := maps.Clone(f.Values)
	delete(sent, csrfField)
	sum := sha256.Sum256([]byte(nonce + "\n" + f.path + "\n" + sent.Encode()))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Valid reports whether the form has no errors.
func (f *Form) Valid() bool { return f == nil || len(f.errors) == 0 }

// Refuse records a refusal, to be shown with the form. It returns other errors, and that something is not found.
func (f *Form) Refuse(err error) error {
	if err == nil {
		return nil
	}
	refused, ok := refusal.As(err)
	if !ok || refused.Kind == refusal.NotFound {
		return err
	}
	for _, field := range refused.Fields {
		message := field.Message
		if message == "" {
			message = refused.Message
		}
		f.Fail(field.Name, message)
	}
	if len(refused.Fields) == 0 {
		f.Fail("", refused.Message)
	}
	return nil
}

// Fail records an error of a field, or of the whole form with "". The first error of a field
// wins.
func (f *Form) Fail(name, sentence string) {
	if f.errors == nil {
		f.errors = make(map[string]string)
	}
	if _, ok := f.errors[name]; ok {
		return
	}
	f.errors[name] = sentence
	f.names = append(f.names, name)
}

// say returns a sentence in the language of the request, with values in place of its verbs.
func (f *Form) say(english string, values ...any) string {
	if f.words != nil {
		english = f.words(english)
	}
	if len(values) == 0 {
		return english
	}
	return fmt.Sprintf(english, values...)
}

// Error returns the error of a field; "" if there is none.
func (f *Form) Error(name string) string {
	if f == nil {
		return ""
	}
	return f.errors[name]
}

// Label sets the label of a field for its error messages. Call it before the field is read. It
// returns the form.
func (f *Form) Label(name, label string) *Form {
	if f.labels == nil {
		f.labels = make(map[string]string)
	}
	f.labels[name] = label
	return f
}

// failEmpty records that a field is empty. A label that is a question makes no sentence with "is
// missing".
func (f *Form) failEmpty(name string) {
	label := f.labels[name]
	if label == "" || strings.HasSuffix(label, "?") {
		f.Fail(name, f.say("Fill this in."))
		return
	}
	f.Fail(name, f.say("%s is missing.", label))
}

// A FieldError is the error of one field. Name is "" for the whole form, Label is "" if none was
// set.
type FieldError struct{ Name, Label, Sentence string }

// Summary returns the error for a summary: with the field's label, unless the sentence names it
// already.
func (e FieldError) Summary() string {
	if e.Label == "" || strings.HasPrefix(e.Sentence, e.Label) {
		return e.Sentence
	}
	if strings.HasSuffix(e.Label, "?") {
		return e.Label + " " + e.Sentence
	}
	return e.Label + ": " + e.Sentence
}

// Errors returns the errors in the order the fields were read.
func (f *Form) Errors() []FieldError {
	if f == nil {
		return nil
	}
	list := make([]FieldError, len(f.names))
	for i, name := range f.names {
		list[i] = FieldError{name, f.labels[name], f.errors[name]}
	}
	return list
}

// Value returns the value of a field as it was sent, to be shown again.
func (f *Form) Value(name string) string {
	if f == nil {
		return ""
	}
	return f.Values.Get(name)
}

// Has reports whether a field was sent, even if it is empty.
func (f *Form) Has(name string) bool {
	return f != nil && f.Values.Has(name)
}

// Text returns a text of min to max characters, without space around it, with the line ends of
// Unix.
func (f *Form) Text(name string, min, max int) string {
	text := strings.TrimSpace(strings.ReplaceAll(f.Value(name), "\r\n", "\n"))
	length := utf8.RuneCountInString(text)
	switch {
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		f.Fail(name, f.say("This holds characters that cannot be stored."))
	case length == 0 && min > 0:
		f.failEmpty(name)
	case length < min:
		f.Fail(name, f.moreCharacters(min-length))
	case length > max:
		f.Fail(name, f.say("Write at most %s characters; these are %s.", Number(max), Number(length)))
	}
	return text
}

func (f *Form) moreCharacters(n int) string {
	if n == 1 {
		return f.say("Write 1 more character.")
	}
	return f.say("Write %s more characters.", Number(n))
}

// Line returns a text like Text without line breaks.
func (f *Form) Line(name string, min, max int) string {
	text := f.Text(name, min, max)
	if strings.ContainsAny(text, "\n\r") {
		f.Fail(name, f.say("Write this on one line."))
	}
	return text
}

// Int returns a whole number from min to max.
func (f *Form) Int(name string, min, max int) int {
	text := strings.TrimSpace(f.Value(name))
	if text == "" {
		f.failEmpty(name)
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < min || n > max {
		f.Fail(name, f.say("Write a whole number from %s to %s.", Number(min), Number(max)))
		return 0
	}
	return n
}

// OptionalInt returns a number like Int, or 0 and false when nothing was filled in.
func (f *Form) OptionalInt(name string, min, max int) (int, bool) {
	if strings.TrimSpace(f.Value(name)) == "" {
		return 0, false
	}
	n := f.Int(name, min, max)
	return n, f.Error(name) == ""
}

// Choice returns one of allowed.
func (f *Form) Choice(name string, allowed ...string) string {
	value := f.Value(name)
	if !slices.Contains(allowed, value) {
		f.Fail(name, f.say("Choose one of these."))
		return ""
	}
	return value
}

// OptionalChoice returns one of allowed, or "".
func (f *Form) OptionalChoice(name string, allowed ...string) string {
	if f.Value(name) == "" {
		return ""
	}
	return f.Choice(name, allowed...)
}

// Choices returns min to max different values of allowed.
func (f *Form) Choices(name string, min, max int, allowed ...string) []string {
	if f == nil {
		return nil
	}
	var chosen []string
	for _, value := range f.Values[name] {
		if !slices.Contains(allowed, value) {
			f.Fail(name, f.say("Choose among these."))
			return nil
		}
		if !slices.Contains(chosen, value) {
			chosen = append(chosen, value)
		}
	}
	switch {
	case len(chosen) < min:
		f.Fail(name, f.say("Choose at least %d.", min))
	case len(chosen) > max:
		f.Fail(name, f.say("Choose at most %d.", max))
	}
	return chosen
}

// Flag reports whether a checkbox was ticked.
func (f *Form) Flag(name string) bool {
	value := f.Value(name)
	return value != "" && value != "0" && value != "false"
}

// Cents returns an amount of money, "12", "12.5" or "12,50", in hundredths, from min to max.
func (f *Form) Cents(name string, min, max int64) int64 {
	text := strings.TrimSpace(f.Value(name))
	if text == "" {
		f.failEmpty(name)
		return 0
	}
	cents, ok := parseCents(text)
	if !ok || cents < min || cents > max {
		f.Fail(name, f.say("Write an amount from %s to %s.", Money(min, ""), Money(max, "")))
		return 0
	}
	return cents
}

func parseCents(text string) (int64, bool) {
	whole, part, _ := strings.Cut(strings.Replace(text, ",", ".", 1), ".")
	if len(whole) == 0 || len(whole) > 12 || len(part) > 2 || strings.ContainsAny(whole+part, "+-") {
		return 0, false
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return 0, false
	}
	cents, err := strconv.ParseInt((part + "00")[:2], 10, 64)
	if err != nil {
		return 0, false
	}
	return n*100 + cents, true
}

// Time returns a time as the inputs "date" and "datetime-local" send it, in a zone.
func (f *Form) Time(name string, zone *time.Location) time.Time {
	text := strings.TrimSpace(f.Value(name))
	if text == "" {
		f.failEmpty(name)
		return time.Time{}
	}
	for _, layout := range []string{"2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at
		}
	}
	f.Fail(name, f.say("Write a date such as 2026-03-21."))
	return time.Time{}
}

// removeFiles deletes the files of a parsed form. The server deletes those of its own request, not of a copy with another
// context.
func removeFiles(r *http.Request) {
	if r.MultipartForm != nil {
		_ = r.MultipartForm.RemoveAll() // what cannot be deleted now, the system deletes with its temporary files
	}
}

// parseForm parses a form of either encoding. The size is limited by Handler.
func parseForm(r *http.Request) error {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		return r.ParseMultipartForm(1 << 20)
	}
	return r.ParseForm()
}
