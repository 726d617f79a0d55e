package claim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
)

// The grammar of formulas, parsed and computed in one pass:
//
//	sum     = product { ("+" | "-") product }
//	product = factor { ("*" | "/") factor }
//	factor  = "-" factor | "(" sum ")" | number | name | name "(" arguments ")"
//	number  = ["$"] digits ["." digits] [unit]
//
// Arguments that name an element of the design (a pattern, a table) are parsed as one word,
// so that homeops-messages is a name and not a subtraction.

const (
	maxLength = 2000 // of a formula, in bytes
	maxDepth  = 50   // of parentheses and calls
	maxCalls  = 50   // of functions in one formula
)

// A fault is an error in a formula, with its position.
type fault struct {
	offset, length int // in characters
	message        string
}

func (f *fault) Error() string { return f.message }

// units maps the suffixes of numbers to constructors of values.
var units = map[string]func(exact.Number) value{
	"":   plain,
	"k":  func(n exact.Number) value { return plain(n.Times(1000)) },
	"M":  func(n exact.Number) value { return plain(n.Times(1_000_000)) },
	"%":  func(n exact.Number) value { return plain(n.Over(100)) },
	"B":  func(n exact.Number) value { return bytes(n, 1) },
	"KB": func(n exact.Number) value { return bytes(n, 1<<10) },
	"MB": func(n exact.Number) value { return bytes(n, 1<<20) },
	"GB": func(n exact.Number) value { return bytes(n, 1<<30) },
	"TB": func(n exact.Number) value { return bytes(n, 1<<40) },
	"km": plain,
	"s":  func(n exact.Number) value { return duration(n, 1) },
	"h":  func(n exact.Number) value { return duration(n, 3600) },
	"d":  func(n exact.Number) value { return duration(n, 24*3600) },
	"w":  func(n exact.Number) value { return duration(n, 7*24*3600) },
	"y":  func(n exact.Number) value { return duration(n, 365*24*3600) },
}

// compute parses a formula and returns its value.
func compute(formula string, env Env) (value, *fault) {
	if len(formula) > maxLength {
		return value{}, &fault{0, 1, fmt.Sprintf("a formula has at most %d characters", maxLength)}
	}
	p := &parser{text: []rune(formula), env: env}
	result, bad := p.sum()
	if bad != nil {
		return value{}, bad
	}
	p.space()
	if p.at < len(p.text) {
		return value{}, p.unexpected("an operator + - * / or the end")
	}
	return result, nil
}

type parser struct {
	text  []rune
	at    int
	depth int
	calls int
	env   Env
}

func (p *parser) space() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t' || p.text[p.at] == '\n') {
		p.at++
	}
}

// peek returns the next character that is not a space, or 0 at the end.
func (p *parser) peek() rune {
	p.space()
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// take consumes the next character if it is c.
func (p *parser) take(c rune) bool {
	if p.peek() != c {
		return false
	}
	p.at++
	return true
}

func (p *parser) unexpected(wanted string) *fault {
	if p.peek() == 0 {
		return &fault{max(len(p.text)-1, 0), 1, "the formula ends, but " + wanted + " is expected"}
	}
	return &fault{p.at, 1, fmt.Sprintf("unexpected %q; expected %s", string(p.text[p.at]), wanted)}
}

// since returns a fault from start to the current position.
func (p *parser) since(start int, err error) *fault {
	if err == nil {
		return nil
	}
	return &fault{start, max(p.at-start, 1), err.Error()}
}

func (p *parser) sum() (value, *fault) {
	start := p.at
	left, bad := p.product()
	for bad == nil && (p.peek() == '+' || p.peek() == '-') {
		minus := p.text[p.at] == '-'
		p.at++
		var right value
		if right, bad = p.product(); bad != nil {
			break
		}
		var err error
		left, err = left.plus(right, minus)
		bad = p.since(start, err)
	}
	return left, bad
}

func (p *parser) product() (value, *fault) {
	start := p.at
	left, bad := p.factor()
	for bad == nil && (p.peek() == '*' || p.peek() == '/') {
		divide := p.text[p.at] == '/'
		p.at++
		var right value
		if right, bad = p.factor(); bad != nil {
			break
		}
		var err error
		if divide {
			left, err = left.over(right)
		} else {
			left, err = left.times(right)
		}
		bad = p.since(start, err)
	}
	return left, bad
}

func (p *parser) factor() (value, *fault) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return value{}, &fault{p.at, 1, "the formula is nested too deeply"}
	}
	start := p.at
	switch c := p.peek(); {
	case c == '-':
		p.at++
		operand, bad := p.factor()
		if bad != nil {
			return value{}, bad
		}
		negative, err := plain(exact.Int(-1)).times(operand)
		return negative, p.since(start, err)
	case c == '(':
		p.at++
		inner, bad := p.sum()
		if bad == nil && !p.take(')') {
			bad = p.unexpected("\")\"")
		}
		return inner, bad
	case c == '$' || isDigit(c):
		return p.number()
	case isLetter(c):
		return p.named()
	}
	return value{}, p.unexpected("a number, a name or \"(\"")
}

