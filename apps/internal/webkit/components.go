package webkit

import (
	"fmt"
	"html/template"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A Component is one part of a page, made by one small template. A template shows it with
//
//	{{ui "badge" "Text" "Open" "Tone" "good"}}
//	{{ui .Data.Chart}}
//
// The first way names the component and its fields; a field that does not exist is an error.
type Component interface{ component() string }

// Tones of components. The words beside them carry the meaning, too.
const (
	Neutral = ""
	Good    = "good"
	Warn    = "warn"
	Bad     = "bad"
	Info    = "info"
	Strong  = "accent"
)

// Button is a button, or a link that looks like one when Href is set.
type Button struct {
	Text string // says what happens: "Send answer"
	Kind string // "primary", "plain" (default), "danger" or "quiet"
	Href string
	// Name and Value are sent with the form.
	Name, Value string
	Type        string // "submit" (default) or "button"
	Label       string // for screen readers, when Text alone is not enough
	Icon        string // a name for Icon, before the text; "right" is after it
	// Confirm is asked once before the form is sent: "Delete the question?"
	Confirm  string
	ID       string
	Opens    string // the id of a dialog this opens
	Closes   bool   // closes the dialog this is in
	Disabled bool
	Wide     bool // as wide as its place
	Small    bool
}

// Field is a text field, a textarea (Rows above 0) or a list (Options) with label, hint and error.
type Field struct {
	Form  *Form // gives value and error; may be nil
	Name  string
	Label string
	Hint  string
	Type  string // of the input: "text" by default, "number", "email", "search", "password", "date", "time", "file", ...
	Value string // when the form has none
	Error string // when the form has none

	Rows        int // a textarea, which grows with its text
	Options     []Option
	Min, Max    int // lengths of a text; Max above 0 shows a counter with a textarea
	From, To    string
	Step        string
	Placeholder string
	Autofill    string // the attribute autocomplete
	Accept      string // of a file
	Required    bool
	Disabled    bool
	HideLabel   bool // only for screen readers; where the place says what the field is
	// Key makes the field's id unique where several forms of a page have a field of the name. The
	// summary of errors links to fields without one.
	Key string
}

// An Option is one of several to choose from.
type Option struct {
	Value, Text string
	Hint        string
	Disabled    bool
}

// Choices is a list of large rows to choose from: one (radio) or several (Many).
type Choices struct {
	Form     *Form
	Name     string
	Label    string
	Hint     string
	Options  []Option
	Value    string   // chosen when the form has none
	Values   []string // the same for Many
	Many     bool
	Required bool
	Error    string
}

// Check is one checkbox with its label.
type Check struct {
	Form    *Form
	Name    string
	Label   string
	Hint    string
	Checked bool
}

// Segmented is a small choice in one row, such as 1 to 5: part of a form with Name, or links
// with Links.
type Segmented struct {
	Form    *Form
	Name    string
	Label   string
	Hint    string
	Options []Option
	Value   string
	Links   []Tab // instead of Name and Options
	// Low and High stand under the ends: "unsure", "sure".
	Low, High string
	HideLabel bool
	// Required says that one must be chosen. Without it, and without a Value to begin with, a choice
	// can be taken back; the form then has an empty value.
	Required bool
	Key      string // as of Field
}

// Tabs is a set of views, each with its own URL.
type Tabs struct {
	Label string
	Tabs  []Tab
}

// Filter is a row of pills that select a part of a list. They wrap, so that all of them are
// visible.
type Filter struct {
	Label string
	Tabs  []Tab
}

// A Tab is one view.
type Tab struct {
	Href, Text string
	Count      string // beside the text; "" is none
	Current    bool
}

// Errors is the summary of what is wrong with a form. It takes the focus.
type Errors struct {
	Form  *Form
	Title string // "Please check 2 fields" by default
}

// Badge is a label of a state.
type Badge struct{ Text, Tone, Icon string }

// Notice is a message beside the content of the page.
type Notice struct {
	Tone    string
	Title   string
	Text    string
	Actions []Link
	// Dismiss is the name under which the viewer's browser remembers to hide it.
	Dismiss string
}

// Empty is the placeholder of an empty list, with the next step.
type Empty struct {
	Icon, Title, Text string
	Actions           []Link
}

// Progress is a progress bar with numbers.
type Progress struct {
	Label      string
	Value, Max float64
	Text       string // "3 of 5" by default
	Tone       string
}

// Meter is a measurement on a scale. From Low on it is a warning, from High on bad, if they are above 0.
type Meter struct {
	Label            string
	Value, Max       float64
	Low, High        float64
	Text             string
	LowWord, BadWord string // "high" and "too high" by default
}

// Timer counts down to a time, or up from it, and says when it is over.
type Timer struct {
	Until time.Time
	Since time.Time // counts up, when Until is zero
	Label string    // "Time left" by default
	Over  string    // shown at the end: "Time is up"
	// Warn is when the timer turns to a warning before its end; 0 is never.
	Warn time.Duration
	// Reload reloads the page at the end.
	Reload bool
}

// Pager leads through a list by cursors.
type Pager struct {
	Previous, Next string // URLs; "" is none
	Text           string // "Page 2", "20 of 513"
	More           bool   // "Show more" instead of Previous and Next: scripts add what follows to the list before it
	Auto           bool   // with More: the next page loads when the end of the list is near
	Label          string
}

// Avatar stands for a person by their initials.
type Avatar struct {
	Name  string
	Large bool
	Plain bool // hidden from screen readers, where the name stands beside it
}

// Code is a block of code with a button that copies it.
type Code struct{ Label, Text string }

// Copy is a button that copies a text. Where there are no scripts it is the text itself, to be
// selected by hand.
type Copy struct {
	Text, Label string
	Beside      bool // the text stands beside the button anyway
}

// Dialog is opened by a Button with Opens. Post is where its form goes; Method "dialog" only closes it.
type Dialog struct {
	ID, Title, Text string
	Post            string
	CSRF            template.HTML // the page's, with Post
	Confirm         Button        // the button that does it
	Cancel          string        // "Cancel" by default
	Body            template.HTML // between text and buttons
}

// Stat is a number with its name.
type Stat struct {
	Label, Value string
	Note         string
	Tone         string
	Trend        *Sparkline
}

// Skeleton stands where something is being loaded.
type Skeleton struct {
	Rows  int
	Label string
}

// Icon is a small picture. Without Label it is only decoration.
type Icon struct{ Name, Label string }

func (Button) component() string    { return "button" }
func (Field) component() string     { return "field" }
func (Choices) component() string   { return "choices" }
func (Check) component() string     { return "check" }
func (Segmented) component() string { return "segmented" }
func (Tabs) component() string      { return "tabs" }
func (Filter) component() string    { return "filter" }
func (Errors) component() string    { return "errors" }
func (Badge) component() string     { return "badge" }
func (Notice) component() string    { return "notice" }
func (Empty) component() string     { return "empty" }
func (Progress) component() string  { return "progress" }
func (Meter) component() string     { return "meter" }
func (Timer) component() string     { return "timer" }
func (Pager) component() string     { return "pager" }
func (Avatar) component() string    { return "avatar" }
func (Code) component() string      { return "code" }
func (Copy) component() string      { return "copy" }
func (Dialog) component() string    { return "dialog" }
func (Stat) component() string      { return "stat" }
func (Skeleton) component() string  { return "skeleton" }
func (Icon) component() string      { return "icon" }

// kinds maps the names of templates to their components.
var kinds = func() map[string]reflect.Type {
	all := []Component{
		Button{}, Field{}, Choices{}, Check{}, Segmented{}, Tabs{}, Filter{}, Errors{}, Badge{}, Notice{}, Empty{},
		Progress{}, Meter{}, Timer{}, Pager{}, Avatar{}, Code{}, Copy{}, Dialog{}, Stat{}, Skeleton{}, Icon{},
		BarChart{}, LineChart{}, StackedChart{}, RatioChart{}, Sparkline{},
	}
	kinds := make(map[string]reflect.Type, len(all))
	for _, c := range all {
		kinds[c.component()] = reflect.TypeOf(c)
	}
	return kinds
}()

// ui returns the template function that shows a component.
func (s *Site) ui(what any, fields ...any) (template.HTML, error) {
	c, err := componentOf(what, fields)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := s.kit.ExecuteTemplate(&out, "ui-"+c.component(), c); err != nil {
		return "", err
	}
	return template.HTML(out.String()), nil
}

func componentOf(what any, fields []any) (Component, error) {
	if c, ok := what.(Component); ok && len(fields) == 0 {
		if v := reflect.ValueOf(c); v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return nil, fmt.Errorf("webkit: ui: the component is nil")
			}
			return v.Elem().Interface().(Component), nil
		}
		return c, nil
	}
	name, ok := what.(string)
	if !ok {
		return nil, fmt.Errorf("webkit: ui: %T is no component", what)
	}
	kind, ok := kinds[name]
	if !ok {
		return nil, fmt.Errorf("webkit: ui: there is no component %q", name)
	}
	value := reflect.New(kind).Elem()
	if err := setFields(value, fields); err != nil {
		return nil, fmt.Errorf("webkit: ui %q: %w", name, err)
	}
	return value.Interface().(Component), nil
}

