package model

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// order is an entity with an attribute of every kind that the parsers distinguish.
var order = func() *Entity {
	e := &Entity{Name: "Order"}
	for _, a := range []struct{ name, kind string }{
		{"order_id", "ulid"}, {"event_id", "uuidv7"}, {"token", "uuid"}, {"email", "string"}, {"city", "string"},
		{"status", "enum(open, in_transit, closed)"}, {"phase", "enum(open, in, status)"}, {"number", "int"}, {"tries", "int"}, {"weight", "number"},
		{"price", "decimal"}, {"created_at", "timestamp"}, {"paid_at", "timestamp?"}, {"expires", "unixtime"}, {"day", "date"},
		{"week", "week"}, {"cell", "geohash"}, {"gift", "bool"}, {"wrapped", "bool"}, {"image", "bytes"}, {"extra", "json"},
		{"lines", "list<string>"}, {"labels", "set<string>"}, {"prices", "map<int>"}, {"_lock", "string?"},
	} {
		t, err := ParseType(a.kind, nil)
		if err != nil {
			panic(err)
		}
		e.Attributes = append(e.Attributes, &Attribute{Name: a.name, Stored: a.name, Type: t})
	}
	return e
}()

func hole(name string, offset int, filters ...Filter) Part {
	return Part{Attribute: order.Attribute(name), Filters: filters, Offset: offset}
}

func TestTemplates(t *testing.T) {
	for _, test := range []struct {
		text string
		want []Part
	}{
		{"PROFILE", []Part{{Literal: "PROFILE"}}},
		{"ORDER#{order_id}", []Part{{Literal: "ORDER#"}, hole("order_id", 6)}},
		{"{email}{city}", []Part{hole("email", 0), hole("city", 7)}},
		{"Größe#{number|pad 5}#x", []Part{{Literal: "Größe#"}, hole("number", 6, Filter{Pad, 5}), {Literal: "#x", Offset: 20}}},
		{"{ email | lower | prefix 3 }", []Part{hole("email", 0, Filter{Lower, 0}, Filter{Prefix, 3})}},
		{"{created_at|month|shard 10}", []Part{hole("created_at", 0, Filter{ByMon, 0}, Filter{Shard, 10})}},
		{"{_lock}", []Part{hole("_lock", 0)}},
	} {
		got, err := ParseTemplate(test.text, order, 0)
		if err != nil {
			t.Errorf("ParseTemplate(%q): %v", test.text, err)
			continue
		}
		if diff := cmp.Diff(test.want, got.Parts); diff != "" {
			t.Errorf("ParseTemplate(%q) (-want +got):\n%s", test.text, diff)
		}
		if got.String() != test.text {
			t.Errorf("ParseTemplate(%q) prints as %q", test.text, got)
		}
	}
}

func TestInvalidTemplates(t *testing.T) {
	for _, test := range []struct {
		text           string
		offset, length int
		unknown        bool
		message        string
	}{
		{"", 0, 1, false, "a key is never empty"},
		{"ORDER#{order_id", 6, 1, false, "{ is not closed"},
		{"{{email}", 0, 1, false, "{ is not closed"},
		{"ORDER}", 5, 1, false, "} closes nothing"},
		{"{email}}", 7, 1, false, "} closes nothing"},
		{"{}", 1, 1, false, "the name of an attribute is missing"},
		{"{|lower}", 1, 1, false, "the name of an attribute is missing"},
		{"ü{emial}", 2, 5, true, `Order has no attribute "emial"; did you mean email?`},
		{"{Email}", 1, 5, true, "did you mean email?"},
		{"{email lower}", 7, 5, false, "{email|lower}"},
		{"{email|}", 7, 1, false, "a filter is missing after |: pad, lower"},
		{"{email|lowr}", 7, 4, true, `there is no filter "lowr"; did you mean lower?`},
		{"{email|lower 3}", 13, 1, false, "lower takes no number"},
		{"{number|pad}", 8, 3, false, "pad needs a number: |pad 5"},
		{"{number|pad(5)}", 8, 3, false, "pad needs a number: |pad 5"},
		{"{number|pad5}", 8, 4, true, `there is no filter "pad5"; did you mean pad?`},
		{"{number|pad 5 6}", 14, 1, false, "after the attribute come | and a filter"},
		{"{number|pad 5|pad 6}", 14, 3, false, "pad is listed twice"},
		{"{email|lower|upper}", 13, 5, false, "lower and upper cannot both apply"},
		{"{created_at|date|hour}", 17, 4, false, "date and hour cannot both apply"},
		{"{expires|pad 10|date}", 16, 4, false, "pad and date cannot both apply"},
		{"{email|shard 10|lower}", 16, 5, false, "shard makes a number"},
		{"{email|escape|lower}", 14, 5, false, "escape must come last, after lower"},
		{"{email|escape|shard 4}", 14, 5, false, "which needs no escape"},
		{"{number|escape}", 8, 6, false, "escape is for texts that can contain the delimiter; number is int"},
		{"{price|pad 5}", 7, 3, false, "pad is for whole numbers; price is decimal, and zeros in front do not sort fractions or numbers below zero: keep it as an int"},
		{"{weight|pad 5}", 8, 3, false, "or make it the sort key of an index itself"},
		{"{image}", 1, 5, false, "image is bytes, which cannot be part"},
		{"{lines}", 1, 5, false, "lines is list<string>, which cannot be part"},
		{"{extra}", 1, 5, false, "extra is json, which cannot be part"},
	} {
		_, err := ParseTemplate(test.text, order, 0)
		checkError(t, test.text, err, test.offset, test.length, test.unknown, test.message)
	}
}