func isDigit(c rune) bool { return c >= '0' && c <= '9' }

func isLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// run consumes characters as long as accept returns true.
func (p *parser) run(accept func(rune) bool) string {
	start := p.at
	for p.at < len(p.text) && accept(p.text[p.at]) {
		p.at++
	}
	return string(p.text[start:p.at])
}

func (p *parser) number() (value, *fault) {
	p.take('$')
	start := p.at
	digits := p.run(func(c rune) bool { return isDigit(c) || c == '.' })
	number, err := exact.Parse(digits)
	if err != nil {
		return value{}, p.since(start, err)
	}
	unit := p.run(func(c rune) bool { return isLetter(c) || c == '%' })
	of, ok := units[unit]
	if !ok {
		known := slices.Sorted(maps.Keys(units))[1:]
		return value{}, &fault{p.at - len([]rune(unit)), len([]rune(unit)),
			fmt.Sprintf("unknown unit %q; units are %s", unit, strings.Join(known, ", "))}
	}
	result, err := of(number).checked()
	return result, p.since(start, err)
}

// named parses the name of a number, or a call.
func (p *parser) named() (value, *fault) {
	start := p.at
	name := p.run(func(c rune) bool { return isLetter(c) || isDigit(c) })
	if p.peek() == '(' {
		return p.call(start, name)
	}
	result, ok := p.env.name(name)
	if !ok {
		hint := diag.DidYouMean(name, slices.Concat(p.env.names(), functionNames()))
		return value{}, &fault{start, len([]rune(name)), fmt.Sprintf("nothing is called %s%s", name, hint)}
	}
	return result, nil
}

// call parses the arguments of a function by its parameters and calls it.
func (p *parser) call(start int, name string) (value, *fault) {
	f, ok := functions[name]
	if !ok {
		return value{}, &fault{start, len([]rune(name)),
			fmt.Sprintf("no function is called %s%s", name, diag.DidYouMean(name, functionNames()))}
	}
	if p.calls++; p.calls > maxCalls {
		return value{}, &fault{start, len([]rune(name)), fmt.Sprintf("a formula calls at most %d functions", maxCalls)}
	}
	p.take('(')
	arguments, bad := p.arguments(f)
	if bad != nil {
		return value{}, bad
	}
	result, err := f.call(p.env, arguments)
	if bad, ok := err.(*fault); ok {
		return value{}, bad
	}
	if err == nil {
		result, err = result.checked()
	}
	return result, p.since(start, err)
}

// arguments parses up to and including the closing parenthesis.
func (p *parser) arguments(f *Function) ([]argument, *fault) {
	var all []argument
	for {
		if len(all) >= f.required() && p.take(')') {
			return all, nil
		}
		if len(all) > 0 && !p.take(',') {
			return nil, p.unexpected("\",\" or \")\" of " + f.Signature())
		}
		param, ok := f.param(len(all))
		if !ok {
			return nil, p.unexpected("\")\" of " + f.Signature())
		}
		if f.scope != nil && len(all) == 1 {
			outer := p.env
			defer func() { p.env = outer }()
			inner, err := f.scope(p.env, all[0])
			if err != nil {
				return nil, &fault{all[0].offset, all[0].length, err.Error()}
			}
			p.env = inner
		}
		next, bad := p.argument(param, f)
		if bad != nil {
			return nil, bad
		}
		all = append(all, next)
	}
}

func (p *parser) argument(param param, f *Function) (argument, *fault) {
	p.space()
	start := p.at
	if param.kind == numberParam {
		number, bad := p.sum()
		if bad == nil && number.isText {
			bad = p.since(start, errTextArithmetic)
		}
		return argument{value: number, offset: start, length: p.at - start}, bad
	}
	word := p.word()
	if word == "" {
		return argument{}, p.unexpected("the " + param.name + " of " + f.Signature())
	}
	return argument{word: word, offset: start, length: p.at - start}, nil
}

// word parses a name of the design, quoted or not.
func (p *parser) word() string {
	if p.take('"') {
		word := p.run(func(c rune) bool { return c != '"' })
		p.take('"')
		return word
	}
	return p.run(func(c rune) bool { return isLetter(c) || isDigit(c) || c == '-' || c == '.' })
}
