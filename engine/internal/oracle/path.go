package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A Path leads into an item: names of attributes and members as strings, and
// positions in lists as ints.
type Path []any

// head returns the attribute a path starts with.
func (p Path) head() string { return p[0].(string) }

// String returns a path as DynamoDB prints it in messages.
func (p Path) String() string {
	parts := make([]string, len(p))
	for i, e := range p {
		parts[i] = fmt.Sprint(e)
		if _, position := e.(int); position {
			parts[i] = fmt.Sprintf("[%d]", e)
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// in returns the value that the path leads to; nil if there is none.
func (p Path) in(it Item) types.AttributeValue {
	var v types.AttributeValue = M(it)
	for _, e := range p {
		v = child(v, e)
	}
	return v
}

// child returns the member or element of a value; nil if there is none.
func child(v types.AttributeValue, element any) types.AttributeValue {
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		if name, ok := element.(string); ok {
			return v.Value[name]
		}
	case *types.AttributeValueMemberL:
		if i, ok := element.(int); ok && i < len(v.Value) {
			return v.Value[i]
		}
	}
	return nil
}

// overlaps reports whether one of two paths is a prefix of the other.
func (p Path) overlaps(q Path) bool {
	n := min(len(p), len(q))
	return slices.Equal(p[:n], q[:n])
}

// project returns the part of an item that the paths lead to. Lists have no gaps.
func project(it Item, paths []Path) Item {
	part, _ := projectValue(M(it), paths).(*types.AttributeValueMemberM)
	if part == nil {
		return Item{}
	}
	return part.Value
}

// projectValue returns the part of a value that the paths lead to, nil if there is none.
func projectValue(v types.AttributeValue, paths []Path) types.AttributeValue {
	for _, p := range paths {
		if len(p) == 0 {
			return v
		}
	}
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		part := Item{}
		for name, member := range v.Value {
			if under := below(paths, name); under != nil {
				if member := projectValue(member, under); member != nil {
					part[name] = member
				}
			}
		}
		if len(part) > 0 {
			return M(part)
		}
	case *types.AttributeValueMemberL:
		var part []types.AttributeValue
		for i, e := range v.Value {
			if under := below(paths, i); under != nil {
				if e := projectValue(e, under); e != nil {
					part = append(part, e)
				}
			}
		}
		if len(part) > 0 {
			return L(part...)
		}
	}
	return nil
}

// below returns the rests of the paths that continue with an element.
func below(paths []Path, element any) (rests []Path) {
	for _, p := range paths {
		if len(p) > 0 && p[0] == element {
			rests = append(rests, p[1:])
		}
	}
	return rests
}
