package across

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A decoder decodes items as the generated code of a design does.
type decoder struct {
	layout *resolve.Layout
	client *access.Client
}

// decoded holds the values of an item that its decoder found, with defaults in place of those
// that are missing.
type decoded map[*model.Attribute]types.AttributeValue

// whole decodes an item of an entity.
func (d decoder) whole(e *model.Entity, item access.Item) (decoded, error) {
	home := d.layout.Home(e)
	var all []program.Held
	for _, a := range e.Attributes {
		h := program.Held{Attribute: a, Name: a.Stored}
		if a.InKey {
			for _, name := range state.KeyNames(home.Table) {
				if key := home.Key(name); h.Key == nil && key != nil && key.Holds(a) {
					h.Name, h.Key = name, key
				}
			}
		}
		all = append(all, h)
	}
	return d.held(e, all, item)
}

// held decodes attributes of an item from where it has them. What is of another kind is reported
// before what is missing.
func (d decoder) held(e *model.Entity, all []program.Held, item access.Item) (decoded, error) {
	found := decoded{}
	var wrong, lacks error
	for _, h := range all {
		v, err := d.one(e, h, item)
		switch {
		case err != nil && wrong == nil:
			wrong = err
		case err != nil:
		case v != nil:
			found[h.Attribute] = v
		case h.Attribute.Default != nil:
			found[h.Attribute] = state.AttributeValue(state.Constant(h.Attribute, *h.Attribute.Default))
		case lacks == nil && !h.Attribute.MayBeMissing() && h.Attribute.Type.Base != model.SetOf:
			lacks = &access.DecodeError{Entity: e.Name, Attribute: h.Name, Reason: "is missing"}
		}
	}
	if wrong == nil {
		wrong = lacks
	}
	return found, wrong
}

// one decodes one attribute; nil: the item lacks it.
func (d decoder) one(e *model.Entity, h program.Held, item access.Item) (types.AttributeValue, error) {
	a, v := h.Attribute, item[h.Name]
	refuse := func(reason string) error {
		return &access.DecodeError{Entity: e.Name, Attribute: h.Name, Reason: reason}
	}
	if slices.Contains(e.Encrypt, a) {
		v = item[a.Stored]
	}
	if _, null := v.(*types.AttributeValueMemberNULL); v == nil || null {
		return nil, nil
	}
	if slices.Contains(e.Encrypt, a) {
		plain, err := marshal.Open(d.client, e.Name, a.Stored, v)
		if err != nil {
			return nil, err
		}
		v = state.AttributeValue(state.Constant(a, string(plain)))
	}
	if h.Key != nil {
		text, ok := v.(*types.AttributeValueMemberS)
		if !ok {
			return nil, refuse(notKind(v, "S"))
		}
		if v, ok = partOf(h.Key, a, text.Value); !ok {
			return nil, refuse("has another form than the design says")
		}
	}
	if reason := misfit(a.Type, v); reason != "" {
		return nil, refuse(reason)
	}
	return v, nil
}

// partOf returns the value of an attribute that is read back from the text of a key.
func partOf(key *model.Key, a *model.Attribute, text string) (types.AttributeValue, bool) {
	template, at, n := templateOf(key.Template), -1, 0
	var hole model.Part
	for _, part := range key.Template.Parts {
		if !part.IsHole() {
			continue
		}
		if part.Attribute == a && part.Whole() && at < 0 {
			at, hole = n, part
		}
		n++
	}
	value, ok := marshal.Part(text, template, at)
	if !ok {
		return nil, false
	}
	if _, escaped := hole.Filter(model.Escape); escaped {
		plain, err := marshal.ParseEscapedBy(hole.Delimiter.String())(value)
		return marshal.S(plain), err == nil
	}
	if a.Type.Base == model.Integer {
		n, err := strconv.ParseInt(value, 10, 64)
		return state.AttributeValue(state.Int(n)), err == nil
	}
	return state.AttributeValue(state.Constant(a, value)), true
}

// templateOf returns a template as package marshal matches texts with it.
func templateOf(t *model.Template) []string {
	all := make([]string, 0, len(t.Parts)+1)
	if d := t.Parts[0].Delimiter; !d.IsDefault() {
		all = append(all, marshal.By(d.String()))
	}
	for _, part := range t.Parts {
		switch width := part.Width(); {
		case !part.IsHole():
			all = append(all, part.Literal)
		case part.Open:
			all = append(all, marshal.Rest)
		case len(part.Filters) == 0 && part.Delimiter.IsIn(part.Attribute.Type):
			all = append(all, marshal.WideTime)
		case width > 0:
			all = append(all, marshal.Wide(width))
		default:
			all = append(all, "")
		}
	}
	return all
}

