package expression

import (
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

// A parser parses the text of one expression into exprs. It recurses into
// parentheses, NOT and function calls; a text has at most
// dynamo.MaxExpressionSize bytes and each level takes at least one of them, so no
// text can exhaust the stack.
type parser struct {
	text      string
	language  language
	token     token
	before    int // where the previous token starts, 0 if there is none
	operators int

	exprs    []expr    // allocated together, so that a text costs few allocations
	elements []element // of all paths
}

// newParser checks a text as far as that needs no parsing, and returns its parser.
func newParser(text string, l language) (*parser, error) {
	switch {
	case text == "":
		return nil, l.errorf("The expression can not be empty;")
	case len(text) > dynamo.MaxExpressionSize && l == updateLanguage:
		return nil, l.errorf("Expression size has exceeded the maximum allowed size;")
	case len(text) > dynamo.MaxExpressionSize:
		return nil, l.errorf("Expression size has exceeded the maximum allowed size; expression size: %d", len(text))
	}
	p := &parser{text: text, language: l, elements: make([]element, 0, 4)}
	p.token = lex(text, 0, l)
	return p, nil
}

// advance moves to the next token.
func (p *parser) advance() {
	p.before = p.token.start
	p.token = lex(p.text, p.token.end, p.language)
}

// accept advances if the token is of this kind.
func (p *parser) accept(kind tokenKind) bool {
	if p.token.kind != kind {
		return false
	}
	p.advance()
	return true
}

// expect advances if the token is of this kind, and fails otherwise.
func (p *parser) expect(kind tokenKind) error {
	if !p.accept(kind) {
		return p.syntaxError()
	}
	return nil
}

// word returns the text of the token.
func (p *parser) word() string { return p.text[p.token.start:p.token.end] }

// syntaxError reports the token as the error. It quotes the text from the previous to the
// next token.
func (p *parser) syntaxError() error {
	word, end := "<EOF>", p.token.end
	if p.token.kind != tokenEnd {
		word = p.word()
		end = lex(p.text, p.token.end, p.language).end
	}
	return p.language.errorf(`Syntax error; token: "%s", near: "%s"`, word, p.text[p.before:end])
}

// finish checks that no text is left and that the expression is not too large.
func (p *parser) finish() error {
	if p.token.kind != tokenEnd {
		return p.syntaxError()
	}
	if p.operators > dynamo.MaxExpressionOperators {
		return p.language.errorf("The expression contains too many operators; operator count: %d", dynamo.MaxExpressionOperators+1)
	}
	return nil
}

// newExpr returns a node with the given operands.
func (p *parser) newExpr(o op, operands *expr) *expr {
	n := len(p.exprs)
	if n == cap(p.exprs) {
		p.exprs, n = make([]expr, 0, min(3+len(p.text)/6, 32)), 0
	}
	if o > opValue {
		p.operators++
	}
	p.exprs = p.exprs[:n+1]
	e := &p.exprs[n]
	e.op, e.operands = o, operands
	return e
}

// operand parses a value, a path or a function call, which may be in parentheses.
func (p *parser) operand() (*expr, error) {
	if p.token.kind != tokenOpen {
		return p.bareOperand()
	}
	p.advance()
	e, err := p.operand()
	if err != nil {
		return nil, err
	}
	return p.closeParens(e)
}

// closeParens parses the parenthesis after e and, in conditions, the rest of a
// path that starts with parentheses: (a.b).c
func (p *parser) closeParens(e *expr) (*expr, error) {
	if err := p.expect(tokenClose); err != nil {
		return nil, err
	}
	if e.parens {
		return nil, p.language.errorf("The expression has redundant parentheses;")
	}
	e.parens = true
	if e.op != opPath || p.language == updateLanguage {
		return e, nil
	}
	if p.token.kind == tokenDot || p.token.kind == tokenOpenIndex {
		e.parens = false
	}
	return e, p.pathRest(&e.path)
}

func (p *parser) bareOperand() (*expr, error) {
	switch p.token.kind {
	case tokenValue:
		e := p.newExpr(opValue, nil)
		e.word = p.word()
		p.advance()
		return e, nil
	case tokenWord:
		if lex(p.text, p.token.end, p.language).kind == tokenOpen {
			return p.call()
		}
	}
	e := p.newExpr(opPath, nil)
	var err error
	e.path, err = p.path()
	return e, err
}

// call parses a function call. Its name is looked up later.
func (p *parser) call() (*expr, error) {
	e := p.newExpr(opCall, nil)
	e.word = p.word()
	p.advance()
	p.advance()
	var err error
	if e.operands, err = p.operandList(); err != nil {
		return nil, err
	}
	return e, nil
}

// operandList parses operands separated by commas and the closing parenthesis, and
// returns the first operand.
func (p *parser) operandList() (first *expr, err error) {
	for at := &first; ; at = &(*at).next {
		if *at, err = p.operand(); err != nil {
			return nil, err
		}
		if !p.accept(tokenComma) {
			return first, p.expect(tokenClose)
		}
	}
}

// path parses a document path.
func (p *parser) path() (path, error) {
	start := len(p.elements)
	if err := p.pathName(); err != nil {
		return nil, err
	}
	found := path(p.elements[start:len(p.elements):len(p.elements)])
	err := p.pathRest(&found)
	return found, err
}

// pathRest parses the rest of a path after its first elements. They are the
// elements parsed last, so that the path stays contiguous.
func (p *parser) pathRest(found *path) error {
	start := len(p.elements) - len(*found)
	for {
		var err error
		switch {
		case p.accept(tokenDot):
			err = p.pathName()
		case p.accept(tokenOpenIndex):
			err = p.pathIndex()
		default:
			*found = path(p.elements[start:len(p.elements):len(p.elements)])
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (p *parser) pathName() error {
	switch p.token.kind {
	case tokenWord:
		p.elements = append(p.elements, element{kind: attribute, name: p.word()})
	case tokenName:
		p.elements = append(p.elements, element{kind: placeholder, name: p.word()})
	default:
		return p.syntaxError()
	}
	p.advance()
	return nil
}

func (p *parser) pathIndex() error {
	digits := p.word()
	if err := p.expect(tokenNumber); err != nil {
		return err
	}
	index, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		index = -1
	}
	p.elements = append(p.elements, element{kind: position, index: int(index), name: digits})
	return p.expect(tokenCloseIndex)
}
