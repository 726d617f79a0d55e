package call

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// evaluate returns what an update makes of an item, as DynamoDB would: transactions do not return it. A nil item is
// one that does not exist. It knows the expressions that generated code writes.
func evaluate(w *Action, item access.Item) (access.Item, error) {
	e := &evaluation{w: w, item: item, made: access.Item{}}
	maps.Copy(e.made, w.Key)
	maps.Copy(e.made, item)
	clauses := parseUpdate(w.Update)
	makes := func(c clause) bool { return c.word == "SET" || c.word == "ADD" }
	if item == nil && w.Update != "" && !slices.ContainsFunc(clauses, makes) { // what only takes away makes no item
		return nil, nil
	}
	for _, c := range clauses {
		if err := e.clause(c); err != nil {
			return nil, fmt.Errorf("access: %s %s: %w", c.word, c.target, err)
		}
	}
	return e.made, nil
}

type evaluation struct {
	w          *Action
	item, made access.Item // before and after
}

func (e *evaluation) clause(c clause) error {
	path, err := e.path(c.target)
	if err != nil {
		return err
	}
	have := at(e.item, path)
	var value types.AttributeValue
	switch c.word {
	case "SET":
		value, err = e.value(c.value)
	case "ADD":
		if value, err = e.operand(c.value); err == nil {
			value, err = added(have, value)
		}
	case "DELETE":
		if value, err = e.operand(c.value); err == nil {
			value, err = without(have, value)
		}
	}
	if err != nil {
		return err
	}
	changed, err := assigned(&types.AttributeValueMemberM{Value: e.made}, path, value)
	if err == nil {
		e.made = changed.(*types.AttributeValueMemberM).Value
	}
	return err
}

// value evaluates the right side of an assignment.
func (e *evaluation) value(text string) (types.AttributeValue, error) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '+', '-':
			if depth > 0 {
				continue
			}
			left, err := e.operand(text[:i])
			if err != nil {
				return nil, err
			}
			right, err := e.operand(text[i+1:])
			if err != nil {
				return nil, err
			}
			return sum(left, right, text[i] == '-')
		}
	}
	return e.operand(text)
}

// operand evaluates a value, a path or a function. It is an error if the item does not have the path.
func (e *evaluation) operand(text string) (types.AttributeValue, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, ":") {
		if v := e.w.Values[text]; v != nil {
			return v, nil
		}
		return nil, fmt.Errorf("there is no value %s", text)
	}
	name, arguments, isCall := strings.Cut(text, "(")
	if !isCall {
		path, err := e.path(text)
		if err != nil {
			return nil, err
		}
		if v := at(e.item, path); v != nil {
			return v, nil
		}
		return nil, fmt.Errorf("the item has no %s", text)
	}
	first, second, ok := cutArguments(strings.TrimSuffix(arguments, ")"))
	if !ok {
		return nil, fmt.Errorf("%s needs two arguments", name)
	}
	switch strings.TrimSpace(name) {
	case "if_not_exists":
		path, err := e.path(first)
		if err != nil {
			return nil, err
		}
		if v := at(e.item, path); v != nil {
			return v, nil
		}
		return e.operand(second)
	case "list_append":
		a, err := e.operand(first)
		if err != nil {
			return nil, err
		}
		b, err := e.operand(second)
		if err != nil {
			return nil, err
		}
		x, isList := a.(*types.AttributeValueMemberL)
		y, areLists := b.(*types.AttributeValueMemberL)
		if !isList || !areLists {
			return nil, fmt.Errorf("%s is not of two lists", text)
		}
		return &types.AttributeValueMemberL{Value: slices.Concat(x.Value, y.Value)}, nil
	}
	return nil, fmt.Errorf("there is no function %s", name)
}

// cutArguments cuts at the comma that is in no parentheses.
func cutArguments(text string) (first, second string, ok bool) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				return text[:i], text[i+1:], true
			}
		}
	}
	return "", "", false
}

// A step of a path is the name of an entry of a map, or the index of an element of a list.
type step struct {
	name  string
	index int
}

// path returns the steps of a path of placeholders, such as #m.#k or #l[0].
func (e *evaluation) path(text string) ([]step, error) {
	var steps []step
	for _, part := range strings.Split(strings.TrimSpace(text), ".") {
		name, rest, indexed := strings.Cut(part, "[")
		if real, known := e.w.Names[name]; known {
			name = real
		}
		steps = append(steps, step{name: name})
		for indexed {
			var number string
			number, rest, _ = strings.Cut(rest, "]")
			n, err := strconv.Atoi(number)
			if err != nil {
				return nil, fmt.Errorf("%s is no path", text)
			}
			steps = append(steps, step{index: n})
			_, rest, indexed = strings.Cut(rest, "[")
		}
	}
	return steps, nil
}