func TestFilterNumbers(t *testing.T) {
	for _, test := range []struct {
		least, most, below, above, limits string
	}{
		{"{number|pad 1}", "{number|pad 38}", "{number|pad 0}", "{number|pad 39}", "from 1 to 38"},
		{"{cell|prefix 1}", "{cell|prefix 12}", "{cell|prefix 0}", "{cell|prefix 13}", "from 1 to 12"},
		{"{email|shard 2}", "{email|shard 1000}", "{email|shard 1}", "{email|shard 1001}", "from 2 to 1000"},
	} {
		for _, good := range []string{test.least, test.most} {
			if _, err := ParseTemplate(good, order, 0); err != nil {
				t.Errorf("%s: %v", good, err)
			}
		}
		for _, bad := range []string{test.below, test.above, strings.Replace(test.above, "}", "00000000000000000000}", 1)} {
			if _, err := ParseTemplate(bad, order, 0); err == nil || !strings.Contains(err.Message, test.limits) {
				t.Errorf("%s: %v", bad, err)
			}
		}
	}
}

func TestFiltersFitTheirTypes(t *testing.T) {
	fitting := map[string]string{
		"pad 5":    "number expires tries",
		"lower":    "order_id event_id token email city status phase cell _lock",
		"upper":    "order_id event_id token email city status phase cell _lock",
		"date":     "order_id event_id created_at paid_at expires",
		"year":     "order_id event_id created_at paid_at expires",
		"month":    "order_id event_id created_at paid_at expires",
		"hour":     "order_id event_id created_at paid_at expires",
		"prefix 5": "email city cell _lock",
		"shard 10": "order_id event_id token email city status phase number tries weight price created_at paid_at expires day week cell gift wrapped _lock",
	}
	for filter, names := range fitting {
		for _, a := range order.Attributes {
			text := "{" + a.Name + "|" + filter + "}"
			want := strings.Contains(" "+names+" ", " "+a.Name+" ")
			if _, err := ParseTemplate(text, order, 0); (err == nil) != want {
				t.Errorf("%s on %s: %v", text, a.Type, err)
			}
		}
	}
}

func TestEveryFilterIsDocumentedAndParsed(t *testing.T) {
	if len(Filters) != len(filterShapes) {
		t.Fatalf("%d filters are documented, %d are parsed", len(Filters), len(filterShapes))
	}
	for i, f := range Filters {
		if shape := filterShapes[i]; shape.name != f.Name || (shape.most > 0) != f.Number {
			t.Errorf("%s is documented differently from what is parsed", f.Name)
		}
		if !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s: the text has no full stop: %q", f.Name, f.Doc)
		}
	}
}

func FuzzParseTemplate(f *testing.F) {
	for _, seed := range []string{
		"ORDER#{order_id}", "{number|pad 5}#{email|lower}", "{ cell | prefix 5 | shard 10 }", "{", "}", "{{}}", "é{email}", "{email|\xff}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		template, err := ParseTemplate(text, order, 0)
		if err != nil {
			checkBounds(t, text, err)
			return
		}
		same, err := ParseTemplate(template.String(), order, 0)
		if err != nil || cmp.Diff(template, same) != "" {
			t.Fatalf("%q is not the same when read again: %v", text, err)
		}
		var printed strings.Builder
		for _, part := range template.Parts {
			printed.WriteString(part.String())
		}
		again, err := ParseTemplate(printed.String(), order, 0)
		if err != nil {
			t.Fatalf("%q prints as %q, which cannot be read: %v", text, &printed, err)
		}
		if diff := cmp.Diff(withoutOffsets(template), withoutOffsets(again)); diff != "" {
			t.Errorf("%q changes when printed as %q (-before +after):\n%s", text, &printed, diff)
		}
	})
}

// withoutOffsets returns the parts without offsets: printing removes spaces inside
// placeholders.
func withoutOffsets(t *Template) []Part {
	parts := make([]Part, len(t.Parts))
	for i, part := range t.Parts {
		part.Offset = 0
		parts[i] = part
	}
	return parts
}
