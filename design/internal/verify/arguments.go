package verify

import (
	"maps"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
)

// Arguments are what a caller gives for the inputs of one call.
type arguments struct {
	values map[*program.Input]sample.Value                      // of values; none: left out
	lists  map[*program.Input][]sample.Value                    // of lists
	items  map[*program.Input][]sample.Values                   // of items given whole and of keys: one, or any number if repeated
	groups map[*program.Input][]map[*program.Input]sample.Value // of groups: for each action the values of its members
	// seal makes the stored form of a value that the design encrypts; nil: as it is.
	seal func(*model.Entity, *model.Attribute, sample.Value) (types.AttributeValue, error)
}

func newArguments() *arguments {
	return &arguments{
		values: map[*program.Input]sample.Value{},
		lists:  map[*program.Input][]sample.Value{},
		items:  map[*program.Input][]sample.Values{},
		groups: map[*program.Input][]map[*program.Input]sample.Value{},
	}
}

// clone returns arguments that can be changed without changing these.
func (a *arguments) clone() *arguments {
	other := &arguments{
		values: maps.Clone(a.values), lists: maps.Clone(a.lists),
		items:  map[*program.Input][]sample.Values{},
		groups: map[*program.Input][]map[*program.Input]sample.Value{},
	}
	for input, all := range a.items {
		for _, values := range all {
			other.items[input] = append(other.items[input], maps.Clone(values))
		}
	}
	for input, all := range a.groups {
		for _, values := range all {
			other.groups[input] = append(other.groups[input], maps.Clone(values))
		}
	}
	return other
}

// at is the value a reference means, for the i-th item of what is repeated, and whether
// there is one.
func (a *arguments) at(ref program.Ref, i int) (sample.Value, bool) {
	if ref.IsZero() {
		return sample.Value{}, false
	}
	if ref.First {
		return a.first(ref)
	}
	return a.of(ref, i)
}

// of is the value of the i-th item of what is repeated.
func (a *arguments) of(ref program.Ref, i int) (sample.Value, bool) {
	if !ref.Input.Repeated {
		i = 0
	}
	var v sample.Value
	var ok bool
	switch ref.Input.Kind {
	case program.Key, program.Whole:
		if i < len(a.items[ref.Input]) {
			v, ok = a.items[ref.Input][i][ref.Attribute]
		}
	case program.Group:
		if i < len(a.groups[ref.Input]) {
			v, ok = a.groups[ref.Input][i][ref.Member]
		}
	default:
		v, ok = a.values[ref.Input]
	}
	return v, ok && !isEmptySet(v)
}

// isEmptySet reports whether a value is a set of nothing, which DynamoDB does not have: it
// is as if it were absent.
func isEmptySet(v sample.Value) bool {
	return (v.Kind == sample.Texts || v.Kind == sample.Numbers || v.Kind == sample.Blobs) && len(v.Elements) == 0
}

// first is the value that all items of what is repeated agree on. Without items, or if
// only others have it, there is nothing in its place.
func (a *arguments) first(ref program.Ref) (sample.Value, bool) {
	n := a.times(ref.Input)
	for i := range n {
		if v, ok := a.of(ref, i); ok {
			if i > 0 {
				v = nothingOf(attributeOf(ref))
			}
			return v, true
		}
	}
	return nothingOf(attributeOf(ref)), n == 0 && !ref.Optional()
}

// differs reports whether the items of what is repeated do not agree on a value.
func (a *arguments) differs(ref program.Ref) error {
	attribute := attributeOf(ref)
	for i := range a.times(ref.Input) {
		v, ok := a.of(ref, i)
		if !ok {
			v = nothingOf(attribute)
		}
		if first, ok := a.first(ref); ok && v.Compare(first) != 0 {
			return &access.KeyError{Entity: ref.Input.Entity.Name, Attribute: attribute.Name, Reason: "differs between the items of one call"}
		}
	}
	return nil
}

// attributeOf is the attribute that a part of an input is a value of.
func attributeOf(ref program.Ref) *model.Attribute {
	if ref.Member != nil {
		return ref.Member.Attribute
	}
	return ref.Attribute
}

// nothingOf is what stands for a value that nobody gives: no text, no number.
func nothingOf(a *model.Attribute) sample.Value {
	switch a.Type.Base {
	case model.Integer, model.Numeric, model.Decimal:
		return whole(0)
	case model.Timestamp, model.Unixtime:
		return timeAs(time.Time{}, a)
	case model.Bool:
		return sample.Value{Kind: sample.Truth}
	}
	return sample.Value{Kind: sample.Text}
}

// times is how many items or groups an input has.
func (a *arguments) times(input *program.Input) int {
	if input.Kind == program.Group {
		return len(a.groups[input])
	}
	return len(a.items[input])
}

// operand is the value of an operand as an action means it.
func (a *arguments) operand(c *program.Call, w *program.Write, v model.Operand, of *model.Attribute, i int) (sample.Value, bool) {
	return a.bound(c, w, v, of, i, false)
}

// bound is the value of an operand that is compared: up if an instant is rounded up to what is
// stored.
func (a *arguments) bound(c *program.Call, w *program.Write, v model.Operand, of *model.Attribute, i int, up bool) (sample.Value, bool) {
	if v.IsConstant() {
		return constant(of, v.Constant), true
	}
	value, ok := a.at(c.Ref(w, v.Param, of), i)
	if up {
		return roundedUp(value, of), ok
	}
	return inForm(value, of), ok
}

// roundedUp is inForm, but what is finer is not cut off.
func roundedUp(v sample.Value, of *model.Attribute) sample.Value {
	if of.Type.Base == model.Unixtime && v.Kind == sample.Text {
		return sample.Value{Kind: sample.Number, Text: access.FormatUnix(access.CeilSecond(timeOf(v)))}
	}
	return inForm(v, of)
}

// inForm is an instant in the form an attribute stores it: one parameter may be both.
func inForm(v sample.Value, of *model.Attribute) sample.Value {
	switch {
	case of.Type.Base == model.Unixtime && v.Kind == sample.Text:
		return seconds(v)
	case of.Type.Base == model.Timestamp && v.Kind == sample.Number:
		return instant(v)
	}
	return v
}
