package shape

import (
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// A template is the text of a key: literals and holes.
type template struct {
	parts     []part
	match     []string // as marshal.Matches takes it
	delimiter string   // "" is #
}

// A part is a literal, or a hole with its attribute and filters.
type part struct {
	literal   string
	attribute *Attribute
	filters   []filter
	open      bool // its text may hold the delimiter
}

type filter struct {
	name string
	n    int
}

// parseTemplate reads a template that a design compiler wrote: its syntax is right.
func parseTemplate(text, delimiter string, attributes map[string]*Attribute) *template {
	t := &template{delimiter: delimiter}
	if delimiter != "" {
		t.match = append(t.match, marshal.By(delimiter))
	}
	for text != "" {
		literal, rest, hole := strings.Cut(text, "{")
		if literal != "" {
			t.parts = append(t.parts, part{literal: literal})
			t.match = append(t.match, literal)
		}
		if !hole {
			break
		}
		inside, after, _ := strings.Cut(rest, "}")
		words := strings.Split(inside, "|")
		p := part{attribute: attributes[words[0]]}
		if p.attribute == nil { // no design compiler writes it
			p.attribute = &Attribute{Name: words[0], Type: "string"}
		}
		for _, word := range words[1:] {
			if word == Open {
				p.open = true
				continue
			}
			name, n, _ := strings.Cut(word, " ")
			number, _ := strconv.Atoi(n)
			p.filters = append(p.filters, filter{name, number})
		}
		t.parts = append(t.parts, p)
		t.match = append(t.match, p.matching(delimiter))
		text = after
	}
	return t
}

func (t *template) literals() int {
	n := 0
	for _, p := range t.parts {
		n += len(p.literal)
	}
	return n
}

// widths maps filters and types whose texts always have the same number of characters to it.
var widths = map[string]int{"year": 4, "month": 7, "date": 10, "hour": 13, "timestamp": 24, "week": 8}

// Open is the filter of a template whose value may hold the delimiter. Design files do not
// write it: it follows from the other keys of the table.
const Open = "open"

// matching returns a hole as marshal.Matches takes it.
func (p *part) matching(delimiter string) string {
	base := baseOf(p.attribute.Type)
	switch {
	case p.open:
		return marshal.Rest
	case len(p.filters) == 1 && p.filters[0].name == "pad":
		return marshal.Wide(p.filters[0].n)
	case len(p.filters) == 1 && widths[p.filters[0].name] > 0:
		return marshal.Wide(widths[p.filters[0].name])
	case len(p.filters) == 0 && base == "timestamp" && delimiter == ":":
		return marshal.WideTime
	case len(p.filters) == 0 && widths[base] > 0:
		return marshal.Wide(widths[base])
	}
	return ""
}

// baseOf returns a type without its parameters; of a set that of its elements, as keys hold it.
func baseOf(text string) string {
	text = strings.TrimSuffix(text, "?")
	if element, set := strings.CutPrefix(text, "set<"); set {
		return baseOf(strings.TrimSuffix(element, ">"))
	}
	if at := strings.IndexAny(text, "(<"); at >= 0 {
		return text[:at]
	}
	return text
}

// text returns what a template gives for an item; ok is false if an attribute is missing, and
// known is false if the item does not tell.
func (e *entityReader) text(r *Reader, t *template, item access.Item) (text string, ok, known bool) {
	var key marshal.KeyText
	key.Of(e.Name)
	if t.delimiter != "" {
		key.By(t.delimiter)
	}
	for _, p := range t.parts {
		if p.attribute == nil {
			key.Lit(p.literal)
			continue
		}
		if strings.HasPrefix(p.attribute.Type, "set<") || p.attribute.Sealed {
			return "", true, false
		}
		value, present := e.value(r, p.attribute, item)
		if !present {
			return "", false, true
		}
		p.add(&key, value)
	}
	text = key.Done()
	return text, key.Err() == nil, true
}

// value returns the text of an attribute, from the item or from its key.
func (e *entityReader) value(r *Reader, a *Attribute, item access.Item) (string, bool) {
	if !a.InKey {
		switch v := item[a.Name].(type) {
		case *types.AttributeValueMemberS:
			return v.Value, true
		case *types.AttributeValueMemberN:
			return v.Value, true
		case *types.AttributeValueMemberBOOL:
			return marshal.FormatBool(v.Value), true
		}
		return "", false
	}
	for _, name := range r.table.primary() {
		if t := e.keys[name]; t != nil {
			if text, ok := t.read(a, marshal.TextAt(item, name)); ok {
				return text, true
			}
		}
	}
	return "", false
}

// read returns the value of an attribute that the text of a key holds.
func (t *template) read(a *Attribute, text string) (string, bool) {
	n := 0
	for _, p := range t.parts {
		if p.attribute == nil {
			continue
		}
		if p.attribute == a && p.whole() {
			found, ok := marshal.Part(text, t.match, n)
			if ok && len(p.filters) == 1 && p.filters[0].name == "escape" {
				parse := marshal.ParseEscaped
				if t.delimiter != "" {
					parse = marshal.ParseEscapedBy(t.delimiter)
				}
				plain, err := parse(found)
				return plain, err == nil
			}
			return found, ok
		}
		n++
	}
	return "", false
}

// whole reports whether the text of the hole tells the value of its attribute.
func (p *part) whole() bool {
	for _, f := range p.filters {
		if f.name != "pad" && f.name != "escape" {
			return false
		}
	}
	return true
}

// add adds a hole to a key as generated code does. What the key refuses stays in its error.
func (p *part) add(key *marshal.KeyText, value string) {
	name, base := p.attribute.Name, baseOf(p.attribute.Type)
	text := canonical(base, value)
	escape := false
	for _, f := range p.filters {
		switch f.name {
		case "pad":
			n, err := marshal.ParseInt(value)
			if err != nil {
				key.Hole(name, "")
				return
			}
			key.Pad(name, n, f.n)
			return
		case "lower":
			text = marshal.Lower(text)
		case "upper":
			text = marshal.Upper(text)
		case "prefix":
			text = marshal.Cut(text, f.n)
		case "shard":
			text = marshal.ShardOf(text, f.n)
		case "escape":
			escape = true
		default:
			text = periodOf(instantOf(base, value), f.name)
		}
	}
	if escape {
		key.Escape(name, text)
		return
	}
	key.Whole(name, text) // the item is stored: whether its key may hold the delimiter was decided then
}

// canonical returns the text of a value as keys hold it.
func canonical(base, value string) string {
	switch base {
	case "int", "unixtime":
		if n, err := marshal.ParseInt(value); err == nil {
			return marshal.FormatInt(n)
		}
	case "number":
		if f, err := marshal.ParseFloat(value); err == nil {
			return marshal.FormatFloat(f)
		}
	case "decimal":
		if d, err := access.ParseDecimal(value); err == nil {
			return d.String()
		}
	case "timestamp":
		if at, err := marshal.ParseTime(value); err == nil {
			return marshal.FormatTime(at)
		}
	}
	return value
}

// instantOf returns the instant that a value holds.
func instantOf(base, value string) time.Time {
	var at time.Time
	switch base {
	case "ulid", "uuidv7":
		at = marshal.KeyTimeOfID(value)
	case "unixtime":
		at, _ = marshal.ParseUnix(value)
	case "date":
		at, _ = time.Parse(time.DateOnly, value)
	default:
		at, _ = marshal.ParseTime(value)
	}
	return at
}

func periodOf(at time.Time, name string) string {
	switch name {
	case "year":
		return marshal.YearOf(at)
	case "month":
		return marshal.MonthOf(at)
	case "date":
		return marshal.DayOf(at)
	}
	return marshal.HourOf(at)
}
