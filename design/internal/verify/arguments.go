package verify

import (
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
}

func newArguments() *arguments {
	return &arguments{
		values: map[*program.Input]sample.Value{},
		lists:  map[*program.Input][]sample.Value{},
		items:  map[*program.Input][]sample.Values{},
		groups: map[*program.Input][]map[*program.Input]sample.Value{},
	}
}

// at is the value a reference means, for the i-th item of what is repeated, and whether
// there is one.
func (a *arguments) at(ref program.Ref, i int) (sample.Value, bool) {
	if ref.IsZero() {
		return sample.Value{}, false
	}
	if ref.First || !ref.Input.Repeated {
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
	return v, ok
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
	if v.IsConstant() {
		return constant(of, v.Constant), true
	}
	value, ok := a.at(c.Ref(w, v.Param, of), i)
	return inForm(value, of), ok
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
