package model

import "strings"

// String returns the condition in the syntax of design files.
func (c *Condition) String() string {
	name := c.Attribute.Name
	switch c.Op {
	case Or:
		return "(" + alternativesText(c.Any) + ")"
	case Exists, Missing:
		return name + " " + string(c.Op)
	case Between:
		return name + " between " + c.Values[0].String() + " and " + c.Values[1].String()
	case In:
		values := make([]string, len(c.Values))
		for i, v := range c.Values {
			values[i] = v.String()
		}
		return name + " in (" + strings.Join(values, ", ") + ")"
	}
	return name + " " + string(c.Op) + " " + c.Values[0].String()
}

// alternativesText returns the alternatives of an or, without parentheses around them.
func alternativesText(alternatives [][]*Condition) string {
	all := make([]string, len(alternatives))
	for i, alternative := range alternatives {
		each := make([]string, len(alternative))
		for j, c := range alternative {
			each[j] = c.String()
		}
		all[i] = strings.Join(each, " and ")
	}
	return strings.Join(all, " or ")
}

// String returns the operand in the syntax of design files.
func (o Operand) String() string {
	switch {
	case o.Param != "":
		return "$" + o.Param
	case o.Attribute != nil:
		return o.Attribute.Name
	}
	return o.Constant
}