// misfit returns why a stored value does not decode as a type, "" if it does.
func misfit(t model.Type, v types.AttributeValue) string {
	switch t.Base {
	case model.ListOf:
		l, ok := v.(*types.AttributeValueMemberL)
		if !ok {
			return notKind(v, "L")
		}
		return misfits(*t.Element, slices.Values(l.Value))
	case model.MapOf:
		m, ok := v.(*types.AttributeValueMemberM)
		if !ok {
			return notKind(v, "M")
		}
		return misfits(*t.Element, func(yield func(types.AttributeValue) bool) {
			for _, one := range m.Value {
				if !yield(one) {
					return
				}
			}
		})
	case model.StructOf:
		return misfitStruct(t.Struct, v)
	case model.SetOf:
		want := map[string]string{"S": "SS", "N": "NS", "B": "BS"}[t.Element.KeyKind()]
		if kindOf(v) != want {
			return notKind(v, want)
		}
		return ""
	}
	return misfitScalar(t, v)
}

// misfits returns why one of several values does not decode as a type.
func misfits(t model.Type, all func(func(types.AttributeValue) bool)) string {
	for one := range all {
		if reason := misfit(t, one); reason != "" {
			return "has an element that " + reason
		}
	}
	return ""
}

func misfitStruct(s *model.Struct, v types.AttributeValue) string {
	m, ok := v.(*types.AttributeValueMemberM)
	if !ok {
		return notKind(v, "M")
	}
	for _, a := range s.Attributes {
		reason := ""
		switch field := m.Value[a.Stored]; {
		case field != nil:
			reason = misfit(a.Type, field)
		case !a.MayBeMissing() && a.Type.Base != model.SetOf:
			reason = "is missing"
		}
		if reason != "" {
			return "has a " + a.Name + " that " + reason
		}
	}
	return ""
}

// misfitScalar asks package marshal.
func misfitScalar(t model.Type, v types.AttributeValue) string {
	from := marshal.Decode("", access.Item{"v": v})
	switch t.Base {
	case model.Integer:
		from.Int("v")
	case model.Numeric:
		from.Float("v")
	case model.Decimal:
		from.Decimal("v")
	case model.Bool:
		from.Bool("v")
	case model.Bytes:
		from.Bytes("v")
	case model.Timestamp:
		from.Time("v")
	case model.Unixtime:
		from.Unix("v")
	case model.Date:
		from.Date("v")
	case model.Week:
		from.Week("v")
	default:
		from.String("v")
	}
	if wrong, ok := errors.AsType[*access.DecodeError](from.Err()); ok {
		return wrong.Reason
	}
	return ""
}

func kindOf(v types.AttributeValue) string {
	return strings.TrimPrefix(fmt.Sprintf("%T", v), "*types.AttributeValueMember")
}

func notKind(v types.AttributeValue, want string) string {
	return "holds " + kindOf(v) + ", not " + want
}

// unknown returns the text of a decoded value that an enum of the design does not have, or "".
func unknown(t model.Type, v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		if t.Base == model.Enum && !slices.Contains(t.Values, v.Value) {
			return v.Value
		}
	case *types.AttributeValueMemberL:
		for _, one := range v.Value {
			if text := unknown(elementOf(t), one); text != "" {
				return text
			}
		}
	case *types.AttributeValueMemberSS:
		for _, one := range v.Value {
			if text := unknown(elementOf(t), marshal.S(one)); text != "" {
				return text
			}
		}
	}
	return ""
}

func elementOf(t model.Type) model.Type {
	if t.Element == nil {
		return model.Type{}
	}
	return *t.Element
}

// same reports whether a decoded value is the one that a row has; an empty set is none.
func same(a *model.Attribute, want sample.Value, has bool, got types.AttributeValue) bool {
	if !has && a.Default != nil {
		want, has = state.Constant(a, *a.Default), true
	}
	if !has || state.IsEmptySet(want) {
		return got == nil
	}
	return got != nil && state.Same(state.AttributeValue(want), got)
}