// at returns what an item has at a path, nil if it has nothing there.
func at(item access.Item, path []step) types.AttributeValue {
	var v types.AttributeValue = &types.AttributeValueMemberM{Value: item}
	for _, s := range path {
		switch in := v.(type) {
		case *types.AttributeValueMemberM:
			v = in.Value[s.name]
		case *types.AttributeValueMemberL:
			if s.name != "" || s.index >= len(in.Value) {
				return nil
			}
			v = in.Value[s.index]
		default:
			return nil
		}
	}
	return v
}

// assigned returns a value with another one at a path, or with none there if that is nil. It changes no value.
func assigned(in types.AttributeValue, path []step, value types.AttributeValue) (types.AttributeValue, error) {
	if len(path) == 0 {
		return value, nil
	}
	s := path[0]
	switch in := in.(type) {
	case *types.AttributeValueMemberM:
		entry, err := assigned(in.Value[s.name], path[1:], value)
		if err != nil {
			return nil, err
		}
		own := maps.Clone(in.Value)
		if own == nil {
			own = access.Item{}
		}
		if own[s.name] = entry; entry == nil {
			delete(own, s.name)
		}
		return &types.AttributeValueMemberM{Value: own}, nil
	case *types.AttributeValueMemberL:
		own := slices.Clone(in.Value)
		if s.index >= len(own) {
			if value == nil {
				return in, nil
			}
			return &types.AttributeValueMemberL{Value: append(own, value)}, nil
		}
		entry, err := assigned(own[s.index], path[1:], value)
		if err != nil {
			return nil, err
		}
		if own[s.index] = entry; entry == nil {
			own = slices.Delete(own, s.index, s.index+1)
		}
		return &types.AttributeValueMemberL{Value: own}, nil
	}
	return nil, fmt.Errorf("the item has nothing to hold %s", s.name)
}

// sum adds or subtracts numbers.
func sum(a, b types.AttributeValue, minus bool) (types.AttributeValue, error) {
	x, isNumber := a.(*types.AttributeValueMemberN)
	y, areNumbers := b.(*types.AttributeValueMemberN)
	if !isNumber || !areNumbers {
		return nil, fmt.Errorf("only numbers can be added")
	}
	left, err := access.ParseDecimal(x.Value)
	if err != nil {
		return nil, err
	}
	right, err := access.ParseDecimal(y.Value)
	if err != nil {
		return nil, err
	}
	if minus {
		right = right.Neg()
	}
	total, err := left.Add(right)
	return &types.AttributeValueMemberN{Value: total.String()}, err
}

// added returns the sum of numbers, or the union of sets. Nothing counts as 0, or as the empty set.
func added(have, more types.AttributeValue) (types.AttributeValue, error) {
	if have == nil {
		return more, nil
	}
	switch more := more.(type) {
	case *types.AttributeValueMemberN:
		return sum(have, more, false)
	case *types.AttributeValueMemberSS:
		if have, ok := have.(*types.AttributeValueMemberSS); ok {
			return &types.AttributeValueMemberSS{Value: unionOf(have.Value, more.Value)}, nil
		}
	case *types.AttributeValueMemberNS:
		if have, ok := have.(*types.AttributeValueMemberNS); ok {
			return &types.AttributeValueMemberNS{Value: unionOf(have.Value, more.Value)}, nil
		}
	case *types.AttributeValueMemberBS:
		if have, ok := have.(*types.AttributeValueMemberBS); ok {
			return &types.AttributeValueMemberBS{Value: bytesOf(unionOf(textsOf(have.Value), textsOf(more.Value)))}, nil
		}
	}
	return nil, fmt.Errorf("what is added is of another kind")
}

// without returns a set without elements; nil if none is left.
func without(have, less types.AttributeValue) (types.AttributeValue, error) {
	if have == nil {
		return nil, nil
	}
	switch less := less.(type) {
	case *types.AttributeValueMemberSS:
		if have, ok := have.(*types.AttributeValueMemberSS); ok {
			if left := difference(have.Value, less.Value); len(left) > 0 {
				return &types.AttributeValueMemberSS{Value: left}, nil
			}
			return nil, nil
		}
	case *types.AttributeValueMemberNS:
		if have, ok := have.(*types.AttributeValueMemberNS); ok {
			if left := difference(have.Value, less.Value); len(left) > 0 {
				return &types.AttributeValueMemberNS{Value: left}, nil
			}
			return nil, nil
		}
	case *types.AttributeValueMemberBS:
		if have, ok := have.(*types.AttributeValueMemberBS); ok {
			if left := difference(textsOf(have.Value), textsOf(less.Value)); len(left) > 0 {
				return &types.AttributeValueMemberBS{Value: bytesOf(left)}, nil
			}
			return nil, nil
		}
	}
	return nil, fmt.Errorf("what is deleted is of another kind")
}

// unionOf returns the elements of two sets, sorted.
func unionOf(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

func difference(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

func textsOf(all [][]byte) []string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = string(one)
	}
	return texts
}

func bytesOf(all []string) [][]byte {
	values := make([][]byte, len(all))
	for i, one := range all {
		values[i] = []byte(one)
	}
	return values
}
