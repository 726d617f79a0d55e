// Package bind fills a call of a program with arguments: the result is the request that
// generated code sends for them.
//
// It neither chooses arguments (package arrange) nor knows what a call must do (package
// judge).
package bind

import (
	"maps"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// Arguments hold the values that a caller gives for the inputs of one call.
type Arguments struct {
	Values map[*program.Input]sample.Value                      // of single values; none: left out
	Lists  map[*program.Input][]sample.Value                    // of lists
	Items  map[*program.Input][]sample.Values                   // of items given whole and of keys: one, or any number if repeated
	Groups map[*program.Input][]map[*program.Input]sample.Value // of groups: the values of the members for each repeated action
	// Seal returns the stored form of a value that the design encrypts; nil: the value itself.
	Seal func(*model.Entity, *model.Attribute, sample.Value) (types.AttributeValue, error)
}

// NewArguments returns arguments without values.
func NewArguments() *Arguments {
	return &Arguments{
		Values: map[*program.Input]sample.Value{},
		Lists:  map[*program.Input][]sample.Value{},
		Items:  map[*program.Input][]sample.Values{},
		Groups: map[*program.Input][]map[*program.Input]sample.Value{},
	}
}

// Clone returns a copy that can be changed independently. It does not copy Seal.
func (a *Arguments) Clone() *Arguments {
	other := &Arguments{
		Values: maps.Clone(a.Values), Lists: maps.Clone(a.Lists),
		Items:  map[*program.Input][]sample.Values{},
		Groups: map[*program.Input][]map[*program.Input]sample.Value{},
	}
	for input, all := range a.Items {
		for _, values := range all {
			other.Items[input] = append(other.Items[input], maps.Clone(values))
		}
	}
	for input, all := range a.Groups {
		for _, values := range all {
			other.Groups[input] = append(other.Groups[input], maps.Clone(values))
		}
	}
	return other
}

// At returns the value that a reference means for the i-th repeated item, and whether there
// is one.
func (a *Arguments) At(ref program.Ref, i int) (sample.Value, bool) {
	if ref.IsZero() {
		return sample.Value{}, false
	}
	if ref.First {
		return a.first(ref)
	}
	return a.of(ref, i)
}

// of returns the value of the i-th repeated item.
func (a *Arguments) of(ref program.Ref, i int) (sample.Value, bool) {
	if !ref.Input.Repeated {
		i = 0
	}
	var v sample.Value
	var ok bool
	switch ref.Input.Kind {
	case program.Key, program.Whole:
		if i < len(a.Items[ref.Input]) {
			v, ok = a.Items[ref.Input][i][ref.Attribute]
		}
	case program.Group:
		if i < len(a.Groups[ref.Input]) {
			v, ok = a.Groups[ref.Input][i][ref.Member]
		}
	default:
		v, ok = a.Values[ref.Input]
	}
	return v, ok && !state.IsEmptySet(v)
}

// first returns the value that all repeated items share. If the first item lacks it, or there
// are no items, that is the zero value.
func (a *Arguments) first(ref program.Ref) (sample.Value, bool) {
	n := a.Times(ref.Input)
	for i := range n {
		if v, ok := a.of(ref, i); ok {
			if i > 0 {
				v = zeroOf(attributeOf(ref))
			}
			return v, true
		}
	}
	return zeroOf(attributeOf(ref)), n == 0 && !ref.Optional()
}

// differs returns an error if the repeated items have different values.
func (a *Arguments) differs(ref program.Ref) error {
	attribute := attributeOf(ref)
	for i := range a.Times(ref.Input) {
		v, ok := a.of(ref, i)
		if !ok {
			v = zeroOf(attribute)
		}
		if first, ok := a.first(ref); ok && v.Compare(first) != 0 {
			return &access.KeyError{Entity: ref.Input.Entity.Name, Attribute: attribute.Name, Reason: "differs between the items of one call"}
		}
	}
	return nil
}

// attributeOf returns the attribute that a reference means a value of.
func attributeOf(ref program.Ref) *model.Attribute {
	if ref.Member != nil {
		return ref.Member.Attribute
	}
	return ref.Attribute
}

// zeroOf returns the zero value of an attribute.
func zeroOf(a *model.Attribute) sample.Value {
	switch a.Type.Base {
	case model.Integer, model.Numeric, model.Decimal:
		return state.Int(0)
	case model.Timestamp, model.Unixtime:
		return state.TimeAs(time.Time{}, a)
	case model.Bool:
		return sample.Value{Kind: sample.Truth}
	}
	return sample.Value{Kind: sample.Text}
}

// Times returns how many items or groups an input has.
func (a *Arguments) Times(input *program.Input) int {
	if input.Kind == program.Group {
		return len(a.Groups[input])
	}
	return len(a.Items[input])
}

// Operand returns the value of an operand of a write for the i-th repeated item, in the form in
// which an attribute stores it, and whether the caller gives it.
func (a *Arguments) Operand(c *program.Call, w *program.WriteStep, v model.Operand, of *model.Attribute, i int) (sample.Value, bool) {
	return a.Bound(c, w, v, of, i, false)
}

// Bound is like Operand, but rounds an instant that is finer than its stored form up if asked
// to.
func (a *Arguments) Bound(c *program.Call, w *program.WriteStep, v model.Operand, of *model.Attribute, i int, up bool) (sample.Value, bool) {
	if v.IsConstant() {
		return state.Constant(of, v.Constant), true
	}
	value, ok := a.At(c.Ref(w, v.Param, of), i)
	if up {
		return state.RoundedUp(value, of), ok
	}
	return state.InForm(value, of), ok
}

// HowOften returns how many values an input has of each attribute.
func (a *Arguments) HowOften(input *program.Input) int {
	if !input.Repeated {
		return 1
	}
	return a.Times(input)
}