// setFields sets fields given as names and values in turn.
func setFields(value reflect.Value, fields []any) error {
	if len(fields)%2 != 0 {
		return fmt.Errorf("%d names and values are no pairs", len(fields))
	}
	for i := 0; i < len(fields); i += 2 {
		name, ok := fields[i].(string)
		if !ok {
			return fmt.Errorf("%v is no name of a field", fields[i])
		}
		field := value.FieldByName(name)
		if !field.IsValid() || !field.CanSet() {
			return fmt.Errorf("there is no field %s", name)
		}
		if fields[i+1] == nil {
			continue
		}
		given := reflect.ValueOf(fields[i+1])
		switch {
		case given.Type().AssignableTo(field.Type()):
			field.Set(given)
		case convertible(given, field):
			field.Set(given.Convert(field.Type()))
		case field.Kind() == reflect.String:
			field.SetString(fmt.Sprint(fields[i+1]))
		default:
			return fmt.Errorf("field %s cannot be %s", name, given.Type())
		}
	}
	return nil
}

// convertible leaves out the conversion of a number to text, which Go takes for a character.
func convertible(given, field reflect.Value) bool {
	return given.CanConvert(field.Type()) && (given.Kind() == reflect.String) == (field.Kind() == reflect.String)
}

// ID returns the id of the field.
func (f Field) ID() string { return fieldID(f.Name, f.Key) }

// ID returns the id of the fieldset.
func (c Segmented) ID() string { return fieldID(c.Name, c.Key) }

func fieldID(name, key string) string {
	if key == "" {
		return "f-" + name
	}
	return "f-" + name + "-" + key
}

// Chosen reports whether an option is chosen.
func (c Choices) Chosen(value string) bool {
	if c.Form.Has(c.Name) {
		return slices.Contains(c.Form.Values[c.Name], value)
	}
	return value != "" && value == c.Value || slices.Contains(c.Values, value)
}

// Ticked reports whether the box is ticked.
func (c Check) Ticked() bool {
	if c.Form != nil && c.Form.Values != nil {
		return c.Form.Flag(c.Name)
	}
	return c.Checked
}

// Chosen returns the value that is chosen.
func (c Segmented) Chosen() string {
	if c.Form.Has(c.Name) {
		return c.Form.Value(c.Name)
	}
	return c.Value
}

// CanClear reports whether a choice can be undone.
func (c Segmented) CanClear() bool { return !c.Required && c.Value == "" }
