package loader

import (
	"bytes"
	"encoding/json"
	"strings"
)

// schemaID is the URL of the schema.
const schemaID = "https://sortkey.dev/design.schema.json"

// Schema returns the JSON Schema (2020-12) of design files, for editors: every key has a
// description, and every choice its values.
func Schema() []byte {
	w := &schemaWriter{done: map[string]bool{}}
	root := w.block(designSpec)
	top := object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", schemaID},
		{"title", "sortkey design"},
	}
	top = append(top, root...)
	top = append(top, member{"$defs", w.defs})
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(top); err != nil {
		panic("file: the schema cannot be written: " + err.Error())
	}
	return out.Bytes()
}

// An object is a JSON object that keeps its order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON encodes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := encodeTo(&out, m.name); err != nil {
			return nil, err
		}
		out.WriteByte(':')
		if err := encodeTo(&out, m.value); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func encodeTo(out *bytes.Buffer, value any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(value)
}

// A schemaWriter writes blocks and forms as definitions, each once.
type schemaWriter struct {
	defs object
	done map[string]bool
}

// ref returns a reference to a definition, which it writes on first use.
func (w *schemaWriter) ref(name string, write func() object) object {
	if !w.done[name] {
		w.done[name] = true
		at := len(w.defs)
		w.defs = append(w.defs, member{name, nil}) // before those it refers to
		w.defs[at].value = write()
	}
	return object{{"$ref", "#/$defs/" + name}}
}

func (w *schemaWriter) block(b *blockSpec) object {
	var properties object
	var required []string
	for _, k := range b.keys {
		property := append(w.value(k.value), member{"description", k.doc + "\n\n" + k.name + ": " + k.example})
		properties = append(properties, member{k.name, property})
		if k.required {
			required = append(required, k.name)
		}
	}
	s := object{{"description", b.doc}, {"type", "object"}, {"additionalProperties", false}}
	if len(required) > 0 {
		s = append(s, member{"required", required})
	}
	if len(b.oneOf) > 0 {
		var options []object
		for _, key := range b.oneOf {
			options = append(options, object{{"required", []string{key}}})
		}
		s = append(s, member{"oneOf", options})
	}
	return append(s, member{"properties", properties})
}

func (w *schemaWriter) value(v *valueSpec) object {
	switch {
	case v.form != nil:
		return w.ref(v.form.name, func() object { return formSchema(v.form) })
	case v.block != nil:
		return w.ref(v.block.name, func() object { return w.block(v.block) })
	case v.names != nil:
		return w.mapping(v)
	case v.element != nil:
		return w.list(v)
	}
	var options []object
	for _, o := range v.options {
		options = append(options, w.value(o))
	}
	return object{{"anyOf", options}}
}

func (w *schemaWriter) mapping(v *valueSpec) object {
	s := object{{"type", "object"}}
	if v.least > 0 {
		s = append(s, member{"minProperties", v.least})
	}
	if v.names.pattern != nil {
		s = append(s, member{"propertyNames", object{{"pattern", v.names.pattern.String()}}})
	}
	return append(s, member{"additionalProperties", w.value(v.element)})
}

func (w *schemaWriter) list(v *valueSpec) object {
	s := object{{"type", "array"}}
	if v.least > 0 {
		s = append(s, member{"minItems", v.least})
	}
	if v.most > 0 {
		s = append(s, member{"maxItems", v.most})
	}
	return append(s, member{"items", w.value(v.element)})
}

func formSchema(f *form) object {
	var s object
	if f.doc != "" {
		s = append(s, member{"description", strings.ReplaceAll(f.doc, "`", "")})
	}
	switch {
	case f == yesNo:
		return append(s, member{"type", "boolean"})
	case len(f.values) > 0:
		return append(s, member{"enum", f.values})
	case f.pattern == wholePattern:
		s = append(s, member{"type", "integer"})
	case len(f.json) == 1:
		s = append(s, member{"type", f.json[0]})
	default:
		s = append(s, member{"type", f.json})
	}
	if f.pattern != nil && !f.isNumber() {
		s = append(s, member{"pattern", f.pattern.String()})
	}
	for _, bound := range []struct{ name, value string }{{"minimum", f.least}, {"maximum", f.most}, {"exclusiveMinimum", f.above}} {
		if bound.value != "" {
			s = append(s, member{bound.name, json.Number(bound.value)})
		}
	}
	return s
}
