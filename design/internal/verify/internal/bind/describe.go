package bind

import (
	"strings"

	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
)

// Describe returns the arguments of a call as a difference shows them.
func Describe(c *program.Call, a *Arguments) string {
	var all []string
	for _, input := range c.Inputs {
		all = append(all, describeInput(input, a)...)
	}
	return strings.Join(all, ", ")
}

// describeInput returns the arguments of one input, each as text.
func describeInput(input *program.Input, a *Arguments) []string {
	var all []string
	switch input.Kind {
	case program.Value:
		if value, ok := a.Values[input]; ok {
			all = append(all, input.Name+" = "+value.String())
		}
	case program.List:
		all = append(all, input.Name+" = "+sample.Value{Kind: sample.List, Elements: a.Lists[input]}.String())
	case program.Key, program.Whole:
		for _, values := range a.Items[input] {
			all = append(all, input.Name+" = "+identity(input, values))
		}
	case program.Group:
		for _, group := range a.Groups[input] {
			for _, member := range input.Members {
				all = append(all, member.Name+" = "+group[member].String())
			}
		}
	}
	return all
}

// identity returns the values that identify an item, as text.
func identity(input *program.Input, values sample.Values) string {
	attributes := input.Entity.ID
	if input.Kind == program.Key {
		attributes = nil
		for _, member := range input.Members {
			attributes = append(attributes, member.Attribute)
		}
	}
	var all []string
	for _, a := range attributes {
		all = append(all, a.Name+" "+values[a].String())
	}
	return "{" + strings.Join(all, ", ") + "}"
}
